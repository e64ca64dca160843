"""The paper's claims and research questions, each with the numbers that decide it.

The paper names no bins, so the schemes tried here stand for all it may have used: claims about an
effort are about all schemes together, never about the best of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shoal.studies._verdicts import ClaimDraft, ClaimPart, MeanEstimate, ShareEstimate, told
from shoal.studies.augusto2019._cases import CASES
from shoal.studies.augusto2019._efforts import TEST_SHARE
from shoal.studies.augusto2019._hulls import Tried
from shoal.studies.augusto2019._schemes import SCHEMES
from shoal.tuning import choose_alpha
from shoal.typing import FloatArray

NEARLY = 0.02  # of accuracy or precision: what this study calls as good
USELESS = -1.0  # R2: worse is no different, and a curve that explodes would be all of a mean
MOST = 0.5  # share of the schemes in which something must be found to be said of them
ASKED = "Asked for is more than half of the schemes tried, each counted as one trial."
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)  # of the splits that models are tested on
Effort = Mapping[str, Any]


def claims(tried: Sequence[Tried], curves: Sequence[dict[str, Any]]) -> list[ClaimDraft]:
    """Lay out the paper's claims in its order, then what its questions leave open."""
    return [
        _degrades(curves),
        _illustrated(curves),
        _flat(tried),
        *(_stated_claim(name, tried) for name in CASES),
        _between(tried),
        *(_useful(name, tried) for name in CASES),
        _falls(tried),
        _masked(tried),
    ]


def _degrades(curves: Sequence[dict[str, Any]]) -> ClaimDraft:
    """Fig. 4 and 7: how R2 on originals falls as crowds grow."""
    found = {
        end: {k: r2_of(curves, k, end, "r2_original") for k in (1, 5, 10, 40)}
        for end in ("lower end", "midpoint")
    }
    lines = [
        f"{end} published, {', '.join(told(r2, '.2f') for r2 in own.values())}"
        for end, own in found.items()
    ]
    return ClaimDraft(
        "R2 on originals is 0.979, 0.971, 0.68 and 0.1 for crowds of 1, 5, 10 and 40 (Fig. 4, 7).",
        f"On curves of the same family, mean of {_draws(curves)} draws: {'; '.join(lines)}. Asked "
        "of both: above 0.9 with crowds of 5, below 0.8 with 10, below 0.5 with 40; an R2 below -1 "
        "counts as -1.",
        [
            ClaimPart(f"crowds of {k}, {end}", found[end][k], bound, above)
            for end in found
            for k, bound, above in ((5, 0.9, True), (10, 0.8, False), (40, 0.5, False))
        ],
        evidence=("curves", "figure4and5"),
    )


def _illustrated(curves: Sequence[dict[str, Any]]) -> ClaimDraft:
    """Fig. 5: what a test on anonymized rows hides."""
    gaps = gaps_of(curves)
    gap = gap_of(curves)
    return ClaimDraft(
        "A model that over-anonymized data spoiled looks good on anonymized rows "
        "(R2 0.92) and fails on originals (0.11).",
        f"With crowds of 40 and lower ends published: {gap['anonymized']:.2f} against "
        f"{gap['original']:.2f}, a gap of {gaps['lower end']}; with midpoints "
        f"{gap['midpoint_anonymized']:.2f} against {gap['midpoint_original']:.2f}, a gap of "
        f"{gaps['midpoint']}. The paper's gap is 0.81; asked for is more than half of one.",
        [ClaimPart(end, found, 0.5) for end, found in gaps.items()],
        evidence=("curves", "figure4and5"),
    )


