"""What forgetting costs: models, rows, and the crowds of those who stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shoal.studies._base import Finished, Size
from shoal.studies._census._models import MODEL_NAMES, MODELS
from shoal.studies._drawing import COLOURS, INK, legend_above, new_figure
from shoal.studies._findings import Findings, Picture, ResultTable
from shoal.studies._verdicts import (
    ClaimDraft,
    ClaimPart,
    MeanEstimate,
    decided_table,
    judge,
    told,
)
from shoal.studies.malle2016._work import LEAVERS, WAYS, K

NEARLY = 0.02  # of macro F1: what this study calls stable
UNKNOWN = (
    "The paper is cited by the one behind malle2017 and is not at hand here: its rows, models and "
    "numbers are not compared. The question is its own, the design is Shoal's.",
    "Who asks to be forgotten: here anybody, or high earners four times as often.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Put together the table, the pictures and the answers."""
    drawn = done.records("forget")
    records = _means(drawn)
    drafts = _claims(drawn, records)
    return Findings(
        summary=_summary(size, drawn, records),
        tables=[
            ResultTable(
                "forgotten",
                "Macro F1 on untouched originals as people leave",
                records,
                f"Adult, income, k = {K}. Below k: share of the rows left whose crowd is too "
                "small. No score where fewer than two crowds or one class are left.",
            ),
            ResultTable("draws", "The same, draw by draw", list(_flat(drawn)), shown=False),
            decided_table(drafts),
        ],
        pictures=[
            Picture(
                "forgetting",
                "Macro F1 against the share of forgotten people",
                lambda: _draw(_of_least(records)),
                "Mean of four models on untouched originals; dashed: the constant predictor.",
            ),
            Picture(
                "left",
                "What each way leaves behind",
                lambda: _draw_left(_of_least(records)),
                "Rows left to learn from, and rows whose crowd is below k (anybody leaves).",
            ),
        ],
        claims=judge(drafts),
        numbers={
            f"{r['who']}, {r['way']}, {r['share']:g}, {r['rows']} rows": r["mean"]
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


def _claims(drawn: list[dict[str, Any]], records: list[dict[str, Any]]) -> list[ClaimDraft]:
    rows = min(r["rows"] for r in records)
    last = max(r["share"] for r in records)
    lost = {way: _lost(drawn, rows, way, last) for way in ("un-anonymized", "made anew")}
    broken = [r for r in drawn if r["way"] == "rows leave" and r["share"] > 0]
    least = [r for r in broken if r["share"] == min(x["share"] for x in broken)]
    small = [r["below_k"] for r in least]
    gone = [r for r in drawn if r["way"] == "crowds leave" and r["share"] > 0]
    return [
        ClaimDraft(
            "Models stay stable as people are deleted at random (as malle2017 recalls it).",
            f"With {last:.0%} of everybody gone, macro F1 (mean of four models, {rows:,} rows) "
            f"falls by {lost['un-anonymized']} without anonymization, and by {lost['made anew']} "
            f"when those who stay are grouped anew; stable is called what loses less than {NEARLY}."
            f"{_larger(records, rows, last)}",
            [ClaimPart(way, loss, NEARLY, above=False) for way, loss in lost.items()],
            evidence=("forgotten", "forgetting"),
        ),
        _against_deletion(drawn, rows),
        ClaimDraft(
            "Asked here: is it enough to drop the rows of those who ask from a release?",
            f"Crowds of those who stay shrink: with {least[0]['share']:.0%} forgotten "
            f"{min(small):.0%} to {max(small):.0%} of the rows left are in a crowd below k = {K}. "
            f"What is left is no longer {K}-anonymous, and the difference of the two releases "
            "shows the rows of those who left.",
            counted=[max(small) == 0],
            evidence=("forgotten", "left"),
        ),
        ClaimDraft(
            "Asked here: does dropping whole crowds keep k, and cost no more than twice those who "
            "leave?",
            "It keeps k and takes the table with it: "
            + ", ".join(
                f"{told(left, '.0%')} of the rows are left with {share:.0%} forgotten"
                for share, left in _left(gone, rows).items()
            )
            + " (anybody leaves; intervals over draws). For a few who leave between two releases, "
            "not for many.",
            counted=[
                all(r["below_k"] == 0 for r in gone),
                all(r["rows_left"] >= (1 - 2 * r["share"]) * r["rows"] for r in gone),
            ],
            evidence=("forgotten", "left"),
        ),
    ]


def _against_deletion(drawn: list[dict[str, Any]], rows: int) -> ClaimDraft:
    """Anonymizing everybody against deleting a share, each share by itself."""
    shares = sorted({r["share"] for r in drawn if r["share"] > 0})
    kept = _scores(drawn, rows, "made anew", 0.0)
    more = {
        share: MeanEstimate.of(
            gone - kept[draw]
            for draw, gone in _scores(drawn, rows, "un-anonymized", share).items()
            if draw in kept
        )
        for share in shares
    }
    costs = ", ".join(f"{change} against {share:.0%} deleted" for share, change in more.items())
    return ClaimDraft(
        "Asked here: does anonymizing everybody cost models more than deleting those who ask?",
        f"Anonymizing everybody (k = {K}) costs this much more macro F1 than deleting a share of "
        f"the people and leaving the others as they are: {costs}.",
        [ClaimPart(f"{share:.0%} deleted", change) for share, change in more.items()],
        evidence=("forgotten", "forgetting"),
    )


def _left(gone: list[dict[str, Any]], rows: int) -> dict[float, MeanEstimate]:
    """The share of the rows that is left once crowds have left, by share of the people."""
    own = [r for r in gone if (r["who"], r["rows"]) == ("anybody", rows)]
    return {
        share: MeanEstimate.of(r["rows_left"] / r["rows"] for r in own if r["share"] == share)
        for share in sorted({r["share"] for r in own})[:3]
    }


def _lost(drawn: list[dict[str, Any]], rows: int, way: str, share: float) -> MeanEstimate:
    """What is lost by forgetting a share, draw by draw."""
    before, after = (_scores(drawn, rows, way, s) for s in (0.0, share))
    return MeanEstimate.of(before[draw] - after[draw] for draw in after if draw in before)


def _scores(drawn: list[dict[str, Any]], rows: int, way: str, share: float) -> dict[int, float]:
    wanted = ("anybody", way, share, rows)
    return {
        r["draw"]: float(np.mean([r["f1"][m] for m in MODELS]))
        for r in drawn
        if (r["who"], r["way"], r["share"], r["rows"]) == wanted and r["f1"] is not None
    }


def _larger(records: list[dict[str, Any]], rows: int, share: float) -> str:
    """The same on a larger table, tried once."""
    most = max(r["rows"] for r in records)
    if most == rows:
        return ""
    both = " and ".join(
        f"{_mean(records, way, 0.0, most):.3f} to {_mean(records, way, share, most):.3f}"
        for way in ("un-anonymized", "made anew")
    )
    return f" At {most:,} rows, tried once, it goes from {both}."


def _mean(records: list[dict[str, Any]], way: str, share: float, rows: int) -> float:
    wanted = ("anybody", way, share, rows)
    own = [r for r in records if (r["who"], r["way"], r["share"], r["rows"]) == wanted]
    return float(own[0]["mean"])


def _of_least(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The table that was drawn several times."""
    rows = min(r["rows"] for r in records)
    return [r for r in records if r["rows"] == rows]


def _flat(drawn: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for r in drawn:
        scores = r["f1"] or {}
        yield {**{n: v for n, v in r.items() if n != "f1"}, **{m: scores.get(m) for m in MODELS}}


def _summary(size: Size, drawn: list[dict[str, Any]], records: list[dict[str, Any]]) -> str:
    last, rows = max(r["share"] for r in records), min(r["rows"] for r in records)
    part = "" if size == "full" else f" This is the {size} run; --full runs all of it."
    return (
        f"With {last:.0%} of the people forgotten at random, models taught by a release made anew "
        f"score {_mean(records, 'made anew', last, rows):.3f} macro F1 where they scored "
        f"{_mean(records, 'made anew', 0.0, rows):.3f} before, a fall of "
        f"{_lost(drawn, rows, 'made anew', last)} (four models, untouched originals, "
        f"{rows:,} rows). Dropping rows from the old release leaves crowds below k; "
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
