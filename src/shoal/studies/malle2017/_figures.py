"""What weights change: figures 2 to 4 of the paper, and what it expects of experts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoal.studies._census._gains import Gain, ScoreChange, gain_of, gap_between
from shoal.studies._census._people import KS, PUBLISHED_ROWS
from shoal.studies._verdicts import ClaimDraft, ClaimPart, Estimate
from shoal.studies.malle2017._beside import cells_ahead
from shoal.studies.malle2017._scores import Scores
from shoal.studies.malle2017._tables import gain_rows

EVIDENCE = ("gains", "who_gains")


def weight_claims(scores: Scores) -> Iterator[ClaimDraft]:
    """Judged on the best tried release of today's code; the others are told beside it."""
    rows = scores.most_rows
    bias, iml = (scores.gains("today", rows, way) for way in ("bias", "iml"))
    over = scores.gains("today", rows, "iml", against="bias")
    if bias and iml:
        yield _figure2(scores, bias, over)
        yield _figure3(scores, bias, over)
        yield _figure4(scores, bias, iml, over)
        yield _margin(scores, rows, iml, over)
        yield _experts(scores, bias, iml)
        yield from _knowing(bias, iml, rows)


def _figure2(scores: Scores, bias: list[ScoreChange], over: list[ScoreChange]) -> ClaimDraft:
    who = {"target": "marital-status"}
    return ClaimDraft(
        "On marital status human bias wins consistently over equal weights as well as human "
        "interaction (Fig. 2).",
        f"{_theirs('marital-status')} With simulated people, bias changes macro F1 on untouched "
        f"originals by {_at_each_size(scores, 'bias', **who)}; iml lies {gain_of(over, **who)} "
        f"above the same people's bias. {_paid(scores, 'marital-status')}",
        _parts(("bias above equal", gain_of(bias, **who), True),
               ("iml below bias", gain_of(over, **who), False)),
        evidence=("gains", "figure2"),
    )  # fmt: skip


def _figure3(scores: Scores, bias: list[ScoreChange], over: list[ScoreChange]) -> ClaimDraft:
    high = [c for c in bias if c.k == KS[-1]]
    who = {"target": "education-num"}
    return ClaimDraft(
        "On education bias mostly outperforms iML, and equal weights slightly win at very high k "
        "(Fig. 3).",
        f"{_theirs('education-num')} With simulated people iml lies {gain_of(over, **who)} above "
        f"bias in macro F1, and bias {gain_of(high, **who)} above equal weights at k = {KS[-1]}. "
        f"{_paid(scores, 'education-num')}",
        _parts(("iml below bias", gain_of(over, **who), False),
               ("bias below equal at the largest k", gain_of(high, **who), False)),
        evidence=("gains", "figure3"),
    )  # fmt: skip


def _figure4(
    scores: Scores, bias: list[ScoreChange], iml: list[ScoreChange], over: list[ScoreChange]
) -> ClaimDraft:
    who = {"target": "income"}
    return ClaimDraft(
        "On income the order of bias and iML is partly reversed, and both are usually inferior to "
        "equal weights (Fig. 4).",
        f"{_theirs('income')} With simulated people iml lies {gain_of(over, **who)} above bias in "
        f"macro F1; against equal weights bias changes it by {gain_of(bias, **who)}, iml by "
        f"{gain_of(iml, **who)}. {_paid(scores, 'income')}",
        _parts(("iml above bias", gain_of(over, **who), True),
               ("bias below equal", gain_of(bias, **who), False),
               ("iml below equal", gain_of(iml, **who), False)),
        evidence=("gains", "figure4"),
    )  # fmt: skip


def _theirs(target: str) -> str:
    """What the authors' own F1 tables say, cell by cell."""
    told = []
    for way, other in (("bias", "equal"), ("bias", "iml"), ("iml", "equal")):
        ahead, cells = cells_ahead(target, way, other)
        told.append(f"{way} is above {other} in {ahead} of {cells}")
    return f"In the authors' own F1 tables {', '.join(told)} cells (model and k)."


