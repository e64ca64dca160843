"""The frame around every page: logo, steps, name of the table, and a way past them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nicegui import ui

from shoal.web._doors import LOGO
from shoal.web.pages._markup import Markup, h, icon, join

if TYPE_CHECKING:
    from shoal.web._workspace import Workspace
    from shoal.web.pages import Page

HEAD = (
    '<link rel="stylesheet" href="/static/shoal.css">\n'
    '<script defer src="/static/shoal.js"></script>\n'
)


@contextmanager
def frame(title: str, steps: Iterable[Page] = (), space: Workspace | None = None) -> Iterator[None]:
    """Draw the frame; whatever is built inside stands on the page."""
    ui.page_title(f"{title} – Shoal")
    ui.html(h("a", "Skip to the content", href="#content", cls="skip"))
    with ui.element("header").classes("top"):
        ui.html(_brand())
        if space is not None:
            ui.html(_steps(steps, space, title), tag="nav").props('aria-label="Steps"')
            ui.html(h("span", space.name, cls="file", title="The table you brought"))
    with ui.element("div").classes("page").props('id="content" tabindex="-1"'):
        yield
    ui.html(_foot(), tag="footer").classes("foot")


def _brand() -> Markup:
    return h("a", Markup(LOGO), h("strong", "Shoal"), href="/", cls="brand")


def _steps(pages: Iterable[Page], space: Workspace, here: str) -> Markup:
    items = [
        h(
            "a",
            h("b", str(number), aria_hidden="true"),
            page.title,
            href=f"/t/{space.id}/{page.path}",
            aria_current="page" if page.title == here else None,
        )
        for number, page in enumerate(pages, 1)
    ]
    return join(*items)


def _foot() -> Markup:
    return join(
        icon("lock"), "Your table stays on this machine. No cell of it is written to any log."
    )


def headline(title: str, lead: str) -> None:
    """Draw the heading of a page and one sentence on what to do here."""
    ui.html(h("div", h("h1", title), h("p", lead, cls="lead"), cls="headline"))
