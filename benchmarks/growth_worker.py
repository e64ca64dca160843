"""One size, one method, one process: so that peak memory is that of this run alone.

``python benchmarks/growth_worker.py people 100000 common`` prints one JSON object.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from measuring import timed
from shoal.datasets import Dataset, census_income, people
from shoal.grouping import Grouper, Mondrian, Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.utility import measure_loss

K = 10
GROUPERS: dict[str, Grouper] = {
    "common": SaNGreeA(order="common", refine=False),
    "best-first": SaNGreeA(order="best-first", refine=False),
    "mondrian": Mondrian(),
}
MEGABYTE = 1024  # getrusage counts in kilobytes


def group(data: Dataset, method: str) -> dict[str, Any]:
    """Time the grouping of a table that is already in memory."""
    grouper = GROUPERS[method]
    grouper.fit(_problem(people(2_000)))  # load the kernels
    coded = timed(lambda: _problem(data))
    run = timed(lambda: grouper.fit(coded.value))
    return {
        "seconds": run.wall_seconds,
        "cpu_seconds": run.cpu_seconds,
        "coding_seconds": coded.wall_seconds,
        "ngil": measure_loss(coded.value.spaces, grouper.grouping_).ngil,
        "groups": grouper.grouping_.n_groups,
        "smallest_group": grouper.grouping_.smallest,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE,
    }


def release(data: Dataset) -> dict[str, Any]:
    """Time the command line from CSV to verified release: common order, unrefined."""
    with tempfile.TemporaryDirectory() as folder:
        source = data.write(Path(folder, "source"))
        began = perf_counter()
        out = subprocess.run(
            _command(data, source, Path(folder, "release")), capture_output=True, check=True
        )
        seconds = perf_counter() - began
    told = json.loads(out.stdout)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": seconds,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "phases": told["seconds"],
        "k": told["k"],
        "ngil": told["ngil"],
        "ngil_bound": told["ngil_bound"],
        "peak_memory_mb": usage.ru_maxrss / MEGABYTE,
    }


def _command(data: Dataset, source: Path, output: Path) -> list[str]:
    quote = ",".join
    kinds = (f"{name}={data.kinds[name]}" for name in data.roles.quasi_identifiers)
    identifiers = data.roles.identifiers
    return [
        *(sys.executable, "-m", "shoal", "anonymize", str(source / "data.csv")),
        *("-k", str(K), "--quasi", quote(data.roles.quasi_identifiers), "--kind", quote(kinds)),
        *(("--identifier", quote(identifiers)) if identifiers else ()),
        *("--hierarchies", str(source / "hierarchies"), "--method", "sangreea"),
        *("--order", "common", "--no-refine", "-o", str(output), "--json"),
    ]


def _problem(data: Dataset) -> Problem:
    table = data.table()
    return Problem(table, Generalize(data.hierarchies).spaces(table), (KAnonymity(K),))


def main(name: str, n: int, task: str) -> None:
    """Run one task and print what it took."""
    data = people(n) if name == "people" else census_income()
    result = release(data) if task == "end to end" else group(data, task)
    facts = {"table": name, "rows": data.frame.height, "task": task, **result}
    facts["microseconds_per_row"] = 1e6 * facts["seconds"] / facts["rows"]
    print(json.dumps(facts))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
