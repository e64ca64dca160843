"""Sign-off on the page Result: who answers for the release, and why it may leave."""

from __future__ import annotations

from shoal._words import moment, say
from shoal.web._sign_off import LONGEST, SignOff, signed_off
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, h, icon


def draw_sign_off(space: Workspace) -> Markup:
    """Draw who signed the release that lies ready, and a form for the next one."""
    if space.released is None or not space.released.holds:
        return Markup("")
    signed = signed_off(space)
    rows = [_signed(one) for one in signed]
    return h(
        "details",
        h("summary", _summary(signed)),
        h("ul", *rows, cls="holds") if rows else None,
        _form(),
        cls="panel fold",
    )


def _summary(signed: list[SignOff]) -> str:
    if not signed:
        return say("Sign off: who answers for it, and why")
    return say("Signed off by {who}", who=signed[-1].who)


def _signed(one: SignOff) -> Markup:
    said = say("{who}, {when}: {why}", who=one.who, when=moment(one.when), why=one.why)
    return h("li", icon("check"), said)


def _form() -> Markup:
    who, why = (
        h(
            "label",
            h("span", words),
            h("input", type_="text", data_part=True, maxlength=str(LONGEST), required=True),
            cls="inline",
        )
        for words in (say("Name"), say("Why it may leave"))
    )
    button = h("button", say("Sign off"), type_="button", cls="button", data_send="sign")
    note = say("It goes into the journal with the digest of the released file.")
    return h("div", who, why, button, h("span", note, cls="quiet"), cls="line", data_parts=True)