def _flat(tried: Sequence[Tried]) -> ClaimDraft:
    """RQ1: whether there is a range of alphas that leaves a choice."""
    ends = [choose_alpha(one.points).usable[1] for one in tried]
    bounded = [end for end in ends if math.isfinite(end)]
    found = ShareEstimate(len(bounded), len(ends))
    where = f" (at {min(bounded):.3g} to {max(bounded):.3g})" if bounded else ""
    return ClaimDraft(
        "The best Q is stable up to some alpha, then grows without end; below it alpha is the "
        "user's to choose (Fig. 8).",
        f"There is such an alpha{where} in {len(bounded)} of {len(ends)} schemes, {found}; in the "
        "others one effort is the most useful and the most private, and every alpha chooses it. "
        f"{ASKED}",
        [ClaimPart("schemes with such an alpha", found, MOST)],
        evidence=("hulls", "figure8"),
    )


def _stated_claim(name: str, tried: Sequence[Tried]) -> ClaimDraft:
    case = CASES[name]
    own = [one for one in tried if one.case == name]
    with_k = [one for one in own if one.stated["has_k"]]
    found = [one for one in own if one.stated["reproduced"]]
    share = ShareEstimate(len(found), len(own))
    where = "; ".join(f"{o.scheme}, {o.columns}: alpha {o.stated['alphas']}" for o in found[:3])
    return ClaimDraft(
        f"{name}: the largest Q is that of effort {case.stated_effort}, with k = {case.stated_k} "
        "(read as: in most ways to cut bins, since the paper does not tell its own).",
        f"{len(with_k)} of {len(own)} schemes have that k at that effort; in {len(found)}, "
        f"{share}, some alpha chooses it{f' ({where})' if where else ''}. {ASKED} With the "
        "paper's own bins it may be otherwise.",
        [ClaimPart("schemes with that optimum", share, MOST)],
        evidence=("optima", "hulls"),
    )


def _between(tried: Sequence[Tried]) -> ClaimDraft:
    """RQ2: the trade-off, a largest Q that is neither the original's nor the last effort's."""
    of_kind = {
        kind: [one for one in tried if SCHEMES[one.scheme].kind == kind]
        for kind in dict.fromkeys(SCHEMES[one.scheme].kind for one in tried)
    }
    found = {kind: sum(len(one.reigns) > 2 for one in own) for kind, own in of_kind.items()}
    counts = ", ".join(f"{found[kind]} of {len(own)} with {kind}" for kind, own in of_kind.items())
    share = ShareEstimate(sum(found.values()), len(tried))
    return ClaimDraft(
        "A trade-off between both qualities is found: a point that maximizes Q.",
        "Some effort between the most useful and the most private one has the largest Q for some "
        f"alpha in {share} of {len(tried)} schemes ({counts}). In the others only both ends do: "
        f"every alpha chooses usefulness alone or privacy alone. {ASKED}",
        [ClaimPart("schemes with a point between", share, MOST)],
        evidence=("hulls",),
    )


def _useful(name: str, tried: Sequence[Tried]) -> ClaimDraft:
    """RQ3: what is left at the stated k: the first effort that has it, in all schemes."""
    case = CASES[name]
    own = [one for one in tried if one.case == name]
    firsts = [next((e for e in one.efforts if e["k"] >= case.stated_k), None) for one in own]
    reached = [
        scores_of(effort) - scores_of(one.efforts[0])
        for one, effort in zip(own, firsts, strict=True)
        if effort is not None
    ]
    first = own[0].efforts[0]
    change = MeanEstimate.of(np.mean(reached, axis=0) if reached else [], OVERLAP)
    return ClaimDraft(
        f"{name}: with {case.stated_k}-anonymity {case.metric} is still good.",
        f"Un-anonymized {first['q_f']:.3f} (one answer to everybody: {first['constant']:.3f}). "
        f"{len(reached)} of {len(own)} schemes reach k = {case.stated_k}; at the first effort that "
        f"does, {case.metric} changes by {change}, mean of these schemes. Still good is called "
        f"what loses less than {NEARLY}.",
        [ClaimPart("change at the stated k", change, -NEARLY)],
        evidence=("efforts",),
    )


