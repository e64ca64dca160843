"""Publishing a network: ranges, the number of each person's group, and the masked edges."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.graphs._masked import MaskedGraph, mask
from shoal.graphs._papers import GROUP, network_papers
from shoal.recoding import Generalize, Recoded
from shoal.spaces import WeightedSpaces
from shoal.table import CodedTable, Grouping
from shoal.typing import IntArray


class PublishNetwork(Generalize):
    """Publish intervals, labels and stars as `Generalize` does, the group, and the network.

    Groups are numbered by what is published of them and of their neighbours, so that a number
    says nothing else. Since it is published, two groups never look alike: k counts by it too.
    """

    def recode(
        self,
        table: CodedTable,
        grouping: Grouping,
        spaces: WeightedSpaces | None = None,
        grouper: Any = None,
    ) -> Recoded:
        """Publish the groups of a table and of the network that ``grouper`` knows."""
        if GROUP in set(table.column_names) - set(table.roles.dropped):
            raise InvalidParameterError(
                f"The table has a column {GROUP!r}, which a network is published with.",
                hint="Give it another name, or leave it out (--drop group).",
            )
        graph = grouper.graph
        ranges = super().recode(table, grouping, spaces) if table.roles.quasi_identifiers else None
        columns = {} if ranges is None else ranges.columns
        labels = number_groups(table, grouping, mask(graph, grouping.labels), columns)
        masked = mask(graph, labels)
        numbers = pl.Series(GROUP, labels + 1).cast(pl.String)
        return Recoded(
            columns,
            Grouping(labels),
            facts={"network": network_facts(masked)},
            added={GROUP: numbers},
            papers=network_papers(masked),
            network=masked,
        )


def network_facts(masked: MaskedGraph) -> dict[str, int | float]:
    """Say in numbers what is published of a network; anybody can count them again."""
    return {
        "people": masked.n_people,
        "edges": masked.n_edges,
        "inner_edges": int(masked.inner.sum()),
        "joined_pairs": int(masked.between.size),
        "structural_loss": round(masked.structural_loss, 6),
        "nsil": round(masked.nsil, 9),
        "edge_loss": round(masked.edge_loss, 6),
    }


def number_groups(table: Any, grouping: Grouping, masked: MaskedGraph, columns: Any) -> IntArray:
    """Number groups by their published content; of groups that look alike, by a hash of rows.

    What groups are joined with is part of what they show, and so is what those are joined with
    (colours as of Weisfeiler and Leman, 1968): only groups that nothing published tells apart
    are left to the hash.
    """
    first = grouping.order[grouping.starts[:-1]]
    shown = [series.gather(first).to_list() for series in columns.values()]
    own = [masked.sizes.tolist(), masked.inner.tolist()]
    keys = [repr(row).encode() for row in zip(*shown, *own, strict=True)]
    colours: IntArray = np.array([_digest(key) for key in keys], dtype=np.uint64)
    for _ in range(8):
        distinct = np.unique(colours).size
        if distinct == colours.size:
            break
        colours = _recoloured(colours, masked)
    hashes = np.minimum.reduceat(table.row_hash()[grouping.order], grouping.starts[:-1])
    rank = {key: i for i, key in enumerate(sorted({*keys}))}
    order = np.lexsort((hashes, colours, np.array([rank[key] for key in keys])))
    number = np.empty(order.size, dtype=np.int64)
    number[order] = np.arange(order.size)
    return number[grouping.labels]


def _recoloured(colours: IntArray, masked: MaskedGraph) -> IntArray:
    """Mix into each colour those of the groups it is joined with, in whatever order."""
    a, b = masked.pairs.T
    count = masked.between.astype(np.uint64)
    around = np.zeros(colours.size, dtype=np.uint64)
    np.add.at(around, a, _mixed(colours[b] + count * np.uint64(0x9E3779B97F4A7C15)))
    np.add.at(around, b, _mixed(colours[a] + count * np.uint64(0x9E3779B97F4A7C15)))
    return _mixed(_mixed(colours) + around)


def _mixed(state: IntArray) -> IntArray:
    """SplitMix64."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def _digest(key: bytes) -> int:
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "little")
