"""How ``verify.py`` starts: it forgets its own folder, and nothing that it was told to know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import shoal.verifier._script as script

STARTED = """
import contextlib, io, runpy, sys
sys.path.insert(0, "first")
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    runpy.run_path(sys.argv[1], run_name="__main__")
print("first" in sys.path)
"""
IMPORTED = """
import runpy, sys
before = [*sys.path]
runpy.run_path(sys.argv[1], run_name="verify")
print(sys.path == before)
"""


def told(code: str, *flags: str) -> bool:
    done = subprocess.run(
        [sys.executable, *flags, "-c", code, str(Path(script.__file__))],
        capture_output=True,
        text=True,
        check=True,
    )
    return {"True\n": True, "False\n": False}[done.stdout]


@pytest.mark.parametrize(("flags", "stays"), [((), False), (("-P",), True), (("-I",), True)])
def test_what_python_puts_first_goes_unless_python_put_nothing_there(flags, stays):
    assert told(STARTED, *flags) is stays


def test_who_imports_it_keeps_their_path():
    assert told(IMPORTED) is True
