"""The ranking as a picture that needs nothing but itself."""

from __future__ import annotations

from html import escape

from shoal.selection._selection import Selection

WIDTH, LEFT, ROW = 640, 170, 24
COLORS = {"selected": "#1f6f8b", "repeats another": "#9db4c0", "not relevant": "#dfe6ea"}


def draw(found: Selection) -> str:
    """Draw the ranking as SVG: one bar a column, coloured by what became of it.

    >>> found = Selection("ill", (("age", 0.4), ("born", 0.3)), ("age",), {"born": "age"})
    >>> draw(found).count("<rect")
    5
    """
    height = ROW * (len(found.ranking) + 2)
    parts = [_text(LEFT, 16, f"Symmetrical uncertainty with {found.target}", "start")]
    for i, (name, color) in enumerate(COLORS.items()):
        x = LEFT + 150 * i
        parts += [_rect(x, height - 16, 12, color), _text(x + 18, height - 5, name, "start")]
    top = max((value for _, value in found.ranking), default=0.0) or 1.0
    for i, (column, value) in enumerate(found.ranking):
        y, width = ROW * (i + 1), (WIDTH - LEFT - 70) * value / top
        parts += [
            _text(LEFT - 8, y + 15, column, "end"),
            _rect(LEFT, y + 3, width, COLORS[_fate(found, column)]),
            _text(LEFT + width + 6, y + 15, f"{value:.4f}", "start"),
        ]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12">\n{body}\n</svg>\n'
    )


def _fate(found: Selection, column: str) -> str:
    if column in found.selected:
        return "selected"
    return "repeats another" if column in found.redundant else "not relevant"


def _rect(x: float, y: float, width: float, color: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="14" fill="{color}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
