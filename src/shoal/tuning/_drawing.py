"""Two drawings as SVG text: all trials with their front, and the best Q for every alpha."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from shoal.tuning._alpha import AlphaChoice, Point, best_quality, pareto, reigns

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 14, 40
STEPS = 120


@dataclass(frozen=True)
class Frame:
    """From numbers to places on the paper."""

    low: tuple[float, float]
    high: tuple[float, float]

    @classmethod
    def around(cls, xs: Sequence[float], ys: Sequence[float]) -> Frame:
        """Leave some air around all points."""
        sides = [(min(values), max(values)) for values in (xs, ys)]
        air = [0.06 * (high - low) or 0.5 for low, high in sides]
        lows, highs = zip(
            *((low - a, high + a) for (low, high), a in zip(sides, air, strict=True)), strict=True
        )
        return cls((lows[0], lows[1]), (highs[0], highs[1]))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Place a point."""
        share = [
            (value - low) / (high - low)
            for value, low, high in zip((x, y), self.low, self.high, strict=True)
        ]
        return (
            round(LEFT + share[0] * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - share[1] * (HEIGHT - TOP - BOTTOM), 1),
        )

    def ticks(self, side: int) -> list[float]:
        """Round numbers along one side, four or so."""
        low, high = self.low[side], self.high[side]
        power = 10.0 ** math.floor(math.log10((high - low) / 3))
        step = next(m * power for m in (1, 2, 5, 10) if (high - low) / (m * power) <= 6)
        first = math.ceil(low / step)
        return [i * step for i in range(first, math.floor(high / step) + 1)]


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
    frame = Frame.around([p.q_nf for p in points], [p.q_f for p in points])
    front = pareto(points)
    line = " ".join("{},{}".format(*frame.at(points[i].q_nf, points[i].q_f)) for i in front)
    parts = [f'<polyline points="{line}" fill="none" stroke="#0b7285" stroke-width="2"/>']
    for i in sorted(range(len(points)), key=lambda i: i in front):  # those of the front on top
        point = points[i]
        x, y = frame.at(point.q_nf, point.q_f)
        colour = "#0b7285" if i in front else "#adb5bd"
        tip = f"{names[i]}: {axes[1]} {point.q_f:.4f}"
        size = 4 if act is None else 7
        dot = f'<circle cx="{x}" cy="{y}" r="{size}" fill="{colour}"><title>{escape(tip)}</title>'
        parts.append(_linked(f"{dot}</circle>", act, i, tip))
    if chosen is not None:
        x, y = frame.at(points[chosen].q_nf, points[chosen].q_f)
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="11" fill="none" stroke="#e8590c" stroke-width="2.5"/>'
        )
    return _svg(frame, axes, parts, "Every trial by privacy and usefulness")


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
    frame = Frame.around([math.log10(a) for a in alphas], best)
    usable = [min(max(end, low), high) for end in choice.usable]
    (left, top), (right, bottom) = (
        frame.at(math.log10(usable[0]), frame.high[1]),
        frame.at(math.log10(usable[1]), frame.low[1]),
    )
    line = " ".join(
        "{},{}".format(*frame.at(math.log10(a), q)) for a, q in zip(alphas, best, strict=True)
    )
    taken = min(max(choice.alpha, low), high)
    x, y = frame.at(math.log10(taken), best_quality(points, taken))
    parts = [
        f'<rect x="{left}" y="{top}" width="{max(1.0, right - left):.1f}" '
        f'height="{bottom - top:.1f}" fill="#e3fafc"/>',
        f'<polyline points="{line}" fill="none" stroke="#0b7285" stroke-width="2"/>',
        f'<circle cx="{x}" cy="{y}" r="6" fill="#e8590c"/>',
    ]
    return _svg(frame, ("log10 alpha", "best Q"), parts, "Best Q for every alpha")


def _svg(frame: Frame, axes: tuple[str, str], parts: Sequence[str], title: str) -> str:
    scale = []
    for value in frame.ticks(0):
        x, _ = frame.at(value, frame.low[1])
        scale.append(f'<text x="{x}" y="{HEIGHT - 22}" class="middle small">{value:.4g}</text>')
    for value in frame.ticks(1):
        _, y = frame.at(frame.low[0], value)
        ends = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"'
        scale.append(f'<line stroke="#dee2e6" {ends}/>')
        scale.append(f'<text x="{LEFT - 8}" y="{y + 4}" class="end small">{value:.4g}</text>')
    names = (
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 4}" class="middle small">{escape(axes[0])}</text>'
        f'<text x="4" y="10" class="small">{escape(axes[1])}</text>'
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join([*scale, *parts])}{names}</svg>"
    )
