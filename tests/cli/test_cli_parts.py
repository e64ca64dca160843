"""The parts of the command line that no single command owns: lists, errors, progress, Ctrl-C."""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from contextlib import closing

import pytest
from bad_inputs import CANARY

from shoal.cli import _bar, _warmup
from shoal.cli._bar import Bar, working
from shoal.cli._output import explain, written
from shoal.cli._typed import names, numbers, orders, pairs
from shoal.exceptions import (
    CancelledError,
    ImpossibleError,
    InvalidParameterError,
    ReleaseRefusedError,
)
from shoal.kernels.compiling import njit


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a,b"], ("a", "b")),
        (["a", "b,c"], ("a", "b", "c")),
        ([" a , b "], ("a", "b")),
        (['"a,b",c'], ("a,b", "c")),
        (['"say ""hi"""'], ('say "hi"',)),
        (['5" wide,b'], ('5" wide', "b")),
        (["a=b,c"], ("a=b", "c")),
        (['" a"'], (" a",)),
        (None, ()),
    ],
)
def test_names_are_quoted_as_in_csv(given, expected) -> None:
    assert names(given, "--quasi") == expected


@pytest.mark.parametrize("given", ["", ",", "a,", '"', '"a', '""'])
def test_names_that_are_none(given) -> None:
    with pytest.raises(InvalidParameterError, match="--quasi"):
        names([given], "--quasi")


def test_pairs_and_orders() -> None:
    assert pairs(['"a,b"=x,"c=d"=y', "e = z"], "--kind") == {"a,b": "x", "c=d": "y", "e": "z"}
    assert numbers(["a=1,b=.5,c=1e3"], "--weights") == {"a": 1, "b": 0.5, "c": 1000.0}
    assert orders(['p="low, very",high'], "--order") == {"p": ("low, very", "high")}
    assert orders(['"a=b"=x,y'], "--order") == {"a=b": ("x", "y")}


@pytest.mark.parametrize("given", ["a", "=1", "a=", "a=1,", "a=1,a=2"])
def test_pairs_that_are_none(given) -> None:
    with pytest.raises(InvalidParameterError, match="--kind"):
        pairs([given], "--kind")


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (ReleaseRefusedError("Not released.", hint="Ask for less."), 1, "Hint: Ask for less."),
        (ImpossibleError("It cannot be."), 1, "Error: It cannot be."),
        (InvalidParameterError("Wrong."), 2, "Error: Wrong."),
        (CancelledError("Stopped."), 130, "nothing was left behind"),
        (KeyboardInterrupt(), 130, "nothing was left behind"),
        (MemoryError(CANARY), 2, "memory"),
        (KeyError(CANARY), 2, "bug in Shoal"),
        (BaseException(CANARY), 2, "(BaseException)"),
    ],
)
def test_every_error_has_a_code_and_a_sentence(error, code, says, capsys) -> None:
    written.clear()  # whatever a command before this one wrote
    assert explain(error) == code
    printed = capsys.readouterr()
    assert says in printed.err
    assert CANARY not in printed.err
    assert printed.out == ""


def test_a_bug_shows_no_traceback_and_no_cell(shoal, here, patients, monkeypatch) -> None:
    def stumble(*arguments: object, **options: object) -> None:
        raise ValueError(f"could not convert {CANARY}")

    monkeypatch.setattr("shoal.plan._plan.read_table", stumble)
    answer = shoal(f"anonymize {patients} --quasi age -o out")
    assert (answer.code, answer.out) == (2, "")
    assert "(ValueError)" in answer.err
    assert CANARY not in answer.err
    assert "Traceback" not in answer.err


@pytest.fixture
def patient_listener(monkeypatch) -> None:
    """A listener that would wait long before it ended this very process."""
    monkeypatch.setattr(_bar, "PATIENCE", 60)


