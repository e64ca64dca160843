"""What forgetting costs: models, rows, and the crowds of those who stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shoal.studies._base import Finished, Size
from shoal.studies._census._models import MODEL_NAMES, MODELS
from shoal.studies._drawing import COLOURS, INK, legend_above, new_figure
from shoal.studies._findings import Findings, PaperClaim, Picture, ResultTable, judged
from shoal.studies.malle2016._work import LEAVERS, WAYS, K

NEARLY = 0.02  # of macro F1: what this study calls stable
UNKNOWN = (
    "The paper is cited by the one behind malle2017 and is not at hand here: its rows, models and "
    "numbers are not compared. The question is its own, the design is Shoal's.",
    "Who asks to be forgotten: here anybody, or high earners four times as often.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Put together the table, the pictures and the answers."""
    records = _means(done.records("forget"))
    return Findings(
        summary=_summary(size, records),
        tables=[
            ResultTable(
                "forgotten",
                "Macro F1 on untouched originals as people leave",
                records,
                f"Adult, income, k = {K}. Below k: share of the rows left whose crowd is too "
                "small. No score where fewer than two crowds or one class are left.",
            )
        ],
        pictures=[
            Picture(
                "forgetting",
                "Macro F1 against the share of forgotten people",
                lambda: _draw(records),
                "Mean of four models on untouched originals; dashed: the constant predictor.",
            ),
            Picture(
                "left",
                "What each way leaves behind",
                lambda: _draw_left(records),
                "Rows left to learn from, and rows whose crowd is below k (anybody leaves).",
            ),
        ],
        claims=_claims(records),
        numbers={
            f"{r['who']}, {r['way']}, {r['share']:g}": r["mean"]
            for r in records
            if r["mean"] is not None
        },
        unknown=UNKNOWN,
    )


