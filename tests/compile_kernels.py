"""The kernels that tests need, compiled once and kept: ``python tests/compile_kernels.py``.

Workers that begin side by side would wait for each other, and begin their tests with it. What a
run does late is compiled beside it, by a fork that has its imports made.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from numba.core.targetconfig import TargetConfig

from shoal import anonymize
from shoal.cli._bar import COMPILED
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
    """Compile what runs do early, and beside it what they do late."""
    gc.disable()  # hardly anything that compiling makes is garbage
    TargetConfig.__eq__ = same_settings
    late = None
    if hasattr(os, "fork"):
        late = multiprocessing.get_context("fork").Process(target=compile_late_kernels)
        late.start()
    compile_early_kernels()
    compile_late_kernels() if late is None else late.join()


def same_settings(one: TargetConfig, other: object) -> bool:
    """Compare what was set first: numba asks so often that a tenth of compiling went into it."""
    if not isinstance(other, TargetConfig):
        return NotImplemented
    return one._values == other._values or one.values() == other.values()


def compile_early_kernels() -> None:
    """Hide a few people, read from a file, in every way there is."""
    few = people(60)
    with TemporaryDirectory() as folder:
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


if __name__ == "__main__":
    kept = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder())
    if not any(kept.rglob(COMPILED)):
        main()
