"""How ``verify.py`` starts: it forgets its own folder, and nothing that it was told to know."""

from __future__ import annotations

import runpy
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from shoal.verifier import _linked_script, _script


@pytest.fixture(params=[_script, _linked_script], ids=["one table", "linked"])
def place(request):
    """Each script that travels with releases."""
    return Path(request.param.__file__)


@pytest.fixture
def start(monkeypatch, place):
    """Run the script as Python would, and tell what is left of the path."""

    usual = {name: 0 for name in dir(sys.flags) if not name.startswith(("_", "n_", "safe"))}

    def run(name, **flags):
        monkeypatch.setattr(sys, "path", ["first", str(place.parent), *sys.path])
        monkeypatch.setattr(sys, "flags", SimpleNamespace(**(usual | flags)))
        with suppress(SystemExit):
            runpy.run_path(str(place), run_name=name)
        return "first" in sys.path, str(place.parent) in sys.path

    return run


@pytest.mark.parametrize(
    ("flags", "stays"),
    [
        ({}, False),  # Python 3.10
        ({"safe_path": False}, False),
        ({"safe_path": True}, True),  # python -P
        ({"isolated": True}, True),
        ({"isolated": True, "safe_path": True}, True),  # python -I
    ],
)
def test_what_python_puts_first_goes_unless_python_put_nothing_there(start, flags, stays):
    assert start("__main__", **flags) == (stays, False)


def test_who_imports_it_keeps_their_path(start):
    assert start("verify") == (True, True)


def test_whoever_runs_it_gets_an_answer_and_who_imports_it_does_not(monkeypatch, capsys, place):
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(place), run_name="__main__")
    assert ended.value.code == 2  # there is no release beside it here
    assert capsys.readouterr().out
    runpy.run_path(str(place), run_name="verify")
    assert not capsys.readouterr().out
