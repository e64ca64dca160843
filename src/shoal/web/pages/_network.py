"""Network page: who knows whom, hidden together with the table, before and after."""

from __future__ import annotations

from typing import Any

from shoal._words import later, number, retell, retell_drawing, say
from shoal.exceptions import InvalidParameterError, ShoalError
from shoal.graphs import Graph
from shoal.risk.networks import NETWORK_ATTACKS
from shoal.web._network import MOST_DRAWN, NETWORK, NetworkFound, edges_of, work
from shoal.web._workspace import Workspace
from shoal.web.pages._page import (
    LATER,
    SOON,
    Fragment,
    Markup,
    WorkspacePage,
    file_button,
    h,
    refusal,
)
from shoal.web.pages._result import _downloads, _progress, _why_not

WEIGHTS = ("alpha", "beta")
MOST_WEIGHT = 1000


class NetworkPage(WorkspacePage):
    """Edges to bring, what attributes and edges weigh, and the network before and after."""

    title = later("A network")
    lead = later(
        "Do the people of this table know each other? Whom they know can give them away as well as"
        " their age. Bring the edges: groups are then alike in both, and the network is published"
        " as counts inside groups and between them."
    )

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self.settings: dict[str, Any] = {
            "node": space.table.column_names[0],
            "alpha": 1.0,
            "beta": 1.0,
        }

    def fragments(self) -> list[Fragment]:
        """Draw the edges, the weights, and what became of the network."""
        try:
            self.space.session  # noqa: B018 - what cannot be released has no network either
        except ShoalError as error:
            return [refusal(say("Not yet"), error)]
        return [
            Fragment("edges", self._edges()),
            Fragment("weights", self._weights()),
            Fragment("found", _found(self.space), cls="network", spoken=True),
        ]

    def act(self, kind: str, value: str) -> None:
        """Choose who is named how, what weighs how much, or release."""
        if kind == "node" and value in self.space.table.column_names:
            self.settings["node"] = value
        elif kind in WEIGHTS:
            self.settings[kind] = _weight(kind, value)
        elif kind == "start":
            self.space.start(NETWORK, work(self.space, dict(self.settings)))
        elif kind == "stop":
            self.space.jobs[value].stop()

    @property
    def look_again(self) -> float:
        """Soon while a job runs."""
        return SOON if self.space.busy else LATER

    def _edges(self) -> Markup:
        space, graph = self.space, _graph(self.space)
        told = say("Two columns of a CSV file, the ends of each edge, or GraphML.")
        if graph is not None:
            told = say(
                "{n_edges:,} edges between {n_people:,} people.",
                n_edges=graph.n_edges,
                n_people=graph.n_people,
            )
        notes = () if graph is None else graph.notes
        return h(
            "section",
            h("h2", say("Who knows whom")),
            h("p", told),
            h("ul", *(h("li", retell(note)) for note in notes)) if notes else None,
            file_button(
                say("Bring edges"),
                f"/api/tables/{space.id}/edges",
                id="edges",
                accept=".csv,.tsv,.txt,.graphml",
            ),
            cls="panel",
        )

    def _weights(self) -> Markup:
        space, said = self.space, self.settings
        if edges_of(space) is None:
            return Markup("")
        names = [
            h("option", name, value=name, selected=name == said["node"])
            for name in space.table.column_names
        ]
        job = space.running(NETWORK)
        return h(
            "section",
            h("h2", say("What matters")),
            h(
                "div",
                h(
                    "label",
                    h("span", say("People are named by")),
                    h(
                        "select",
                        *names,
                        data_act="node",
                        aria_label=say("Column that names people"),
                    ),
                ),
                _number(say("What people say (alpha)"), "alpha", said["alpha"]),
                _number(say("Whom they know (beta)"), "beta", said["beta"]),
                cls="promises",
            ),
            h(
                "p",
                say("1 and 1 weigh both alike; 0 leaves one out. k is that of the plan."),
                cls="quiet",
            ),
            h(
                "button",
                say("Hide the network"),
                type_="button",
                cls="button primary big",
                data_act="start",
                data_value=NETWORK,
                disabled=job is not None and not job.over,
            ),
            _progress(job) if job is not None else None,
            cls="panel",
        )