def _means(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Average over draws; a mean there is only where every draw has a score."""
    keys = dict.fromkeys((r["who"], r["way"], r["share"], r["rows"]) for r in records)
    found = []
    for key in keys:
        own = [r for r in records if (r["who"], r["way"], r["share"], r["rows"]) == key]
        scored = all(r["f1"] is not None for r in own)
        f1 = {m: float(np.mean([r["f1"][m] for r in own])) if scored else None
              for m in (*MODELS, "constant")}  # fmt: skip
        found.append(
            {
                **dict(zip(("who", "way", "share", "rows"), key, strict=True)),
                "rows_left": round(float(np.mean([r["rows_left"] for r in own]))),
                "below_k": float(np.mean([r["below_k"] for r in own])),
                **f1,
                "mean": float(np.mean([f1[m] for m in MODELS])) if scored else None,
                "draws": len(own),
            }
        )
    return found


def _claims(records: list[dict[str, Any]]) -> list[PaperClaim]:
    last = max(r["share"] for r in records)
    whole = _mean(records, "un-anonymized", 0.0)
    after, anew = (_mean(records, way, last) for way in ("un-anonymized", "made anew"))
    kept = _mean(records, "made anew", 0.0)
    broken = [r for r in records if r["way"] == "rows leave" and r["share"] > 0]
    least = min(broken, key=lambda r: r["share"])
    lost = (whole - after, kept - anew)
    gone = [r for r in records if r["way"] == "crowds leave" and r["share"] > 0]
    keeps_k = all(r["below_k"] == 0 for r in gone)
    small_price = all(r["rows_left"] >= (1 - 2 * r["share"]) * r["rows"] for r in gone)
    return [
        PaperClaim(
            "Models stay stable as people are deleted at random (as malle2017 recalls it).",
            f"With {last:.0%} of everybody gone, macro F1 (mean of four models) goes from "
            f"{whole:.3f} to {after:.3f} without anonymization, and from {kept:.3f} to {anew:.3f} "
            "when those who stay are grouped anew.",
            judged(max(lost) < NEARLY, in_part=min(lost) < NEARLY),
            ("forgotten", "forgetting"),
        ),
        PaperClaim(
            "Asked here: does anonymizing everybody cost more than deleting those who ask?",
            f"Anonymizing (k = {K}) costs {whole - kept:.3f} with everybody there; deleting "
            f"{last:.0%} of the people {whole - after:.3f}.",
            judged(whole - kept > whole - after),
            ("forgotten", "forgetting"),
        ),
        PaperClaim(
            "Asked here: is it enough to drop the rows of those who ask from a release?",
            f"Models hardly notice, but the crowds of those who stay shrink: with "
            f"{least['share']:.0%} forgotten {least['below_k']:.0%} of the rows left are in a "
            f"crowd below k = {K}. What is left is no longer {K}-anonymous, and the difference of "
            "the two releases names those who left.",
            judged(least["below_k"] == 0),
            ("forgotten", "left"),
        ),
        PaperClaim(
            "Asked here: does dropping whole crowds keep k and hide who left?",
            "It does, and it takes the table with it: "
            + ", ".join(
                f"{r['rows_left'] / r['rows']:.0%} of the rows are left with {r['share']:.0%} "
                "forgotten"
                for r in [g for g in gone if g["who"] == "anybody"][:3]
            )
            + ". For a few who leave between two releases, not for many.",
            judged(small_price and keeps_k, in_part=keeps_k),
            ("forgotten", "left"),
        ),
    ]


def _mean(records: list[dict[str, Any]], way: str, share: float) -> float:
    own = [r for r in records if (r["who"], r["way"], r["share"]) == ("anybody", way, share)]
    return float(own[0]["mean"])


def _summary(size: Size, records: list[dict[str, Any]]) -> str:
    last = max(r["share"] for r in records)
    part = "" if size == "full" else f" This is the {size} run; --full runs all of it."
    return (
        f"With {last:.0%} of the people forgotten, models taught by a release that is made anew "
        f"score {_mean(records, 'made anew', last):.3f} macro F1 where they scored "
        f"{_mean(records, 'made anew', 0.0):.3f} before (four models, untouched originals). "
        "Dropping rows from the old release costs models as little, but leaves crowds below k; "
        f"dropping whole crowds keeps k and soon leaves nobody.{part}"
    )


def _draw(records: list[dict[str, Any]]) -> Any:
    leavers = [who for who in LEAVERS if any(r["who"] == who for r in records)]
    figure, axes = new_figure(1, len(leavers), size=(5.2 * len(leavers), 3.2), sharey=True)
    for axis, who in zip(axes[0], leavers, strict=True):
        for way, colour in zip(WAYS, (COLOURS[4], *COLOURS), strict=False):
            _line(axis, [r for r in records if (r["who"], r["way"]) == (who, way)], "mean", colour)
        axis.axhline(records[0]["constant"], color=INK, linewidth=1, linestyle=(0, (4, 2)))
        axis.set_title(who, fontsize=10, loc="left")
        axis.set_xlabel("share forgotten (%)")
    axes[0][0].set_ylabel(f"macro F1, mean of {len(MODEL_NAMES)} models")
    legend_above(figure, axes[0][0])
    return figure


def _draw_left(records: list[dict[str, Any]]) -> Any:
    figure, axes = new_figure(1, 2, size=(10.4, 3.2))
    shares = [
        {**r, "left": 100 * r["rows_left"] / r["rows"], "small": 100 * r["below_k"]}
        for r in records
        if r["who"] == "anybody" and r["way"] != "un-anonymized"
    ]
    for axis, value, label in zip(
        axes[0], ("left", "small"), ("rows left (%)", "of them in a crowd below k (%)"), strict=True
    ):
        for way, colour in zip(list(WAYS)[1:], COLOURS, strict=False):
            _line(axis, [r for r in shares if r["way"] == way], value, colour)
        axis.set_title(label, fontsize=10, loc="left")
        axis.set_xlabel("share forgotten (%)")
    legend_above(figure, axes[0][0])
    return figure


def _line(axis: Any, records: list[dict[str, Any]], value: str, colour: str) -> None:
    points = sorted((100 * r["share"], r[value]) for r in records if r[value] is not None)
    if points:
        axis.plot(*zip(*points, strict=True), color=colour, marker="o", ms=4,
                  label=records[0]["way"])  # fmt: skip
