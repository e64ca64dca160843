"""Networks: edges brought to a table, and the release that hides people among both."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from shoal._progress import SILENT, Progress
from shoal._words import speaking
from shoal.anonymizer import Anonymizer
from shoal.exceptions import InputError, InvalidParameterError
from shoal.graphs import Graph, build_network, name_people
from shoal.release import Release
from shoal.report import network_picture, people_picture
from shoal.risk.networks import NetworkScene, run_network_attacks
from shoal.table import Table
from shoal.web._released import Released
from shoal.web._upload_limits import TextCounter, UploadLimits
from shoal.web._workspace import Workspace

NETWORK = "network"
EDGES = ("edges.csv", "edges.graphml")
FOUND = ".network.json"  # drawings and attacks, beside a release: for its maker alone
MOST_PEOPLE = 20_000  # for an answer while somebody waits
MOST_DRAWN = 400


def bring_edges(space: Workspace, content: bytes, limits: UploadLimits) -> None:
    """Keep edges, a table of two columns or GraphML, if they can be read."""
    name = EDGES[1] if content.lstrip()[:1] == b"<" else EDGES[0]
    if name == EDGES[0]:
        TextCounter(limits).feed(content)
    draft = space.folder / f"job-{name}"
    _write(draft, content)
    try:
        graph = Graph.read(draft)
        if graph.n_people > MOST_PEOPLE:
            raise InvalidParameterError(
                f"Here networks of at most {MOST_PEOPLE:,} people are hidden.",
                hint="Use the command line: shoal anonymize people.csv --edges edges.csv",
            )
        for old in EDGES:
            (space.folder / old).unlink(missing_ok=True)
        draft.replace(space.folder / name)
    finally:
        draft.unlink(missing_ok=True)
    space.kept.pop(NETWORK, None)


def edges_of(space: Workspace) -> Path | None:
    """The edges that were brought, if any were."""
    return next((p for p in (space.folder / name for name in EDGES) if p.is_file()), None)


def work(space: Workspace, settings: Mapping[str, Any]) -> Callable[[Progress], Released]:
    """What a job does: release the table with its network; it then lies ready."""
    path = edges_of(space)
    if path is None:
        raise InvalidParameterError("No edges were brought.", hint="Bring them first.")
    made: list[_Networked] = []

    def follow(anonymizer: Anonymizer) -> _Networked:
        made.append(_Networked(anonymizer, path, **settings))
        return made[-1]

    def release(progress: Progress) -> Released:
        released = space.make_release(progress, follow)
        progress.phase("attacking")
        content = json.dumps(NetworkFound.of(made[-1]).to_dict()).encode()
        _write(released.folder / FOUND, content)
        return released

    return release


class _Networked:
    """An anonymizer that forms its groups in a network."""

    release_: Release
    graph_: Graph

    def __init__(
        self, anonymizer: Anonymizer, edges: Path, node: str, alpha: float, beta: float
    ) -> None:
        self.anonymizer, self.edges, self.node = anonymizer, edges, node
        self.settings = {"alpha": alpha, "beta": beta}

    def fit(self, table: Table, progress: Progress = SILENT) -> Self:
        """Group people by what they say and whom they know."""
        people = name_people(table, self.node)
        recipe = self.anonymizer.resolve(people)
        weights = dict(recipe.grouper.weights or {}) or None
        grouper = build_network(people, self.edges, self.node, weights=weights, **self.settings)
        rules = {name: getattr(recipe.recoder, name, None) for name in ("limits", "grid", "loss")}
        recoder = grouper.default_recoder(recipe.recoder.hierarchies).clone(**rules)
        fitted = self.anonymizer.clone(grouping=grouper, recoding=recoder)
        self.release_ = fitted.fit(people, progress).release_
        assert grouper.graph is not None
        self.graph_ = grouper.graph
        return self


@dataclass(frozen=True)
class NetworkFound:
    """What the page shows of a network: drawings, measures and attacks, as plain values."""

    before: str
    after: str
    facts: dict[str, Any]
    measures: list[dict[str, Any]]
    attacks: list[dict[str, Any]]

    @classmethod
    def of(cls, made: _Networked) -> NetworkFound:
        """Draw the network before and after, and attack what was released."""
        told, lineage, graph = made.release_.summary.network, made.release_.lineage, made.graph_
        assert told is not None
        assert lineage is not None
        scene = NetworkScene(graph, lineage.grouping.labels)
        small = graph.n_people <= MOST_DRAWN
        with speaking("en"):  # kept for readers of any language, who have it retold
            before = people_picture(graph) if small else ""
            after = network_picture(told.masked) if small else ""
        return cls(
            before,
            after,
            dict(told.facts),
            [asdict(measure) for measure in told.measures],
            [
                {"name": r.name, "rate": r.rate, "baseline": r.baseline, "control": r.control,
                 "original": r.details["original"]}
                for r in run_network_attacks(scene)
            ],
        )  # fmt: skip

    @classmethod
    def read(cls, space: Workspace) -> NetworkFound | None:
        """Read what was found of the release that lies ready; None if it has no network."""
        path = space.folder / "release" / FOUND
        if space.released is None or not path.is_file():
            return None
        try:
            return cls(**json.loads(path.read_text("utf-8")))
        except (ValueError, TypeError):
            raise InputError("What was found of the network cannot be read any more.") from None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return asdict(self)


def _write(path: Path, content: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
