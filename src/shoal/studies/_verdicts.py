"""One rule for all claims: an interval decides, or the claim *cannot be told*.

A claim is a few statements that a number lies above (or below) a threshold. Each number comes as
an estimate with an interval; a statement is decided only if the interval, widened for all
statements that a study tries together (S. Holm, A simple sequentially rejective multiple test
procedure, 1979), leaves the threshold out. What is counted exactly, such as the rows of a file,
needs no interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from shoal.studies._findings import Answer, PaperClaim, ResultTable

LEVEL = 0.95
Decision = Literal["yes", "no", "open"]


class Estimate(Protocol):
    """A number that is known only so well."""

    @property
    def value(self) -> float:
        """The best guess."""
        ...

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Where it lies."""
        ...

    def p_value(self, threshold: float) -> float:
        """The smallest alpha at which the interval of level 1 - alpha leaves the threshold out."""
        ...


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with a standard error and degrees of freedom (Student's t).

    >>> found = MeanEstimate.of([0.01, 0.03, 0.02])
    >>> f"{found}"
    '+0.020 (-0.005 to +0.045)'
    """

    value: float
    error: float
    freedom: int

    @classmethod
    def of(cls, values: Iterable[float], overlap: float = 0.0) -> MeanEstimate:
        """Average values; of one value alone nothing is known.

        ``overlap`` is rows tested over rows learned from, where the values are of splits of one
        table: their learning rows overlap, and more splits never narrow an interval below that
        share (C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 2003).
        """
        found = np.asarray(list(values), dtype=np.float64)
        n = found.size
        if n < 2:
            return cls(float(found.mean()) if n else 0.0, float("inf"), 1)
        variance = float(found.var(ddof=1)) * (1 / n + overlap)
        return cls(float(found.mean()), float(np.sqrt(variance)), n - 1)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The interval of Student's t."""
        from scipy.special import stdtrit

        if not np.isfinite(self.error):
            return float("-inf"), float("inf")
        reach = float(stdtrit(self.freedom, (1 + level) / 2)) * self.error
        return self.value - reach, self.value + reach

    def p_value(self, threshold: float) -> float:
        """Two-sided; 1 where nothing is known, 0 or 1 where nothing varies."""
        from scipy.special import stdtr

        if not np.isfinite(self.error):
            return 1.0
        if self.error == 0:
            return 1.0 if self.value == threshold else 0.0
        return float(2 * stdtr(self.freedom, -abs(self.value - threshold) / self.error))

    def __str__(self) -> str:
        return told(self, "+.3f")


@dataclass(frozen=True)
class ShareEstimate:
    """A share of trials, with the exact interval (C. J. Clopper, E. S. Pearson, 1934).

    >>> f"{ShareEstimate(22, 24)}"
    '92% (73% to 99%)'
    """

    hits: int
    trials: int

    @property
    def value(self) -> float:
        """Hits over trials."""
        return self.hits / self.trials if self.trials else 0.0

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The exact interval."""
        from scipy.special import betaincinv

        tail, h, n = (1 - level) / 2, self.hits, self.trials
        low = float(betaincinv(h, n - h + 1, tail)) if h else 0.0
        return low, float(betaincinv(h + 1, n - h, 1 - tail)) if h < n else 1.0

    def p_value(self, threshold: float) -> float:
        """Twice the smaller tail."""
        from scipy.special import bdtr, bdtrc

        h, n = self.hits, self.trials
        if not n:
            return 1.0
        below = float(bdtr(h, n, threshold))
        above = float(bdtrc(h - 1, n, threshold)) if h else 1.0
        return min(1.0, 2 * min(below, above))

    def __str__(self) -> str:
        return told(self, ".0%")


@dataclass(frozen=True)
class ClaimPart:
    """A statement: a number lies above a threshold, or below it."""

    name: str
    estimate: Estimate
    threshold: float = 0.0
    above: bool = True

    @property
    def p_value(self) -> float:
        """How surprising the number would be, were the threshold the truth."""
        return self.estimate.p_value(self.threshold)

    @property
    def agrees(self) -> bool:
        """Whether the best guess lies on the claimed side."""
        return (self.estimate.value > self.threshold) == self.above


@dataclass(frozen=True)
class ClaimDraft:
    """A claim and what would decide it, before all claims of a study are judged together.

    ``counted`` are facts without chance, such as files that are the same byte for byte; ``parts``
    must all hold for the claim to hold. A claim without either cannot be told.
    """

    claimed: str
    measured: str
    parts: Sequence[ClaimPart] = ()
    counted: Sequence[bool] = ()
    evidence: tuple[str, ...] = field(default=())


def judge(drafts: Sequence[ClaimDraft]) -> list[PaperClaim]:
    """Answer all claims of a study together.

    >>> sure, open_ = MeanEstimate(0.1, 0.01, 20), MeanEstimate(0.1, 0.2, 20)
    >>> drafts = [ClaimDraft("a", "", [ClaimPart("", sure)]),
    ...           ClaimDraft("b", "", [ClaimPart("", open_)]),
    ...           ClaimDraft("c", "", [ClaimPart("", sure, above=False)])]
    >>> [claim.answer for claim in judge(drafts)]
    ['holds', 'cannot be told', 'does not hold']
    """
    decided = iter(decide([part for draft in drafts for part in draft.parts]))
    claims = []
    for draft in drafts:
        found: list[Decision] = [next(decided) for _ in draft.parts]
        found += ["yes" if fact else "no" for fact in draft.counted]
        claims.append(PaperClaim(draft.claimed, draft.measured, answer(found), draft.evidence))
    return claims


def decide(parts: Sequence[ClaimPart], level: float = LEVEL) -> list[Decision]:
    """Decide statements tried together: step by step, the clearest first (Holm, 1979)."""
    adjusted = holm([part.p_value for part in parts])
    return [
        "open" if not p < 1 - level else "yes" if part.agrees else "no"
        for part, p in zip(parts, adjusted, strict=True)
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for how many were tried.

    >>> holm([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.04]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, worst = [1.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = worst
    return adjusted


def answer(parts: Sequence[Decision]) -> Answer:
    """Put the parts of a claim together: it holds if all of them do.

    >>> answer(["yes", "yes"]), answer(["yes", "no"]), answer(["yes", "open"]), answer(["no"])
    ('holds', 'holds in part', 'cannot be told', 'does not hold')
    """
    if "no" in parts:
        return "holds in part" if "yes" in parts else "does not hold"
    return "holds" if parts and "open" not in parts else "cannot be told"


def decided_table(drafts: Sequence[ClaimDraft]) -> ResultTable:
    """Every statement with its interval, for whoever wants to judge by another rule."""
    parts = [(draft, part) for draft in drafts for part in draft.parts]
    adjusted = holm([part.p_value for _, part in parts])
    decisions = decide([part for _, part in parts])
    return ResultTable(
        "decisions",
        "What decides each claim",
        [
            _row(draft, part, p, decision)
            for (draft, part), p, decision in zip(parts, adjusted, decisions, strict=True)
        ],
        "95 % intervals of single statements; p adjusted for all of them together (Holm).",
        shown=False,
    )


def _row(draft: ClaimDraft, part: ClaimPart, p: float, decision: Decision) -> Mapping[str, Any]:
    low, high = part.estimate.interval()
    finite = bool(np.isfinite(low))
    return {
        "claim": draft.claimed,
        "statement": part.name,
        "value": part.estimate.value,
        "low": low if finite else None,
        "high": high if finite else None,
        "side": "above" if part.above else "below",
        "threshold": part.threshold,
        "p_adjusted": p,
        "decided": decision,
    }


def told(estimate: Estimate, form: str) -> str:
    """Tell an estimate with its interval, where it has one."""
    low, high = estimate.interval()
    if not np.isfinite(low):
        return f"{estimate.value:{form}}"
    return f"{estimate.value:{form}} ({low:{form}} to {high:{form}})"
