"""The paper's claims and research questions, each answered by numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from shoal.studies._findings import PaperClaim, judged
from shoal.studies.augusto2019._cases import CASES
from shoal.studies.augusto2019._hulls import Tried
from shoal.studies.augusto2019._schemes import SCHEMES
from shoal.tuning import choose_alpha

NEARLY = 0.02  # of accuracy or precision: what this study calls as good


def claims(
    tried: Sequence[Tried], curves: Sequence[dict[str, Any]], examples: Mapping[str, Tried]
) -> list[PaperClaim]:
    """Answer the paper's claims in its order, then what its questions leave open."""
    gap = gap_of(curves)
    hidden = gap["anonymized"] - gap["original"]
    return [
        _degrades(curves),
        PaperClaim(
            "A model that over-anonymized data spoiled looks good on anonymized rows "
            "(R2 0.92) and fails on originals (0.11).",
            f"With crowds of 40 and lower ends published: {gap['anonymized']:.2f} against "
            f"{gap['original']:.2f}; with midpoints {gap['midpoint_anonymized']:.2f} against "
            f"{gap['midpoint_original']:.2f}.",
            judged(hidden > 0.5, in_part=hidden > 0.1),
            ("curves", "figure4and5"),
        ),
        _flat(examples),
        *(_stated_claim(name, tried) for name in CASES),
        _between(tried),
        *(_useful(name, tried) for name in CASES),
        _monotone(tried),
        _masked(tried),
    ]


def _flat(examples: Mapping[str, Tried]) -> PaperClaim:
    """RQ1: whether there is a range of alphas that leaves a choice."""
    told = {name: choose_alpha(one.points).usable for name, one in examples.items()}
    bounded = {name: high for name, (_, high) in told.items() if math.isfinite(high)}
    lines = [
        f"{name}: up to {bounded[name]:.3g}"
        if name in bounded
        else f"{name}: one effort is the most useful and the most private, every alpha chooses it"
        for name in told
    ]
    return PaperClaim(
        "The best Q is stable up to some alpha, then grows without end; below it alpha is the "
        "user's to choose (Fig. 8).",
        f"{'; '.join(lines)} (the schemes of Fig. 9 and 10).",
        judged(len(bounded) == len(told), in_part=len(bounded) > 0),
        ("figure8",),
    )


def _between(tried: Sequence[Tried]) -> PaperClaim:
    """RQ2: the trade-off, a largest Q that is neither the original's nor the last effort's."""
    told = {
        kind: [one for one in tried if SCHEMES[one.scheme].kind == kind]
        for kind in dict.fromkeys(SCHEMES[one.scheme].kind for one in tried)
    }
    found = {kind: sum(len(one.reigns) > 2 for one in own) for kind, own in told.items()}
    counts = ", ".join(f"{found[kind]} of {len(own)} with {kind}" for kind, own in told.items())
    return PaperClaim(
        "A trade-off between both qualities is found: a point that maximizes Q.",
        "Some effort between the most useful and the most private one has the largest Q for some "
        f"alpha in {sum(found.values())} of {len(tried)} schemes ({counts}). In the others only "
        "both ends do: every alpha chooses usefulness alone or privacy alone.",
        judged(sum(found.values()) == len(tried), in_part=any(found.values())),
        ("hulls",),
    )


def _useful(name: str, tried: Sequence[Tried]) -> PaperClaim:
    """RQ3: what is left at the stated k."""
    case = CASES[name]
    own = [one for one in tried if one.case == name]
    best = [max((e["q_f"] for e in one.efforts if e["k"] >= case.stated_k), default=None)
            for one in own]  # fmt: skip
    reached = [q_f for q_f in best if q_f is not None]
    first = own[0].efforts[0]
    near = bool(reached) and max(reached) > first["q_f"] - NEARLY
    return PaperClaim(
        f"{name}: with {case.stated_k}-anonymity {case.metric} is still good.",
        f"Un-anonymized {first['q_f']:.3f} (one answer to everybody: {first['constant']:.3f}). "
        f"{len(reached)} of {len(own)} schemes reach k = {case.stated_k} or more; the best "
        f"{case.metric} of each is then {min(reached, default=0):.3f} to "
        f"{max(reached, default=0):.3f}.",
        judged(bool(near)),
        ("efforts",),
    )


