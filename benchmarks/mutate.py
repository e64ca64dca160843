"""Do the tests notice a fault? Small faults are put into a copy of the code, one at a time.

``python benchmarks/mutate.py`` tries the twenty named faults; ``... verifier --sample 20`` tries
twenty of all small changes to that package, drawn by ``--seed``; ``... all`` tries every package.
A fault that no test notices is printed with its place.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measuring import heading
from named_mutants import NAMED, Fault

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
RESULTS = Path(__file__).parent / "results" / "mutate.json"
PATIENCE = 900  # seconds; a fault that makes the tests run forever is noticed

PACKAGES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "verifier": (
        ("verifier",),
        (
            "tests/verifier",
            "tests/release/test_verify_script.py",
            "tests/privacy/test_golden_whole.py",
        ),
    ),
    "gate": (("release",), ("tests/release",)),
    "privacy": (("privacy",), ("tests/privacy",)),
    "ledger": (("ledger", "audit"), ("tests/ledger", "tests/audit")),
}

OTHER_WAY = {
    ast.GtE: ">", ast.Gt: ">=", ast.LtE: "<", ast.Lt: "<=", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.And: "or", ast.Or: "and", ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*",
    ast.FloorDiv: "*",
}  # fmt: skip
SWAPPED = {"min": "max", "max": "min", "all": "any", "any": "all"}


def main() -> int:
    """Try what the command line names; return 1 if a fault went unnoticed."""
    asked = _arguments()
    survivors: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        copy = Path(folder)
        for part in ("src", "tests"):  # with the compiled kernels, whose times are kept
            shutil.copytree(ROOT / part, copy / part)
        for part in ("pyproject.toml", "conftest.py"):
            shutil.copy2(ROOT / part, copy / part)
        found = json.loads(RESULTS.read_text())["results"] if RESULTS.exists() else {}
        for name in asked.packages:
            faults = list(NAMED) if name == "named" else _sampled(name, asked)
            found[name] = _try(name, faults, copy, survivors)
            RESULTS.write_text(json.dumps({**heading("mutate"), "results": found}, indent=2) + "\n")
    return 1 if survivors else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=["named"])
    parser.add_argument("--sample", type=int, default=0, help="so many of each package; 0 is all")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.packages == ["all"]:
        asked.packages = ["named", *PACKAGES]
    if unknown := {*asked.packages} - {"named", *PACKAGES}:
        parser.error(f"There is no package {min(unknown)!r}; there are {', '.join(PACKAGES)}.")
    return asked


def _try(name: str, faults: list[Fault], copy: Path, survivors: list[str]) -> dict[str, Any]:
    unnoticed = []
    begun = time.perf_counter()
    for tests in dict.fromkeys(fault.tests for fault in faults):
        if not _tests_pass(tests, copy):  # else every fault would seem to be noticed
            raise SystemExit(f"Without any fault these fail: {' '.join(tests)}")
    for number, fault in enumerate(faults):
        noticed = killed(fault, copy)
        line = f"{fault.file}: {fault.name}"
        unnoticed += [] if noticed else [line]
        print(f"  {name} {number + 1}/{len(faults)} {'noticed' if noticed else 'UNNOTICED'} {line}",
              flush=True)  # fmt: skip
    survivors += unnoticed
    return {
        "tried": len(faults),
        "noticed": len(faults) - len(unnoticed),
        "unnoticed": unnoticed,
        "minutes": round((time.perf_counter() - begun) / 60, 1),
    }


def killed(fault: Fault, copy: Path) -> bool:
    """Put one fault into the copy, run its tests there, and take it out again."""
    path = place_of(fault, copy / "src" / "shoal")
    before, times = path.read_text(encoding="utf-8"), path.stat()
    try:
        path.write_text(before.replace(fault.old, fault.new), encoding="utf-8")
        return not _tests_pass(fault.tests, copy)
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def place_of(fault: Fault, source: Path) -> Path:
    """Find the one file that says what a fault changes."""
    files = _files(source / fault.file)
    found = [path for path in files if fault.old in path.read_text(encoding="utf-8")]
    if len(found) != 1:
        raise LookupError(f"{fault.name}: {len(found)} files say what it changes.")
    return found[0]


def _tests_pass(tests: tuple[str, ...], copy: Path) -> bool:
    """Run tests against the copy; what runs into time is a failure."""
    data = os.environ.get("SHOAL_DATA", str(ROOT.parent / "shared" / "data"))
    here = {"PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1", "SHOAL_DATA": data}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=copy,
            env={**os.environ, **here},
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode not in (0, 1, 2):
        raise SystemExit(done.stdout.decode()[-2000:])
    return done.returncode == 0


def _sampled(name: str, asked: argparse.Namespace) -> list[Fault]:
    """Draw some of all faults of a package."""
    places, tests = PACKAGES[name]
    files = [p for place in places for p in _files(SOURCE / "shoal" / place)]
    faults = [fault for path in files for fault in small_changes(path, tests)]
    random.Random(asked.seed).shuffle(faults)
    return faults[: asked.sample or None]


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


def small_changes(path: Path, tests: tuple[str, ...]) -> Iterator[Fault]:
    """All small changes to a file: comparisons, signs, numbers, conditions, refusals."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    raw = source.encode()
    file = str(path.relative_to(SOURCE / "shoal"))
    for node in ast.walk(ast.parse(source)):
        for begin, end, new in _changes(node, raw, starts):
            old = raw[begin:end].decode()
            if old == new:
                continue
            line = raw[:begin].count(b"\n")
            text = (raw[:begin] + new.encode() + raw[end:]).decode()
            if _parses(text):
                yield Fault(f"line {line + 1}: {old!r} -> {new!r}", file, source, text, tests)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _changes(node: ast.AST, raw: bytes, starts: list[int]) -> Iterator[tuple[int, int, str]]:
    def span(part: Any) -> tuple[int, int]:
        return (
            starts[part.lineno - 1] + part.col_offset,
            starts[part.end_lineno - 1] + part.end_col_offset,
        )

    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _operator(raw, span(node.left)[1], span(node.comparators[0])[0], node.ops[0])
    elif isinstance(node, ast.BoolOp):
        yield from _operator(raw, span(node.values[0])[1], span(node.values[1])[0], node.op)
    elif isinstance(node, ast.BinOp):
        yield from _operator(raw, span(node.left)[1], span(node.right)[0], node.op)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        begin, end = span(node)
        yield begin, begin + len("not "), ""
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        value = not node.value if type(node.value) is bool else node.value + 1
        yield (*span(node), repr(value))
    elif isinstance(node, ast.Raise):
        yield (*span(node), "pass")
    elif isinstance(node, ast.Name) and node.id in SWAPPED:
        yield (*span(node), SWAPPED[node.id])
    elif isinstance(node, ast.If):
        yield (*span(node.test), "False")
        yield (*span(node.test), "True")


def _operator(raw: bytes, begin: int, end: int, op: ast.AST) -> Iterator[tuple[int, int, str]]:
    """Turn an operator the other way; what stands around it (spaces, brackets) stays."""
    new = OTHER_WAY.get(type(op))
    between = raw[begin:end].decode()
    word = between.strip("() \n\t")
    if new and word and "#" not in between:
        at = begin + between.encode().index(word.encode())
        yield at, at + len(word.encode()), new


if __name__ == "__main__":
    sys.exit(main())
