"""The part of ``verify.py`` that counts a masked network again.

What stands below the line is put into the script (`script_source`); what stands above only lets
it run here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shoal.verifier._script import FURTHER, CannotTellError, data_files, header, read, say

# ---- verify.py ----

GROUP = "group"  # the column that says who is in which group of a network
NETWORK_FILES = ("groups.csv", "edges.csv", "network.graphml")
GROUP_COLUMNS, EDGE_COLUMNS = ["group", "size", "inner_edges"], ["group_a", "group_b", "edges"]
GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="size" for="node" attr.name="size" attr.type="int"/>
<key id="inner_edges" for="node" attr.name="inner_edges" attr.type="int"/>
<key id="edges" for="edge" attr.name="edges" attr.type="int"/>
<graph edgedefault="undirected">
{}
</graph>
</graphml>
"""


def check_network(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Count the network again and say so."""
    yield from of_network(manifest, folder)
    say(f"network: {manifest['network'].get('edges')} edges inside and between the groups.")


FURTHER["network"] = check_network


def of_network(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Count the masked network again: groups as in the data, edges that can be, what is lost."""
    missing = [name for name in NETWORK_FILES if name not in manifest["files"]]
    if missing or GROUP not in manifest["quasi_identifiers"]:
        yield "the manifest speaks of a network and does not list its files."
        return
    sizes, inner, between = read_network(folder)
    seen: dict[str, int] = {}
    for (group,) in (row for path in data_files(manifest, folder) for row in read(path, [GROUP])):
        seen[str(group)] = seen.get(str(group), 0) + 1
    if seen != sizes:
        yield "the groups of groups.csv are not those of the data."
    asked = [claim["asked"] for claim in manifest["holds"] if claim.get("measure") == "k"]
    if not asked or min(sizes.values(), default=0) < max(asked):
        yield "a group of the network is smaller than k."
    possible: dict[Any, int] = {group: size * (size - 1) // 2 for group, size in sizes.items()}
    possible.update({(a, b): sizes[a] * sizes[b] for a, b in between})
    edges: dict[Any, int] = {**inner, **between}
    if any(not 0 <= edges[at] <= possible[at] for at in edges) or 0 in between.values():
        yield "groups have more edges inside or between them than they could, or none."
    told = manifest["network"]
    counts, losses = network_numbers(sizes, inner, between, possible)
    differing = [name for name, n in counts.items() if told[name] != n]
    differing += [name for name, lost in losses.items() if not abs(told[name] - lost) <= 1e-5]
    differing += sorted({*told} - {*counts, *losses})
    if differing:
        yield f"{', '.join(differing)} of the manifest are not those of the network."
    if not is_drawn(folder, sizes, inner, between):
        yield "network.graphml is not the network of groups.csv and edges.csv."


def network_numbers(
    sizes: Any, inner: Any, between: Any, possible: Any
) -> tuple[dict[str, int], dict[str, float]]:
    """Count what the manifest tells of a network: numbers of things, and what is lost."""
    n, own, joined = sum(sizes.values()), sum(inner.values()), sum(between.values())
    edges = {**inner, **between}
    lost = math.fsum(2 * e * (1 - e / max(1, possible[at])) for at, e in edges.items())
    counts = {"people": n, "edges": own + joined, "inner_edges": own, "joined_pairs": len(between)}
    nsil, edge_loss = 4 * lost / max(1, n * (n - 1)), lost / max(1, 2 * (own + joined))
    return counts, {"structural_loss": lost, "nsil": nsil, "edge_loss": edge_loss}


def read_network(folder: Path) -> tuple[dict[str, int], dict[str, int], dict[Any, int]]:
    """Sizes and inner edges of groups, and edges between two, each named once."""
    for name, columns in (("groups.csv", GROUP_COLUMNS), ("edges.csv", EDGE_COLUMNS)):
        if header(folder / name) != columns:
            raise CannotTellError(f"The columns of {name} are not those of a network.")
    groups = [*read(folder / "groups.csv", GROUP_COLUMNS)]
    joined = [*read(folder / "edges.csv", EDGE_COLUMNS)]
    sizes = {str(group): int(str(size)) for group, size, _ in groups}
    inner = {str(group): int(str(edges)) for group, _, edges in groups}
    between = {(str(a), str(b)): int(str(edges)) for a, b, edges in joined}
    pairs = {frozenset(pair) for pair in between}
    if len(sizes) < len(groups) or len(pairs) < len(joined):
        raise CannotTellError("The network names a group or a pair of groups twice.")
    if any(len(pair) < 2 or not pair <= sizes.keys() for pair in pairs):
        raise CannotTellError("The network joins a group that there is not, or one with itself.")
    return sizes, inner, between


def is_drawn(folder: Path, sizes: Any, inner: Any, between: Any) -> bool:
    """Tell whether network.graphml is, byte for byte, what the two tables make of it."""
    size, own, edges = (f'<data key="{key}">' for key in ("size", "inner_edges", "edges"))
    lines = [f'<node id="{g}">{size}{sizes[g]}</data>{own}{inner[g]}</data></node>' for g in sizes]
    for (a, b), count in between.items():
        lines.append(f'<edge source="{a}" target="{b}">{edges}{count}</data></edge>')
    text = (folder / "network.graphml").read_bytes()
    return text == GRAPHML.format("\n".join(lines)).encode()
