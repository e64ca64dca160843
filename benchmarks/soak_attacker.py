"""Random tables released under random options, and everything public about them doubted.

`soak_doubts` counts again, and shares no line with Shoal. A finding is whatever does not hold, a
crash, or something left behind by a refusal. ``python benchmarks/soak_attacker.py 300`` tries
tables until 300 were released; ``--resume`` goes on where a run was stopped, and runs with
different ``--lane`` (``1/2``, ``2/2``) work side by side. ``--engine spark`` releases on Spark, in
fragments of random sizes.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import AbstractContextManager, nullcontext, redirect_stderr, redirect_stdout
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from soak_doubts import NAMES, Attempt, doubts

RELEASES = 10_000
STEP_BY_STEP = 25  # every so many releases its verify.py is run as well
QUASI = ("age", "income", "zip", "sex")
RESULTS = Path(__file__).parent / "results"
OTHER_MODELS = {"entropy-l": (1.5, 2), "alpha": (0.6, 0.9), "basic-beta": (1, 3)}
OTHER_WAYS = (
    [["--effort", "quick"], ["--effort", "thorough", "--steps", "300"], ["--no-refine"]],
    [["--prove"], ["--no-bound"]],
    [["--loss", "leaves"], ["--loss", "people"], ["--loss", "height"]],
    [["--language", "de"]],
)


def measure(
    releases: int = RELEASES,
    lane: tuple[int, int] = (1, 1),
    *,
    resume: bool = False,
    engine: str = "local",
) -> dict[str, Any]:
    """Release until so many tables left the house; count what was found wrong with them."""
    kept = RESULTS / f"{_name(engine)}-{lane[0]}-of-{lane[1]}.jsonl"
    if not resume:
        kept.unlink(missing_ok=True)
    done = len(_tried(kept))
    share = -(-releases // lane[1])
    released = sum(outcome == "released" for outcome, *_ in _tried(kept))
    with kept.open("a", encoding="utf-8") as file:
        while released < share:
            begun, seed = time.perf_counter(), done * lane[1] + lane[0] - 1
            with tempfile.TemporaryDirectory() as folder:
                look = seed % STEP_BY_STEP == 0
                outcome, wrong = attack(seed, Path(folder), look=look, engine=engine)
            seconds = round(time.perf_counter() - begun, 4)
            print(json.dumps([outcome, wrong, seed, seconds]), file=file, flush=True)
            done, released = done + 1, released + (outcome == "released")
            if wrong or done % 100 == 0:
                print(f"  {done} tables, {released} releases", *wrong, flush=True)
    return summed([line for path in RESULTS.glob(kept.name.replace(f"-{lane[0]}-", "-*-"))
                   for line in _tried(path)])  # fmt: skip


def _name(engine: str) -> str:
    return "soak_attacker" if engine == "local" else f"soak_attacker_{engine}"


def _tried(kept: Path) -> list[tuple[str, list[str], int, float]]:
    """Read what a run has tried: of each table outcome, findings, seed and seconds."""
    lines = kept.read_text("utf-8").splitlines() if kept.exists() else []
    return [(*json.loads(line),) for line in lines]


def summed(tried: list[tuple[str, list[str], int, float]]) -> dict[str, Any]:
    """Add up what all lanes found."""
    outcomes = Counter(outcome for outcome, *_ in tried)
    found = [f"seed {seed}: {text}" for _, wrong, seed, _ in tried for text in wrong]
    seconds = sum(spent for *_, spent in tried)
    return {
        "tables": len(tried),
        **outcomes,
        "findings": len(found),
        "first": found[:5],
        "releases_per_second": round(outcomes["released"] / seconds, 2),
    }


def attack(seed: int, folder: Path, *, look: bool, engine: str = "local") -> tuple[str, list[str]]:
    """Release one table and doubt what came out: the outcome, and all that is wrong."""
    attempt = draw(seed) if engine == "local" else draw_for_spark(seed)
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
    """Draw what to try: a table, and what is asked of it."""
    return draw_more(seed, draw_plain(seed))


def draw_plain(seed: int) -> Attempt:
    """A table of people, most of it skewed, some of it missing, and something to ask for."""
    luck = random.Random(seed)
    n = luck.randint(12, 120)
    wide = luck.choice((5, 40, 90))
    base = luck.choice((0, 0, 10**17, 10**30))
    digits = luck.choice((0, 1, 2))
    rows = [
        {
            "who": f"{NAMES}{luck.randint(0, n)}",
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


def draw_more(seed: int, attempt: Attempt) -> Attempt:
    """Ask of some tables what came later: dates, searches, proofs, other models, other words."""
    luck = random.Random(f"more {seed}")
    rows, quasi, asked, words = attempt
    often = 0.3 if len(rows) % 2 else 0.0  # half of all tables are as they ever were
    if luck.random() < often:
        first, days = date(1940, 1, 1), luck.choice((40, 900, 20_000))
        born = [first + timedelta(luck.randint(0, days)) for _ in rows]
        rows = [{**row, "born": str(day)} for row, day in zip(rows, born, strict=True)]
        quasi, words = [*quasi, "born"], [*words, "--quasi", "born", "--kind", "born=date"]
        words += luck.choice(([], ["--hierarchy", "born=calendar"]))
    for name, values in OTHER_MODELS.items():
        if luck.random() < often / 3:
            asked = {**asked, name: luck.choice(values)}
            words = [*words, f"--{name}", str(asked[name])]
    for more in OTHER_WAYS:
        words = [*words, *luck.choice(more)] if luck.random() < often else words
    return Attempt(rows, quasi, asked, words)


def draw_for_spark(seed: int) -> Attempt:
    """Ask the same of Spark, where rows count and not people, in fragments that must be cut."""
    attempt = draw_plain(seed)
    asked = {**attempt.asked, "person": False}
    fragments = str(random.Random(seed).choice((25, 60, 250_000)))
    words = [*_words(attempt.quasi, asked), "--engine", "spark", "--rows-per-fragment", fragments]
    return attempt._replace(asked=asked, words=words)


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


def main() -> None:
    """Attack so many releases and write down what was found."""
    from measuring import heading

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="?", type=int, default=RELEASES)
    parser.add_argument("--lane", default="1/1", help="which of how many runs side by side this is")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    parser.add_argument("--engine", choices=("local", "spark"), default="local")
    asked = parser.parse_args()
    number, lanes = map(int, asked.lane.split("/"))
    with _session() if asked.engine == "spark" else nullcontext():
        found = measure(asked.releases, (number, lanes), resume=asked.resume, engine=asked.engine)
    name = _name(asked.engine)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps({**heading(name), "results": found}, indent=2) + "\n")


def _session() -> AbstractContextManager[Any]:
    from shoal.spark import spark_session

    return spark_session("local[1]", {"spark.sql.shuffle.partitions": "2"})


if __name__ == "__main__":
    main()
