"""Releases cut off at random moments: 200 killed, 200 interrupted, each then looked at.

A real ``shoal anonymize`` is stopped anywhere between its start and its end, half of the time
while it writes or just after the folder has its name; half of them with ``--force`` over an older
release. What must be left is a whole release that the ledger counts, or none that it counts (the
older one, whole), and a next run that works, clears up and leaves nothing in the ledger that does
not stand. ``python benchmarks/soak_kills.py 20`` tries 20 of each; ``--resume`` goes on where a run
was stopped.
"""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

TIMES = 200
AT_ONCE = 4
ROWS = 400
LONGEST = 120.0  # seconds that a run may take; a soak shares its machine
AIMS = ("anywhere", "anywhere", "writing", "named")  # of four runs in turn
KEPT = Path(__file__).parent / "results" / "soak_kills.jsonl"
QUASI = ["age", "zip", "sex"]
_house = threading.Lock()  # where the ledger lies is told by the environment, so one at a time


class Place(NamedTuple):
    """The folder of a run, and the inode of the release that was there before it."""

    folder: Path
    older: int | None

    @property
    def named(self) -> bool:
        """Whether the new release has its name."""
        out = self.folder / "out"
        return out.exists() and out.stat().st_ino != self.older

    @property
    def staging(self) -> bool:
        """Whether a temporary folder is there."""
        return any(self.folder.glob(".shoal-*"))


class Cut(NamedTuple):
    """One run that was cut off: how, where it was then, what was left, and what is wrong."""

    over: str
    signal: str
    phase: str
    left: str
    wrong: list[str]


def measure(times: int = TIMES, *, resume: bool = False) -> dict[str, Any]:
    """Cut off so many runs by each signal; count what was left, by the phase they were in."""
    if not resume:
        KEPT.unlink(missing_ok=True)
    # a job in the background is born deaf to Ctrl-C, and so would be its children
    signal.signal(signal.SIGINT, signal.default_int_handler)
    whole = _seconds_of_a_run()
    cuts = [Cut(*json.loads(line)) for line in _kept_lines()]
    wanted = [(sort, number) for number in range(times) for sort in ("SIGKILL", "SIGINT")]
    with ThreadPoolExecutor(AT_ONCE) as pool, KEPT.open("a", encoding="utf-8") as file:
        for cut in pool.map(lambda one: cut_off(*one, whole), wanted[len(cuts) :]):
            cuts.append(cut)
            print(json.dumps(cut), file=file, flush=True)
            if cut.wrong or len(cuts) % 20 == 0:
                print(f"  {len(cuts)}: {cut}", flush=True)
    return summed(cuts)


def _kept_lines() -> list[str]:
    return KEPT.read_text("utf-8").splitlines() if KEPT.exists() else []


def summed(cuts: list[Cut]) -> dict[str, Any]:
    """Count what was left, by signal and phase."""
    found = [f"{c.signal} while {c.phase}, {c.over}: {text}" for c in cuts for text in c.wrong]
    outcomes = Counter((cut.over, cut.signal, cut.phase, cut.left) for cut in cuts)
    return {
        "runs": len(cuts),
        "outcomes": [
            {"over": over, "signal": sort, "phase": phase, "left": left, "runs": n}
            for (over, sort, phase, left), n in sorted(outcomes.items())
        ],
        "findings": len(found),
        "first": found[:5],
    }


