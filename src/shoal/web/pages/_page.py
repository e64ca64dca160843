"""Page: named fragments drawn from state, and one function for whatever its controls do.

The browser gets a page whole once. After that it posts what was done (``data-act``, ``data-value``)
with the versions of the fragments it shows, and gets those back that read differently now. The
same request without an act is how a page looks whether something happened meanwhile.
"""

from __future__ import annotations

import logging
import math
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal, Self
from zlib import crc32

from shoal._words import later, retell, say
from shoal.exceptions import ShoalError
from shoal.web._plan_steps import ASK_FIRST, AskFirstError
from shoal.web.pages._icons import ICONS

if TYPE_CHECKING:
    from shoal.web._workspace import Workspace

SOON, LATER = 0.4, 3.0  # seconds until a page looks again: while work goes on, and otherwise
WHAT_HOLDS = later("What a release will promise as things are")
VOID = {"input", "br", "hr", "img"}
_LONG = re.compile(r"(?<![\w.])\d+\.\d{4,}(?![\w.])")  # a number of its own, no part of a date
_MOMENT = re.compile(r"\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00(?:\.0+)?(?![\d.]))?")
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
    kind: Literal["info", "trouble", "ask"] = "info"
    go: str = ""


class Page(ABC):
    """One open page. Everything here runs in worker threads, never on the event loop."""

    title = ""
    lead = ""

    def __init__(self) -> None:
        self.lock = threading.RLock()

    @abstractmethod
    def fragments(self) -> Sequence[Fragment]:
        """Draw all fragments as things are now."""

    def layout(self, parts: Mapping[str, Markup]) -> Markup:
        """Arrange the fragments; one below the other unless a page says otherwise."""
        return join(*parts.values())

    def act(self, kind: str, value: str) -> Reply | None:
        """Do what a control asks for; a page without controls does nothing."""
        return None

    def standing(self) -> Fragment | None:
        """Draw what stands in the frame of the page, whatever it shows; nothing, usually."""
        return None

    @property
    def look_again(self) -> float | None:
        """Seconds until the browser should look again; None for a page that only waits."""
        return None


class WorkspacePage(Page):
    """A page about the table of a workspace: what is promised stands above all of them."""

    def __init__(self, space: Workspace) -> None:
        super().__init__()
        self.space = space

    def standing(self) -> Fragment:
        """Say in one line what the plan promises now."""
        promised = self.space.promise
        kind = "promise" if promised.crowds else "promise amber"
        return Fragment("promise", h("span", promised.words, cls=kind, title=say(WHAT_HOLDS)))


def draw_page(page: Page) -> Markup:
    """Draw a page whole: its heading and all fragments."""
    with page.lock:
        parts = {part.name: part.element() for part in page.fragments()}
        heading = h(
            "div", h("h1", say(page.title)), h("p", say(page.lead), cls="lead"), cls="headline"
        )
        return join(heading, page.layout(parts))


def update_page(
    page: Page, act: str, value: str, have: Mapping[str, str], *, agreed: bool = True
) -> dict[str, Any]:
    """Do what a control asks for, and return the fragments that read differently now.

    What goes wrong is told as a sentence, and every fragment is sent, so that the controls show
    again what holds. So it is when something would be thrown away that nobody ``agreed`` to.
    """
    with page.lock:
        reply = _guarded(page, act, value, agreed) if act else Reply()
        shown = have if reply.kind == "info" else {}
        standing = page.standing()
        parts = [*page.fragments(), *([] if standing is None else [standing])]
        return {
            "fragments": {
                part.name: {"version": part.version, "html": part.html}
                for part in parts
                if shown.get(part.name) != part.version
            },
            "say": reply.say,
            "kind": reply.kind,
            "go": reply.go,
            "look": page.look_again,
        }


def _guarded(page: Page, act: str, value: str, agreed: bool) -> Reply:
    before = ASK_FIRST.set(not agreed)
    try:
        return page.act(act, value) or Reply()
    except AskFirstError as error:
        return Reply(retell(str(error)), "ask")
    except ShoalError as error:
        return Reply(tell(error), "trouble")
    except Exception:
        log.exception("an action failed")
        return Reply(say("Shoal stumbled over itself; nothing was lost."), "trouble")
    finally:
        ASK_FIRST.reset(before)


def tell(error: ShoalError) -> str:
    """Say what went wrong, and what helps."""
    return f"{retell(str(error))} {retell(error.hint or '')}".strip()


def refusal(title: str, error: ShoalError, *beside: Markup) -> Fragment:
    """Draw why a page has nothing to show yet."""
    return Fragment(
        "refusal",
        h(
            "section",
            h("h2", title),
            h("p", retell(str(error))),
            h("p", retell(error.hint or ""), cls="quiet"),
            *beside,
            cls="panel",
        ),
    )


# ---------------------------------------------------------------------- HTML from plain functions


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


def readable(text: str) -> str:
    """Write fractions and moments with the digits that somebody compares: published they are whole.

    >>> readable("51.06575393676758-56.8547935"), readable("0.000123456"), readable("3.25")
    ('51.07-56.85', '0.0001235', '3.25')
    >>> readable("19.4.2021 to 30.04.2024"), readable("K35.80001")
    ('19.4.2021 to 30.04.2024', 'K35.80001')
    >>> readable("2023-09-27T12:55:00 – 2024-01-02T08:00:30")
    '2023-09-27 12:55 – 2024-01-02 08:00:30'
    """
    short = _LONG.sub(lambda found: _shortened(float(found[0])), text)
    return _MOMENT.sub(r"\1 \2", short)


def _shortened(value: float) -> str:
    digits = 3 - math.floor(math.log10(value)) if value else 2
    return f"{value:.{max(2, digits)}f}"


def bar(share: float, cls: str = "bar") -> Markup:
    """Draw a bar that is filled by a share; an attribute, since the policy allows no inline style.

    >>> bar(0.25)
    '<svg class="bar" aria-hidden="true"><rect width="25.00%"></rect></svg>'
    """
    return h("svg", h("rect", width=f"{100 * share:.2f}%"), cls=cls, aria_hidden="true")


def rows_panel(title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    """Draw some rows of a table in a section of their own that scrolls by itself."""
    head = h("tr", *(h("th", name, scope="col") for name in columns))
    body = (h("tr", *(h("td", cell) for cell in row)) for row in rows)
    drawn = h("table", h("thead", head), h("tbody", *body))
    return h(
        "section",
        h("h2", title),
        h("div", drawn, cls="scroll", tabindex="0", role="region", aria_label=title),
        cls="panel",
    )


def file_button(words: str, address: str, *, id: str, accept: str) -> Markup:
    """Draw a button that sends a chosen file to an address, and room for what is wrong with it."""
    field = h("input", type_="file", id_=id, cls="unseen", accept=accept, data_file=address)
    label = h("label", words, for_=id, cls="button")
    return h(
        "div", label, field, h("p", role="alert", cls="trouble", hidden=True), data_file_zone=True
    )


def icon(name: str) -> Markup:
    """Draw one of our few icons; always beside words, so hidden from screen readers."""
    path = ICONS[name]
    return Markup(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        f'<path d="{path}"/></svg>'
    )
