"""The masked network as files, and read back from them."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from shoal.exceptions import InputError
from shoal.graphs._masked import MaskedGraph

GROUP = "group"  # the column of the data that says who is in which group
GROUPS_FILE, EDGES_FILE, GRAPH_FILE = "groups.csv", "edges.csv", "network.graphml"

_GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="size" for="node" attr.name="size" attr.type="int"/>
<key id="inner_edges" for="node" attr.name="inner_edges" attr.type="int"/>
<key id="edges" for="edge" attr.name="edges" attr.type="int"/>
<graph edgedefault="undirected">
{body}
</graph>
</graphml>
"""


def network_papers(masked: MaskedGraph) -> dict[str, str]:
    """Write the masked network as ``groups.csv``, ``edges.csv`` and ``network.graphml``.

    Groups are numbered from 1.
    """
    rows = zip(range(1, masked.sizes.size + 1), masked.sizes, masked.inner, strict=True)
    groups = [(str(g), str(size), str(inner)) for g, size, inner in rows]
    joined = zip(masked.pairs + 1, masked.between, strict=True)
    edges = [(str(a), str(b), str(count)) for (a, b), count in joined]
    return {
        GROUPS_FILE: _lines("group,size,inner_edges", groups),
        EDGES_FILE: _lines("group_a,group_b,edges", edges),
        GRAPH_FILE: _graphml(groups, edges),
    }


def read_masked(folder: Path) -> MaskedGraph:
    """Read the masked network of a release."""
    try:
        groups = _read(folder / GROUPS_FILE, "group,size,inner_edges")
        edges = _read(folder / EDGES_FILE, "group_a,group_b,edges")
        numbers = groups[:, 0].tolist()
        if numbers != [*range(1, len(numbers) + 1)] or (edges[:, :2] > len(numbers)).any():
            raise ValueError("groups are not numbered from 1")
    except (OSError, ValueError, csv.Error):
        raise InputError(f"The network in {folder.name!r} cannot be read.") from None
    return MaskedGraph(groups[:, 1], groups[:, 2], edges[:, :2] - 1, edges[:, 2])


def _lines(header: str, rows: list[tuple[str, str, str]]) -> str:
    return "".join(f"{line}\n" for line in (header, *map(",".join, rows)))


def _graphml(groups: list[tuple[str, str, str]], edges: list[tuple[str, str, str]]) -> str:
    nodes = [
        f'<node id="{g}"><data key="size">{size}</data>'
        f'<data key="inner_edges">{inner}</data></node>'
        for g, size, inner in groups
    ]
    lines = [
        f'<edge source="{a}" target="{b}"><data key="edges">{count}</data></edge>'
        for a, b, count in edges
    ]
    return _GRAPHML.format(body="\n".join([*nodes, *lines]))


def _read(path: Path, header: str) -> np.ndarray:
    with path.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines, strict=True))
    if not rows or rows[0] != header.split(","):
        raise ValueError("not the columns of a network")
    return np.array([[int(cell) for cell in row] for row in rows[1:]], dtype=np.int64).reshape(
        -1, 3
    )
