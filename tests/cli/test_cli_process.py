"""``shoal`` as a process of its own: how fast it starts, and how it stops."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shoal import __version__
from shoal.datasets import people

SHOAL = [sys.executable, "-m", "shoal"]
HEAVY = ("numpy", "numba", "polars", "duckdb", "pyarrow", "sklearn", "rich", "pydantic")


def typed(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SHOAL, *arguments], capture_output=True, text=True, timeout=120, check=False, cwd=cwd
    )


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, shoal.cli; shoal.cli.run(['--help']); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    *words, heavy = result.stdout.splitlines()
    assert heavy == "[]"
    assert any("anonymize" in line for line in words)


@pytest.mark.skipif(os.name == "nt", reason="measures processor time as Unix tells it")
def test_help_is_quick() -> None:
    import resource

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    typed("--help")  # compiles what was never imported before
    before = spent()
    assert typed("--help").returncode == 0
    assert spent() - before < 0.5  # processor time: others may be busy here too


@pytest.mark.parametrize("command", ["demo", "init", "anonymize", "check"])
def test_every_command_has_help_and_json(shoal, command) -> None:
    answer = shoal(f"{command} --help")
    assert answer.code == 0
    assert "--json" in answer.out


def test_version_and_bare_command(shoal) -> None:
    assert shoal("--version").out == f"shoal {__version__}\n"
    assert "anonymize" in shoal("").out


def test_a_whole_run(tmp_path: Path, patients: Path) -> None:
    line = f"anonymize {patients} -k 5 --quasi age,sex --identifier name -o out --json"
    result = typed(*line.split(), cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["k"] >= 5
    recounted = subprocess.run(
        [sys.executable, "verify.py"], cwd=tmp_path / "out", capture_output=True, check=False
    )
    assert recounted.returncode == 0


def test_wrong_usage(tmp_path: Path) -> None:
    result = typed("anonymize", "no.csv", "--quasi", "age", "-o", "out", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    error, hint, *more = result.stderr.splitlines()
    assert error == "Error: There is no file 'no.csv'."
    assert hint.startswith("Hint: ")
    assert not more


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send there")
def test_ctrl_c_stops_at_once_and_leaves_nothing(tmp_path: Path) -> None:
    people(40_000).write(tmp_path)
    before = sorted(tmp_path.iterdir())
    quasi = "age,sex,zip,birth_country,education,marital_status,occupation,workclass"
    line = f"anonymize data.csv -k 10 --quasi {quasi} --hierarchies hierarchies -o out"
    with subprocess.Popen(
        [*SHOAL, *line.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(2.5)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        out, err = process.communicate(timeout=60)
        took = time.monotonic() - asked
    assert (process.returncode, out) == (130, "")
    assert err == "Stopped; nothing was left behind.\n"
    assert sorted(tmp_path.iterdir()) == before
    assert took < 3  # a second, on a machine that is not busy with other tests