def _falls(tried: Sequence[Tried]) -> ClaimDraft:
    change = {
        name: MeanEstimate.of(
            np.mean(
                [
                    scores_of(one.efforts[-1]) - scores_of(one.efforts[0])
                    for one in tried
                    if one.case == name
                ],
                axis=0,
            ),
            OVERLAP,
        )
        for name in CASES
    }
    falls = sum(one.efforts[-1]["q_f"] < one.efforts[0]["q_f"] for one in tried)
    rises = [one.efforts[-1]["k"] > one.efforts[0]["k"] for one in tried]
    return ClaimDraft(
        "As anonymization grows, functional quality falls and privacy rises.",
        f"The sixth effort has a larger k than the original in {sum(rises)} of {len(tried)} "
        f"schemes and scores below it in {falls}; on the mean of all schemes it changes the score "
        "by " + ", ".join(f"{c} ({name})" for name, c in change.items()) + ".",
        [ClaimPart(name, c, above=False) for name, c in change.items()],
        counted=[all(rises)],
        evidence=("efforts",),
    )


def _masked(tried: Sequence[Tried]) -> ClaimDraft:
    """The masked fault, looked for in the case studies too."""
    gaps = {
        name: MeanEstimate.of(
            np.mean(
                [
                    masked_of(one.efforts[-1]) - scores_of(one.efforts[-1])
                    for one in tried
                    if one.case == name
                ],
                axis=0,
            ),
            OVERLAP,
        )
        for name in CASES
    }
    large = sum(one.efforts[-1]["masked"] - one.efforts[-1]["q_f"] > NEARLY for one in tried)
    return ClaimDraft(
        "Faults of over-anonymization are masked when the tests are anonymized too.",
        "At the sixth effort a test on anonymized rows says "
        + ", ".join(f"{gap} too much ({name})" for name, gap in gaps.items())
        + f", mean of all schemes, and more than {NEARLY} in {large} of {len(tried)}. Masked "
        f"is called what says more than {NEARLY} too much.",
        [ClaimPart(name, gap, NEARLY) for name, gap in gaps.items()],
        evidence=("efforts",),
    )


def scores_of(effort: Effort) -> FloatArray:
    """The score of each model on originals; models of one number share their split."""
    return np.asarray(effort["scores"], dtype=np.float64)


def masked_of(effort: Effort) -> FloatArray:
    """The same on anonymized rows."""
    return np.asarray(effort["masked_scores"], dtype=np.float64)


def r2_of(curves: Sequence[dict[str, Any]], k: int, end: str, which: str) -> MeanEstimate:
    """R2 of one crowd size over draws of the illustration."""
    own = [c[which] for c in curves if (c["k"], c["end"]) == (k, end)]
    return MeanEstimate.of(max(USELESS, r2) for r2 in own)


def gap_of(curves: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Mean R2 of the largest crowds, tested both ways."""
    last = max(c["k"] for c in curves)
    ends = {"": "lower end", "midpoint_": "midpoint"}
    return {
        f"{prefix}{which}": r2_of(curves, last, end, f"r2_{which}").value
        for prefix, end in ends.items()
        for which in ("anonymized", "original")
    }


def gaps_of(curves: Sequence[dict[str, Any]]) -> dict[str, MeanEstimate]:
    """How much more R2 a test on anonymized rows says than one on originals."""
    return {end: _hidden(curves, end) for end in ("lower end", "midpoint")}


def _hidden(curves: Sequence[dict[str, Any]], end: str) -> MeanEstimate:
    last = max(c["k"] for c in curves)
    own = [c for c in curves if (c["k"], c["end"]) == (last, end)]
    return MeanEstimate.of(
        max(USELESS, c["r2_anonymized"]) - max(USELESS, c["r2_original"]) for c in own
    )


def _draws(curves: Sequence[dict[str, Any]]) -> int:
    return len({c["draw"] for c in curves})
