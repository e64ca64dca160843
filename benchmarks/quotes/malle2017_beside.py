"""What malle2017's results say for and against sliders, cell by cell, and its largest gain."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from quotes._markdown import RESULTS, paragraph, table

TABLES = RESULTS / "studies" / "malle2017" / "tables"
FIGURES = {"marital-status": "(Fig. 2)", "education-num": "(Fig. 3)", "income": "(Fig. 4)"}
COUNTED = re.compile(r"bias is above equal in (\d+) of (\d+)")


def write() -> Iterator[str]:
    """Give the table of cells and the paragraph on gains."""
    scores, gains, authors = _read("scores"), _read("gains"), _authors()
    arms = sorted({(r["code"], int(r["rows"])) for r in scores})
    yield paragraph(
        "In how many cells (model and k) the weights of sliders are above equal ones, by the",
        "published score and by macro F1 on untouched originals: in the authors' own F1 tables,",
        "where people set the sliders, and here, where simulated people do. Cells share rows and",
        "minds, so counting them proves nothing: intervals are below.",
    )
    rows = [
        (
            target,
            _told(authors[target]),
            *(_told(_ahead(scores, a, target, s)) for a, s in _ways(arms)),
        )
        for target in FIGURES
    ]
    heads = [f"{code}, {rows:,} rows, {score}" for (code, rows), score in _ways(arms)]
    yield from table(("target", "the authors, published", *heads), *rows)
    sure = [r for r in gains if r["low"] and float(r["low"]) * float(r["high"]) > 0]
    best = max((r for r in gains if r["target"] == "all"), key=lambda r: float(r["gain"]))
    way = "sliders" if best["way"] == "bias" else "questions"
    yield paragraph(
        "The largest gain in macro F1 over all targets is",
        f"{float(best['gain']):+.3f} ({float(best['low']):+.3f} to {float(best['high']):+.3f}):",
        f"{way} of {best['experts']} experts, {best['code']} code, {int(best['rows']):,} rows. It",
        f"is the best of many: {len(sure)} of {len(gains)} such intervals leave zero out, none of",
        f"them corrected for that, and one in twenty ({len(gains) / 20:.0f}) would by chance.",
    )


def _authors() -> dict[str, tuple[int, int]]:
    """Cells of the authors' own F1 tables in which bias is above equal weights, of how many."""
    facts = json.loads((TABLES.parent / "results.json").read_text(encoding="utf-8"))
    return {
        target: (int(found[1]), int(found[2]))
        for target, figure in FIGURES.items()
        for claim in facts["claims"]
        if figure in claim["claimed"] and (found := COUNTED.search(claim["measured"]))
    }


def _ways(arms: list[tuple[str, int]]) -> list[tuple[tuple[str, int], str]]:
    few = [("legacy", 3_000), ("today", max(rows for code, rows in arms if code == "today"))]
    return list(product(few, ("published", "proper")))


def _ahead(
    scores: list[dict[str, Any]], arm: tuple[str, int], target: str, score: str
) -> tuple[int, int]:
    here = {
        (r["way"], r["k"], r["model"]): float(r[score])
        for r in scores
        if (r["code"], int(r["rows"]), r["target"]) == (*arm, target)
        and r["model"] != "constant"
        and r[score]
    }
    pairs = [(f1, here["equal", k, m]) for (way, k, m), f1 in here.items()
             if way == "bias" and ("equal", k, m) in here]  # fmt: skip
    return sum(ours > equal for ours, equal in pairs), len(pairs)


def _told(cells: tuple[int, int]) -> str:
    return f"{cells[0]} of {cells[1]}" if cells[1] else "–"


def _read(name: str) -> list[dict[str, Any]]:
    with (TABLES / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
