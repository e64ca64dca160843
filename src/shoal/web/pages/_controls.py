"""Controls beside the questions: sliders for those who know what they want, and limits."""

from __future__ import annotations

import numpy as np

from shoal.web._workspace import Workspace
from shoal.web.pages._markup import Markup, breakable, h
from shoal.web.pages._page import Reply

HIGHEST = 10
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000, 100_000)
MOST_STEPS = 6


class Controls:
    """Sliders and limits of a session; sliders stay where they were put."""

    def __init__(self, space: Workspace) -> None:
        self.session = space.session
        self.widths = {name: widths_of(space, name) for name in self.session.names}
        self.positions = self._positions()

    def _positions(self) -> dict[str, float]:
        """Where the sliders stand: 5 is the middle."""
        bias = self.session.bias
        if bias is None:
            return dict.fromkeys(self.session.names, HIGHEST / 2)
        top = max(bias.values())
        return {name: HIGHEST * weight / top for name, weight in bias.items()}

    def act(self, kind: str, number: str, value: str) -> Reply | None:
        """Move a slider, take the sliders away, set or lift a limit."""
        if kind == "weight":
            self.positions[self.session.names[int(number)]] = float(value)
            self.session.set_weights({n: max(w, 0.05) for n, w in self.positions.items()})
        elif kind == "no-sliders":
            self.session.set_weights(None)
            self.positions = self._positions()
        elif kind == "limit":
            return self._limit(self.session.names[int(number)], value)
        return None

    def _limit(self, name: str, value: str) -> Reply | None:
        if not value:
            self.session.release_limit(name)
            return None
        self.session.limit(name, float(value))
        return Reply(f"From now on {name} is never published coarser than that.")

    def draw_sliders(self) -> Markup:
        """Draw a slider for each detail, folded until one was moved."""
        rows = [
            draw_slider(f"weight:{i}", name, where)
            for i, (name, where) in enumerate(self.positions.items())
        ]
        words = "Take the sliders away"
        clear = h("button", words, type_="button", cls="button small", data_act="no-sliders")
        note = "To the right: this detail matters more. Answers move the weights from there."
        return h(
            "details",
            h("summary", "Say it with sliders"),
            h("p", note, cls="quiet"),
            *rows,
            clear,
            cls="panel fold",
            open=self.session.bias is not None,
        )

    def draw_limits(self) -> Markup:
        """Draw a choice of widths for each detail, folded until one was chosen."""
        rows = [self._choice(i, name) for i, name in enumerate(self.session.names)]
        note = "What no crowd may be published wider than. Impossible wishes are refused."
        return h(
            "details",
            h("summary", "Never coarser than"),
            h("p", note, cls="quiet"),
            *rows,
            cls="panel fold",
            open=bool(self.session.limits),
        )

    def _choice(self, i: int, name: str) -> Markup:
        limit = self.session.limits.get(name)
        options = [
            h("option", words, value=value, selected=_same(value, limit))
            for value, words in self.widths[name].items()
        ]
        return h(
            "label",
            h("span", breakable(name), cls="name"),
            h("select", *options, data_act=f"limit:{i}", aria_label=f"Limit of {name}"),
            cls="limit",
        )


def draw_slider(act: str, name: str, where: float) -> Markup:
    """Draw a slider for how much a detail matters."""
    return h(
        "label",
        h("span", breakable(name), cls="name"),
        h(
            "input",
            type_="range",
            min="0",
            max=str(HIGHEST),
            step="0.5",
            value=f"{where:.1f}",
            data_act=act,
            aria_label=f"How much {name} matters",
        ),
        h("output", f"{where:.1f}".removesuffix(".0")),
        cls="slider",
    )


def _same(value: str, limit: float | None) -> bool:
    return (value == "") if limit is None else value != "" and float(value) == limit


def widths_of(space: Workspace, column: str) -> dict[str, str]:
    """Return what may be chosen for a column, and how it reads; ``""`` is no limit."""
    chosen = {"": "free", "0": "keep exact"}
    hierarchy = space.hierarchy(column)
    coded = space.table.column(column)
    if hierarchy is not None:
        height = hierarchy.arrange(coded.labels, column=column).height
        levels = {str(level): f"level {level} of {height}" for level in range(1, height)}
        return {**chosen, **levels}
    if coded.kind == "date":
        return {**chosen, "31": "a month", "92": "a quarter", "366": "a year", "3653": "ten years"}
    if coded.numbers is None:
        return chosen
    spread = float(np.nanmax(coded.numbers) - np.nanmin(coded.numbers)) if coded.numbers.size else 0
    fitting = [step for step in STEPS if spread / 50 <= step < spread][:MOST_STEPS]
    return {**chosen, **{str(step): f"at most {step:,} wide" for step in fitting}}