def cut_off(sort: str, number: int, whole: float) -> Cut:
    """Start a run, cut it off, look at what is left, and let the next one follow."""
    luck = random.Random(f"{sort} {number}")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_table(folder / "in.csv")
        place = prepare(folder, older=number // len(AIMS) % 2 == 1)
        run = start(folder)
        try:
            wait_for(AIMS[number % len(AIMS)], run, place, luck, whole)
            phase = phase_of(run, place)
            run.send_signal(getattr(signal, sort))
            said = run.communicate(timeout=LONGEST)[1]
        finally:
            run.kill()
        with _house:
            left, wrong = look_at(place, sort, run.returncode, said)
            over = "new" if place.older is None else "over an older one"
            return Cut(over, sort, phase, left, [*wrong, *what_follows(place)])


def prepare(folder: Path, *, older: bool) -> Place:
    """Put a release into the folder that the run is about to replace."""
    if not older:
        return Place(folder, None)
    with _house:
        os.environ["SHOAL_HOME"] = str(folder / "home")
        _release().write(folder / "out", ledger="refuse")
    return Place(folder, (folder / "out").stat().st_ino)


def wait_for(
    aim: str, run: subprocess.Popen[str], place: Place, luck: random.Random, whole: float
) -> None:
    """Wait until the run is where it shall be cut off, and a moment more."""
    if aim == "anywhere":
        time.sleep(luck.uniform(0, whole))
        return
    begun, late = time.monotonic(), luck.uniform(0, 0.3 if aim == "writing" else 0.03)
    mark = "staging" if aim == "writing" else "named"
    while run.poll() is None and not getattr(place, mark) and time.monotonic() < begun + LONGEST:
        time.sleep(0.0005)
    time.sleep(late)


def phase_of(run: subprocess.Popen[str], place: Place) -> str:
    """Tell how far a run has come, by what can be seen from outside."""
    if run.poll() is not None:
        return "over"
    if place.named:
        return "named"
    return "writing" if place.staging else "working"


def look_at(place: Place, sort: str, code: int, said: str) -> tuple[str, list[str]]:
    """What is left of a run that was cut off, and what is wrong with it."""
    wrong: list[str] = []
    stands, before = place.named, place.older is not None
    if (stands or before) and not _verified(place.folder / "out"):
        wrong.append("the release is not whole")
    statuses = [release.status for release in _ledger(place.folder, "releases")][before:]
    if stands and statuses not in (["released"], ["writing"]):
        wrong.append(f"a whole release, and the ledger says {statuses}")
    if not stands and "released" in statuses:
        wrong.append("no release, and the ledger says released")
    if sort == "SIGINT":
        wrong += [] if code in (0, 130) or not said.startswith("Error") else [f"exit code {code}"]
        wrong += ["it stumbled"] if "stumbled" in said else []
        told = "nothing was left behind" in said
        wrong += ["it says that nothing is left"] if stands and told else []
        wrong += ["an interrupted run left its staging"] if place.staging else []
        wrong += ["an interrupted run left its entry open"] if "writing" in statuses else []
    counted = statuses[0] if statuses else "nothing"
    return f"{'a release' if stands else 'no release'}, {counted} in the ledger", wrong


def what_follows(place: Place) -> list[str]:
    """Let the next run follow: what is wrong with it, or with what it leaves behind."""
    from shoal import ShoalError

    folder, stood = place.folder, place.named + (place.older is not None)
    os.environ["SHOAL_HOME"] = str(folder / "home")
    try:
        _release().write(folder / "out", force=True, ledger="refuse")
    except ShoalError as error:
        return [f"the next run fails: {error}"]
    wrong = [] if _verified(folder / "out") else ["the next release is not whole"]
    if sorted(path.name for path in folder.iterdir()) != ["home", "in.csv", "out"]:
        wrong.append("the next run does not clear up")
    counted = len(_ledger(folder, "standing")) - 1
    if counted != stood:
        wrong.append(f"after the next run the ledger counts {counted} earlier ones, not {stood}")
    return wrong


def start(folder: Path) -> subprocess.Popen[str]:
    """Start a run in a house of its own."""
    line = ["anonymize", str(folder / "in.csv"), "-k", "5", "--quasi", ",".join(QUASI)]
    line += [
        "--sensitive",
        "ill",
        "-o",
        str(folder / "out"),
        "--ledger",
        "refuse",
        "--json",
        "--force",
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "shoal", *line],
        env={**os.environ, "SHOAL_HOME": str(folder / "home")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def write_table(path: Path) -> None:
    """Write the table that all of them release."""
    luck = random.Random(1)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*QUASI, "ill"])
        for _ in range(ROWS):
            zips, ills = ("8010", "8020", "1190", "1010"), ("flu", "cold", "asthma", "none")
            writer.writerow(
                [luck.randint(18, 90), luck.choice(zips), luck.choice("fm"), luck.choice(ills)]
            )


def _release() -> Any:
    """The same release, made in this process: only its writing is of interest."""
    if not _made:
        from shoal import Anonymizer, KAnonymity, Roles, read_table

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "in.csv"
            write_table(path)
            table = read_table(path, roles=Roles(quasi_identifiers=QUASI, sensitive="ill"))
            _made.append(Anonymizer(privacy=KAnonymity(5)).fit(table).release_)
    return _made[0]


_made: list[Any] = []


def _seconds_of_a_run() -> float:
    """How long a run takes that is left alone, as busy as the machine is."""
    _release()
    with tempfile.TemporaryDirectory() as made:
        write_table(Path(made) / "in.csv")
        began = time.monotonic()
        if start(Path(made)).wait(timeout=LONGEST):
            raise RuntimeError("A run that is left alone fails.")
        return time.monotonic() - began


def _ledger(folder: Path, asked: str) -> list[Any]:
    """Ask the ledger of a house for its releases."""
    from shoal.ledger import Ledger

    os.environ["SHOAL_HOME"] = str(folder / "home")
    if not (folder / "home" / "ledger.journal").exists():
        return []
    with Ledger.open() as ledger:
        found: list[Any] = getattr(ledger, asked)()
        return found


def _verified(out: Path) -> bool:
    done = subprocess.run([sys.executable, out / "verify.py"], capture_output=True, check=False)
    return done.returncode == 0


def main(times: int, *, resume: bool) -> None:
    """Cut off so many runs by each signal and write down what was found."""
    from measuring import heading

    found = {**heading("soak_kills"), "results": measure(times, resume=resume)}
    path = Path(__file__).parent / "results" / "soak_kills.json"
    path.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    main(*numbers or [TIMES], resume="--resume" in sys.argv)
