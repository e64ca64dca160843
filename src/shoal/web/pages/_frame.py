"""Frame: the document around every page, with logo, steps and the name of the table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shoal._words import later, say, spoken
from shoal.web._sign_in import LOGO, language_switch
from shoal.web.pages._page import Markup, Page, draw_page, h, icon, join

if TYPE_CHECKING:
    from shoal.web._visitors import Visitor
    from shoal.web._workspace import Workspace
    from shoal.web.pages import PageStep

SCRIPT_WORDS = (  # what the scripts say by themselves
    later("The server does not answer. Nothing you said before is lost."),
    later("{n} of {all} columns"),
    later("Reading the table"),
    later("The table could not be read."),
    later("The connection broke off, or the file is too large."),
    later("Cancelled; nothing of the file was kept."),
)
HEAD = Markup(
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    '<link rel="icon" href="/static/logo.svg" type="image/svg+xml">'
    '<link rel="stylesheet" href="/static/shoal.css">'
    '<script defer src="/static/shoal.js"></script>'
    '<script defer src="/static/tree.js"></script>'
)


def draw_document(
    name: str,
    page: Page,
    visitor: Visitor,
    steps: Iterable[PageStep] = (),
    space: Workspace | None = None,
) -> str:
    """Draw a whole document: the frame, and the page inside it."""
    top = [_brand()]
    if space is not None:
        top.append(h("nav", _steps(steps, space, name), aria_label=say("Steps")))
        standing = page.standing()
        if standing is not None:
            top.append(standing.element())
        top.append(h("span", space.name, cls="file", title=say("The table you brought")))
    if visitor.account:
        top.append(_log_out(visitor.name))
    body = h(
        "body",
        h("a", say("Skip to the content"), href="#content", cls="skip"),
        h("header", *top, cls="top"),
        h("main", draw_page(page), cls="page", id_="content", tabindex="-1"),
        h("footer", _foot(), cls="foot"),
        h("div", id_="told", role="status", aria_live="polite"),
        data_words=json.dumps({word: say(word) for word in SCRIPT_WORDS}),
        data_look=None if page.look_again is None else str(page.look_again),
    )
    head = h("head", HEAD, h("title", f"{say(name)} – Shoal"))
    return "<!doctype html>" + h("html", head, body, lang=spoken())


def _brand() -> Markup:
    return h("a", Markup(LOGO), h("strong", "Shoal"), href="/", cls="brand")


def _steps(steps: Iterable[PageStep], space: Workspace, here: str) -> Markup:
    """Draw the steps as they are walked, and under More what stands beside the way."""
    walked = [step for step in steps if not step.beside]
    more = [step for step in steps if step.beside]
    items = [_step(step, space, here, str(number)) for number, step in enumerate(walked, 1)]
    inside = any(step.title == here for step in more)
    words = say("More: {here}", here=say(here)) if inside else say("More")
    study = h("a", say("Study"), href="/study")
    menu = h("div", *(_step(step, space, here) for step in more), study, cls="menu")
    fold = h("details", h("summary", words, cls="here" if inside else None), menu, cls="more")
    return join(*items, fold)


def _step(step: PageStep, space: Workspace, here: str, number: str = "") -> Markup:
    return h(
        "a",
        h("b", number, aria_hidden="true") if number else None,
        say(step.title),
        href=f"/t/{space.id}/{step.path}",
        aria_current="page" if step.title == here else None,
    )


def _log_out(name: str) -> Markup:
    button = h("button", say("Log {name} out", name=name), type_="submit", cls="button small")
    return h("form", button, method="post", action="/logout", cls="log-out")


def _foot() -> Markup:
    return join(
        icon("lock"),
        say("Your table stays on this machine. No cell of it is written to any log."),
        Markup(language_switch()),
    )
