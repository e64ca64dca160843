#!/usr/bin/env python3
"""Recount this release of several tables: run ``python verify.py`` in its folder.

It reads manifest.json and the tables beside it, checks that every file is the one that was
released, joins all tables with the table of people by their pseudonyms, and counts again how many
people share each row together with what is said of its person (k), and, where that was asked for,
each combination of m rows of one person.

It needs Python 3.10 or later and nothing else (for Parquet also pyarrow).
It exits 0 if everything it can recount holds, 1 if anything does not, 2 if it cannot tell.
"""

import sys

if __name__ == "__main__":  # nothing that lies beside this file may pass for a part of Python
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        del sys.path[0]
    import os

    _here = os.path.dirname(os.path.realpath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.realpath(place) != _here]

import csv
import hashlib
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

Row = tuple[str | None, ...]
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\.(csv|parquet|html|py)")
ROLES = ("quasi-identifier", "sensitive", "target", "publish-as-is", "pseudonym", "other")
UNREADABLE = (
    *(OSError, KeyError, TypeError, ValueError, AttributeError, StopIteration),
    *(RuntimeError, csv.Error),  # too deep, or ended where a row should begin
)


class UncountableError(Exception):
    """The release cannot be recounted with what is here."""


def main(folder: Path) -> int:
    """Recount the release in a folder, say what was found, return the exit code."""
    csv.field_size_limit(1 << 30)
    try:
        manifest = read_manifest(folder)
        failures = list(check(manifest, folder))
    except UncountableError as problem:
        say(str(problem))
        return 2
    except UNREADABLE as problem:
        say(f"This folder does not hold a readable release ({type(problem).__name__}).")
        return 2
    for failure in failures:
        say(f"FAILED: {failure}")
    if manifest.get("draft"):
        say("This is a DRAFT, not a release: do not pass it on.")
    say("This release does NOT hold." if failures else "Everything recounted here holds.")
    return 1 if failures else 0


