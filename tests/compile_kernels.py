"""The kernels that tests need, compiled once and kept: ``python tests/compile_kernels.py``.

Workers that begin side by side would wait for each other, and begin their tests with it.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from shoal import anonymize
from shoal.cli._bar import COMPILED, helping
from shoal.cli._warmup import compile_late_kernels
from shoal.datasets import people
from shoal.grouping import SaNGreeA
from shoal.kernels.compiling import cache_folder

WAYS = (
    {"l": 2, "t": 0.6},
    {"method": SaNGreeA(order="common")},
    {"method": "mondrian"},
    {"method": "quantize"},
)


def main() -> None:
    """Hide a few people, read from a file, in every way there is."""
    few = people(60)
    with TemporaryDirectory() as folder, helping():
        path = few.write(Path(folder) / "few") / "data.csv"
        for way in WAYS:
            anonymize(
                path,
                k=3,
                quasi_identifiers=few.roles.quasi_identifiers,
                identifiers=few.roles.identifiers,
                sensitive="diagnosis",
                hierarchies=few.hierarchies,
                **way,
            )
    ring = {"id": range(12), "age": range(20, 32)}
    for order in ("degree", "best-first"):
        edges = [(i, (i + 1) % 12) for i in range(12)]
        anonymize(
            pl.DataFrame(ring), quasi_identifiers="age", k=3, edges=edges, network={"order": order}
        )
    compile_late_kernels()


if __name__ == "__main__":
    kept = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder())
    if not any(kept.rglob(COMPILED)):
        main()