def _paid(scores: Scores, target: str) -> str:
    """The same by the published score, with the original's code."""
    gain = gain_of(
        scores.gains("legacy", PUBLISHED_ROWS, "bias", scoring="published"), target=target
    )
    if gain is None:
        return ""
    return f"By the published score, with the original code, bias changes F1 by {gain}."


def _margin(
    scores: Scores, rows: int, iml: list[ScoreChange], over: list[ScoreChange]
) -> ClaimDraft:
    paper = scores.gain("legacy", PUBLISHED_ROWS, "iml")
    told = f"; with the original code and its pages {paper}" if paper else ""
    return ClaimDraft(
        "A faster algorithm that shows thousands of rows would let interaction improve results by "
        "quite some margin.",
        "With the whole table in the session and weights that act, iml changes macro F1 against "
        f"equal weights by {_at_each_size(scores, 'iml')}{told}; against the same people's "
        f"sliders by {gain_of(over)} at {rows:,}. Sliders here say exactly what a person wants, "
        "which real ones will not.",
        _parts(("iml above equal", gain_of(iml), True)),
        evidence=EVIDENCE,
    )


def _experts(scores: Scores, bias: list[ScoreChange], iml: list[ScoreChange]) -> ClaimDraft:
    return ClaimDraft(
        "With domain experts we would expect both bias and iML to significantly outperform a "
        "pre-defined vector.",
        "Against equal weights, simulated experts who know the target change macro F1 with "
        f"sliders by {_at_each_size(scores, 'bias', kind='knowing')}; with questions by "
        f"{_at_each_size(scores, 'iml', kind='knowing')}. They are near-copies of each other and "
        f"count as one for each target.{_largest(scores)}",
        _parts(("bias of those who know", gain_of(bias, kind="knowing"), True),
               ("iml of those who know", gain_of(iml, kind="knowing"), True)),
        evidence=EVIDENCE,
    )  # fmt: skip


def _largest(scores: Scores) -> str:
    """The largest gain of all that are on file, whichever code and way it comes from."""
    rows = [r for r in gain_rows(scores) if r["target"] == "all" and r["low"] is not None]
    if not rows:
        return ""
    best = max(rows, key=lambda r: float(r["gain"]))
    code = "the original code" if best["code"] == "legacy" else "today's code"
    way = "sliders" if best["way"] == "bias" else "questions"
    return (
        f" The largest gain on file over all targets is {best['gain']:+.3f} ({best['low']:+.3f} to "
        f"{best['high']:+.3f}): {best['experts']} experts' {way}, {code}, {best['rows']:,} rows; "
        f"it is the best of {len(rows)}."
    )


def _knowing(bias: list[ScoreChange], iml: list[ScoreChange], rows: int) -> Iterator[ClaimDraft]:
    """The luck of the releases with equal weights cancels between kinds of people."""
    knowing, others = (
        [gap_between(changes, kind, "careless") for changes in (bias, iml)]
        for kind in ("knowing", "stereotyped")
    )
    if None not in (*knowing, *others):
        yield ClaimDraft(
            "Asked here: does it matter whether those who are asked know the target?",
            f"Those who know it are ahead of careless ones by {knowing[0]} of macro F1 with "
            f"sliders and {knowing[1]} with questions, stereotyped people by {others[0]} and "
            f"{others[1]} ({rows:,} rows; one number for each target).",
            _parts(("bias", knowing[0], True), ("iml", knowing[1], True)),
            evidence=EVIDENCE,
        )


def _at_each_size(scores: Scores, way: str, **who: str) -> str:
    """Tell a gain of today's code at every size, the largest last."""
    found = ((rows, scores.gain("today", rows, way, **who)) for rows in scores.sizes)
    return ", ".join(f"{gain} at {rows:,} rows" for rows, gain in found if gain is not None)


def _parts(*told: tuple[str, Gain | Estimate | None, bool]) -> Sequence[ClaimPart]:
    return [ClaimPart(name, gain, 0.0, above) for name, gain, above in told if gain is not None]
