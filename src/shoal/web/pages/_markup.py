"""Markup: HTML from plain functions, with everything that is not markup escaped."""

from __future__ import annotations

import re
from html import escape
from typing import Self

from shoal.web.pages._icons import ICONS

VOID = {"input", "br", "hr", "img"}


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()

    def __add__(self, other: str) -> Self:
        return type(self)(str.__add__(self, text_of(other)))


def h(tag: str, *children: str | None, **attributes: str | float | bool | None) -> Markup:
    """Write an element; text is escaped, `Markup` is kept.

    Attributes are named as in HTML with ``_`` for ``-``; ``cls`` is ``class``, ``for_`` is
    ``for``; None and False leave one out.

    >>> h("b", "1 < 2", cls="x", data_act="go", hidden=False)
    '<b class="x" data-act="go">1 &lt; 2</b>'
    """
    names = {"cls": "class", "for_": "for", "type_": "type", "id_": "id"}
    written = "".join(
        f" {names.get(name, name.replace('_', '-'))}"
        + ("" if value is True else f'="{escape(str(value), quote=True)}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in VOID:
        return Markup(f"<{tag}{written}>")
    return Markup(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: str | None) -> Markup:
    """Put pieces one after the other."""
    return Markup("".join(text_of(child) for child in children if child is not None))


def text_of(child: str) -> str:
    """Escape text; leave markup."""
    return str(child) if isinstance(child, Markup) else escape(child, quote=False)


def breakable(name: str) -> Markup:
    """Let the name of a column break where a reader would break it.

    >>> breakable("birth_country")
    'birth_<wbr>country'
    """
    return Markup(re.sub(r"([_.-])(?=\w)", r"\1<wbr>", text_of(name)))


def bar(share: float, cls: str = "bar") -> Markup:
    """Draw a bar that is filled by a share; an attribute, since the policy allows no inline style.

    >>> bar(0.25)
    '<svg class="bar" aria-hidden="true"><rect width="25.00%"></rect></svg>'
    """
    return h("svg", h("rect", width=f"{100 * share:.2f}%"), cls=cls, aria_hidden="true")


def icon(name: str) -> Markup:
    """Draw one of our few icons; always beside words, so hidden from screen readers."""
    path = ICONS[name]
    return Markup(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        f'<path d="{path}"/></svg>'
    )
