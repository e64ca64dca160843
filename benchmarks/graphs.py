"""Networks: how time and memory grow with people and edges, what alpha : beta does, real ones.

Growth is measured as typed (``shoal anonymize --edges``), in a process of its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from graph_towns import QUASI, write_town

SIZES = tuple((n, 10 * n) for n in (1_000, 3_000, 10_000, 30_000, 100_000))  # people, edges
K = 10
BETA_AT = ((1_000, 10_000), (10_000, 100_000))
ALONE = ((1, 0), (0, 1))
RATIOS = ((100, 1), (10, 1), (3, 1), (1, 1), (1, 3), (1, 10))
ON_THE_OTHERS = ((1, 1), (1, 100))
REAL_K = 5
REAL_RATIOS = (*ALONE, (3, 1), (1, 1), (1, 3))


def measure(sizes: tuple[tuple[int, int], ...] = SIZES) -> dict[str, Any]:
    """Measure what beta does, real networks, then growth."""
    found = {"k": K, "beta": [betas(*size) for size in BETA_AT], "real": real_ones()}
    return {**found, "growth": [grown(*size) for size in sizes]}


def grown(people: int, edges: int) -> dict[str, Any]:
    """Release a network as a user does; seconds, processor seconds and memory of the process."""
    with tempfile.TemporaryDirectory() as folder:
        write_town(Path(folder), people, edges)
        command = [sys.executable, __file__, folder]
        began = perf_counter()
        told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        wall = perf_counter() - began
    record = {"people": people, "edges": edges, "wall_seconds": wall, **told}
    print(record, flush=True)
    return record


def release(folder: str) -> None:
    """Run in a process of its own: type the command, print what it took."""
    from contextlib import redirect_stdout
    from io import StringIO

    from shoal.cli import run

    os.environ["SHOAL_HOME"] = f"{folder}/home"
    typed = ["anonymize", f"{folder}/people.csv", "--edges", f"{folder}/edges.csv", "--json"]
    typed += ["--quasi", ",".join(QUASI), "-k", str(K), "-o", f"{folder}/out", "--ledger", "off"]
    with redirect_stdout(StringIO()) as said:
        assert run(typed) == 0
    told = json.loads(said.getvalue())
    used = resource.getrusage(resource.RUSAGE_SELF)
    found = {
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "memory_gb": used.ru_maxrss / 1e6,
        "ngil": told["ngil"],
        "network": told["network"],
        "seconds": told["seconds"],
    }
    print(json.dumps(found))


def betas(people: int, edges: int) -> dict[str, Any]:
    """Release one network with several weights of its edges, on every scale."""
    with tempfile.TemporaryDirectory() as folder:
        write_town(Path(folder), people, edges)
        table, ends = f"{folder}/people.csv", f"{folder}/edges.csv"
        ways = [("balance", *weights) for weights in (*ALONE, *RATIOS)]
        ways += [(scale, *w) for scale in ("people", "edges") for w in ON_THE_OTHERS]
        return {"people": people, "edges": edges, "ways": released(table, ends, QUASI, K, ways)}


def real_ones() -> list[dict[str, Any]]:
    """Release real networks with several weights, and attack the release in the middle."""
    from shoal.datasets import adult_graph, facebook_ego, law_firm

    found = []
    for data, edges in (adult_graph(), law_firm(), facebook_ego(0), facebook_ego(686)):
        asked = (data.table(), edges, data.roles.quasi_identifiers, REAL_K)
        ways = [(scale, *w) for scale in ("balance", "people") for w in REAL_RATIOS]
        told = {"name": data.name, "people": data.frame.height, "edges": len(edges), "k": REAL_K}
        ways_told = released(*asked, ways, hierarchies=data.hierarchies)
        found.append({**told, "ways": ways_told, "attacks": attacked(*asked, data.hierarchies)})
    return found


def attacked(table: Any, edges: Any, quasi: Any, k: int, trees: Any) -> list[dict[str, Any]]:
    """Attack the network as it is released by default."""
    import shoal
    from shoal.graphs import as_graph
    from shoal.risk.networks import NetworkScene, run_network_attacks

    settings: dict[str, Any] = {"quasi_identifiers": quasi, "k": k, "hierarchies": trees}
    release = shoal.anonymize(table, edges=edges, bound=False, **settings)
    graph = as_graph(edges).arranged(table.text(table.column_names[0]).to_list())
    scene = NetworkScene(graph, release.lineage.grouping.labels)
    return [
        {"attack": r.name, "rate": r.rate, "baseline": r.baseline, "control": r.control,
         "original": r.details["original"]}
        for r in run_network_attacks(scene)
    ]  # fmt: skip


def released(
    table: Any, edges: Any, quasi: Any, k: int, ways: list[Any], **settings: Any
) -> list[dict[str, Any]]:
    """Release a network in several ways: what attributes and edges lose in each."""
    import shoal

    records: list[dict[str, Any]] = []
    base = None
    for scale, alpha, beta in ways:
        network = {"alpha": alpha, "beta": beta, "scale": scale}
        asked = {"quasi_identifiers": quasi, "k": k, "bound": False, **settings}
        found = shoal.anonymize(table, edges=edges, network=network, **asked)
        labels, facts = found.lineage.grouping.labels, found.summary.network.facts
        base = labels if base is None else base
        told = {name: facts[name] for name in ("nsil", "edge_loss", "joined_pairs")}
        told |= {
            "ngil": found.summary.utility["ngil"],
            "kept_together": kept_together(base, labels),
        }
        records.append({**network, **told})
        print(records[-1], flush=True)
    return records


def kept_together(one: Any, two: Any) -> float:
    """Share of pairs of people in a group of the first who are in one group of the second."""
    import numpy as np

    size = int(two.max()) + 1
    both = np.unique(one * size + two, return_counts=True)[1]
    pairs = np.bincount(one)
    return float((both * (both - 1)).sum() / (pairs * (pairs - 1)).sum())


if __name__ == "__main__":
    release(sys.argv[1])
