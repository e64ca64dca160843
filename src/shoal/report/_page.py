"""The frame of every page: reports, studies and tunings look alike and ask nobody for anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from shoal._words import spoken

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
