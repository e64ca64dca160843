#!/usr/bin/env python3
"""Recount this release: run ``python verify.py`` in its folder.

It reads manifest.json and the data beside it, counts again how many rows share every combination
of quasi-identifiers (k) and how many sensitive values each such group shows (distinct l), and
checks that the data is, byte for byte, the file the manifest speaks of.

It needs Python 3.10 or later and nothing else (for a Parquet release also duckdb or pyarrow).
It exits 0 if everything it can recount holds, 1 if anything does not, 2 if it cannot tell.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = tuple[str, ...]


class CannotTellError(Exception):
    """The release cannot be recounted with what is here."""


def main(folder: Path) -> int:
    """Recount the release in a folder, say what was found, return the exit code."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        failures = list(check(manifest, folder))
    except CannotTellError as problem:
        say(str(problem))
        return 2
    except (OSError, KeyError, TypeError, ValueError) as problem:
        say(f"This folder does not hold a readable release ({type(problem).__name__}).")
        return 2
    for failure in failures:
        say(f"FAILED: {failure}")
    say("This release does NOT hold." if failures else "Everything recounted here holds.")
    return 1 if failures else 0


def check(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Compare the data with each claim of the manifest that can be recounted; yield failures."""
    path = folder / manifest["file"]
    for name, facts in sorted(manifest["files"].items()):
        if digest(folder / name) != facts["sha256"]:
            yield f"{name} is not the file that was released (its SHA-256 differs)."
    quasi_identifiers = manifest["quasi_identifiers"]
    sensitive = [claim["column"] for claim in manifest["holds"] if claim.get("column")]
    groups, values = count(path, quasi_identifiers, sorted(set(sensitive)))
    rows = sum(groups.values())
    say(
        f"{path.name}: {rows} rows in {len(groups)} groups on {len(quasi_identifiers)}"
        f" quasi-identifiers; the smallest group has {min(groups.values(), default=0)} rows."
    )
    if rows != manifest["rows"]:
        yield f"the manifest speaks of {manifest['rows']} rows, the file has {rows}."
    for claim in manifest["holds"]:
        yield from judge(claim, min(groups.values(), default=0), values, manifest["counts"])


def judge(claim: dict[str, Any], k: int, values: dict[str, int], counts: str) -> Iterator[str]:
    """Check one claim against the recount; yield a sentence if it does not hold."""
    asked = claim["asked"]
    if claim["measure"] == "k":
        if k < asked:
            yield f"k is {k}, asked was {asked}."
        elif counts == "people":
            say(f"k: every group has at least {asked} rows. k was asked of people, who cannot")
            say("   be told apart in the data: that many people cannot be recounted here.")
        else:
            say(f"k: every row is one of at least {asked} that look alike.")
    elif claim["measure"] == "distinct_l":
        fewest = values[claim["column"]]
        if fewest < asked:
            yield f"distinct l of column {claim['column']!r} is {fewest}, asked was {asked}."
        else:
            say(f"l: every group shows at least {asked} values of {claim['column']!r}.")
    else:
        say(f"Not recounted by this script: {claim['model']}.")


def count(
    path: Path, quasi_identifiers: list[str], sensitive: list[str]
) -> tuple[dict[Row, int], dict[str, int]]:
    """Count the rows of each group, and the fewest distinct values of each sensitive column."""
    groups: dict[Row, int] = {}
    seen: dict[str, dict[Row, set[str]]] = {name: {} for name in sensitive}
    for cells in read(path, quasi_identifiers + sensitive):
        key = cells[: len(quasi_identifiers)]
        groups[key] = groups.get(key, 0) + 1
        for name, value in zip(sensitive, cells[len(quasi_identifiers) :], strict=True):
            group = seen[name].setdefault(key, set())
            if value:  # a missing value is none
                group.add(value)
    fewest = {
        name: min((len(group) for group in by_group.values()), default=0)
        for name, by_group in seen.items()
    }
    return groups, fewest


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    running = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            running.update(block)
    return running.hexdigest()


def read(path: Path, columns: list[str]) -> Iterator[Row]:
    """Read the named columns of a CSV or Parquet file as text, row by row."""
    if path.suffix == ".parquet":
        yield from read_parquet(path, columns)
        return
    csv.field_size_limit(1 << 30)
    with path.open(newline="", encoding="utf-8") as lines:
        reader = csv.reader(lines, strict=True)
        header = next(reader)
        places = [header.index(name) for name in columns]
        for row in reader:
            row = row or [""]  # an empty line is one empty cell
            if len(row) != len(header):
                raise CannotTellError("A row of the file has more or fewer cells than its header.")
            yield tuple(row[place] for place in places)


def read_parquet(path: Path, columns: list[str]) -> Iterator[Row]:
    """Read a Parquet file, for which the standard library has no reader."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise CannotTellError(
            "A Parquet release needs pyarrow to be read (pip install pyarrow),"
            " or a release written as CSV."
        ) from None
    for batch in parquet.ParquetFile(path).iter_batches(columns=columns):
        cells = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in columns]
        if not columns:
            yield from (() for _ in range(batch.num_rows))
        for row in zip(*cells, strict=True):
            yield tuple("" if cell is None else str(cell) for cell in row)


def say(sentence: str) -> None:
    """Write one line."""
    sys.stdout.write(sentence + "\n")


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent))
