#!/usr/bin/env python3
"""Recount this release: run ``python verify.py`` in its folder.

It reads manifest.json and the data beside it, checks that the two tell one story (the same
columns, roles and files, byte for byte, and a k), and counts again how many rows share every
combination of quasi-identifiers (k), how many sensitive values each such group shows
(distinct l), and how many rows are alone on all that is published.
Of a network it counts groups, edges and what is lost of them again.

It needs Python 3.10 or later and nothing else (for a Parquet release also pyarrow), and runs no
other file of this folder.
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
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Row = tuple[str | None, ...]

SHAPES = {
    "file": str,
    "rows": int,
    "groups": int,
    "counts": str,
    "holds": list,
    "quasi_identifiers": list,
    "columns": list,
    "files": dict,
}
SINGLING: dict[str, Any] = {
    "share_unique": 0.0,
    "share_unique_plain": 0.0,
    "columns": {},
    "accepted": [],
    "sets": [],
}
COUNTS = ("rows", "people")
ROLES = ("quasi-identifier", "sensitive", "target", "publish-as-is", "pseudonym", "other")
RECOUNTED = {"k": r"(\d+)-anonymity", "distinct_l": r"distinct (\d+)-diversity of .+"}
MEASURES = (
    *RECOUNTED,
    "entropy_l",
    "recursive_c",
    "t_equal",
    "t_ordered",
    "alpha",
    "basic_beta",
    "enhanced_beta",
    "delta_disclosure",
    "delta_disclosure_present",
)
AS_IS = ("publish-as-is", "other")
SINGLING_OUT = 0.05  # of the rows: a column that tells more of them apart is named
PARTS = "data"
PART = re.compile(PARTS + r"/part-[0-9]+\.(csv|parquet)")

PAPER = r"[a-z]+\.[a-z]+|hierarchies/[^/\\:]+\.csv"  # what may lie beside the data


#: What else is counted again where a manifest speaks of it; parts of this script add to it.
FURTHER: dict[str, Callable[[dict[str, Any], Path], Iterator[str]]] = {}


class CannotTellError(Exception):
    """The release cannot be recounted with what is here."""


def main(folder: Path) -> int:
    """Recount the release in a folder, say what was found, return the exit code."""
    csv.field_size_limit(1 << 30)
    try:
        manifest = read_manifest(folder)
        draft, failures = bool(manifest.get("draft")), list(check(manifest, folder))
    except CannotTellError as problem:
        say(str(problem))
        return 2
    except (OSError, KeyError, TypeError, ValueError, RecursionError, csv.Error) as problem:
        say(f"This folder does not hold a readable release ({type(problem).__name__}).")
        return 2
    for failure in failures:
        say(f"FAILED: {failure}")
    if draft:
        say("This is a DRAFT, not a release: do not pass it on.")
    say("This release does NOT hold." if failures else "Everything recounted here holds.")
    return 1 if failures else 0


def check(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Compare the data with each claim of the manifest that can be recounted; yield failures."""
    if manifest.get("file") == "" and isinstance(manifest.get("table"), dict):
        raise CannotTellError(
            f"The rows are in the table {manifest['table'].get('name')} of a database:"
            " the queries in recount.sql count them there."
        )
    wrong = list(contradictions(manifest, folder))
    yield from wrong
    if wrong:
        return
    quasi_identifiers = manifest["quasi_identifiers"]
    sensitive = sorted({claim["column"] for claim in manifest["holds"] if claim.get("column")})
    groups, values = count(data_files(manifest, folder), quasi_identifiers, sensitive)
    rows, k = sum(groups.values()), min(groups.values(), default=0)
    say(
        f"{manifest['file']}: {rows} rows in {len(groups)} groups on {len(quasi_identifiers)}"
        f" quasi-identifiers; the smallest group has {k} rows."
    )
    counts, person = manifest["counts"], person_column(manifest)
    if counts == "people" and person is not None:
        k, counts = fewest_people(data_files(manifest, folder), quasi_identifiers, person), "rows"
        say(f"Pseudonyms tell people apart: the smallest group has {k} people.")
    if rows != manifest["rows"]:
        yield f"the manifest speaks of {manifest['rows']} rows, the file has {rows}."
    if len(groups) != manifest["groups"] and not manifest.get("relinkage"):
        yield f"the manifest speaks of {manifest['groups']} groups, the file has {len(groups)}."
    for claim in manifest["holds"]:
        yield from judge(claim, k, values, counts)
    if "singling_out" in manifest:
        yield from judge_singling(manifest, folder)
    for subject, further in FURTHER.items():
        if subject in manifest:
            yield from further(manifest, folder)


