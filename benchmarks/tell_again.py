"""Say what is on file of three studies again, in the sentences of today.

``python benchmarks/tell_again.py`` makes the sentences of malle2016 and miche2016, and the summary
of selvi2021, anew from the draws that are kept, and writes them into their results. No number may
go and no answer changes: a number of the old sentence that the new one lacks is an error, and the
study has to run again.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from shoal.studies import malle2016, miche2016, selvi2021
from shoal.studies._census._models import MODELS
from shoal.studies._verdicts import ClaimDraft

RESULTS = Path(__file__).parent / "results" / "studies"
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
WORDS = ("draw", "way", "who", "recipe", "table", "routing")
EXAMPLE = [{"changed": {"": True}, "crowd": 0, "outliers": 1}]  # its sentence is not made again


def main() -> None:
    """Retell all three."""
    drawn = list(_forgotten())
    told = malle2016._conclusions
    means = told._means(drawn)
    retell("malle2016", told._claims(drawn, means), told._summary("full", drawn, means))
    moved, told = list(_read("miche2016")), miche2016._conclusions
    drafts = [*islice(told._hiding(moved, EXAMPLE), 1, None), *told._keeping(moved)]
    retell("miche2016", drafts, told._summary("full", moved))
    routed = list(_read("selvi2021", "routing"))
    retell("selvi2021", [], selvi2021._conclusions._summary("full", routed))


def retell(name: str, drafts: list[ClaimDraft], summary: str) -> None:
    """Put the sentences of today in the place of those on file."""
    path = RESULTS / name / "results.json"
    facts = json.loads(path.read_text(encoding="utf-8"))
    claims = {claim["claimed"]: claim for claim in facts["claims"]}
    for draft in drafts:
        claim = claims[draft.claimed]
        claim["measured"] = _checked(claim["measured"], draft.measured)
    facts["summary"] = _checked(facts["summary"], summary)
    path.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _checked(old: str, new: str) -> str:
    if lost := Counter(NUMBER.findall(old)) - Counter(NUMBER.findall(new)):
        raise SystemExit(f"{sorted(lost)} would be gone: {old} -> {new}")
    return new


def _forgotten() -> Iterator[dict[str, Any]]:
    """Draws of malle2016 as its items gave them; its constant answer is in no sentence."""
    for r in _read("malle2016"):
        scored = r["linear_svc"] is not None
        yield {**r, "f1": {**{m: r[m] for m in MODELS}, "constant": 0.0} if scored else None}


def _read(name: str, table: str = "draws") -> Iterator[dict[str, Any]]:
    with (RESULTS / name / "tables" / f"{table}.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield {n: v if n in WORDS else _number(v) for n, v in row.items()}


def _number(text: str) -> float | int | None:
    if not text:
        return None
    return int(text) if text.isdigit() else float(text)


if __name__ == "__main__":
    main()
