"""The twenty faults that the tests must notice by name, each as a change to one file."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

PATIENCE = 900  # seconds; a fault that makes the tests run forever is noticed


class Fault(NamedTuple):
    """Text to replace in a file or package of ``src/shoal``, and the tests that must fail then."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


RECOUNT, VERIFY = ("tests/verifier/test_recount.py",), ("tests/verifier/test_verify.py",)
WRITE, STAGING = (
    ("tests/release/test_release_write.py",),
    ("tests/release/test_release_staging.py",),
)
LEAKS = ("tests/release/test_release_leaks.py",)

NAMED = (
    Fault("M1 k must be exceeded", "verifier", "counted.k >= claim.bound",
          "counted.k > claim.bound", VERIFY),
    Fault("M2 the last group is skipped", "verifier", "min(size) FROM groups",
          "min(size) FROM groups WHERE g < (SELECT max(g) FROM groups)", RECOUNT),
    Fault("M3 the group of the missing is dropped", "verifier",
          "w.{key} IS NOT DISTINCT FROM groups.{key}", "w.{key} = groups.{key}", RECOUNT),
    Fault("M4 counted before suppression", "recoding",
          "shown if kept.all() else shown.take(np.flatnonzero(kept))", "shown",
          ("tests/recoding",)),
    Fault("M5 counted on the input", "recoding",
          "told[name] if name in told else known[name]",
          "known[name]", ("tests/recoding",)),
    Fault("M6 one quasi-identifier is ignored", "verifier",
          'keys = [f"q{i}" for i in range(len(quasi_identifiers))]',
          'keys = [f"q{i}" for i in range(max(1, len(quasi_identifiers) - 1))]', RECOUNT),
    Fault("M7 weight 0 removes a quasi-identifier", "spaces",
          "    for column, tree, arrangement in zip(columns, trees, arranged, strict=True):\n",
          "    for column, tree, arrangement in zip(columns, trees, arranged, strict=True):\n"
          "        if (weights or {}).get(column.name) == 0:\n            continue\n",
          ("tests/test_anonymizer.py::test_weight_zero_is_still_generalized_and_counted",)),
    Fault("M8 the average group instead of the smallest", "verifier",
          "min(size) FROM groups", "CAST(avg(size) AS BIGINT) FROM groups", RECOUNT),
    Fault("M9 recursive diversity sorts upwards", "verifier", "ORDER BY c DESC, v",
          "ORDER BY c, v", RECOUNT),
    Fault("M10 entropy cut to a whole number", "verifier",
          "min(math.exp(entropy(counts)) for", "min(int(math.exp(entropy(counts))) for", RECOUNT),
    Fault("M11 ends of intervals off the grid", "spaces",
          "spaces.append(lay(column, limit, step))",
          "spaces.append(_interval_space(column, limit))", ("tests/spaces",)),
    Fault("M12 the position in the input is kept", "release",
          "CodedFrame(dict(zip(coded.columns, ordered, strict=True)), coded.height)",
          'CodedFrame({"i": pl.Series(rows), **dict(zip(coded.columns, ordered))}, coded.height)',
          LEAKS + WRITE),
    Fault("M13 the order of the input is kept", "release",
          "pl.arg_sort_by(words.columns, maintain_order=True)", "pl.int_range(pl.len())",
          LEAKS + WRITE),
    Fault("M14 the seed is fixed", "_random.py",
          "return Generator(PCG64DXSM(_SystemEntropy()))", "return Generator(PCG64DXSM(7))",
          ("tests/datasets/test_random_streams.py", "tests/quantize/test_quantize_release.py")),
    Fault("M15 nothing is shuffled", "kernels/quantize",
          "k = min(np.int64(draws[rows[i], at] * (i + 1)), i)", "k = i",
          ("tests/quantize/test_quantize_kernels.py",)),
    Fault("M16 fewer than k left over are a group", "grouping",
          "        if failing.any():\n", "        if failing.sum() > 1:\n",
          ("tests/grouping/test_problem.py",)),
    Fault("M17 who is left over is dropped in silence", "grouping",
          'object.__setattr__(self, "budget", int(limit * self.table.n_rows))',
          'object.__setattr__(self, "budget", self.table.n_rows)',
          ("tests/grouping/test_problem.py", "tests/grouping/test_grouper_conformance.py")),
    Fault("M18 the verdict on the written file is ignored", "release",
          "if not verification.holds:", "if False:", WRITE),
    Fault("M19 the name before the bytes are on disk", "release",
          "        file.flush()\n        os.fsync(file.fileno())\n", "", STAGING),
    Fault("M20 an error quotes a cell", "table",
          "{what}: {count:,}, ", "{what}: {count:,} like {distinct.texts[int(bad.argmax())]}, ",
          ("tests/table/test_bad_inputs.py",)),
)  # fmt: skip


def is_noticed(fault: Fault, copy: Path) -> bool:
    """Put a fault into the copy, run its tests there, and take it out again."""
    if not _pass_without_fault(fault.tests, copy):  # else every fault would seem to be noticed
        raise SystemExit(f"Without any fault these fail: {' '.join(fault.tests)}")
    path = place_of(fault, copy / "src" / "shoal")
    before, times = path.read_text(encoding="utf-8"), path.stat()
    try:
        path.write_text(before.replace(fault.old, fault.new), encoding="utf-8")
        noticed = not _tests_pass(fault.tests, copy)
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    print(f"  {'noticed' if noticed else 'UNNOTICED'} {fault.file}: {fault.name}", flush=True)
    return noticed


def place_of(fault: Fault, source: Path) -> Path:
    """Find the one file that says what a fault changes."""
    files = files_at(source / fault.file)
    found = [path for path in files if fault.old in path.read_text(encoding="utf-8")]
    if len(found) != 1:
        raise LookupError(f"{fault.name}: {len(found)} files say what it changes.")
    return found[0]


def files_at(place: Path) -> list[Path]:
    """The Python files of a package, or the one that is named."""
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


@cache
def _pass_without_fault(tests: tuple[str, ...], copy: Path) -> bool:
    return _tests_pass(tests, copy)


def _tests_pass(tests: tuple[str, ...], copy: Path) -> bool:
    """Run tests against the copy; what runs into time is a failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=copy, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode not in (0, 1, 2):
        raise SystemExit(done.stdout.decode()[-2000:])
    return done.returncode == 0