def _masked(tried: Sequence[Tried]) -> PaperClaim:
    """The masked fault, looked for in the case studies too."""
    last = [one.efforts[-1] for one in tried]
    gaps = [effort["masked"] - effort["q_f"] for effort in last]
    worst = last[gaps.index(max(gaps))]
    large = sum(gap > NEARLY for gap in gaps)
    return PaperClaim(
        "Faults of over-anonymization are masked when the tests are anonymized too.",
        f"At the sixth effort a test on anonymized rows says more than {NEARLY} too much in "
        f"{large} of {len(gaps)} schemes, at worst {worst['masked']:.3f} for {worst['q_f']:.3f} "
        f"({worst['case']}, {worst['scheme']}).",
        judged(large > len(gaps) / 2, in_part=large > 0),
        ("efforts",),
    )


def _degrades(curves: Sequence[dict[str, Any]]) -> PaperClaim:
    """Fig. 4 and 7: how R2 on originals falls as crowds grow."""
    told = {
        end: {c["k"]: c["r2_original"] for c in curves if c["end"] == end}
        for end in ("lower end", "midpoint")
    }
    lines = [f"{', '.join(f'{r2:.2f}' for r2 in own.values())} ({end} published)"
             for end, own in told.items()]  # fmt: skip
    lower = told["lower end"]
    return PaperClaim(
        "R2 on originals is 0.979, 0.971, 0.68 and 0.1 for crowds of 1, 5, 10 and 40 (Fig. 4, 7).",
        f"On a curve of the same family: {'; '.join(lines)}. Crowds of 5 cost little, crowds of "
        "40 spoil the model; how much depends on what is published for a crowd.",
        judged(lower[5] > 0.9 and lower[10] < 0.8 > lower[40], in_part=lower[5] > lower[40]),
        ("curves", "figure4and5"),
    )


def _stated_claim(name: str, tried: Sequence[Tried]) -> PaperClaim:
    case = CASES[name]
    own = [one for one in tried if one.case == name]
    with_k = [one for one in own if one.stated["has_k"]]
    found = [one for one in own if one.stated["reproduced"]]
    where = "; ".join(f"{o.scheme}, {o.columns}: alpha {o.stated['alphas']}" for o in found[:3])
    return PaperClaim(
        f"{name}: the largest Q is that of effort {case.stated_effort}, with k = {case.stated_k}.",
        f"{len(with_k)} of {len(own)} schemes have that k at that effort; in {len(found)} some "
        f"alpha chooses it{f' ({where})' if where else ''}.{_chance(found, case.stated_effort)}",
        judged(False, in_part=bool(found)),
        ("optima", "hulls"),
    )


def _chance(found: Sequence[Tried], effort: int) -> str:
    """How far a stated optimum stands above the original, against what chance moves a mean by."""
    if not found:
        return ""
    best = max(found, key=lambda one: float(one.efforts[effort]["q_f"]))
    first, here = best.efforts[0], best.efforts[effort]
    gain, error = here["q_f"] - first["q_f"], here["spread"] / math.sqrt(here["models"])
    return (
        f" It scores {gain:+.4f} against the original; the standard error of such a mean is "
        f"{error:.4f}."
    )


def _monotone(tried: Sequence[Tried]) -> PaperClaim:
    falls = [one for one in tried if one.efforts[-1]["q_f"] < one.efforts[0]["q_f"]]
    return PaperClaim(
        "As anonymization grows, functional quality falls and privacy rises.",
        f"The sixth effort scores below the original in {len(falls)} of {len(tried)} schemes.",
        judged(len(falls) == len(tried), in_part=len(falls) > 0),
        ("efforts",),
    )


def gap_of(curves: Sequence[dict[str, Any]]) -> dict[str, float]:
    """R2 of the largest crowds, tested both ways."""
    last = {c["end"]: c for c in curves if c["k"] == max(r["k"] for r in curves)}
    lower, middle = last["lower end"], last["midpoint"]
    return {
        "anonymized": lower["r2_anonymized"],
        "original": lower["r2_original"],
        "midpoint_anonymized": middle["r2_anonymized"],
        "midpoint_original": middle["r2_original"],
    }
