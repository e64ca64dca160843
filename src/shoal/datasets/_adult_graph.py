"""The Adult graph: 300 people of UCI Adult and random edges, as published by B. Malle."""

from __future__ import annotations

import io

import polars as pl

from shoal.datasets._adult import adult
from shoal.datasets._dataset import Dataset
from shoal.datasets._store import PublicFile, fetch
from shoal.table import Roles
from shoal.typing import Kind

_RAW = "https://raw.githubusercontent.com/cassinius/mlhi-ass2-anonymization/master/data"
_PEOPLE = PublicFile(
    "graph_adult/input_sanitized.csv",
    "faf66a9d43110b205a96b95480354c05b5b5d2de8ed2a640d3210399a3e7ce59",
    f"{_RAW}/input_sanitized.csv",
)
_EDGES = PublicFile(
    "graph_adult/adult_graph_adj_list.csv",
    "ec447fe5f948aaaacf0ef4220c6d24394f96efef28cc6455734a7cb6d21095c5",
    f"{_RAW}/adult_graph_adj_list.csv",
)
_QUASI = ("age", "workclass", "native-country", "sex", "race", "marital-status")


def adult_graph() -> tuple[Dataset, list[tuple[str, str]]]:
    """Load 300 people of UCI Adult and 1,597 edges between them (Apache-2.0).

    The edges are random: they came with a teaching version of SaNGreeA.

    >>> people, edges = adult_graph()  # doctest: +SKIP
    >>> people.frame.height, len(edges)  # doctest: +SKIP
    (300, 1597)
    """
    text = "\n".join(
        ",".join(cell.strip() for cell in line.split(","))
        for line in fetch(_PEOPLE).read_text("utf-8").splitlines()
    )
    frame = pl.read_csv(io.StringIO(text), schema_overrides={"nodeID": pl.String})
    trees = adult(hierarchies="malle").hierarchies
    kinds: dict[str, Kind] = {name: "nominal" for name in _QUASI if name != "age"}
    people = Dataset(
        name="adult graph",
        frame=frame,
        roles=Roles(identifiers="nodeID", quasi_identifiers=_QUASI),
        kinds={**kinds, "nodeID": "nominal", "age": "numeric"},
        hierarchies={name: trees[name] for name in _QUASI if name in trees},
        description="300 people of UCI Adult with random edges; B. Malle, Apache-2.0.",
    )
    return people, _edges()


def _edges() -> list[tuple[str, str]]:
    """Read a person and their neighbours a line; both ends name each other."""
    found: set[tuple[str, str]] = set()
    for line in fetch(_EDGES).read_text("utf-8").splitlines():
        person, *friends = (cell.strip() for cell in line.split(",") if cell.strip())
        found.update((min(person, friend), max(person, friend)) for friend in friends)
    return sorted(found)
