"""Beside the questions: sliders for those who know what they want, and constraints."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable
from urllib.parse import unquote

from shoal.session import Session
from shoal.web._widths import widths_of
from shoal.web._workspace import Workspace
from shoal.web.pages._markup import Markup, breakable, h
from shoal.web.pages._scene import Scene, tell

HIGHEST = 10


class Controls:
    """Sliders and constraints of a session."""

    def __init__(self, space: Workspace, session: Session, changed: Callable[[], None]) -> None:
        self.space, self.session, self.changed = space, session, changed
        self.sliders = Scene(lambda: _sliders(session), self.act)
        self.limits = Scene(lambda: _limits(space, session), self.act)

    async def act(self, kind: str, value: str) -> None:
        """Do what a control asks for."""
        kind, _, number = kind.partition(":")
        if kind == "weight":
            self._slide(self.session.names[int(number)], float(value))
        elif kind == "no-sliders":
            self.session.set_weights(None)
            self.sliders.redraw()
        elif kind == "limit":
            await self._limit(self.session.names[int(number)], value)
        self.changed()

    def _slide(self, name: str, value: float) -> None:
        shown = _positions(self.session)
        self.session.set_weights({**shown, name: max(value, 0.05)})

    async def _limit(self, name: str, value: str) -> None:
        try:
            if value:
                await to_thread(self.session.limit, name, float(unquote(value)))
                tell(f"From now on {name} is never published coarser than that.")
            else:
                await to_thread(self.session.release_limit, name)
        finally:
            self.limits.redraw()


def _positions(session: Session) -> dict[str, float]:
    """Where the sliders stand: 5 is the middle."""
    bias = session.bias
    if bias is None:
        return dict.fromkeys(session.names, HIGHEST / 2)
    top = max(bias.values())
    return {name: HIGHEST * weight / top for name, weight in bias.items()}


def _sliders(session: Session) -> Markup:
    rows = [
        h(
            "label",
            h("span", breakable(name), cls="name"),
            h(
                "input",
                type_="range",
                min="0",
                max=str(HIGHEST),
                step="0.5",
                value=f"{where:.1f}",
                data_act=f"weight:{i}",
                aria_label=f"How much {name} matters",
            ),
            h("output", f"{where:.1f}"),
            cls="slider",
        )
        for i, (name, where) in enumerate(_positions(session).items())
    ]
    clear = h(
        "button", "Take the sliders away", type_="button", cls="button small", data_act="no-sliders"
    )
    return h(
        "details",
        h("summary", "Say it with sliders"),
        h(
            "p",
            "To the right: this detail matters more. Answers move the weights from there.",
            cls="quiet",
        ),
        *rows,
        clear,
        cls="panel fold",
        open=session.bias is not None,
    )


def _limits(space: Workspace, session: Session) -> Markup:
    rows = [
        h(
            "label",
            h("span", breakable(name), cls="name"),
            h(
                "select",
                *(
                    h("option", words, value=value, selected=_same(value, session.limits.get(name)))
                    for value, words in widths_of(space, name).items()
                ),
                data_act=f"limit:{i}",
                aria_label=f"Limit of {name}",
            ),
            cls="limit",
        )
        for i, name in enumerate(session.names)
    ]
    return h(
        "details",
        h("summary", "Never coarser than"),
        h(
            "p",
            "What no crowd may be published wider than. Impossible wishes are refused.",
            cls="quiet",
        ),
        *rows,
        cls="panel fold",
        open=bool(session.limits),
    )


def _same(value: str, limit: float | None) -> bool:
    return (value == "") if limit is None else value != "" and float(value) == limit