def check(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Compare the tables with each claim of the manifest; yield failures."""
    for demands in (of_files, of_papers):
        wrong = list(demands(manifest, folder))
        yield from wrong
        if wrong:
            return
    tables = {table["name"]: table for table in manifest["tables"]}
    root = tables[manifest["people_table"]]
    homes: dict[str | None, Row] = {}
    yield from settle(folder, root, homes)
    crowds = Counter(homes.values())
    counted = {root["name"]: min(crowds.values())}
    held: dict[str | None, Counter[tuple[str, Row]]] = defaultdict(Counter)
    for name, table in tables.items():
        if table is not root:
            yield from join(folder, table, root, homes, held)
            sharing: dict[Row, set[str | None]] = defaultdict(set)
            for who, items in held.items():
                for where, cell in items:
                    if where == name:
                        sharing[cell].add(who)
            counted[name] = min(map(len, sharing.values()), default=len(homes))
    for table in tables.values():
        yield from of_claims(folder, table, homes, is_root=table is root)
        yield from of_unique(folder, table, homes)
    k, asked = min(counted.values()), manifest["k"]["asked"]
    say(f"{len(homes)} people in {len(crowds)} crowds; joined, {k} people share the rarest row.")
    if k < asked or k != manifest["k"]["recounted"]:
        yield f"joined, k is {k}; asked was {asked}, told is {manifest['k']['recounted']}."
    for name, found in counted.items():
        if found != tables[name]["k_joined"]:
            yield f"of {name}, joined, k is {found} and not {tables[name]['k_joined']}."
    if len(homes) != manifest["people"] or len(crowds) != manifest["crowds"]:
        yield "the manifest speaks of other people or crowds than there are."
    if manifest["km"]["m"] > 1:
        yield from combined(held, manifest["km"])


def settle(folder: Path, root: dict[str, Any], homes: dict[str | None, Row]) -> Iterator[str]:
    """Read the table of people: who has which quasi-identifiers."""
    rows = 0
    for row in read(folder / root["file"], [root["person"], *root["quasi_identifiers"]]):
        rows += 1
        if row[0] is None or row[0] in homes:
            yield "somebody is in the table of people twice, or has no pseudonym."
        homes[row[0]] = row[1:]
    if rows != root["rows"]:
        yield f"{root['name']} has {rows} rows and not {root['rows']}."


def join(
    folder: Path,
    table: dict[str, Any],
    root: dict[str, Any],
    homes: dict[str | None, Row],
    held: dict[str | None, Counter[tuple[str, Row]]],
) -> Iterator[str]:
    """Join a table with the people, and keep every row as an item of its person."""
    rows, facts = 0, table["person_facts"]
    known = [root["quasi_identifiers"].index(fact) for fact in facts]
    for who, *cells in read(
        folder / table["file"], [table["person"], *facts, *table["quasi_identifiers"]]
    ):
        rows += 1
        if who not in homes:
            yield f"a row of {table['name']} belongs to nobody."
            return
        if cells[: len(facts)] != [homes[who][place] for place in known]:
            yield f"a row of {table['name']} says otherwise of its person than {root['name']}."
            return
        held[who][table["name"], (*homes[who], "|", *cells[len(facts) :])] += 1
    if rows != table["rows"]:
        yield f"{table['name']} has {rows} rows and not {table['rows']}."


def of_unique(folder: Path, table: dict[str, Any], homes: dict[str | None, Row]) -> Iterator[str]:
    """Count the people whom some row, with all that is published beside it, tells from others."""
    again = (table["person"], *table["person_facts"])
    shown = [column["name"] for column in table["columns"] if column["name"] not in again]
    sharing: dict[Row, set[str | None]] = defaultdict(set)
    for who, *cells in read(folder / table["file"], [table["person"], *shown]):
        sharing[(*homes.get(who, ()), "|", *(cell or "" for cell in cells))].add(who)
    everybody = {who for people in sharing.values() for who in people}
    alone = {who for people in sharing.values() if len(people) == 1 for who in people}
    share = float(f"{len(alone) / max(1, len(everybody)):.2g}")
    if share != table["share_unique"]:
        yield f"of {table['name']}, joined, {share} are unique and not {table['share_unique']}."


def of_claims(
    folder: Path, table: dict[str, Any], homes: dict[str | None, Row], *, is_root: bool
) -> Iterator[str]:
    """Count the distinct sensitive values that each row's cell shows, joined."""
    for claim in table["holds"]:
        if claim["measure"] != "distinct_l":
            say(f"Not recounted by this script: {table['name']}, {claim['model']}.")
            continue
        own = [] if is_root else table["quasi_identifiers"]
        seen: dict[Row, set[str]] = defaultdict(set)
        for who, value, *cell in read(
            folder / table["file"], [table["person"], claim["column"], *own]
        ):
            shown = seen[(*homes.get(who, ()), "|", *cell)]
            if value is not None:
                shown.add(value)
        fewest = min(map(len, seen.values()), default=claim["recounted"])
        if fewest < claim["asked"] or fewest != claim["recounted"]:
            yield f"distinct l of {claim['column']} in {table['name']} is {fewest}, joined."
        else:
            say(f"l: in {table['name']}, every cell shows {fewest} or more of {claim['column']}.")


def combined(
    held: dict[str | None, Counter[tuple[str, Row]]], told: dict[str, Any]
) -> Iterator[str]:
    """Count who shares each combination of up to m rows of one person."""
    sharing: Counter[tuple[Any, ...]] = Counter()
    for items in held.values():
        each = sorted(
            (
                (where, tuple(map(str, cell)), nth)
                for (where, cell), n in items.items()
                for nth in range(n)
            )
        )
        for size in range(1, told["m"] + 1):
            sharing.update(combinations(each, size))
    fewest = min(sharing.values(), default=0)
    if fewest < told["asked"] or fewest != told["recounted"]:
        yield f"some {told['m']} rows of a person are shared by {fewest} people only."
    else:
        say(f"Every combination of {told['m']} rows of a person is shared by {fewest} or more.")


def of_files(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Every file listed is the one that was released, and every table is listed."""
    listed = manifest["files"]
    for table in manifest["tables"]:
        if table["file"] not in listed:
            yield f"the manifest does not list {table['file']}."
    for name, facts in sorted(listed.items()):
        if not NAME.fullmatch(name):
            yield "the manifest lists something that is no file of a release."
        elif not (folder / name).is_file():
            yield f"{name} is not there."
        elif hashlib.sha256((folder / name).read_bytes()).hexdigest() != facts.get("sha256"):
            yield f"{name} is not the file that was released (its SHA-256 differs)."
        elif (folder / name).stat().st_size != facts.get("bytes"):
            yield f"{name} is not as long as the manifest says."


def of_papers(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """The manifest agrees with itself and with the headers of its tables, all of them."""
    tables, k, km = manifest["tables"], manifest["k"], manifest["km"]
    numbers = [manifest["people"], manifest["crowds"], k["recounted"], km["recounted"]]
    numbers += [n for table in tables for n in (table["rows"], table["k_joined"])]
    if any(type(n) is not int or n < 0 for n in numbers) or type(km["m"]) is not int:
        yield "a number of the manifest is none that can be counted."
    if type(k["asked"]) is not int or k["asked"] < 2 or km["asked"] != k["asked"] or km["m"] < 1:
        yield "the manifest promises no k."
    for told in ("name", "file"):
        if len({table[told] for table in tables}) < len(tables):
            yield f"two tables have one {told}."
    for table in tables:
        yield from of_columns(manifest, table, header(folder / table["file"]))
    if km["m"] == 1 and km["recounted"] != k["recounted"]:
        yield "of single rows the manifest tells two numbers."


def of_columns(manifest: dict[str, Any], table: dict[str, Any], names: list[str]) -> Iterator[str]:
    """Header, roles, quasi-identifiers and claims of a table tell one story."""
    roles = {column["name"]: column["role"] for column in table["columns"]}
    if not {*roles.values()} <= {*ROLES}:
        yield f"{table['name']} has a column without a known role."
    if [column["name"] for column in table["columns"]] != names or len(roles) < len(names):
        yield f"the columns of {table['file']} are not those of the manifest."
    own, facts = table["quasi_identifiers"], table["person_facts"]
    by_role = [name for name, role in roles.items() if role == "quasi-identifier"]
    if sorted([*own, *facts]) != sorted(by_role):
        yield f"the quasi-identifiers of {table['name']} are not those that its roles name."
    known = next(t for t in manifest["tables"] if t["name"] == manifest["people_table"])
    if not {*facts} <= {*known["quasi_identifiers"]} or (facts and table is known):
        yield f"{table['name']} tells facts of a person that the table of people does not."
    if [name for name, role in roles.items() if role == "pseudonym"] != [table["person"]]:
        yield f"{table['name']} has no pseudonym, or several."
    for claim in table["holds"]:
        if roles.get(claim.get("column")) not in ("sensitive", None) or claim["holds"] is not True:
            yield f"{table['name']} claims something of a column that is not sensitive, or nothing."
        if claim["measure"] == "distinct_l" and any(
            type(claim[name]) is not int for name in ("asked", "recounted")
        ):
            yield "a number of the manifest is none that can be counted."


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read manifest.json: one object, no name twice, no number that is none."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("a name twice")
        return dict(pairs)

    def finite(text: str) -> float:
        if not math.isfinite(float(text)):
            raise ValueError("not a number")
        return float(text)

    text = (folder / "manifest.json").read_text(encoding="utf-8")
    manifest = json.loads(text, parse_constant=finite, parse_float=finite, object_pairs_hook=once)
    if not isinstance(manifest, dict):
        raise TypeError("not an object")
    return manifest


def header(path: Path) -> list[str]:
    """Read the names of a table's columns."""
    if path.suffix == ".parquet":
        return [str(name) for name in parquet_of(path).schema_arrow.names]
    with path.open(newline="", encoding="utf-8") as lines:
        return next(csv.reader(lines, strict=True))


def read(path: Path, columns: list[str]) -> Iterator[Row]:
    """Read the named columns of a table as text; None is missing."""
    if path.suffix == ".parquet":
        yield from read_parquet(path, columns)
        return
    with path.open(newline="", encoding="utf-8") as lines:
        reader = csv.reader(lines, strict=True)
        names = next(reader)
        places = [names.index(name) for name in columns]
        for row in reader:
            if len(row) != len(names):
                raise UncountableError("A row of a file has more or fewer cells than its header.")
            yield tuple(row[place] or None for place in places)


def read_parquet(path: Path, columns: list[str]) -> Iterator[Row]:
    """Read a Parquet file, batch by batch."""
    for batch in parquet_of(path).iter_batches(columns=columns):
        cells = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in columns]
        for row in zip(*cells, strict=True):
            yield tuple(None if cell is None else str(cell) for cell in row)


def parquet_of(path: Path) -> Any:
    """Open a Parquet file, for which the standard library has no reader."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise UncountableError("Parquet needs pyarrow to be read (pip install pyarrow).") from None
    return parquet.ParquetFile(path)


def say(sentence: str) -> None:
    """Write one line."""
    sys.stdout.write(sentence + "\n")


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent))
