"""What the results say about the paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.studies._base import Finished, Size
from shoal.studies._census._people import PUBLISHED_ROWS
from shoal.studies._findings import Findings
from shoal.studies._verdicts import decided_table, judge
from shoal.studies.malle2017._beside import beside_published
from shoal.studies.malle2017._claims import claims, lost_at_most
from shoal.studies.malle2017._pictures import pictures
from shoal.studies.malle2017._scores import Scores
from shoal.studies.malle2017._tables import constant_score, repairs, reproduced, tables

UNKNOWN = (
    "The 126 weight vectors of the paper's participants were never published; those here belong to "
    "simulated experts, so that bias and iml can be compared with the paper in kind only.",
    "The versions of Python and scikit-learn of the published scores; ours differ in solvers and "
    "random numbers, boosting has 40 trees on histograms, forests have 30 trees, and logistic "
    "regression tells all classes apart at once where theirs set one against the rest.",
    "Whether people would answer a session as well as simulated experts, and set sliders as "
    "exactly: that takes people.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Put together tables, pictures and answers."""
    scores = Scores(done)
    numbers = numbers_of(done, scores)
    drafts = list(claims(done, scores))
    return Findings(
        summary=_summary(size, numbers, scores),
        tables=[*tables(done, scores), decided_table(drafts)],
        pictures=list(pictures(done, scores)),
        claims=judge(drafts),
        numbers=numbers,
        unknown=UNKNOWN,
    )


def numbers_of(done: Finished, scores: Scores) -> dict[str, Any]:
    """The numbers documents quote."""
    files = reproduced(done)
    lost = {r["code"]: {n: v for n, v in r.items() if n != "code"} for r in repairs(done)}
    constants = {
        r["target"]: {
            "published": constant_score(r["target"], r["rows"]),
            "proper": r["proper"]["f1"]["constant"],
        }
        for r in scores.originals
        if r["rows"] == PUBLISHED_ROWS
    }
    beside = [abs(r["difference"]) for r in beside_published(scores)]
    return {
        "files_identical": sum(r["identical"] for r in files),
        "files": len(files),
        "rows_outside": [
            min(r["rows_outside"] for r in files),
            max(r["rows_outside"] for r in files),
        ],
        "ngil": lost,
        "constant": constants,
        "beside_published_mean_difference": float(np.mean(beside)) if beside else None,
        "datasets": len(scores.datasets) + len(scores.originals),
        "most_rows": scores.most_rows,
        "arms": [list(arm) for arm in scores.arms],
    }


def _summary(size: Size, numbers: dict[str, Any], scores: Scores) -> str:
    lost = numbers["ngil"]
    part = "" if size == "full" else f" This is the {size} run; --full runs all of it."
    return (
        f"The original code is reproduced byte for byte ({numbers['files_identical']} of "
        f"{numbers['files']} files). It loses {lost['as shipped']['k=5']:.3f} where its own "
        f"formula loses {lost['as printed']['k=5']:.3f} (NGIL, {PUBLISHED_ROWS:,} rows, k = 5), "
        f"and its score pays {numbers['constant']['income']['published']:.4f} for one answer to "
        f"everybody (income){_falls(scores)}{_weights(scores)}.{part}"
    )


def _falls(scores: Scores) -> str:
    """Say what the largest k costs, as far as it is known."""
    if not scores.originals:
        return ""
    _, now, lost = lost_at_most(scores)
    return (
        f". On people nobody has touched k = {max(now)} costs {lost} of macro F1 over draws of "
        f"{PUBLISHED_ROWS:,} rows (mean of models and targets)"
    )


def _weights(scores: Scores) -> str:
    """Say what weights did, as far as it is known."""
    rows = scores.most_rows
    told = [
        f"{gain} with {WAYS[way]}"
        for way in ("bias", "iml")
        if (gain := scores.gain("today", rows, way)) is not None
    ]
    if not told:
        return ""
    return (
        f"; against equal weights, weights that act change macro F1 by {' and '.join(told)} at "
        f"{rows:,} rows"
    )


WAYS = {"bias": "sliders", "iml": "questions"}
