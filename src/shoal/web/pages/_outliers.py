"""Outliers page: ranges or values, who stands out, and where pushing back would move them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from shoal._words import later, number, retell, say
from shoal.exceptions import ShoalError
from shoal.presets import choose_k
from shoal.quantize import ClusterCounts, Explorer, OutlierMap
from shoal.table import Table
from shoal.web._publishing import VALUES, WAYS, publish, way_of
from shoal.web._workspace import Workspace
from shoal.web.pages._page import (
    Fragment,
    Markup,
    WorkspacePage,
    breakable,
    h,
    join,
)

WIDTH, HEIGHT, MARGIN = 640.0, 420.0, 14.0
SHOWN = 900  # points
MOST_ROWS = 100_000  # that clusters are found in while a slider moves
DETENTS = 40  # of a radius slider
MEASURED = "outliers measured"
PLAIN = 100  # radii from here on are written without decimals


@dataclass
class OutliersState:
    """What the page shows beside the workspace."""

    space: Workspace
    explorer: Explorer
    m: int
    radii: dict[str, float] = field(default_factory=dict)
    counts: ClusterCounts | None = None
    map: OutlierMap | None = None
    trouble: str = ""
    seen: Table | None = None  # the whole table that was measured

    @classmethod
    def of(cls, space: Workspace) -> OutliersState:
        """Measure the table once for a plan; whoever comes back finds it as it was measured."""
        measured: OutliersState | None
        plan, measured = space.kept.get(MEASURED, (None, None))
        if measured is None or plan != space.plan or measured.trouble:
            measured = cls._measured(space)
            space.kept[MEASURED] = (space.plan, measured)
        return replace(measured, radii=dict(measured.radii))  # which sliders move

    @classmethod
    def _measured(cls, space: Workspace) -> OutliersState:
        table = some_rows(space.table)
        plan = space.plan
        explorer = Explorer(table, space.hierarchies, dict(plan.weights) or None)
        state = cls(space, explorer, plan.m or choose_k(plan.k, plan.preset), dict(plan.radii))
        state.seen = space.table
        state.look()
        return state

    def look(self) -> None:
        """Count and draw again; what cannot be is told in place of it."""
        try:
            self.counts = self.explorer.count(self.m, self.radii or None)
            self.map = self.explorer.map(self.m, self.radii or None, at_most=SHOWN)
            self.trouble = ""
        except ShoalError as error:
            self.counts = self.map = None
            self.trouble = f"{retell(str(error))} {retell(error.hint or '')}".strip()

    def decide(self, act: str, value: str) -> None:
        """Do what a control asks for; with quantize chosen the plan follows."""
        kind, _, number = act.partition(":")
        if kind == "method":
            publish(self.space, value, self.m, self.radii)
            return
        if kind == "m":
            self.m = max(1, int(float(value)))
        elif kind == "radius":
            name = list(self.explorer.reaches)[int(number)]
            self.radii[name] = self.explorer.reaches[name] * float(value) / DETENTS
        elif kind == "free":
            self.radii = {}
        self.look()
        if self.space.plan.method == VALUES and not self.trouble:
            self.space.decide(m=self.m, radii=dict(self.radii))


class OutliersPage(WorkspacePage):
    """Sliders for what is far, and the crowd from above."""

    title = later("Who stands out?")
    lead = later(
        "Each dot is a person. Those with too few others nearby are outliers; arrows show where "
        "pushing them back into the crowd would move them."
    )

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        described = bool(space.table.roles.quasi_identifiers)
        self._state = OutliersState.of(space) if described else None

    @property
    def state(self) -> OutliersState | None:
        """What is shown; measured anew once the table or its roles are others."""
        state, table = self._state, self.space.table
        if state is not None and state.seen is not table and table.roles.quasi_identifiers:
            self._state = OutliersState.of(self.space)
        return self._state

    def fragments(self) -> list[Fragment]:
        """Draw what is published, the counts, the map and the sliders."""
        state = self.state
        if state is None:
            words = h("p", say("No column is marked as describing people yet."))
            return [Fragment("not-yet", h("section", words, cls="panel"))]
        return [
            Fragment("ways", _ways(self.space)),
            Fragment("counts", _counts(state)),
            Fragment("map", _map(state)),
            Fragment("sliders", _sliders(state)),
        ]

    def layout(self, parts: Mapping[str, Markup]) -> Markup:
        """Put the sliders beside the map."""
        if "map" not in parts:
            return join(*parts.values())
        halves = h("div", parts["map"], parts["sliders"], cls="halves")
        return join(parts["ways"], parts["counts"], halves)

    def act(self, kind: str, value: str) -> None:
        """Move a slider, or choose what is published."""
        if self.state is not None:
            self.state.decide(kind, value)


def some_rows(table: Table, most: int = MOST_ROWS) -> Table:
    """Return the table, or so many rows of it, chosen by a hash of what they hold.

    >>> from shoal.datasets import people
    >>> some_rows(people(300).table(), 100).n_rows
    100
    """
    if table.n_rows <= most:
        return table
    return table.take(np.sort(np.argsort(table.row_hash())[:most]))


# ---------------------------------------------------------------------- drawing


def _ways(space: Workspace) -> Markup:
    method = way_of(space.plan)
    chips = [
        h(
            "label",
            h(
                "input",
                type_="radio",
                name="method",
                value=key,
                checked=key == method,
                data_act="method",
            ),
            h("span", say(words), title=say(help)),
        )
        for key, (words, help) in WAYS.items()
    ]
    return h(
        "section",
        h("h2", say("What is published")),
        h("fieldset", h("legend", say("What is published"), cls="unseen"), *chips, cls="chips"),
        h("p", say(WAYS[method][1]), cls="amber" if method == VALUES else "quiet"),
        cls="panel",
    )


def _counts(state: OutliersState) -> Markup:
    if state.counts is None:
        return h("section", h("p", state.trouble, cls="trouble", role="alert"), cls="panel")
    found, rows = state.counts, state.explorer.problem.table.n_rows
    facts = {
        say("outliers"): number(found.outliers),
        say("of {rows:,} rows", rows=rows) + _part(state, rows): number(
            found.outliers / max(1, rows), ".1%"
        ),
        say("clusters"): number(found.clusters),
        say("crowds once outliers have joined"): number(found.crowds),
    }
    items = [h("div", h("b", n), h("span", words)) for words, n in facts.items()]
    return h("section", h("div", *items, cls="facts"), cls="panel", aria_live="polite")


def _part(state: OutliersState, rows: int) -> str:
    return "" if rows == state.space.table.n_rows else say(" (a part of the table)")


def _sliders(state: OutliersState) -> Markup:
    label, near = say("Largest group that stands out"), say("others near")
    rows = [_slider("m", "m", 1, 100, state.m, str(state.m), label, near)]
    widest = state.counts.radii if state.counts else {}
    for i, (name, reach) in enumerate(state.explorer.reaches.items()):
        radius = state.radii.get(name, widest.get(name, reach))
        place = DETENTS * radius / reach if reach > 0 else DETENTS
        label = say("Radius of {name}", name=name)
        words = _length(radius)
        unit = _unit(state, name, reach)
        rows.append(_slider(f"radius:{i}", name, 0, DETENTS, place, words, label, unit))
    clear = h("button", say("Find the radii"), type_="button", cls="button small", data_act="free")
    note = say(
        "Somebody stands out who has fewer than m others near. Near means: in no column further"
        " apart than its radius, counted in the column's own numbers, in days, or in steps of its"
        " tree. Radii that you do not move are found from the data."
    )
    return h(
        "section",
        h("h2", say("How far is far?")),
        h("p", note, cls="quiet"),
        *rows,
        clear if state.radii else None,
        cls="panel",
    )


def _unit(state: OutliersState, name: str, reach: float) -> str:
    """Name what a radius is counted in, and what the longest would be."""
    kind, longest = state.space.table.kinds[name], _length(reach)
    if kind == "date":
        return say("days; {reach} from first to last", reach=longest)
    if kind == "numeric":
        return say("{reach} from lowest to highest", reach=longest)
    if state.space.hierarchy(name) is not None:
        return say("{steps} is the whole tree", steps=longest)
    return say("1 is any value")


def _length(radius: float) -> str:
    """Write a distance with the digits that somebody compares."""
    return number(radius, ".3g" if radius < PLAIN else ",.0f")


def _slider(
    act: str,
    name: str,
    low: float,
    high: float,
    place: float,
    words: str,
    label: str,
    unit: str = "",
) -> Markup:
    told = h("small", unit) if unit else None
    return h(
        "label",
        h("span", breakable(name), told, cls="name"),
        h(
            "input",
            type_="range",
            min=str(low),
            max=str(high),
            step="1",
            value=f"{place:.0f}",
            data_act=act,
            aria_label=label,
        ),
        h("output", words),
        cls="slider",
    )


def _map(state: OutliersState) -> Markup:
    if state.map is None:
        return Markup("")
    before, after = _scaled(state.map.before, state.map.after)
    moved = (np.abs(before - after) > 1).any(axis=1)
    out = state.map.outliers
    parts = [_dot(x, y, "#9fb0bd", 2.2) for x, y in before[~out]]
    parts += [
        _arrow(a, b) for a, b, far in zip(before[out], after[out], moved[out], strict=True) if far
    ]
    parts += [_dot(x, y, "#c2410c", 3.0) for x, y in before[out]]
    words = _drawn(state, len(out), int(out.sum()), int(moved.sum()))
    head = (
        '<defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" '
        'markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z" fill="#0b6b75"/></marker></defs>'
    )
    return h(
        "section",
        h("h2", say("The crowd from above")),
        Markup(
            f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{words}">'
            f"{head}{''.join(parts)}</svg>"
        ),
        h("p", words + say(" Near means alike; the axes have no name."), cls="quiet"),
        cls="panel",
    )


def _drawn(state: OutliersState, n: int, outliers: int, move: int) -> str:
    """Say who is drawn; of many people outliers come first, so there seem to be more of them."""
    rows = state.explorer.problem.table.n_rows
    told = say("{value} outliers, {value2} move.", value=outliers, value2=move)
    if n == rows:
        return told
    return (
        say("{n:,} of {rows:,} people are drawn, outliers before others: ", n=n, rows=rows) + told
    )


def _scaled(before: Any, after: Any) -> tuple[Any, Any]:
    """Fit both clouds of points into the picture."""
    both = np.concatenate([before, after])
    low, span = both.min(axis=0), np.maximum(np.ptp(both, axis=0), 1e-12)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    return tuple(MARGIN + room * (points - low) / span for points in (before, after))


def _dot(x: float, y: float, colour: str, radius: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" opacity="0.8"/>'


def _arrow(start: Any, end: Any) -> str:
    (x, y), (u, v) = start, end
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}" stroke="#0b6b75" '
        'stroke-width="1" opacity="0.55" marker-end="url(#tip)"/>'
    )
