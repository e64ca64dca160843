"""The frame of every page, and drawings as SVG text: no script, no font, no file from elsewhere.

Reports, studies and tunings look alike. Colours come from classes of the page's style sheet, so
that a drawing follows the light or dark page it stands in. Charts are drawn 360 units wide, the
width of a telephone, and scale with their card; a `Plot` has axes, and colours of its own where a
page has no others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib.resources import files

from shoal._words import number, say, scale_words, spoken
from shoal.report._distributions import MISSING, OTHER, Distribution, Slot
from shoal.report._published import SizeSlot
from shoal.report._words import DASH, percent

WIDTH = 360
_VALUE = 52  # room for numbers on the right
_LONGEST_NAME = 18
_AXIS = f'<line class="axis" x1="0" x2="{WIDTH}" y1="{{0}}" y2="{{0}}"/>'
_LOOKS = {
    "plot-line": 'fill="none" stroke="#0b7285" stroke-width="2"',
    "plot-grid": 'stroke="#dee2e6"',
    "plot-area": 'fill="#e3fafc"',
    "plot-dot": 'fill="#0b7285"',
    "plot-dim": 'fill="#adb5bd"',
    "plot-mark": 'fill="#e8590c"',
    "plot-ring": 'fill="none" stroke="#e8590c" stroke-width="2.5"',
}


def loss_bars(rows: Sequence[tuple[str, float]]) -> str:
    """Draw one bar per attribute; a full bar is everything lost."""
    left = 12 + 7 * min(_LONGEST_NAME, max((len(name) for name, _ in rows), default=0))
    room = WIDTH - left - _VALUE
    parts = []
    for i, (name, loss) in enumerate(rows):
        y = 26 * i
        parts += [
            _name(name, left, y + 15),
            rectangle("track", left, y + 4, room, 14),
            rectangle("bar", left, y + 4, room * min(1.0, loss), 14),
            words(WIDTH, y + 15, percent(loss), "end number"),
        ]
    return draw_svg(26 * len(rows), say("Loss of each quasi-identifier"), parts)


def distribution_chart(distribution: Distribution, name: str) -> str:
    """Draw an attribute before and after: columns on a scale, bars for names."""
    title = say("Distribution of {name} before and after", name=name)
    draw, slots = _pair_columns if distribution.on_scale else _pair_bars, distribution.slots
    if spoken() != "en":
        slots = _told(slots, on_scale=distribution.on_scale)
    tips = [
        say(
            "{label}: {before} before, {after} after",
            label=slot.label,
            before=percent(slot.before),
            after=percent(slot.after),
        )
        for slot in slots
    ]
    return draw(slots, tips, title)


def _told(slots: Sequence[Slot], *, on_scale: bool) -> tuple[Slot, ...]:
    """Say the names of slots: what they say of a scale is ours, names in them are the table's."""
    ours = (MISSING, OTHER)
    return tuple(
        replace(slot, label=say(slot.label))
        if slot.label in ours
        else replace(slot, label=scale_words(slot.label) if on_scale else slot.label)
        for slot in slots
    )


def size_columns(slots: Sequence[SizeSlot]) -> str:
    """Draw how many rows hide in groups of each size."""
    top = max((slot.share for slot in slots), default=0) or 1.0
    slot_width = WIDTH / max(1, len(slots))
    parts = []
    for i, slot in enumerate(slots):
        x, height = i * slot_width, 120 * slot.share / top
        middle = x + slot_width / 2
        parts += [
            rectangle("bar", x + 3, 140 - height, slot_width - 6, height, slot.label),
            words(middle, 134 - height, percent(slot.share), "middle number small"),
            words(middle, 156, slot.label, "middle small"),
        ]
    parts.append(_AXIS.format(140))
    return draw_svg(162, say("Share of rows by group size"), parts)


def _pair_bars(slots: Sequence[Slot], tips: Sequence[str], title: str) -> str:
    top = max(max(slot.before, slot.after) for slot in slots) or 1.0
    left = 12 + 7 * min(_LONGEST_NAME, max(len(slot.label) for slot in slots))
    room = WIDTH - left - _VALUE
    parts = []
    for i, (slot, tip) in enumerate(zip(slots, tips, strict=True)):
        y = 30 * i
        parts += [
            _name(slot.label, left, y + 18),
            rectangle("before", left, y + 4, room * slot.before / top, 9, tip),
            rectangle("after", left, y + 14, room * slot.after / top, 9, tip),
            words(WIDTH, y + 18, percent(slot.after), "end number"),
        ]
    return draw_svg(30 * len(slots), title, parts)


