"""Spark's daemon with imports made: its workers are forked from it and need not repeat them.

A worker would otherwise import NumPy, Numba, pandas and Polars for a second or two, and look
through all their objects for garbage after every task; `test_spark_cluster` has such workers.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path


def main() -> None:
    """Import what tasks use; nothing is called that begins a thread, which a fork would lose."""
    import pandas  # noqa: F401
    from pyspark import daemon, worker  # noqa: F401

    sys.path.append(str(Path(__file__).parents[1]))  # Java does not look there by itself
    import numba_ready  # noqa: F401
    from shoal.grouping import SaNGreeA  # noqa: F401
    from shoal.spark import anonymize  # noqa: F401

    gc.freeze()
    daemon.manager()


if __name__ == "__main__":
    main()
