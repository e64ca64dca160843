"""One run in a process of its own, so that time and memory are those of this run.

``python benchmarks/spark_worker.py people 1000000 10 mondrian 125000 --master local[2]`` prints one
JSON object. ``--master none`` is the local engine. Sessions start before the clock does; time runs
from CSV to verified release.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from shoal.datasets import Dataset, adult, people
from shoal.plan import Plan
from shoal.plan import run as run_local
from shoal.spark import anonymize, read_source, spark_session

LIMITED = {"spark.driver.memory": "1g", "spark.executor.memory": "4g"}
TICKS = os.sysconf("SC_CLK_TCK")


def dataset(name: str, n: int) -> Dataset:
    """The table to anonymize."""
    return adult() if name == "adult" else people(n)


def written(asked: Namespace, folder: Path) -> tuple[Dataset, Path]:
    """Write the table once; another run with the same ``--data`` finds it there."""
    place = folder / f"{asked.table}-{asked.rows}"
    data = dataset(asked.table, asked.rows if not place.exists() else 1_000)
    if not place.exists():
        data.write(place.with_suffix(".new"))
        place.with_suffix(".new").rename(place)
    return data, place


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


def on_spark(plan: Plan, asked: Namespace, out: Path) -> dict[str, Any]:
    """Anonymize, write and verify on Spark; tell what it took."""
    limited = LIMITED if asked.master.startswith("local-cluster") else None
    with spark_session(asked.master, limited) as spark:
        spark.range(1000).count()
        began, worked = perf_counter(), cpu_seconds()
        source = read_source(spark, str(plan.source))
        with anonymize(
            source,
            plan,
            routing=asked.routing,
            rows_per_fragment=asked.most,
            boundary=not asked.no_boundary,
        ) as release:
            done = release.write(out, format="parquet", ledger="off")
            seconds = perf_counter() - began
            return {
                "rows": release.recipe.rows,
                "fragments": release.fragments,
                "ngil": release.ngil,
                "ngil_before_boundary": release.ngil + release.gain,
                "k": done.verification.recount.k,
                "method": repr(release.recipe.recipe.grouper),
                "seconds": seconds,
                "cpu_seconds": cpu_seconds() - worked,
                "phases": {**release.seconds, "writing": seconds - sum(release.seconds.values())},
            }


def on_this_machine(plan: Plan, out: Path) -> dict[str, Any]:
    """The same by the local engine."""
    began, worked = perf_counter(), cpu_seconds()
    release = run_local(plan)
    done = release.write(out, format="parquet", ledger="off")
    return {
        "rows": done.verification.recount.rows,
        "fragments": 1,
        "ngil": release.summary.utility["ngil"],
        "k": done.verification.recount.k,
        "method": release.summary.method,
        "seconds": perf_counter() - began,
        "cpu_seconds": cpu_seconds() - worked,
    }


def cpu_seconds() -> float:
    """Seconds of work of this process and all below it, also those that are still alive."""
    below: dict[int, list[int]] = {}
    work: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            below.setdefault(int(fields[1]), []).append(int(entry.name))
            work[int(entry.name)] = sum(int(ticks) for ticks in fields[11:15]) / TICKS
    waiting, total = [os.getpid()], 0.0
    while waiting:
        process = waiting.pop()
        total += work[process]
        waiting += below.get(process, ())
    return total


def main(words: list[str]) -> None:
    """Run once and print what came out."""
    asked = _read(words)
    with tempfile.TemporaryDirectory() as scratch:
        data, folder = written(asked, Path(asked.data or scratch))
        settings = {"order": asked.order, "refine": False} if asked.order else {}
        plan, out = plan_for(data, folder, k=asked.k, **settings), Path(scratch, "release")
        loads = [os.getloadavg()[0]]
        found = on_this_machine(plan, out) if asked.master == "none" else on_spark(plan, asked, out)
        loads.append(os.getloadavg()[0])
        size = (folder / "data.csv").stat().st_size
    everybody = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    memory = max(resource.getrusage(who).ru_maxrss for who in everybody) / 1024
    about = {"table": asked.table, "k_asked": asked.k, "routing": asked.routing}
    more = {"master": asked.master, "megabytes": size / 1e6, "load": [round(x, 1) for x in loads]}
    print(json.dumps({**about, **more, "largest_process_mb": memory, **found}))


def _read(words: list[str]) -> Namespace:
    parser = ArgumentParser()
    parser.add_argument("table")
    parser.add_argument("rows", type=int)
    parser.add_argument("k", type=int)
    parser.add_argument("routing")
    parser.add_argument("most", type=int)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--order")
    parser.add_argument("--data", help="where tables are kept between runs")
    parser.add_argument("--no-boundary", action="store_true")
    return parser.parse_args(words)


if __name__ == "__main__":
    main(sys.argv[1:])