def _pair_columns(slots: Sequence[Slot], tips: Sequence[str], title: str) -> str:
    top = max(max(slot.before, slot.after) for slot in slots) or 1.0
    width = WIDTH / len(slots)
    bar = min(26.0, (width - 4) / 2)
    parts = []
    for i, (slot, tip) in enumerate(zip(slots, tips, strict=True)):
        middle = (i + 0.5) * width
        for side, share, x in (
            ("before", slot.before, middle - bar),
            ("after", slot.after, middle),
        ):
            height = 120 * share / top
            parts.append(rectangle(side, x, 128 - height, bar, height, tip))
    parts.append(_AXIS.format(128))
    names = [_short(slot.label) for slot in slots]  # too long for one line, they take turns on two
    if max(map(len, names)) * 6 > 1.7 * width:
        names = [name.split(DASH)[0] for name in names]  # or lose their end
    lines = 1 if max(map(len, names)) * 6 <= width else 2
    parts += [
        words((i + 0.5) * width, 142 + 12 * (i % lines), name, "middle small")
        for i, name in enumerate(names)
    ]
    return draw_svg(164, title, parts)


def _short(label: str) -> str:
    """Shorten the names of open tails.

    >>> _short("under 20"), _short("80 and over"), _short("20–29"), _short("80 und mehr")
    ('<20', '80+', '20–29', '80+')
    """
    if label.startswith(("under ", "before ", "unter ", "vor ")):
        return "<" + label.split(" ", 1)[1]
    open_ = label.endswith((" and over", " and later", " und mehr", " und später"))
    return label.split(" ")[0] + "+" if open_ else label


def _name(name: str, right: float, y: float) -> str:
    shown = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
    tip = f"<title>{escape(name)}</title>" if shown != name else ""
    return f'<text x="{right - 8:g}" y="{y:g}" class="end">{escape(shown)}{tip}</text>'


@dataclass(frozen=True)
class Plot:
    """A drawing with two axes, from numbers to places on the paper.

    >>> plot = Plot.around([0, 10], [0.2, 0.8])
    >>> plot.ticks(0), plot.at(5, 0.5)
    ([0.0, 2.0, 4.0, 6.0, 8.0, 10.0], (340.0, 137.0))
    """

    low: tuple[float, float]
    high: tuple[float, float]
    width: int = 640
    height: int = 300
    left: int = 56
    right: int = 16
    top: int = 14
    bottom: int = 40

    @classmethod
    def around(cls, xs: Sequence[float], ys: Sequence[float]) -> Plot:
        """Leave some air around all points."""
        sides = [(min(values), max(values)) for values in (xs, ys)]
        air = [0.06 * (high - low) or 0.5 for low, high in sides]
        (left, right), (bottom, top) = (
            (low - a, high + a) for (low, high), a in zip(sides, air, strict=True)
        )
        return cls((left, bottom), (right, top))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Place a point."""
        share = [
            (value - low) / (high - low)
            for value, low, high in zip((x, y), self.low, self.high, strict=True)
        ]
        return (
            round(self.left + share[0] * (self.width - self.left - self.right), 1),
            round(self.height - self.bottom - share[1] * (self.height - self.top - self.bottom), 1),
        )

    def ticks(self, side: int) -> list[float]:
        """Round numbers along one side, four or so."""
        low, high = self.low[side], self.high[side]
        power = 10.0 ** math.floor(math.log10((high - low) / 3))
        step = next(m * power for m in (1, 2, 5, 10) if (high - low) / (m * power) <= 6)
        first = math.ceil(low / step)
        return [i * step for i in range(first, math.floor(high / step) + 1)]

    def line(self, points: Iterable[tuple[float, float]]) -> str:
        """Draw a line through points."""
        places = " ".join("{},{}".format(*self.at(*point)) for point in points)
        return f'<polyline {_look("plot-line")} points="{places}"/>'

    def dot(self, x: float, y: float, size: float, kind: str, tip: str = "") -> str:
        """Draw a dot whose colour is that of its class."""
        across, down = self.at(x, y)
        title = f"<title>{escape(tip)}</title>" if tip else ""
        place = f'cx="{across}" cy="{down}" r="{size:g}"'
        return f"<circle {_look(kind)} {place}>{title}</circle>"

    def area(self, low: float, high: float) -> str:
        """Shade what lies between two numbers of the first axis."""
        (left, top), (right, bottom) = self.at(low, self.high[1]), self.at(high, self.low[1])
        size = f'width="{max(1.0, right - left):.1f}" height="{bottom - top:.1f}"'
        return f'<rect {_look("plot-area")} x="{left}" y="{top}" {size}/>'

    def draw(self, axes: tuple[str, str], parts: Sequence[str], title: str) -> str:
        """Put parts between named axes."""
        names = [
            words(self.width / 2, self.height - 4, axes[0], "middle small"),
            words(4, 10, axes[1], "small"),
        ]
        drawn = [*self._scale(), *parts, *names]
        return draw_svg(self.height, title, drawn, width=self.width)

    def _scale(self) -> list[str]:
        scale = []
        for value in self.ticks(0):
            x, _ = self.at(value, self.low[1])
            scale.append(words(x, self.height - 22, number(value, ".4g"), "middle small"))
        for value in self.ticks(1):
            _, y = self.at(self.low[0], value)
            ends = f'x1="{self.left}" x2="{self.width - self.right}" y1="{y}" y2="{y}"'
            scale.append(f"<line {_look('plot-grid')} {ends}/>")
            scale.append(words(self.left - 8, y + 4, number(value, ".4g"), "end small"))
        return scale


def _look(kind: str) -> str:
    return f'class="{kind}" {_LOOKS[kind]}'


def words(x: float, y: float, text: str, classes: str) -> str:
    """Write a text at a place."""
    return f'<text x="{x:.5g}" y="{y:.5g}" class="{classes}">{escape(text)}</text>'


def rectangle(kind: str, x: float, y: float, width: float, height: float, tip: str = "") -> str:
    """Draw a bar whose colour is that of its class."""
    title = f"<title>{escape(tip)}</title>" if tip else ""
    size = f'x="{x:.5g}" y="{y:.5g}" width="{max(0, width):.5g}" height="{max(0, height):.5g}"'
    return f'<rect class="{kind}" {size} rx="1.5">{title}</rect>'


def draw_svg(height: float, title: str, parts: Sequence[str], *, width: float = WIDTH) -> str:
    """Put parts into a drawing with a title that is read aloud."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


