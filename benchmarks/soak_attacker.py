"""Random tables released under random options, and everything public about them doubted.

The recount below is plain Python over ``data.csv`` and shares no line with Shoal: groups, l, t,
widths, grids, claims, and the bound. A finding is whatever does not hold, a crash, or something
left behind by a refusal. ``python benchmarks/soak_attacker.py 300`` tries 300 tables.
"""

from __future__ import annotations

import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

RELEASES = 10_000
STEP_BY_STEP = 25  # every so many releases its verify.py is run as well
QUASI = ("age", "income", "zip", "sex")
Rows = list[dict[str, str]]


class Attempt(NamedTuple):
    """A table, and what is asked of its release."""

    rows: Rows
    quasi: list[str]
    asked: dict[str, Any]
    words: list[str]


def measure(releases: int = RELEASES) -> dict[str, Any]:
    """Release until so many tables left the house; count what was found wrong with them."""
    found: list[str] = []
    outcomes: Counter[str] = Counter()
    seed, begun = 0, time.perf_counter()
    while outcomes["released"] < releases:
        with tempfile.TemporaryDirectory() as folder:
            outcome, wrong = attack(seed, Path(folder), look=seed % STEP_BY_STEP == 0)
        outcomes[outcome] += 1
        found += [f"seed {seed}: {sentence}" for sentence in wrong]
        seed += 1
        if seed % 100 == 0:
            print(f"  {dict(outcomes)}, {len(found)} findings", *found[-1:], flush=True)
    seconds = time.perf_counter() - begun
    return {
        "tables": seed,
        **outcomes,
        "findings": len(found),
        "first": found[:5],
        "releases_per_second": round(outcomes["released"] / seconds, 2),
    }


