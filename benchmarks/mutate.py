"""Do the tests notice a fault? Small faults are put into a copy of the code, one at a time.

``python benchmarks/mutate.py`` tries the twenty named faults and the small changes of every
package: all of the verifier and of the gate, a sample of the rest, drawn by ``--seed``.
``... verifier --only _claims.py`` tries one file; ``--resume`` passes over what was noticed before,
and packages may be tried side by side, lanes of one (``--lane 1/3``) too, before a run with
``--resume`` sums them up. What no test notices is printed with its place;
``mutate_equivalent.toml`` names those that change nothing that could be noticed, and says why.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from measuring import heading
from mutants import Mutant, small_changes
from mutation_copy import copied
from mutation_lab import try_all
from named_mutants import NAMED, files_at, is_noticed

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "shoal"
RESULTS = Path(__file__).parent / "results" / "mutate.json"
EQUIVALENT = Path(__file__).parent / "mutate_equivalent.toml"

ALL, SAMPLE = None, 160


class Package(NamedTuple):
    """Files that are changed, the tests that must notice, and how many changes are drawn."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    most: int | None


PACKAGES = {
    "verifier": Package(
        ("verifier",),
        ("tests/verifier", "tests/graphs/test_network_release.py", "src/shoal/verifier"),
        ALL,
    ),
    "gate": Package(
        ("release/_writer.py", "release/_manifest.py", "privacy/_base.py",
         "privacy/_check.py", "privacy/_claims.py", "release/_write_back.py",
         "release/targets/_recount.py", "web/_gate.py"),
        ("tests/release/test_gate.py", "tests/release/test_release_writer.py",
         "tests/privacy/test_privacy_models.py", "tests/privacy/test_verdict_data.py",
         "tests/release/test_write_back_parts.py", "tests/release/test_write_back.py",
         "tests/web/test_gate_page.py",
         "src/shoal/release/_manifest.py", "src/shoal/release/targets/_recount.py",
         "src/shoal/privacy"),
        ALL,
    ),
    "privacy": Package(("privacy",), ("tests/privacy", "src/shoal/privacy"), SAMPLE),
    "ledger": Package(
        ("ledger", "audit"),
        ("tests/ledger", "tests/audit", "src/shoal/ledger", "src/shoal/audit"),
        SAMPLE,
    ),
}  # fmt: skip


def main() -> int:
    """Try what the command line names; return 1 if a fault went unnoticed."""
    asked = _arguments()
    if len(asked.packages) > 1:  # each in a process of its own
        again = [sys.executable, __file__, "--seed", str(asked.seed)]
        again += ["--resume"] if asked.resume else []
        again += ["--most", str(asked.most)] if asked.most else []
        return max(subprocess.call([*again, name]) for name in asked.packages)
    (name,) = asked.packages
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        copy = copied(ROOT, Path(folder).resolve())
        found = _named(asked, copy) if name == "named" else _small(name, asked, copy)
    if not asked.only and asked.lane == "1/1":  # a part alone says nothing of the whole
        _keep(name, found)
    return 1 if found["unnoticed"] else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=["named", *PACKAGES])
    parser.add_argument("--only", default="", help="a part of a file's name: try its changes alone")
    parser.add_argument("--resume", action="store_true", help="pass over what was noticed before")
    parser.add_argument("--lane", default="1/1", help="which of how many runs side by side this is")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, help="draw so many changes, where not all are tried")
    asked = parser.parse_args()
    if unknown := {*asked.packages} - {"named", *PACKAGES}:
        parser.error(f"There is no package {min(unknown)!r}; there are {', '.join(PACKAGES)}.")
    return asked


def _named(asked: argparse.Namespace, copy: Path) -> dict[str, Any]:
    """Try the named faults."""
    drawn = [fault for fault in NAMED if fault.name.startswith(asked.only)]
    begun, unnoticed = time.perf_counter(), []
    with _noted("named", asked) as noted:
        left = [fault for fault in drawn if _mark(*fault[:4]) not in noted.before]
        for fault in left:
            if is_noticed(fault, copy):
                noted.note(_mark(*fault[:4]))
            else:
                unnoticed.append(fault.name)
    each = (time.perf_counter() - begun) / max(1, len(left))
    return _finding(len(drawn), unnoticed, 0, each, len(NAMED))


def _small(name: str, asked: argparse.Namespace, copy: Path) -> dict[str, Any]:
    """Try the small changes of a package."""
    known = equivalents()
    lane, lanes = map(int, asked.lane.split("/"))
    drawn = chosen(name, asked.seed, asked.only, asked.most)[lane - 1 :: lanes]
    tried = [mutant for mutant in drawn if str(mutant) not in known]
    with _noted(name, asked) as noted:
        left = [m for m in tried if _mark(m.file, m.around) not in noted.before]
        unnoticed, seconds = try_all(
            left, copy, PACKAGES[name].tests, lambda m: noted.note(_mark(m.file, m.around))
        )
    each, all_there_are = seconds / max(1, len(left)), len(changes_of(name))
    passed_over = len(drawn) - len(tried)
    return _finding(len(tried), [*map(str, unnoticed)], passed_over, each, all_there_are)


def chosen(name: str, seed: int = 0, only: str = "", most: int | None = None) -> list[Mutant]:
    """Draw the small changes of a package that are to be tried."""
    mutants = changes_of(name)
    mutants.sort(key=lambda mutant: _mark(str(seed), str(mutant)))  # as before, if others change
    few = PACKAGES[name].most and (most or PACKAGES[name].most)
    return [mutant for mutant in mutants[:few] if only in mutant.file]


def changes_of(name: str, only: Container[str] | None = None) -> list[Mutant]:
    """List all small changes of a package, or those ``only`` that are named."""
    files = [path for place in PACKAGES[name].files for path in files_at(SOURCE / place)]
    return [m for path in files for m in small_changes(path, str(path.relative_to(SOURCE)), only)]


def equivalents() -> dict[str, str]:
    """Read the changes that change nothing one could notice, each with its reason."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {entry["change"]: entry["reason"] for entry in listed}


class Noted(NamedTuple):
    """Marks of the changes that were noticed before, and the file that takes more of them."""

    before: set[str]
    file: IO[str]

    def note(self, mark: str) -> None:
        """Keep a mark for a run that resumes this one."""
        print(mark, file=self.file, flush=True)


@contextmanager
def _noted(name: str, asked: argparse.Namespace) -> Iterator[Noted]:
    path = RESULTS.with_name(f"mutate-{name}.jsonl")
    before = {*path.read_text().split()} if asked.resume and path.exists() else set()
    whole = not asked.only and asked.lane == "1/1"
    with path.open("w" if whole and not asked.resume else "a") as file:
        yield Noted(before, file)


def _mark(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _finding(
    tried: int, unnoticed: list[str], equivalent: int, each: float, possible: int
) -> dict[str, Any]:
    return {
        "possible": possible,
        "tried": tried,
        "noticed": tried - len(unnoticed),
        "unnoticed": unnoticed,
        "equivalent": equivalent,
        "seconds_each": round(each, 1),
    }


def _keep(name: str, found: dict[str, Any]) -> None:
    with RESULTS.with_name("mutate.jsonl").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # packages may be tried side by side
        kept = json.loads(RESULTS.read_text())["results"] if RESULTS.exists() else {}
        kept[name] = found
        results = {name: kept[name] for name in ("named", *PACKAGES) if name in kept}
        RESULTS.write_text(json.dumps({**heading("mutate"), "results": results}, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
