"""All that can be doubted about a release, counted from what its reader gets.

Plain Python over the published files; it shares no line with Shoal: groups, l, t, widths, grids,
claims, the bound, and what the public papers say of those who were left out.
"""

from __future__ import annotations

import csv
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

NAMES = "who-is-"  # every name of a person begins so; nothing else does
LONG = 10**9  # such numbers are in the papers of a release only if they were copied into them
Rows = list[dict[str, str]]


class Attempt(NamedTuple):
    """A table, and what is asked of its release."""

    rows: Rows
    quasi: list[str]
    asked: dict[str, Any]
    words: list[str]


def doubts(attempt: Attempt, said: dict[str, Any], out: Path) -> Iterator[str]:
    """Everything about a release that does not hold, counted from what its reader gets."""
    released = read_rows(out)
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    groups: dict[tuple[str, ...], Rows] = defaultdict(list)
    for row in released:
        groups[tuple(row[q] for q in attempt.quasi)].append(row)
    yield from _of_groups(attempt.asked, groups, released)
    yield from _of_cells(attempt, released)
    yield from _of_papers(attempt, said, manifest, groups, released)
    yield from _of_words(attempt, released, [*out.rglob("*")])
    yield from _of_left_out(attempt, manifest["suppressed"], len(attempt.rows) - len(released))


def read_rows(out: Path) -> Rows:
    """Read the data of a release, in one file or in parts."""
    rows: Rows = []
    for path in sorted([*out.glob("data.csv"), *out.glob("data/*.csv")]):
        with path.open(newline="", encoding="utf-8") as file:
            rows += csv.DictReader(file)
    return rows


def _of_groups(
    asked: dict[str, Any], groups: dict[tuple[str, ...], Rows], released: Rows
) -> Iterator[str]:
    if min(map(len, groups.values())) < asked["k"]:
        yield "a group is smaller than k"
    ills = [Counter(row["ill"] for row in group) for group in groups.values()]
    if asked["l"] and min(len([v for v in ill if v]) for ill in ills) < asked["l"]:
        yield "a group shows fewer than l values"
    whole = Counter(row["ill"] for row in released)
    if asked["t"] and not asked["person"]:
        worst = max(
            sum(
                abs(Fraction(ill[v], sum(ill.values())) - Fraction(p, len(released)))
                for v, p in whole.items()
            )
            / 2
            for ill in ills
        )
        if worst > Fraction(str(asked["t"])):
            yield "a group is further than t from the table"
    if not asked["person"]:
        yield from _of_shares(asked, ills, whole)


def _of_shares(
    asked: dict[str, Any], ills: list[Counter[str]], whole: Counter[str]
) -> Iterator[str]:
    """Shares that values have in their groups, which the other models speak of."""
    for ill in ills:
        n, all_rows = sum(ill.values()), sum(whole.values())
        shares = {value: Fraction(count, n) for value, count in ill.items()}
        if "alpha" in asked and max(shares.values()) > Fraction(str(asked["alpha"])):
            yield "a value has more than alpha of a group"
        gains = [share / Fraction(whole[value], all_rows) - 1 for value, share in shares.items()]
        if "basic-beta" in asked and max(gains) > asked["basic-beta"]:
            yield "a value gains more than beta in a group"
        entropy = -sum(float(share) * math.log(share) for share in shares.values())
        if "entropy-l" in asked and entropy < math.log(asked["entropy-l"]) - 1e-9:
            yield "a group is less diverse than asked"


def _of_cells(attempt: Attempt, released: Rows) -> Iterator[str]:
    before, after = (Counter(row["ill"] for row in rows) for rows in (attempt.rows, released))
    if after - before:
        yield "a sensitive value was not in the table"
    if [*released[0]] != [name for name in attempt.rows[0] if name != "who"]:
        yield "the columns are not those of the table"
    for name in ("age", "income"):
        if name not in attempt.quasi:
            continue
        for cell in {row[name] for row in released} - {"", "*"}:
            yield from _of_number(name, cell, attempt.asked)


def _of_number(name: str, cell: str, asked: dict[str, Any]) -> Iterator[str]:
    low, high = _ends(cell)
    limit, step = asked["limits"].get(name), asked["grid"].get(name)
    if limit is not None and high - low > limit:
        yield f"{name} is wider than its limit"
    if step is not None and low % step:
        yield f"{name} begins beside its grid"


