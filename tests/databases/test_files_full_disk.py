"""A disk that is really full, under a database of one file, its papers or both."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from shoal.anonymizer import anonymize
from shoal.exceptions import OutputError
from shoal.release import Release
from shoal.table import read_table

KINDS = ["sqlite", "duckdb"]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes, mounted for the test."""
    folder = tmp_path / "disk"
    folder.mkdir()
    how = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    mounted = subprocess.run(how, capture_output=True, check=False)
    if mounted.returncode:
        assert os.environ.get("CI") != "true", mounted.stderr
        pytest.skip("a small disk cannot be mounted here: that needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def made(rows: int) -> Release:
    """People with a note that no database can pack."""
    people = pl.DataFrame(
        {
            "age": [20 + i * 7 % 60 for i in range(rows)],
            "note": [os.urandom(100).hex() for _ in range(rows)],
        }
    )
    return anonymize(
        people, quasi_identifiers="age", publish_as_is="note", k=5, method="mondrian", bound=False
    )


def fill(disk: Path, left: int) -> None:
    """Leave some bytes free."""
    free = os.statvfs(disk)
    with (disk / "ballast").open("wb") as ballast:
        ballast.write(bytes(max(free.f_bavail * free.f_frsize - left, 0)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_does_not_fit_is_not_there(kind: str, disk: Path, tmp_path: Path) -> None:
    where = f"{kind}:///{disk}/out"
    made(40).write_back(where, "t", papers=tmp_path / "t", ledger="off")
    before = read_table(where, table="t").frame
    with pytest.raises(OutputError, match="disk"):
        made(20_000).write_back(where, "u", papers=tmp_path / "u", ledger="off")
    with pytest.raises(OutputError, match="disk"):
        made(20_000).write_back(where, "t", papers=tmp_path / "t", ledger="off", force=True)
    assert read_table(where, table="t").frame.equals(before)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["disk", "t"]
    assert {path.name for path in disk.iterdir()} - {"out.wal"} == {"out"}  # DuckDB's, and empty
    made(60).write_back(where, "u", papers=tmp_path / "u", ledger="off")


@pytest.mark.parametrize("kind", KINDS)
def test_papers_that_do_not_fit_leave_no_table(kind: str, disk: Path, tmp_path: Path) -> None:
    fill(disk, 20_000)
    where = f"{kind}:///{tmp_path}/out"
    with pytest.raises(OutputError, match="disk"):
        made(40).write_back(where, "t", papers=disk / "p", ledger="off")
    assert [path.name for path in tmp_path.iterdir()] == ["disk"]
    assert [path.name for path in disk.iterdir()] == ["ballast"]