@pytest.mark.usefixtures("patient_listener")
def test_ctrl_c_asks_the_work_to_stop() -> None:
    before = signal.getsignal(signal.SIGINT)  # a job in the background is born deaf to it
    with working() as bar:
        bar.phase("grouping")
        os.kill(os.getpid(), signal.SIGINT)
        deadline = time.monotonic() + 10
        while not bar.cancelled and time.monotonic() < deadline:
            time.sleep(0.01)
        assert bar.cancelled
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.usefixtures("patient_listener")
def test_ctrl_c_asks_a_search_for_the_best_so_far_and_twice_for_nothing() -> None:
    with working() as bar:
        bar.phase("searching on: loss 0.0487")
        for asked in ("enough", "cancelled"):
            assert not bar.cancelled
            os.kill(os.getpid(), signal.SIGINT)
            deadline = time.monotonic() + 10
            while not getattr(bar, asked) and time.monotonic() < deadline:
                time.sleep(0.01)
            assert getattr(bar, asked)


@pytest.mark.usefixtures("patient_listener")
def test_ctrl_c_while_writing_clears_up() -> None:
    def write() -> None:
        with working() as bar:
            bar.phase("writing")
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        write()


@pytest.mark.usefixtures("patient_listener")
def test_ctrl_c_is_too_late_once_the_release_gets_its_name(capsys) -> None:
    with working() as bar:
        bar.phase("naming")
        os.kill(os.getpid(), signal.SIGINT)
        deadline = time.monotonic() + 10
        while not bar.cancelled and time.monotonic() < deadline:
            time.sleep(0.01)
        bar.tell()
    assert explain(KeyboardInterrupt()) == 130  # one more, while it is told
    written.clear()
    assert explain(KeyboardInterrupt()) == 130  # of the next command
    said = capsys.readouterr().err
    assert said == "Stopped; the release had been written.\nStopped; nothing was left behind.\n"


def test_a_stop_that_says_what_stands_is_not_lost() -> None:
    def write() -> None:
        with working():
            raise KeyboardInterrupt("Stopped, but the release 'out' had been written: it stands.")

    with pytest.raises(CancelledError, match="it stands") as stopped:
        write()
    assert "withdraw" in str(stopped.value.hint)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bar_appears_for_people_only(monkeypatch) -> None:
    monkeypatch.setattr(_bar, "AFTER", 0.0)
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with closing(Bar()) as bar:
            bar.phase("grouping", 10)
            deadline = time.monotonic() + (10 if shown else 0.2)
            while "grouping" not in stream.getvalue() and time.monotonic() < deadline:
                bar.advance(0)
                time.sleep(0.02)
        assert ("grouping" in stream.getvalue()) == shown


def test_a_quick_command_draws_no_bar(monkeypatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with closing(Bar()) as bar:
        bar.phase("grouping", 10)
        bar.advance(10)
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("cores", "helpers"), [(1, 0), (2, 1), (3, 2), (64, _bar.TASKS)])
def test_other_processes_compile_where_nothing_is(monkeypatch, tmp_path, cores, helpers) -> None:
    started = []

    class Helper:
        def __init__(self, arguments: list[str], **options: object) -> None:
            started.append(arguments[-2:])

        def terminate(self) -> None:
            started.append("terminated")

        def wait(self) -> None:
            started.append("gone")

    monkeypatch.setattr(_bar.subprocess, "Popen", Helper)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_bar.os, "cpu_count", lambda: cores)
    with _bar.helping() as spans:
        assert started == [["shoal.cli._warmup", str(task)] for task in range(helpers)]
        began = time.perf_counter()
        njit()(lambda x: x + 1)(1)  # compiled here and now
        ended = time.perf_counter()
    (span,) = spans
    assert began < span[0] < span[1] < ended
    assert started[helpers:] == helpers * ["terminated", "gone"]
    (tmp_path / "bounds.cheapest_costs-51.py311.nbi").touch()
    with _bar.helping() as spans:
        assert len(started) == 3 * helpers
        assert spans == []


@pytest.mark.parametrize("first", range(_bar.TASKS))
def test_other_processes_compile_what_comes_late(first) -> None:
    _warmup.compile_late_kernels(first)
    with _bar.helping() as spans:
        assert spans == []  # all is there
