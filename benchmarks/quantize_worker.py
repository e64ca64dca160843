"""One size, one process: ``python benchmarks/quantize_worker.py 100000`` prints one JSON object."""

from __future__ import annotations

import json
import resource
import sys

from measuring import timed
from shoal.datasets import people
from shoal.quantize import EpsilonClusters, Quantize

M = 10
MEGABYTE = 1024  # getrusage counts in kilobytes


def main(rows: int) -> dict[str, float]:
    """Time clusters, push back and stir of a table that is already in memory."""
    _quantize(people(2_000))  # load the kernels
    data = people(rows)
    table = data.table()
    for name in table.roles.quasi_identifiers:
        table.column(name)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    run = timed(lambda: _quantize(data, table))
    clusters, recoder = run.value
    return {
        "rows": rows,
        "columns": len(table.roles.quasi_identifiers),
        "seconds": run.wall_seconds,
        "cpu_seconds": run.cpu_seconds,
        "clusters": recoder.moved_.clusters,
        "outliers": recoder.moved_.outliers,
        "smallest": clusters.grouping_.smallest,
        "memory_before_mb": before,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE,
    }


def _quantize(data, table=None):
    table = data.table() if table is None else table
    clusters = EpsilonClusters(m=M).fit_table(table, data.hierarchies)
    recoder = Quantize(hierarchies=data.hierarchies)
    recoder.recode(table, clusters.grouping_, None, clusters)
    return clusters, recoder


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(int(sys.argv[1]))) + "\n")
