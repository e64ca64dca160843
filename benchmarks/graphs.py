"""Networks: how time and memory grow with people and edges, and whether beta acts at 10,000 people.

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
BETA_AT = (10_000, 100_000)
BETAS = ((1, 0), (1, 1), (1, 100), (0, 1))


def measure(sizes: tuple[tuple[int, int], ...] = SIZES) -> dict[str, Any]:
    """Measure growth, then what beta does."""
    return {"k": K, "growth": [grown(*size) for size in sizes], "beta": betas(*BETA_AT)}


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


def betas(people: int, edges: int) -> list[dict[str, Any]]:
    """Release one network with several weights of its edges, on both scales."""
    import shoal

    records = []
    with tempfile.TemporaryDirectory() as folder:
        write_town(Path(folder), people, edges)
        asked: dict[str, Any] = {"quasi_identifiers": QUASI, "k": K, "bound": False}
        base = None
        for scale in ("people", "edges"):
            for alpha, beta in BETAS if scale == "people" else BETAS[1:3]:
                network = {"alpha": alpha, "beta": beta, "scale": scale}
                found = shoal.anonymize(
                    f"{folder}/people.csv", edges=f"{folder}/edges.csv", network=network, **asked
                )
                labels = found.lineage.grouping.labels
                base = labels if base is None else base
                facts = found.summary.network.facts
                records.append(
                    {
                        **network,
                        "ngil": found.summary.utility["ngil"],
                        "nsil": facts["nsil"],
                        "edge_loss": facts["edge_loss"],
                        "joined_pairs": facts["joined_pairs"],
                        "kept_together": kept_together(base, labels),
                    }
                )
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