def _of_papers(
    attempt: Attempt,
    said: dict[str, Any],
    manifest: dict[str, Any],
    groups: dict[tuple[str, ...], Rows],
    released: Rows,
) -> Iterator[str]:
    smallest = min(map(len, groups.values()))
    suppressed = len(attempt.rows) - len(released)
    if said["ngil_bound"] is not None and said["ngil_bound"] > said["ngil"]:
        yield "the bound is above the loss"
    if suppressed > attempt.asked["suppression"] * len(attempt.rows) + 1e-9:
        yield "more was suppressed than allowed"
    told = (said["rows_out"], said["suppressed"], said["groups"])
    if told != (len(released), suppressed, len(groups)):
        yield "the command line counted otherwise"
    if (manifest["rows"], manifest["groups"]) != (len(released), len(groups)):
        yield "the manifest counted otherwise"
    by_role = [c["name"] for c in manifest["columns"] if c["role"] == "quasi-identifier"]
    if sorted(by_role) != sorted(attempt.quasi):
        yield "the manifest names other quasi-identifiers"
    yield from _of_losses(manifest, released)
    alone = Counter(tuple(row.values()) for row in released)
    share = sum(n == 1 for n in alone.values()) / len(released)
    if not attempt.asked["person"] and manifest["singling_out"]["share_unique"] != _rough(share):
        yield "who is unique on all that is published is told otherwise"
    claims = {c["measure"]: c for c in manifest["holds"]}
    if "k" not in claims or claims["k"]["asked"] < attempt.asked["k"]:
        yield "the manifest claims no k, or less than was asked"
    if not attempt.asked["person"] and (claims["k"]["recounted"], said["k"]) != (smallest,) * 2:
        yield "k is told otherwise than it is"
    if any(claim["holds"] is not True for claim in manifest["holds"]):
        yield "something is claimed that does not hold"


def _of_words(attempt: Attempt, released: Rows, files: list[Path]) -> Iterator[str]:
    """No paper may name a person, nor a number that the data itself does not show."""
    data = {path for path in files if path.suffix == ".csv"}
    texts = {path: path.read_text("utf-8") for path in files if path.is_file()}
    if any(NAMES in text for text in texts.values()):
        yield "a name was published"
    if "age" not in attempt.quasi or int(attempt.rows[0]["age"]) < LONG:
        return
    shown = {part for row in released for part in row["age"].strip("[]").split(", ")}
    hidden = {row["age"] for row in attempt.rows} - shown
    papers = [text for path, text in texts.items() if path not in data]
    if any(number in text for number in hidden for text in papers):
        yield "a paper shows a number that the data does not"


def _of_left_out(attempt: Attempt, told: int | str, gone: int) -> Iterator[str]:
    """How many are left out is told in steps, and the step is a true one."""
    if not attempt.asked["suppression"]:
        return
    if not isinstance(told, str):
        yield "the exact number of those left out is told"
    elif told.startswith("fewer than "):
        percent = int(told.split()[2])
        if not attempt.asked["person"] and 100 * gone >= percent * len(attempt.rows):
            yield "more were left out than is told"


def _of_losses(manifest: dict[str, Any], released: Rows) -> Iterator[str]:
    """The public loss of a number must follow from the published intervals alone."""
    for name in {"age", "income"} & {*manifest["loss_by_attribute"]}:
        cells = [row[name] for row in released]
        ends = {c: _ends(c) for c in {*cells} - {"", "*"}}
        low = min((a for a, _ in ends.values()), default=Fraction(0))
        reach = max((b for _, b in ends.values()), default=low) - low
        lost = [
            1 if c == "*" else 0 if c == "" or not reach else (ends[c][1] - ends[c][0]) / reach
            for c in cells
        ]
        if abs(float(sum(lost)) / len(lost) - manifest["loss_by_attribute"][name]) > 0.006:
            yield f"the public loss of {name} does not follow from the data"


def _rough(share: float) -> float:
    """Keep two digits."""
    return float(f"{share:.2g}")


def _ends(cell: str) -> tuple[Fraction, Fraction]:
    low, high = (Fraction(end) for end in (cell.strip("[]").split(", ") * 2)[:2])
    return low, high