def judge(claim: dict[str, Any], k: int, values: dict[str, int], counts: str) -> Iterator[str]:
    """Check one claim against the recount; yield a sentence if it does not hold."""
    asked, told = claim["asked"], claim["recounted"]
    if claim["measure"] == "k":
        if k < asked:
            yield f"k is {k}, asked was {asked}."
        elif counts == "people":
            say(f"k: every group has at least {asked} rows. k was asked of people, who cannot")
            say("   be told apart in the data: that many people cannot be recounted here.")
        elif k != told:
            yield f"k is {k}, the manifest says {told}."
        else:
            say(f"k: every row is one of at least {asked} that look alike.")
    elif claim["measure"] == "distinct_l":
        fewest = values[claim["column"]]
        if fewest < asked or fewest != told:
            yield f"distinct l of column {claim['column']!r} is {fewest}, asked was {asked}."
        else:
            say(f"l: every group shows at least {asked} values of {claim['column']!r}.")
    else:
        say(f"Not recounted by this script: {claim['model']}.")


def judge_singling(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Recount who is alone on all that is published, and by which columns."""
    if manifest["counts"] == "people":
        say("Not recounted by this script: who is unique, as people cannot be told apart here.")
        return
    told = manifest["singling_out"]
    found = singling_out(manifest, folder, told["sets"])
    for name, number in found.items():
        if told[name] != number:
            yield f"what the manifest says of unique rows ({name}) is not what the file shows."
    say(f"unique: {found['share_unique']} of the rows are alone on all that is published.")


def singling_out(manifest: dict[str, Any], folder: Path, told: list[Any]) -> dict[str, Any]:
    """Count the rows that are alone: on everything, by single columns, by sets that are named."""
    accepted = manifest["singling_out"]["accepted"]  # so is a pseudonym that several rows share
    roles = {
        column["name"]: "publish-as-is" if column["role"] == "pseudonym" else column["role"]
        for column in manifest["columns"]
        if column["role"] != "pseudonym" or column["name"] in accepted
    }
    if manifest.get("relinkage"):  # a moved value is nobody's own
        roles = {name: role for name, role in roles.items() if role != "quasi-identifier"}
    crowd = [name for name, role in roles.items() if role == "quasi-identifier"]
    as_is = [name for name, role in roles.items() if role in AS_IS]
    named = [[name for name in one["columns"] if name in as_is] for one in told]
    sets = [[*roles], crowd + as_is, *([*crowd, name] for name in as_is), *named]
    everything, plain, *shares = alone(data_files(manifest, folder), sets)
    single, together = shares[: len(as_is)], shares[len(as_is) :]
    return {
        "share_unique": rough(everything),
        "share_unique_plain": rough(plain),
        "columns": {
            name: rough(share)
            for name, share in zip(as_is, single, strict=True)
            if share > SINGLING_OUT
        },
        "sets": [
            {"columns": names, "share": rough(share)}
            for names, share in zip(named, together, strict=True)
        ],
    }


def alone(paths: Iterable[Path], sets: list[list[str]]) -> list[float]:
    """Share of the rows that read like no other on each set of columns."""
    names = sorted({name for columns in sets for name in columns})
    places = [[names.index(name) for name in columns] for columns in sets]
    seen: list[set[int]] = [set() for _ in sets]
    again: list[set[int]] = [set() for _ in sets]
    rows = 0
    for cells in (row for path in paths for row in read(path, names)):
        rows += 1
        for which, columns in enumerate(places):
            key = hash(tuple(cells[place] or "" for place in columns))  # missing looks empty
            (again if key in seen[which] else seen)[which].add(key)
    return [(len(a) - len(b)) / max(1, rows) for a, b in zip(seen, again, strict=True)]


def rough(share: float) -> float:
    """Keep two digits."""
    return float(f"{share:.2g}")


def count(
    paths: Iterable[Path], quasi_identifiers: list[str], sensitive: list[str]
) -> tuple[dict[Row, int], dict[str, int]]:
    """Count the rows of each group, and the fewest distinct values of each sensitive column."""
    groups: dict[Row, int] = {}
    seen: dict[str, dict[Row, set[str]]] = {name: {} for name in sensitive}
    for cells in (row for path in paths for row in read(path, quasi_identifiers + sensitive)):
        key = cells[: len(quasi_identifiers)]
        groups[key] = groups.get(key, 0) + 1
        for name, value in zip(sensitive, cells[len(quasi_identifiers) :], strict=True):
            group = seen[name].setdefault(key, set())
            if value is not None:  # a missing value is none
                group.add(value)
    fewest = {
        name: min((len(group) for group in by_group.values()), default=0)
        for name, by_group in seen.items()
    }
    return groups, fewest


def person_column(manifest: dict[str, Any]) -> str | None:
    """Name the column of pseudonyms that tells people apart, if there is one."""
    told = [p["column"] for p in manifest.get("pseudonyms", []) if p.get("of") == "person"]
    roles = {column["name"]: column["role"] for column in manifest["columns"]}
    return next((name for name in told if roles.get(name) == "pseudonym"), None)


def fewest_people(paths: Iterable[Path], quasi_identifiers: list[str], person: str) -> int:
    """Count the people of the smallest group; rows that name nobody are one person at most."""
    people: dict[Row, set[str]] = {}
    for row in (row for path in paths for row in read(path, [*quasi_identifiers, person])):
        group = people.setdefault(row[:-1], set())
        if row[-1] is not None:
            group.add(row[-1])
    return min((max(1, len(group)) for group in people.values()), default=0)


def contradictions(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """Yield what keeps manifest and files from telling one story, before anything is counted."""
    misshapen = [name for name, kind in SHAPES.items() if type(manifest.get(name)) is not kind]
    yield from (f"the manifest has no proper {name!r}." for name in misshapen)
    if misshapen:
        return
    wrong = [*of_columns(manifest), *of_files(manifest, folder)]
    yield from wrong
    if not wrong:
        yield from of_headers(manifest, folder)
        yield from of_claims(manifest)
        yield from of_singling(manifest)


def of_columns(manifest: dict[str, Any]) -> Iterator[str]:
    """Columns have one name and one role each, and the quasi-identifiers are those by role."""
    columns = manifest["columns"]
    if not all(
        isinstance(column, dict)
        and isinstance(column.get("name"), str)
        and column.get("role") in ROLES
        for column in columns
    ):
        yield "the manifest names a column without a name or a known role."
        return
    names = [column["name"] for column in columns]
    if len({*names}) < len(names):
        yield "the manifest names a column twice."
    by_role = [column["name"] for column in columns if column["role"] == "quasi-identifier"]
    told = manifest["quasi_identifiers"]
    if not all(isinstance(name, str) for name in told) or sorted(told) != sorted(by_role):
        yield "the quasi-identifiers are not the columns with that role."
    if manifest["rows"] < 1 or manifest["groups"] < 1 or manifest["counts"] not in COUNTS:
        yield "the manifest does not say what was counted."


def of_files(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """The data is listed, whole, and every file listed is the one that was released."""
    listed, file = manifest["files"], manifest["file"]
    parts = sorted(name for name in listed if PART.fullmatch(name))
    if file == PARTS:
        there = sorted(f"{PARTS}/{path.name}" for path in (folder / PARTS).iterdir())
        if not parts or parts != there or len({Path(name).suffix for name in parts}) > 1:
            yield "the parts of the data are not those that the manifest lists."
    elif file not in ("data.csv", "data.parquet") or file not in listed:
        yield "the manifest does not list its data."
    for name, facts in sorted(listed.items()):
        plain = PART.fullmatch(name) or re.fullmatch(PAPER, name)
        if not plain or not isinstance(facts, dict):
            yield "the manifest lists something that is no file of a release."
        elif not (folder / name).is_file():
            yield f"{name} is not there."
        elif digest(folder / name) != facts.get("sha256"):
            yield f"{name} is not the file that was released (its SHA-256 differs)."
        elif (folder / name).stat().st_size != facts.get("bytes"):
            yield f"{name} is not as long as the manifest says."


def of_headers(manifest: dict[str, Any], folder: Path) -> Iterator[str]:
    """The data has the columns of the manifest, in that order, and no other."""
    names = [column["name"] for column in manifest["columns"]]
    for path in data_files(manifest, folder):
        if header(path) != names:
            yield f"the columns of {path.name} are not those of the manifest."


def of_claims(manifest: dict[str, Any]) -> Iterator[str]:
    """Every claim says what it means; there is a k, unless values were moved."""
    others = [c["name"] for c in manifest["columns"] if c["role"] != "quasi-identifier"]
    for claim in manifest["holds"]:
        if not isinstance(claim, dict) or not isinstance(claim.get("model"), str):
            yield "a claim of the manifest names no model."
        elif not well_formed(claim, others):
            yield f"the claim {claim['model']!r} does not agree with itself."
    claims = [claim for claim in manifest["holds"] if isinstance(claim, dict)]
    if len({str(claim.get("model")) for claim in claims}) < len(claims):
        yield "the manifest makes a claim twice."
    moved = manifest.get("relinkage")
    if not (moved and isinstance(moved, dict)) and "k" not in [c.get("measure") for c in claims]:
        yield "the manifest claims no k."


def of_singling(manifest: dict[str, Any]) -> Iterator[str]:
    """What is told of unique rows has its shape, and names the columns accepted by role."""
    told = manifest.get("singling_out", SINGLING)
    by_role = sorted(c["name"] for c in manifest["columns"] if c["role"] == "publish-as-is")
    beside = ("pseudonym", "sensitive", "target")
    named = [c["name"] for c in manifest["columns"] if c["role"] in beside]
    if not isinstance(told, dict) or any(
        type(told.get(name)) is not type(kind) for name, kind in SINGLING.items()
    ):
        yield "the manifest does not say who is unique."
    elif told is not SINGLING and _unnamed(told["accepted"], named) != by_role:
        yield "the columns accepted by name are not those with that role."


def _unnamed(accepted: list[Any], beside: list[str]) -> list[str]:
    """Leave out what is accepted though its role is another: secrets, pseudonyms rows share."""
    return sorted(str(name) for name in accepted if name not in beside)


def well_formed(claim: dict[str, Any], columns: list[str]) -> bool:
    """Tell whether model, measure, column and number of one claim agree, and it is said to hold."""
    measure, asked = claim.get("measure"), claim.get("asked")
    for recounted, pattern in RECOUNTED.items():
        named = re.fullmatch(pattern, claim["model"])
        if bool(named) != (measure == recounted):
            return False
        if named and (type(asked) is not int or asked < 1 or int(named[1]) != asked):
            return False
    if claim.get("holds") is not True or "recounted" not in claim:
        return False
    if measure is None:
        return claim["recounted"] is None
    if measure == "k":
        return "column" not in claim and type(claim["recounted"]) is int
    numbers = type(asked) in (int, float) and claim["recounted"] is not None
    return measure in MEASURES and claim.get("column") in columns and numbers


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read manifest.json: one object, no name twice, no number that is none."""
    manifest = json.loads(
        (folder / "manifest.json").read_text(encoding="utf-8"),
        parse_constant=finite,
        parse_float=finite,
        object_pairs_hook=once,
    )
    if not isinstance(manifest, dict):
        raise TypeError("not an object")
    return manifest


def finite(text: str) -> float:
    """Read a number; NaN and infinity are none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("not a number")
    return number


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object whose names are all different."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def data_files(manifest: dict[str, Any], folder: Path) -> list[Path]:
    """The files that hold the rows: one, or all parts."""
    if manifest["file"] != PARTS:
        return [folder / manifest["file"]]
    return [folder / name for name in sorted(manifest["files"]) if PART.fullmatch(name)]


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    running = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            running.update(block)
    return running.hexdigest()


def header(path: Path) -> list[str]:
    """Names of the columns of a file."""
    if path.suffix == ".parquet":
        return list(open_parquet(path).schema_arrow.names)
    with path.open(newline="", encoding="utf-8") as lines:
        return next(csv.reader(lines, strict=True), [])


def read(path: Path, columns: list[str]) -> Iterator[Row]:
    """Read the named columns of a CSV or Parquet file as text, row by row; None is missing."""
    if path.suffix == ".parquet":
        yield from read_parquet(path, columns)
        return
    with path.open(newline="", encoding="utf-8") as lines:
        reader = csv.reader(lines, strict=True)
        names = next(reader)
        places = [names.index(name) for name in columns]
        for row in reader:
            row = row or [""]  # an empty line is one empty cell
            if len(row) != len(names):
                raise CannotTellError("A row of the file has more or fewer cells than its header.")
            yield tuple(row[place] or None for place in places)


def read_parquet(path: Path, columns: list[str]) -> Iterator[Row]:
    """Read a Parquet file, for which the standard library has no reader."""
    for batch in open_parquet(path).iter_batches(columns=columns):
        cells = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in columns]
        if not columns:
            yield from (() for _ in range(batch.num_rows))
        for row in zip(*cells, strict=True):
            yield tuple(None if cell is None else str(cell) for cell in row)


def open_parquet(path: Path) -> Any:
    """Open a Parquet file with pyarrow."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise CannotTellError(
            "A Parquet release needs pyarrow to be read (pip install pyarrow),"
            " or a release written as CSV."
        ) from None
    return parquet.ParquetFile(path)


def say(sentence: str) -> None:
    """Write one line."""
    sys.stdout.write(sentence + "\n")


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent))
