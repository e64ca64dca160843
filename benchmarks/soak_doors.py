"""The other doors out of the house, tried as `soak_attacker` tries the first one.

Random tables leave as linked tables, networks, under pseudonyms, as later deliveries and into a
database; plain Python that shares no line with Shoal counts again what their readers get.
``python benchmarks/soak_doors.py 200`` tries until 200 left by each door; ``--door linked`` tries
one, and ``--resume`` goes on where a run was stopped.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from soak_attacker import RESULTS, _tried, summed
from soak_doubts import NAMES, Rows

RELEASES = 200
STAMP = "row-mark-"  # in every row of a dropped column


class Said(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def measure(releases: int = RELEASES) -> dict[str, Any]:
    """Try every door."""
    return {door: through(door, releases) for door in DOORS}


def through(door: str, releases: int, *, resume: bool = False) -> dict[str, Any]:
    """Try until so many releases left by a door; count what was found wrong with them."""
    kept = RESULTS / f"soak_doors-{door}.jsonl"
    if not resume:
        kept.unlink(missing_ok=True)
    done = len(_tried(kept))
    released = sum(outcome == "released" for outcome, *_ in _tried(kept))
    with kept.open("a", encoding="utf-8") as file:
        while released < releases:
            begun = time.perf_counter()
            with tempfile.TemporaryDirectory() as folder:
                outcome, wrong = attack(door, done, Path(folder).resolve())
            seconds = round(time.perf_counter() - begun, 4)
            print(json.dumps([outcome, wrong, done, seconds]), file=file, flush=True)
            done, released = done + 1, released + (outcome == "released")
            if wrong:
                print(f"  {door} {done - 1}:", *wrong, flush=True)
    return summed(_tried(kept))


def attack(door: str, seed: int, folder: Path) -> tuple[str, list[str]]:
    """Let one table out by a door: how that ended, and all that is wrong."""
    os.environ["SHOAL_HOME"] = str(folder / "home")
    here = Path.cwd()
    os.chdir(folder)
    try:
        return DOORS[door](random.Random(f"{door} {seed}"))
    finally:
        os.chdir(here)


def typed(*words: object) -> Said:
    """Type a command."""
    from shoal.cli import run

    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([*map(str, words)])
    return Said(code, out.getvalue(), err.getvalue())


def judged(said: Said, wrong: Callable[[], Iterator[str]], *kept: str) -> tuple[str, list[str]]:
    """What came of a command: a release to doubt, or a refusal that leaves nothing."""
    if said.code in (1, 2):
        left = {path.name for path in Path().iterdir()} - {"home", *kept}
        found = ["a refusal left something behind"] if left else []
        found += [] if said.err.startswith("Error: ") else ["a refusal without a sentence"]
        found += ["it stumbled over itself"] if "stumbled" in said.err else []
        found += ["a refusal quotes a cell"] if quotes(said.err) else []
        return "refused", found
    if said.code != 0:
        return "crashed", [f"exit code {said.code}"]
    return "released", [*wrong()]


def quotes(text: str) -> bool:
    """Tell whether a text names somebody, or a row."""
    return NAMES in text or STAMP in text


def people(luck: random.Random, n: int) -> Rows:
    """Everybody once, skewed, some of it missing."""
    return [
        {
            "who": f"{NAMES}{i:06}",
            "age": str(int(luck.gauss(50, 18))),
            "zip": luck.choice(("8010", "8011", "8020", "8045", "1190", "1010")),
            "sex": luck.choice("ffm"),
            "ill": luck.choice(("flu", "flu", "cold", "asthma", "none", "")),
            "mark": f"{STAMP}{i}",
        }
        for i in range(n)
    ]


def linked(luck: random.Random) -> tuple[str, list[str]]:
    """People and their stays, in one plan."""
    rows, k = people(luck, luck.randint(20, 90)), luck.randint(2, 5)
    stays = [
        {
            "who": row["who"],
            "day": f"2024-01-{luck.randint(1, 28):02}",
            "ward": luck.choice(("A", "B", "C")),
            "ill": luck.choice(("flu", "cold", "gout")),
            "mark": f"{STAMP}s",
        }
        for row in rows
        for _ in range(luck.choice((0, 1, 1, 2, 4)))
    ]
    if not stays:
        return "refused", []
    keep(rows, "people.csv")
    keep(stays, "stays.csv")
    km, most = luck.choice((1, 1, 2)), luck.choice(("", "max_rows = 2\n"))
    l_asked = luck.choice(("", "l = 2\n"))
    Path("plan.toml").write_text(
        '[tables.people]\nsource = "people.csv"\nperson = "who"\nquasi_identifiers = ["age", "zip",'
        ' "sex"]\nsensitive = ["ill"]\ndrop = ["mark"]\n[tables.stays]\nsource = "stays.csv"\n'
        'person = "who"\nquasi_identifiers = ["day", "ward"]\nsensitive = ["ill"]\n'
        f'drop = ["mark"]\n{l_asked}[privacy]\nk = {k}\nkm = {km}\n'
        f"[release]\n{most}max_suppression = 0.6\n"
    )

    def wrong() -> Iterator[str]:
        root, other = read("out/people.csv"), read("out/stays.csv")
        homes = {row["who"]: (row["age"], row["zip"], row["sex"]) for row in root}
        crowds, cells, shown = defaultdict(set), defaultdict(set), defaultdict(set)
        for who, home in homes.items():
            crowds[home].add(who)
        for row in other:
            if row["who"] not in homes:
                yield "a stay of nobody"
            cell = homes[row["who"]], row["day"], row["ward"]
            cells[cell].add(row["who"])
            shown[cell].add(row["ill"])
        if len(homes) != len(rows):
            yield "people were lost or doubled"
        if min(map(len, [*crowds.values(), *cells.values()])) < k:
            yield "joined, fewer than k share a row"
        if l_asked and min(map(len, shown.values()), default=2) < 2:
            yield "a cell shows fewer than l values"
        yield from papers("out")

    said = typed("anonymize", "--plan", "plan.toml", "-o", "out", "--json")
    return judged(said, wrong, "people.csv", "stays.csv", "plan.toml")


def network(luck: random.Random) -> tuple[str, list[str]]:
    """People and who knows whom."""
    rows, k = people(luck, luck.randint(12, 70)), luck.randint(2, 5)
    names = [row["who"] for row in rows]
    pairs = {tuple(sorted(luck.sample(names, 2))) for _ in range(luck.randint(1, 4 * len(names)))}
    keep(rows, "people.csv")
    keep([{"a": a, "b": b} for a, b in sorted(pairs)], "edges.csv")

    def wrong() -> Iterator[str]:
        data, groups, edges = (read(f"out/{name}.csv") for name in ("data", "groups", "edges"))
        sizes = defaultdict(int)
        for row in data:
            sizes[row["group"]] += 1
        told = {g["group"]: int(g["size"]) for g in groups}
        inner = sum(int(g["inner_edges"]) for g in groups)
        if told != {**sizes}:
            yield "sizes of groups are not those of the data"
        if min(sizes.values()) < k or len(data) != len(rows):
            yield "a group is smaller than k, or people are lost"
        if inner + sum(int(e["edges"]) for e in edges) != len(pairs):
            yield "edges were lost or added"
        looks = {(row["age"], row["zip"], row["sex"], row["group"]) for row in data}
        if len(looks) != len(sizes):
            yield "a group looks in several ways"
        yield from papers("out")

    asked = ("--quasi", "age,zip,sex", "--sensitive", "ill", "--identifier", "who", "-k", k)
    weights = ("--alpha", luck.choice((0, 1, 2)), "--beta", luck.choice((0.5, 1, 3)))
    kinds = ("--kind", "zip=code,age=numeric", "--drop", "mark")
    said = typed("anonymize", "people.csv", "--edges", "edges.csv", *asked, *weights, *kinds,
                 "-o", "out", "--json")  # fmt: skip
    return judged(said, wrong, "people.csv", "edges.csv")


def pseudonyms(luck: random.Random) -> tuple[str, list[str]]:
    """Several rows of a person, whose pseudonym joins them."""
    k, rows = luck.randint(2, 5), people(luck, luck.randint(20, 90))
    rows += [dict(luck.choice(rows), ill="gout") for _ in range(luck.randint(0, 40))]
    keep(rows, "people.csv")
    scope, limit = luck.choice(("release", "project")), luck.choice((0, 0.3))

    def wrong() -> Iterator[str]:
        data, groups = read("out/data.csv"), defaultdict(set)
        for row in data:
            groups[row["age"], row["zip"], row["sex"]].add(row["who"])
        if min(map(len, groups.values())) < k:
            yield "fewer than k pseudonyms in a group"
        if len({row["who"] for row in data}) > len({row["who"] for row in rows}):
            yield "somebody has two pseudonyms"
        if not limit and sorted(crowd(data)) != sorted(crowd(rows)):
            yield "pseudonyms do not join what names join"
        yield from papers("out")

    said = typed("anonymize", "people.csv", *asked_of(k), "--person", "who", "--pseudonym",
                 f"who={scope}", "--max-suppression", limit, "-o", "out", "--json")  # fmt: skip
    return judged(said, wrong, "people.csv")


def crowd(rows: Rows) -> list[int]:
    """How many rows each person has."""
    found = defaultdict(int)
    for row in rows:
        found[row["who"]] += 1
    return [*found.values()]


def later(luck: random.Random) -> tuple[str, list[str]]:
    """Two deliveries of a growing table: what the second tells beside the first."""
    k, rows = luck.randint(2, 5), people(luck, luck.randint(40, 110))
    first = luck.randint(20, len(rows) - 5)
    keep(rows[:first], "one.csv")
    keep([row for i, row in enumerate(rows) if i >= first or luck.random() < 0.97], "two.csv")
    asked = (*asked_of(k), "--person", "who")
    before = typed("anonymize", "one.csv", *asked, "-o", "one", "--json")
    if before.code:
        return judged(before, lambda: iter(()), "one.csv", "two.csv")

    def wrong() -> Iterator[str]:
        was, now = looks("one"), looks("two")
        for look, n in now.items():
            if n < k:
                yield "a crowd of the delivery is smaller than k"
            if look in was and abs(n - was[look]) not in (0, *range(k, 1000)):
                yield "fewer than k came to a crowd, or left it"
        yield from papers("two")

    said = typed("anonymize", "two.csv", *asked, "--after", "one", "-o", "two", "--json")
    return judged(said, wrong, "one.csv", "two.csv", "one")


def looks(folder: str) -> dict[tuple[str, ...], int]:
    """How many rows look alike."""
    found: dict[tuple[str, ...], int] = defaultdict(int)
    for row in read(f"{folder}/data.csv"):
        found[row["age"], row["zip"], row["sex"]] += 1
    return found


def database(luck: random.Random) -> tuple[str, list[str]]:
    """Out of one SQLite file and into another, whose bytes are searched."""
    k, rows = luck.randint(2, 5), people(luck, luck.randint(20, 90))
    limit = luck.choice((0, 0.3))
    with closing(sqlite3.connect("in.db")) as source, source:
        source.execute("CREATE TABLE people (who, age INTEGER, zip, sex, ill, mark)")
        cells = [[cell or None for cell in row.values()] for row in rows]
        source.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", cells)

    def wrong() -> Iterator[str]:
        with closing(sqlite3.connect("out.db")) as target:
            sizes = target.execute("SELECT count(*) FROM t GROUP BY age, zip, sex").fetchall()
            left = len(rows) - target.execute("SELECT count(*) FROM t").fetchone()[0]
        if min(sizes)[0] < k:
            yield "a group in the database is smaller than k"
        if left > limit * len(rows) + 1e-9:
            yield "more was left out than allowed"
        if quotes(Path("out.db").read_bytes().decode("latin-1")):
            yield "a page of the database names somebody"
        yield from papers("t", script=False)

    said = typed("anonymize", "sqlite:///in.db", "--table", "people", *asked_of(k), "--identifier",
                 "who", "--max-suppression", limit, "-o", "sqlite:///out.db", "--into", "t",
                 "--json")  # fmt: skip
    return judged(said, wrong, "in.db", "out.db")


def asked_of(k: int) -> tuple[object, ...]:
    """What is asked of plain tables."""
    kinds = ("--kind", "zip=code,age=numeric", "--drop", "mark")
    return ("-k", k, "--quasi", "age,zip,sex", "--sensitive", "ill", *kinds)


def papers(folder: str, *, script: bool = True) -> Iterator[str]:
    """No file names anybody, and verify.py agrees."""
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file() and quotes(path.read_text("utf-8")):
            yield f"{path.name} names somebody"
    if script and verified(Path(folder)):
        yield "its verify.py does not agree"


def verified(folder: Path) -> int:
    """Run verify.py in this process, as a file of its own."""
    names: dict[str, Any] = {"__name__": "verify", "__file__": str(folder / "verify.py")}
    with redirect_stdout(StringIO()):
        exec(compile((folder / "verify.py").read_text("utf-8"), "verify.py", "exec"), names)
        return int(names["main"](folder))


def keep(rows: Rows, name: str) -> None:
    """Write a table."""
    with open(name, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)


def read(name: str) -> Rows:
    """Read a table."""
    with open(name, newline="", encoding="utf-8") as file:
        return [*csv.DictReader(file)]


DOORS: dict[str, Callable[[random.Random], tuple[str, list[str]]]] = {
    "linked": linked,
    "network": network,
    "pseudonyms": pseudonyms,
    "later": later,
    "database": database,
}


def main() -> int:
    """Try the doors that are named, and write down what was found."""
    from measuring import heading

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="?", type=int, default=RELEASES)
    parser.add_argument("--door", choices=DOORS, action="append")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    asked = parser.parse_args()
    path = RESULTS / "soak_doors.json"
    found = json.loads(path.read_text())["results"] if path.exists() else {}
    for door in asked.door or DOORS:
        found[door] = through(door, asked.releases, resume=asked.resume)
        kept = {**heading("soak_doors"), "results": found}
        path.write_text(json.dumps(kept, indent=2) + "\n")
    return 1 if any(one["findings"] for one in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
