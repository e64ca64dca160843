"""Population uniqueness: how many people of a table are alone in the whole population.

Somebody who is alone in the sample may have doubles among those who were not sampled. Pitman's
model estimates how many have none (N. Hoshino, Applying Pitman's sampling formula to microdata
disclosure risk assessment, J. of Official Statistics 17, 2001).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.typing import FloatArray, IntArray

_STEPS = 200
_PRECISION = 1e-9
_LEVEL = 1e-4  # slope of the log-likelihood that counts as none


@dataclass(frozen=True)
class PopulationUniqueness:
    """The estimated share of the population that is unique on the quasi-identifiers.

    Attributes
    ----------
    share : float or None
        The estimate; None if the model does not fit.
    sampling_fraction : float
        Share of the population that is in the table.
    converged : bool
        Whether the model fits; if not, no other model is taken in its place.
    reason : str
        Why not.
    theta, alpha : float or None
        Parameters of Pitman's model.
    """

    share: float | None
    sampling_fraction: float
    converged: bool = True
    reason: str = ""
    theta: float | None = None
    alpha: float | None = None

    def __str__(self) -> str:
        if self.share is None:
            return f"population uniqueness: no estimate ({self.reason})"
        return f"population uniqueness {self.share:.4g} (Pitman, estimated)"

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as plain JSON values."""
        return asdict(self)


def population_uniqueness(sizes: IntArray, sampling_fraction: float) -> PopulationUniqueness:
    """Estimate the share of the population that is unique, from the sizes of groups in a sample.

    Parameters
    ----------
    sizes : IntArray
        People in each group of the table.
    sampling_fraction : float
        Share of the population that is in the table, above 0 and up to 1.

    Examples
    --------
    >>> sizes = np.array([1] * 60 + [2] * 20 + [3] * 8 + [5] * 4 + [9] * 2)
    >>> print(population_uniqueness(sizes, 0.1))
    population uniqueness 0.07323 (Pitman, estimated)
    >>> print(population_uniqueness(np.array([1, 1, 1, 9]), 0.1))
    population uniqueness: no estimate (no two people are alike in pairs)
    """
    if not 0 < sampling_fraction <= 1:
        raise InvalidParameterError("A sampling fraction is above 0 and at most 1.")
    alone, pairs = int((sizes == 1).sum()), int((sizes == 2).sum())
    if not alone:  # who is alone in the population is alone in the sample
        return PopulationUniqueness(0.0, sampling_fraction)
    if sampling_fraction == 1:
        return PopulationUniqueness(alone / int(sizes.sum()), sampling_fraction)
    if not pairs:
        return _no_estimate(sampling_fraction, "no two people are alike in pairs")
    found = _fit(np.asarray(sizes, dtype=np.int64), alone, pairs)
    if found is None:
        return _no_estimate(sampling_fraction, "the likelihood has no maximum that was found")
    theta, alpha = found
    everybody = int(sizes.sum()) / sampling_fraction
    log_share = (
        math.lgamma(theta + 1) - math.lgamma(theta + alpha) + (alpha - 1) * math.log(everybody)
    )
    return PopulationUniqueness(
        min(1.0, math.exp(log_share)), sampling_fraction, theta=theta, alpha=alpha
    )


def _no_estimate(fraction: float, reason: str) -> PopulationUniqueness:
    return PopulationUniqueness(None, fraction, converged=False, reason=reason)


def _fit(sizes: IntArray, alone: int, pairs: int) -> tuple[float, float] | None:
    """Find theta and alpha of largest likelihood, by Newton's method from a few starts."""
    n, groups, terms = int(sizes.sum()), int(sizes.size), _Terms.of(sizes)
    starts = [_moments(n, groups, alone, pairs)]
    starts += [np.array([theta, alpha]) for alpha in (0.5, 0.1, 0.9) for theta in (groups, 1.0)]
    tops = (_climb(start, terms) for start in starts if _inside(start))
    return next((top for top in tops if top is not None), None)


def _climb(point: FloatArray, terms: _Terms) -> tuple[float, float] | None:
    for _ in range(_STEPS):
        slope, bend = terms.derivatives(*point)
        try:
            step = np.linalg.solve(bend, slope)
        except np.linalg.LinAlgError:
            return None
        point, before = _stay_inside(point, step), point
        if np.all(np.abs(point - before) <= _PRECISION * np.maximum(1.0, np.abs(point))):
            return _top(point, terms)
    return None


def _top(point: FloatArray, terms: _Terms) -> tuple[float, float] | None:
    """Return the point if it is a maximum, not a place where the steps ran into a wall."""
    if not _inside(point):
        return None
    slope, bend = terms.derivatives(*point)
    level = bool((np.abs(slope * point) < _LEVEL).all())
    summit = bool(np.linalg.eigvalsh(bend).max() < 0)
    return (float(point[0]), float(point[1])) if level and summit else None


def _moments(n: int, groups: int, alone: int, pairs: int) -> FloatArray:
    """Estimate by moments, a start that is mostly near (Hoshino 2001, section 3)."""
    c = alone * (alone - 1) / pairs
    below = 2 * alone * groups + alone * c - n * c
    theta = (n * groups * c - alone * (n - 1) * (2 * groups + c)) / below if below else math.nan
    alpha = (theta * (alone - n) + (n - 1) * alone) / (n * groups)
    return np.array([theta, alpha])


def _inside(point: FloatArray) -> bool:
    theta, alpha = point
    return bool(np.isfinite(point).all() and 0 < alpha < 1 and theta > -alpha)


def _stay_inside(point: FloatArray, step: FloatArray) -> FloatArray:
    """Take the step, halved until it stays in the domain."""
    for _ in range(60):
        moved: FloatArray = point - step
        if _inside(moved):
            return moved
        step = step / 2
    return point


@dataclass(frozen=True, eq=False)
class _Terms:
    """What the log-likelihood adds up over."""

    n: int
    groups: int
    larger: IntArray  # for each j the number of groups of more than j people, j from 1

    @classmethod
    def of(cls, sizes: IntArray) -> _Terms:
        counts = np.bincount(sizes)
        more = sizes.size - np.cumsum(counts)  # groups of more than j people
        return cls(int(sizes.sum()), int(sizes.size), more[1:-1] if counts.size > 2 else more[:0])

    def derivatives(self, theta: float, alpha: float) -> tuple[FloatArray, FloatArray]:
        """First and second derivatives of the log-likelihood by theta and alpha."""
        i = np.arange(1, self.groups, dtype=np.float64)
        new = 1 / (theta + i * alpha)
        any_one = 1 / (theta + np.arange(1, self.n, dtype=np.float64))
        j = np.arange(1, self.larger.size + 1, dtype=np.float64)
        again = 1 / (j - alpha)
        slope = np.array([new.sum() - any_one.sum(), (i * new).sum() - (self.larger * again).sum()])
        mixed = -(i * new**2).sum()
        by_theta = (any_one**2).sum() - (new**2).sum()
        by_alpha = -(i**2 * new**2).sum() - (self.larger * again**2).sum()
        return slope, np.array([[by_theta, mixed], [mixed, by_alpha]])
