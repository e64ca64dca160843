"""Which alpha chooses what: the hull of (Q_NF, Q_F), the usable range, and the knee."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

#: Past this multiple of the best Q_F, the best Q says little but how private the end is.
BLOWN_UP = 1.5


@dataclass(frozen=True)
class Point:
    """Functional and non-functional quality of one anonymization; larger is better in both."""

    q_f: float
    q_nf: float

    def quality(self, alpha: float) -> float:
        """Return Q = Q_F + alpha * Q_NF (Augusto et al., 2019)."""
        return self.q_f + alpha * self.q_nf


@dataclass(frozen=True)
class Reign:
    """The alphas, from ``low`` to ``high``, for which one point has the largest Q."""

    index: int
    low: float
    high: float

    @property
    def middle(self) -> float:
        """An alpha well inside: on a logarithmic scale where both ends allow it."""
        if math.isinf(self.high):
            return 2 * self.low if self.low else 1.0
        return math.sqrt(self.low * self.high) if self.low else self.high / 2


@dataclass(frozen=True)
class AlphaChoice:
    """An alpha, the usable range it was taken from, and the reason in a sentence."""

    alpha: float
    usable: tuple[float, float]
    why: str


def reigns(points: Sequence[Point]) -> list[Reign]:
    """Walk the upper hull: which point has the largest Q as alpha grows from 0.

    Points that no alpha chooses do not appear; of equal points the first does.

    >>> reigns([Point(0.9, 1), Point(0.8, 5), Point(0.5, 6), Point(0.6, 5)])
    [Reign(index=0, low=0.0, high=0.025), Reign(index=1, low=0.025, high=0.3),
     Reign(index=2, low=0.3, high=inf)]
    """
    if not points:
        return []
    at = max(range(len(points)), key=lambda i: (points[i].q_f, points[i].q_nf, -i))
    found: list[Reign] = []
    low = 0.0
    while True:
        here = points[at]
        rivals = [i for i, point in enumerate(points) if point.q_nf > here.q_nf]
        if not rivals:
            return [*found, Reign(at, low, math.inf)]
        price = {i: (here.q_f - points[i].q_f) / (points[i].q_nf - here.q_nf) for i in rivals}
        after = min(rivals, key=lambda i: (price[i], -points[i].q_nf, i))
        found.append(Reign(at, low, round(price[after], 12)))
        at, low = after, found[-1].high


def reign_of(index: int, points: Sequence[Point]) -> Reign | None:
    """Say which alphas would have chosen a point; None if none would."""
    same = [i for i, point in enumerate(points) if point == points[index]]
    return next((reign for reign in reigns(points) if reign.index in same), None)


def pareto(points: Sequence[Point]) -> list[int]:
    """Points that no other beats in both qualities, from most private to most useful.

    >>> pareto([Point(0.9, 1), Point(0.6, 4), Point(0.8, 5)])
    [2, 0]
    """
    order = sorted(range(len(points)), key=lambda i: (-points[i].q_nf, -points[i].q_f, i))
    front: list[int] = []
    for i in order:
        if not front or points[i].q_f > points[front[-1]].q_f:
            front.append(i)
    return front


def knee(points: Sequence[Point]) -> int:
    """Suggest a point: the one farthest above the line between both ends of the front.

    Both qualities are brought to the range 0 to 1 first. A front of two points has no knee; its
    useful end is suggested.

    >>> knee([Point(0.9, 1), Point(0.88, 4), Point(0.5, 5)])
    1
    """
    front = pareto(points)
    private, useful = points[front[0]], points[front[-1]]
    width, height = private.q_nf - useful.q_nf, useful.q_f - private.q_f
    if len(front) < 3 or not width or not height:
        return front[-1]

    def above(i: int) -> float:
        return (points[i].q_nf - useful.q_nf) / width + (points[i].q_f - private.q_f) / height

    return max(front, key=lambda i: (above(i), points[i].q_f))


def choose_alpha(points: Sequence[Point]) -> AlphaChoice:
    """Pick an alpha from the flat part of the best-Q curve, as the paper describes it.

    Below the range the most useful point always wins, above it the most private one, or the best Q
    has grown past `BLOWN_UP` times the best Q_F. Inside, an alpha that chooses the knee is taken.

    >>> choice = choose_alpha([Point(0.9, 1), Point(0.88, 4), Point(0.5, 5)])
    >>> choice.usable, round(choice.alpha, 4)
    ((0.006667, 0.1175), 0.028)
    """
    walk = reigns(points)
    if len(walk) == 1:
        why = "One point is both the most useful and the most private: every alpha chooses it."
        return AlphaChoice(1.0, (0.0, math.inf), why)
    best = max(point.q_f for point in points)
    flat = _flat_until(points, best)
    low, high = walk[0].high, min(walk[-1].low, flat)
    if len(walk) == 2 or low >= high:
        why = "Only the ends of the front have a largest Q; below this alpha the useful end does."
        return AlphaChoice(_short(walk[0].high / 2), (0.0, _short(walk[0].high)), why)
    inside = [reign for reign in walk[1:-1] if reign.low < high]
    preferred = knee(points)
    chosen = next((reign for reign in inside if reign.index == preferred), None)
    chosen = chosen or min(inside, key=lambda r: abs(math.log(r.middle / math.sqrt(low * high))))
    alpha = Reign(chosen.index, chosen.low, min(chosen.high, high)).middle
    why = "Below the range the most useful point always wins; above it privacy drowns the rest."
    return AlphaChoice(_short(alpha), (_short(low), _short(high)), why)


def best_quality(points: Sequence[Point], alpha: float) -> float:
    """Return the largest Q at one alpha: the curve of the paper's Fig. 8."""
    return max(point.quality(alpha) for point in points)


def _flat_until(points: Sequence[Point], best: float) -> float:
    """Alpha at which the best Q reaches `BLOWN_UP` times the best Q_F; without end if never."""
    if best <= 0:
        return math.inf
    rising = [(BLOWN_UP * best - point.q_f) / point.q_nf for point in points if point.q_nf > 0]
    return min(rising, default=math.inf)


def _short(alpha: float) -> float:
    return float(f"{alpha:.4g}")