_FISH = "".join(
    f'<path opacity="{shade}" transform="translate({x} {y})"'
    ' d="M0 6Q8-2 18 3.5L24 0 22.500 6 24 12 18 8.500Q8 14 0 6z"/>'
    for x, y, shade in ((0, 15, 1), (22, 2, 0.75), (24, 28, 0.75), (44, 15, 0.5))
)
_SHOAL = f'<svg viewBox="0 0 68 44" aria-hidden="true">{_FISH}</svg>'


def page(title: str, body: str, *, style: str = "", figures: bool = False) -> str:
    """Wrap a body into a page that can be forwarded, printed and read on a telephone.

    No script, no font and no request to anywhere: its policy forbids them.

    Parameters
    ----------
    title, body : str
        The title as text, the body as HTML.
    style : str
        Rules that only this kind of page needs.
    figures : bool
        Whether drawings may hold pictures of their own.
    """
    pictures = "img-src data:; " if figures else ""
    return (
        f'<!doctype html>\n<html lang="{spoken()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy"'
        f" content=\"default-src 'none'; {pictures}style-src 'unsafe-inline'\">\n"
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_style()}{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def page_header(kind: str, title: str, *, lead: str = "", above: str = "", below: str = "") -> str:
    """Say what page this is, then its title and first sentence; HTML may stand around the title."""
    drawn = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    return (
        f'<header><div class="brand">{_SHOAL}<span><strong>Shoal</strong> {escape(kind)}</span>'
        f"</div>{above}<h1>{escape(title)}</h1>{below}{drawn}</header>"
    )


def section(title: str, inner: str, *, kind: str = "") -> str:
    """Put HTML under a heading."""
    mark = f' class="{kind}"' if kind else ""
    return f"<section{mark}><h2>{escape(title)}</h2>{inner}</section>"


def cards(facts: Iterable[tuple[str, str]]) -> str:
    """Show numbers, large, each over the words that say what it is."""
    drawn = (
        f'<div class="card"><b>{escape(value)}</b><span>{escape(words)}</span></div>'
        for value, words in facts
    )
    return f'<div class="cards">{"".join(drawn)}</div>'


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Draw a table; its cells are HTML.

    >>> table(["k"], [["10"]])[-64:]
    'h></tr></thead><tbody><tr><td>10</td></tr></tbody></table></div>'
    """
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        "</div>"
    )


def bullets(texts: Iterable[str]) -> str:
    """List texts."""
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


@cache
def _style() -> str:
    return files("shoal.report").joinpath("page.css").read_text(encoding="utf-8")
