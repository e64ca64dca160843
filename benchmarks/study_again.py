"""What malle2017 and selvi2021 say again under today's code, beside what is on file of full runs.

``python benchmarks/study_again.py MALLE SELVI`` takes the items done so far in folders of ``shoal
study ... --full``. Those of malle2017 are held against the tables that are kept: scores that do not
depend on what a session learns must be the same to the last digit on file; what sessions of today
change in the gain of their experts is told with an interval, over the experts done at every k. Of
selvi2021 what each way to train the network comes to is taken.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measuring import heading
from shoal.studies import finished_work
from shoal.studies._base import Finished
from shoal.studies._census._gains import ScoreChange, gain_of
from shoal.studies._census._models import MODELS
from shoal.studies._verdicts import ClaimDraft, Estimate
from shoal.studies.malle2017._claims import claims
from shoal.studies.malle2017._datasets import DRAWS
from shoal.studies.malle2017._scores import Scores

RESULTS = Path(__file__).parent / "results"
KEPT = RESULTS / "studies" / "malle2017" / "tables"
CODE, ROWS = "today", 3_000
CELL, CHANGE = 1e-6, 1e-5  # half a last digit of what is on file, and a little


def main(malle: str, selvi: str) -> None:
    """Compare, and write one JSON file."""
    trained = finished_work("selvi2021", selvi).records("ablation")
    results = {**compare(finished_work("malle2017", malle)), "ablation": trained}
    found = {**heading("study_again"), "results": results}
    (RESULTS / "study_again.json").write_text(json.dumps(found, indent=2) + "\n")


def compare(done: Finished) -> dict[str, Any]:
    """Equal weights and sliders must be what they were; questions are learned anew."""
    scores = Scores(done)
    cells = [*_cells(scores)]
    filed = {
        (r["way"], int(r["expert"]), int(r["k"])): float(r["proper"])
        for r in _kept("changes")
        if (r["code"], r["rows"]) == (CODE, str(ROWS))
    }
    sliders = [c.gain - filed["bias", c.expert, c.k] for c in scores.gains(CODE, ROWS, "bias")]
    now = scores.gains(CODE, ROWS, "iml")
    before = [_with(c, filed["iml", c.expert, c.k]) for c in now]
    moved = [_with(c, c.gain - b.gain) for c, b in zip(now, before, strict=True)]
    return {
        "rows": ROWS,
        "ks": sorted({c.k for c in now}),
        "equal": len(cells),
        "equal_same": sum(abs(gap) < CELL for gap in cells),
        "sliders": len(sliders),
        "sliders_same": sum(abs(gap) < CHANGE for gap in sliders),
        "questions": len(now),
        "now": _told(gain_of(now)),
        "filed": _told(gain_of(before)),
        "moved": _told(gain_of(moved)),
        "curves": [_told(c.parts[0].estimate) for c in claims(done, scores) if _bent(c)],
    }


def _cells(scores: Scores) -> Iterator[float]:
    """How far mean scores of equal weights are from those on file, where all draws are done."""
    counted = Counter((r["target"], r["k"]) for r in scores.datasets if _is_equal(r))
    for r in _kept("scores"):
        where = {"code": r["code"], "rows": int(r["rows"]), "way": r["way"]}
        there = r["target"], int(r["k"])
        if _is_equal(where) and counted[there] == DRAWS and r["model"] in MODELS:
            now = scores.mean(r["model"], "proper", target=there[0], k=there[1], **where)
            yield (now or 0.0) - float(r["proper"])


def _is_equal(record: dict[str, Any]) -> bool:
    return (record["code"], record["rows"], record["way"]) == (CODE, ROWS, "equal")


def _with(change: ScoreChange, gain: float) -> ScoreChange:
    return ScoreChange(change.expert, change.target, change.k, gain, change.draw)


def _bent(draft: ClaimDraft) -> bool:
    """Whether a claim is about the shape of curves; its interval was over curves, not draws."""
    return "1/x" in draft.claimed


def _told(found: Estimate | None) -> list[float]:
    assert found is not None  # some experts are done
    return [found.value, *found.interval()]


def _kept(name: str) -> list[dict[str, str]]:
    with (KEPT / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main(*sys.argv[1:])