def _graph(space: Workspace) -> Graph | None:
    """The edges as they were read, kept as long as the table is in memory."""
    path = edges_of(space)
    if path is None:
        return None
    if NETWORK + "-edges" not in space.kept or space.kept[NETWORK + "-edges"][0] != _stamp(path):
        space.kept[NETWORK + "-edges"] = _stamp(path), Graph.read(path)
    graph: Graph = space.kept[NETWORK + "-edges"][1]
    return graph


def _stamp(path: Any) -> tuple[str, int]:
    return path.name, path.stat().st_mtime_ns


def _weight(name: str, value: str) -> float:
    try:
        weight = float(value)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= MOST_WEIGHT:
        raise InvalidParameterError(f"{name} must be a number from 0 to {MOST_WEIGHT:,}.")
    return weight


def _number(words: str, act: str, value: float) -> Markup:
    control = h(
        "input",
        type_="number",
        min="0",
        max=str(MOST_WEIGHT),
        step="any",
        value=f"{value:g}",
        data_act=act,
        aria_label=words,
    )
    return h("label", h("span", words), control)


def _found(space: Workspace) -> Markup:
    found = NetworkFound.read(space)
    if found is None:
        return Markup("")
    facts = found.facts
    told = say(
        "{facts:,} edges, {facts2:,} of them inside groups, the others between {facts3:,} "
        "pairs of groups. Of what edges could lose: {facts4:.0%}.",
        facts=facts["edges"],
        facts2=facts["inner_edges"],
        facts3=facts["joined_pairs"],
        facts4=facts["edge_loss"],
    )
    return h(
        "section",
        h("h2", say("Before and after")),
        h("p", told),
        _pictures(found),
        h("h3", say("What it is still good for")),
        h("p", say("Graphs drawn at random from the release, beside the original."), cls="quiet"),
        _table(
            ("", say("original"), say("drawn"), say("between")),
            [
                (retell(m["name"]), number(m['original'], "g"), number(m['drawn'], ".3g"),
                 say("{m:.3g} to {m2:.3g}", m=m['low'], m2=m['high']))
                for m in found.measures
            ],
        ),
        h("h3", say("What an attacker still gains")),
        _table(
            (say("who knows"), say("finds"), say("guesses"), say("at random edges"),
             say("in the original")),
            [
                (retell(NETWORK_ATTACKS[a["name"]].title), *(_share(a[part]) for part in
                 ("rate", "baseline", "control", "original")))
                for a in found.attacks
            ],
        ),
        h("div", *_downloads(space, space.released), cls="line downloads"),
        _why_not(space.released),
        cls="panel",
    )  # fmt: skip


def _pictures(found: NetworkFound) -> Markup:
    if not found.before:
        return h(
            "p",
            say("Networks of more than {MOST_DRAWN} people are not drawn.", MOST_DRAWN=MOST_DRAWN),
            cls="quiet",
        )
    return h(
        "div",
        _figure(say("As it is: a dot is a person"), found.before),
        _figure(say("As published: a disc is a group"), found.after),
        cls="charts",
    )


def _figure(caption: str, drawing: str) -> Markup:
    return h("figure", h("figcaption", caption), Markup(retell_drawing(drawing)))


def _share(value: float | None) -> str:
    return "" if value is None else number(value, ".1%")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Markup:
    lines = [
        h("tr", h("th", row[0], scope="row"), *(h("td", cell) for cell in row[1:])) for row in rows
    ]
    top = h("tr", *(h("th", word, scope="col") if word else h("td") for word in head))
    return h("div", h("table", top, *lines), cls="scroll", tabindex="0", role="region",
             aria_label=head[0] or say("Usefulness"))  # fmt: skip
