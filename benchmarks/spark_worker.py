"""One run on Spark in a process of its own, so that time and memory are those of this run.

``python benchmarks/spark_worker.py people 1000000 10 mondrian 84000 [local[2]] [--no-boundary]``
prints one JSON object. Sessions start before the clock does.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from shoal.datasets import Dataset, adult, people
from shoal.plan import Plan
from shoal.spark import anonymize, read_source, spark_session

LIMITED = {"spark.driver.memory": "1g", "spark.executor.memory": "4g"}


def dataset(name: str, n: int) -> Dataset:
    """The table to anonymize."""
    return adult() if name == "adult" else people(n)


def plan_for(data: Dataset, folder: Path, **settings: Any) -> Plan:
    """The plan for a dataset written into a folder."""
    quasi = data.roles.quasi_identifiers
    return Plan(
        source=str(folder / "data.csv"),
        roles=replace(data.roles, target=None),
        kinds={name: data.kinds[name] for name in quasi},
        hierarchy_folder=str(folder / "hierarchies"),
        **settings,
    )


def run(plan: Plan, routing: str, most: int, master: str, boundary: bool) -> dict[str, Any]:
    """Anonymize, write and verify; tell what it took."""
    with spark_session(master, LIMITED if master.startswith("local-cluster") else None) as spark:
        spark.range(1000).count()
        began = perf_counter()
        source = read_source(spark, str(plan.source))
        with (
            anonymize(
                source, plan, routing=routing, rows_per_fragment=most, boundary=boundary
            ) as release,
            tempfile.TemporaryDirectory() as out,
        ):
            written = release.write(Path(out, "release"), format="parquet", ledger="off")
            seconds = perf_counter() - began
            return {
                "rows": release.recipe.rows,
                "fragments": release.fragments,
                "ngil": release.ngil,
                "ngil_before_boundary": release.ngil + release.gain,
                "k": written.verification.recount.k,
                "method": repr(release.recipe.grouper),
                "seconds": seconds,
                "phases": {**release.seconds, "writing": seconds - sum(release.seconds.values())},
            }


def main(name: str, n: int, k: int, routing: str, most: int, master: str, boundary: bool) -> None:
    """Run once and print what came out."""
    data = dataset(name, n)
    with tempfile.TemporaryDirectory() as folder:
        data.write(folder)
        size = Path(folder, "data.csv").stat().st_size
        found = run(plan_for(data, Path(folder), k=k), routing, most, master, boundary)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        json.dumps(
            {
                "table": name, "k_asked": k, "routing": routing, "master": master,
                "megabytes": size / 1e6, "largest_child_mb": workers, **found,
            }
        )
    )  # fmt: skip


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    master = words[5] if len(words) > 5 else "local[2]"
    main(
        words[0], int(words[1]), int(words[2]), words[3], int(words[4]), master,
        "--no-boundary" not in sys.argv,
    )  # fmt: skip
