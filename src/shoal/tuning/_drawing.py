"""Two drawings: all trials with their front, and the best Q for every alpha."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from shoal._words import number, retell, say
from shoal.report import Plot
from shoal.tuning._alpha import AlphaChoice, Point, best_quality, pareto, reigns

STEPS = 120


def draw_front(
    points: Sequence[Point],
    *,
    chosen: int | None,
    axes: tuple[str, str],
    names: Sequence[str],
    act: str | None = None,
) -> str:
    """Draw every trial as a dot, the front as a line, the chosen one as a ring.

    With ``act`` every dot is a link that a page can listen to (``data-act``, ``data-value``).

    >>> svg = draw_front([Point(0.9, 1), Point(0.5, 5)], chosen=0, axes=("k", "F1"), names="ab")
    >>> svg.count("<circle"), svg.count("<polyline")
    (3, 1)
    """
    plot = Plot.around([p.q_nf for p in points], [p.q_f for p in points])
    front, told = pareto(points), (retell(axes[0]), retell(axes[1]))
    parts = [plot.line((points[i].q_nf, points[i].q_f) for i in front)]
    for i in sorted(range(len(points)), key=lambda i: i in front):  # those of the front on top
        point = points[i]
        tip = f"{names[i]}: {told[1]} {number(point.q_f, '.4f')}"
        size, kind = 4 if act is None else 7, "plot-dot" if i in front else "plot-dim"
        parts.append(_linked(plot.dot(point.q_nf, point.q_f, size, kind, tip), act, i, tip))
    if chosen is not None:
        parts.append(plot.dot(points[chosen].q_nf, points[chosen].q_f, 11, "plot-ring"))
    return plot.draw(told, parts, say("Every trial by privacy and usefulness"))


def _linked(drawn: str, act: str | None, value: int, label: str) -> str:
    if act is None:
        return drawn
    told = f'data-act="{escape(act)}" data-value="{value}" aria-label="{escape(label)}"'
    return f'<a href="#" {told}>{drawn}</a>'


def draw_curve(points: Sequence[Point], choice: AlphaChoice) -> str:
    """Draw the best Q over alpha on a logarithmic scale, the usable range shaded (Fig. 8)."""
    turns = [reign.high for reign in reigns(points) if math.isfinite(reign.high) and reign.high > 0]
    low = min([*turns, choice.alpha or 1.0]) / 100
    high = max([*turns, choice.alpha or 1.0]) * 20
    alphas = [low * (high / low) ** (i / STEPS) for i in range(STEPS + 1)]
    best = [best_quality(points, alpha) for alpha in alphas]
    plot = Plot.around([math.log10(a) for a in alphas], best)
    usable = [math.log10(min(max(end, low), high)) for end in choice.usable]
    taken = min(max(choice.alpha, low), high)
    parts = [
        plot.area(*usable),
        plot.line((math.log10(a), q) for a, q in zip(alphas, best, strict=True)),
        plot.dot(math.log10(taken), best_quality(points, taken), 6, "plot-mark"),
    ]
    return plot.draw((say("log10 alpha"), say("best Q")), parts, say("Best Q for every alpha"))
