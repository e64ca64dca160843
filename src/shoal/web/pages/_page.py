"""Page: named fragments drawn from state, and one function for whatever its controls do.

The browser gets a page whole once. After that it posts what was done (``data-act``, ``data-value``)
with the versions of the fragments it shows, and gets those back that read differently now. The
same request without an act is how a page looks whether something happened meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from zlib import crc32

from shoal.exceptions import ShoalError
from shoal.web.pages._markup import Markup, h, join

SOON, LATER = 0.4, 3.0  # seconds until a page looks again: while work goes on, and otherwise
log = logging.getLogger("shoal.web.pages")


@dataclass(frozen=True)
class Fragment:
    """A part of a page that is drawn by itself, and sent again only if it reads differently."""

    name: str
    html: Markup
    cls: str = ""
    spoken: bool = False  # screen readers say what changes in it

    @property
    def version(self) -> str:
        """A short name for what it reads like now."""
        return f"{crc32(self.html.encode()):08x}"

    def element(self) -> Markup:
        """Wrap it so that the browser finds it again."""
        return h(
            "div",
            self.html,
            cls=self.cls or None,
            data_fragment=self.name,
            data_version=self.version,
            role="status" if self.spoken else None,
            aria_live="polite" if self.spoken else None,
        )


@dataclass(frozen=True)
class Reply:
    """What an action says to the person: a sentence, or the address of another page."""

    say: str = ""
    kind: Literal["info", "trouble"] = "info"
    go: str = ""


class Page:
    """One open page. Everything here runs in worker threads, never on the event loop."""

    title = ""
    lead = ""

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def fragments(self) -> Sequence[Fragment]:
        """Draw all fragments as things are now."""
        raise NotImplementedError

    def layout(self, parts: Mapping[str, Markup]) -> Markup:
        """Arrange the fragments; one below the other unless a page says otherwise."""
        return join(*parts.values())

    def act(self, kind: str, value: str) -> Reply | None:
        """Do what a control asks for."""

    @property
    def look_again(self) -> float | None:
        """Seconds until the browser should look again; None for a page that only waits."""
        return None


def draw_page(page: Page) -> Markup:
    """Draw a page whole: its heading and all fragments."""
    with page.lock:
        parts = {part.name: part.element() for part in page.fragments()}
        heading = h("div", h("h1", page.title), h("p", page.lead, cls="lead"), cls="headline")
        return join(heading, page.layout(parts))


def update_page(page: Page, act: str, value: str, have: Mapping[str, str]) -> dict[str, Any]:
    """Do what a control asks for, and return the fragments that read differently now.

    What goes wrong is told as a sentence, and every fragment is sent, so that the controls show
    again what holds.
    """
    with page.lock:
        reply = _guarded(page, act, value) if act else Reply()
        shown = {} if reply.kind == "trouble" else have
        return {
            "fragments": {
                part.name: {"version": part.version, "html": part.html}
                for part in page.fragments()
                if shown.get(part.name) != part.version
            },
            "say": reply.say,
            "kind": reply.kind,
            "go": reply.go,
            "look": page.look_again,
        }


def _guarded(page: Page, act: str, value: str) -> Reply:
    try:
        return page.act(act, value) or Reply()
    except ShoalError as error:
        return Reply(f"{error} {error.hint or ''}".strip(), "trouble")
    except Exception:
        log.exception("an action failed")
        return Reply("Shoal stumbled over itself; nothing was lost.", "trouble")


def refusal(title: str, error: ShoalError, *beside: Markup) -> Fragment:
    """Draw why a page has nothing to show yet."""
    return Fragment(
        "refusal",
        h(
            "section",
            h("h2", title),
            h("p", str(error)),
            h("p", error.hint or "", cls="quiet"),
            *beside,
            cls="panel",
        ),
    )
