"""What ``plot()`` returns: a drawing that a notebook shows and a file can hold."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

_STYLE = """
.shoal-drawing {max-width: 460px; font-family: system-ui, sans-serif; background: #fff}
.shoal-drawing text {fill: #16202a; font-size: 12px}
.shoal-drawing text.small {font-size: 10.5px; fill: #51606e}
.shoal-drawing .end {text-anchor: end} .shoal-drawing .middle {text-anchor: middle}
.shoal-drawing .before {fill: #8c9aa8} .shoal-drawing .track {fill: #d9e0e6}
.shoal-drawing .after, .shoal-drawing .bar {fill: #0b7f8a} .shoal-drawing .axis {stroke: #51606e}
"""


@dataclass(frozen=True)
class Drawing:
    """A drawing as SVG; a notebook shows it, `save` writes it to a file.

    >>> drawing = Drawing('<svg viewBox="0 0 9 9"><title>A bar</title><rect/></svg>')
    >>> drawing
    Drawing(A bar)
    >>> drawing._repr_svg_().startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    True
    """

    svg: str

    def __repr__(self) -> str:
        title = self.svg.partition("<title>")[2].partition("</title>")[0]
        return f"Drawing({title})"

    def _repr_svg_(self) -> str:
        """Show it where a notebook shows a value."""
        opening = '<svg xmlns="http://www.w3.org/2000/svg" class="shoal-drawing" '
        head, _, rest = self.svg.removeprefix("<svg ").partition(">")
        return f"{opening}{head}><style>{_STYLE}</style>{rest}"

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it as an SVG file."""
        file = Path(path)
        file.write_text(self._repr_svg_(), encoding="utf-8")
        return file