def attack(seed: int, folder: Path, *, look: bool) -> tuple[str, list[str]]:
    """Release one table and doubt what came out: the outcome, and all that is wrong."""
    attempt = draw(seed)
    with (folder / "in.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*attempt.rows[0]])
        writer.writeheader()
        writer.writerows(attempt.rows)
    code, said, complaint = type_in(folder, attempt.words)
    out = folder / "out"
    if code in (1, 2):
        left = sorted(path.name for path in folder.iterdir() if path.name not in ("in.csv", "home"))
        wrong = ["a refusal left something behind"] if left else []
        wrong += ["a refusal without a sentence"] if not complaint.startswith("Error: ") else []
        wrong += ["it stumbled over itself"] if "stumbled" in complaint else []
        return "refused", wrong
    if code != 0:
        return "crashed", [f"exit code {code}"]
    wrong = list(doubts(attempt, json.loads(said), out))
    if look:
        done = subprocess.run([sys.executable, out / "verify.py"], capture_output=True, check=False)
        wrong += [] if done.returncode == 0 else ["its verify.py does not agree"]
    return "released", wrong


def type_in(folder: Path, words: list[str]) -> tuple[int, str, str]:
    """Type a command, in a house of its own."""
    from shoal.cli import run

    os.environ["SHOAL_HOME"] = str(folder / "home")
    out, err = io.StringIO(), io.StringIO()
    line = ["anonymize", str(folder / "in.csv"), *words, "-o", str(folder / "out"), "--json"]
    with redirect_stdout(out), redirect_stderr(err):
        code = run(line)
    return code, out.getvalue(), err.getvalue()


def draw(seed: int) -> Attempt:
    """A table of people, most of it skewed, some of it missing, and something to ask for."""
    luck = random.Random(seed)
    n = luck.randint(12, 120)
    wide = luck.choice((5, 40, 90))
    base = luck.choice((0, 0, 10**17, 10**30))
    digits = luck.choice((0, 1, 2))
    rows = [
        {
            "who": f"p{luck.randint(0, n)}",
            "age": str(base + luck.randint(0, wide)),
            "income": "" if luck.random() < 0.05 else f"{luck.expovariate(0.03):.{digits}f}",
            "zip": luck.choice(("8010", "8011", "8020", "8045", "1190", "1010", "0190")),
            "sex": luck.choice(("f", "f", "m", "")),
            "ill": luck.choice(("flu", "flu", "flu", "cold", "asthma", "none", "")),
        }
        for _ in range(n)
    ]  # fmt: skip
    quasi = luck.sample(QUASI, luck.randint(1, 4))
    asked: dict[str, Any] = {"k": luck.randint(2, 6), "suppression": luck.choice((0, 0, 0.1, 0.4))}
    asked["l"] = luck.choice((None, None, 2))
    asked["t"] = luck.choice((None, None, None, 0.5))
    asked["limits"] = {q: luck.choice((0, 3, 10, 30)) for q in quasi if luck.random() < 0.25}
    asked["grid"] = {
        q: luck.choice((5, 10)) for q in quasi if q in QUASI[:2] and luck.random() < 0.25
    }
    asked["person"] = luck.random() < 0.2
    asked["preset"] = luck.choice((None, None, None, None, "internal", "partner", "public"))
    asked["method"] = luck.choice(("auto", "auto", "sangreea", "mondrian"))
    asked["weights"] = {q: luck.choice((0, 0.5, 2)) for q in quasi[1:] if luck.random() < 0.2}
    if asked["preset"]:
        asked["k"] = max(asked["k"], {"internal": 3, "partner": 5, "public": 11}[asked["preset"]])
    return Attempt(rows, quasi, asked, _words(quasi, asked))


def _words(quasi: list[str], asked: dict[str, Any]) -> list[str]:
    kinds = {"age": "numeric", "income": "numeric", "zip": "code", "sex": "nominal"}
    words = ["-k", str(asked["k"]), "--quasi", ",".join(quasi), "--sensitive", "ill"]
    words += ["--kind", ",".join(f"{q}={kinds[q]}" for q in quasi), "--method", asked["method"]]
    words += ["--max-suppression", str(asked["suppression"]), "--missing", ""]
    words += ["--person", "who"] if asked["person"] else ["--identifier", "who"]
    for name in ("l", "t", "preset"):
        words += [f"--{name}", str(asked[name])] if asked[name] else []
    for name, option in (("limits", "--limit"), ("grid", "--grid"), ("weights", "--weights")):
        pairs = ",".join(f"{q}={value}" for q, value in asked[name].items())
        words += [option, pairs] if pairs else []
    return words


def doubts(attempt: Attempt, said: dict[str, Any], out: Path) -> Iterator[str]:
    """Everything about a release that does not hold, counted from what its reader gets."""
    with (out / "data.csv").open(newline="", encoding="utf-8") as file:
        released = list(csv.DictReader(file))
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    groups: dict[tuple[str, ...], Rows] = defaultdict(list)
    for row in released:
        groups[tuple(row[q] for q in attempt.quasi)].append(row)
    yield from _of_groups(attempt.asked, groups, released)
    yield from _of_cells(attempt, released)
    yield from _of_papers(attempt, said, manifest, groups, released)


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
    claims = {c["measure"]: c for c in manifest["holds"]}
    if "k" not in claims or claims["k"]["asked"] < attempt.asked["k"]:
        yield "the manifest claims no k, or less than was asked"
    if not attempt.asked["person"] and (claims["k"]["recounted"], said["k"]) != (smallest,) * 2:
        yield "k is told otherwise than it is"
    if any(claim["holds"] is not True for claim in manifest["holds"]):
        yield "something is claimed that does not hold"


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


def _ends(cell: str) -> tuple[Fraction, Fraction]:
    low, high = (Fraction(end) for end in (cell.strip("[]").split(", ") * 2)[:2])
    return low, high


def main(releases: int) -> None:
    """Attack so many releases and write down what was found."""
    from measuring import heading

    found = {**heading("soak_attacker"), "results": measure(releases)}
    path = Path(__file__).parent / "results" / "soak_attacker.json"
    path.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else RELEASES)
