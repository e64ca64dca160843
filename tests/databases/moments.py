"""Moments of a run from a table to a table, and a process that is killed at any of them.

Run as a script it waits for the names of moments, and forks a process for each, which makes a
release, kills itself at that moment, and whose end it tells.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import adbc_driver_postgresql.dbapi  # noqa: F401 (so that forks need not load it)

import shoal.anonymizer
from shoal.grouping import Grouper
from shoal.release import _write_back
from shoal.release._staging import Stage
from shoal.release.targets import TargetTable
from shoal.release.targets import _postgresql as target
from shoal.table import read_table
from shoal.table.sources import _postgresql as source

#: Where each moment is: what is about to happen, or has just happened.
BEFORE = {
    "connecting": (source, "connected"),
    "in the snapshot": (source, "rows_of"),
    "read, not yet closed": (source, "with_names"),
    "grouping": (Grouper, "fit"),
    "verifying the file": (_write_back, "recounted"),
    "the first look at the target": (TargetTable, "check"),
    "creating the staging table": (TargetTable, "fill"),
    "counting in the database": (TargetTable, "count"),
    "comparing": (_write_back, "_compare"),
    "writing the papers": (_write_back, "write_papers"),
    "renaming": (TargetTable, "name_it"),
    "placing the papers": (Stage, "place"),
    "committing": (TargetTable, "commit"),
}
AFTER = {"copying": (target, "in_batches"), "committed": (TargetTable, "commit")}
READING = ("connecting", "in the snapshot", "read, not yet closed")


@contextmanager
def armed(moment: str, act: Callable[[], Any]) -> Iterator[None]:
    """Do something at a moment, once."""
    place, name = BEFORE[moment] if moment in BEFORE else AFTER[moment]
    original, done = getattr(place, name), []

    def once() -> None:
        if not done:
            done.append(True)
            act()

    def wrapped(*given: Any, **named: Any) -> Any:
        if moment in BEFORE:
            once()
            return original(*given, **named)
        made = original(*given, **named)
        if moment == "copying":
            return _stopped(made, once)
        once()
        return made

    with patch.object(place, name, wrapped):
        yield


def _stopped(reader: Any, act: Callable[[], None]) -> Any:
    """Hand over one batch, act, and go on."""
    import pyarrow as pa

    def batches() -> Iterator[Any]:
        for batch in reader:
            yield batch.slice(0, 50)
            act()
            yield batch.slice(50)

    return pa.RecordBatchReader.from_batches(reader.schema, batches())


def release_into(url: str, papers: Path) -> None:
    """From a table to a table, over an earlier release."""
    roles = {"sensitive": "disease", "drop": ["id", "name", "seen"]}
    shoal.anonymizer.anonymize(
        read_table(url, table="patients"),
        quasi_identifiers=["age", "sex", "zip"],
        k=8,
        method="mondrian",
        bound=False,
        **roles,  # type: ignore[arg-type]
    ).write_back(url, "t", papers=papers, force=True)


def main(url: str, papers: Path) -> None:
    sys.path.append(str(Path(__file__).parents[1]))
    import numba_ready  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            with armed(line.strip(), lambda: os.kill(os.getpid(), signal.SIGKILL)):
                release_into(url, papers)
            os._exit(0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
