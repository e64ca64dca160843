"""Every step of a write fails in turn, as SQLite tests itself: whole and recorded, or neither."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import time
from pathlib import Path

import pytest
from releases import make_release

from forking import begin, play
from shoal.audit import Journal
from shoal.exceptions import ShoalError
from shoal.ledger import Ledger
from shoal.release import _staging, _writer
from shoal.verifier import contradictions

MOST = 400  # more steps than a write has
STEPS = [  # where a write touches the disk or the ledger
    *((os, name) for name in ("open", "fsync", "fdopen")),
    *((Path, name) for name in ("mkdir", "rename", "replace", "chmod")),
    *((_staging, name) for name in ("exchange", "hold", "sweep", "check_folder")),
    *((_writer, name) for name in ("describe", "render_html", "build_manifest")),
    *((Journal, name) for name in ("append", "alone", "close")),
    *((Ledger, name) for name in ("weigh", "trace")),
]


class Fault:
    """Let the n-th step fail, before it is done or right after; once."""

    def __init__(self, n, error, *, after):
        self.left, self.error, self.after = n, error, after

    def around(self, step):
        def failing(*args, **kwargs):
            self.left -= 1
            now = self.left == -1
            if now and not self.after:
                raise self.error
            done = step(*args, **kwargs)
            if now:
                raise self.error
            return done

        return failing

    @property
    def struck(self):
        return self.left < 0


FULL = OSError(errno.ENOSPC, "disk is full")


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    return tmp_path


def statuses():
    with Ledger.open() as ledger:
        assert ledger.verify().holds
        return [release.status for release in ledger.releases()]


@pytest.mark.parametrize("force", [False, True], ids=["new", "replaced"])
@pytest.mark.parametrize(
    ("error", "after"),
    [(FULL, False), (KeyboardInterrupt(), False), (KeyboardInterrupt(), True)],
    ids=["error", "ctrl-c before", "ctrl-c after"],
)
def test_whichever_step_fails_it_is_whole_and_recorded_or_neither(house, error, after, force):
    out, release = house / "place" / "out", make_release()
    out.parent.mkdir()
    release.write(house / "earlier", format="parquet", ledger="off")
    earlier = files_of(house / "earlier")
    for n in range(MOST):
        if force:
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(house / "earlier", out)
        before, fault = statuses(), Fault(n, error, after=after)
        with pytest.MonkeyPatch.context() as patch:
            for place, name in STEPS:
                patch.setattr(place, name, fault.around(getattr(place, name)))
            try:
                release.write(out, force=force, ledger="refuse")
            except (ShoalError, KeyboardInterrupt):
                assert fault.struck
        written = (out / "data.csv").exists()
        told = statuses()[len(before) :]
        assert told == ["released"] if written else "released" not in told, n
        if written:
            assert contradictions(out) == (), n
        elif force:
            assert files_of(out) == earlier, n
        _staging.sweep(out.parent)
        assert {path.name for path in out.parent.iterdir()} <= {"out"}
        if not fault.struck:
            break
        if written and not force:
            shutil.rmtree(out)
    assert 20 < n < MOST - 1


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


WRITER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from releases import make_release
release = make_release()
print("ready", flush=True)
try:
    release.write(sys.argv[1], ledger="refuse")
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("after", [0.02, 0.1, 0.3])
def test_ended_at_any_moment_it_is_whole_and_recorded_or_neither(house, sent, after):
    out = house / "out"
    writer = begin(WRITER, out)
    assert writer.stdout.readline() == "ready\n"
    time.sleep(after)
    writer.send_signal(sent)
    writer.wait()
    told = statuses()
    if out.exists():
        assert contradictions(out) == ()
        assert told in (["released"], ["writing"])  # what was not confirmed counts as released
    else:
        assert "released" not in told


KILLED = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from releases import make_release
from shoal.audit import Journal
from shoal.ledger import Ledger
from shoal.release import _staging
out, owner, name, when = sys.argv[1:]
owner = {{"Journal": Journal, "Ledger": Ledger, "Path": Path, "Stage": _staging.Stage}}.get(
    owner, _staging)
real = getattr(owner, name)
def killed(*given):
    wanted = {{"rename": [".shoal-", "/manifest"], "replace": [".shoal-"]}}.get(name, [])
    if not all(part in str(given[0]) for part in wanted):
        return real(*given)
    if when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    real(*given)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, killed)
make_release().write(out, ledger="refuse", force=True)
"""


def killed(out, step, cwd=None):
    owner, name, when = step.split()
    assert play(KILLED, out, owner, name, when, cwd=cwd) == -signal.SIGKILL


@pytest.mark.parametrize("mode", ["refuse", "off"])
def test_what_was_killed_before_it_had_a_name_counts_until_it_is_swept(house, mode):
    killed(house / "out", "Stage place before")
    assert not (house / "out").exists()
    assert statuses() == ["writing"]  # nobody has looked yet: it counts
    make_release().write(house / "elsewhere", ledger=mode)
    assert statuses() == (["released"] if mode == "refuse" else [])


@pytest.mark.parametrize(
    ("step", "stands"),
    [
        ("Ledger _witness before", False),  # just entered, nothing written
        ("Stage place before", False),
        ("_staging _open_up after", False),
        ("Path replace before", False),
        ("Path replace after", True),
        ("Stage _confirm before", True),
        ("Stage _confirm after", True),
    ],
)
def test_killed_at_any_step_the_ledger_counts_what_stands_and_no_more(house, step, stands):
    """The steps around the entry and around the name, where one call follows the other."""
    out = house / "place" / "out"
    out.parent.mkdir()
    killed(out, step)
    assert out.exists() == stands
    make_release().write(out.parent / "next", ledger="refuse")
    assert len(statuses()) == 1 + stands
    assert {path.name for path in out.parent.iterdir()} == {"next", *["out"] * stands}


@pytest.mark.parametrize(
    ("step", "new"),
    [
        ("Stage _check before", False),
        ("_staging exchange before", False),
        ("_staging exchange after", True),
        ("Stage _confirm before", True),
    ],
)
def test_killed_over_an_older_release_the_ledger_counts_the_new_one_if_it_stands(house, step, new):
    out = house / "place" / "out"
    out.parent.mkdir()
    make_release().write(out, ledger="refuse")
    was = out.stat().st_ino
    killed(out, step)
    assert (out.stat().st_ino != was) == new
    assert contradictions(out) == ()
    make_release().write(out, ledger="refuse", force=True)
    assert len(statuses()) == 2 + new
    assert [path.name for path in out.parent.iterdir()] == ["out"]


@pytest.mark.parametrize(("when", "new"), [("before", False), ("after", True)])
def test_killed_while_it_moves_into_a_folder_the_ledger_counts_it_if_it_stands(house, when, new):
    out = house / "out"
    make_release().write(out, ledger="refuse")
    killed(".", f"Path rename {when}", cwd=out)  # of the last file that moves in
    make_release().write(out, ledger="refuse", force=True)
    assert len(statuses()) == 2 + new
    assert contradictions(out) == ()


def test_the_next_writer_takes_what_was_killed_out_of_the_ledger(house):
    out = house / "out"
    killed(out, "Stage place before")
    written = make_release().write(out, ledger="refuse")
    assert written.ledger.composition.compared == 0
    assert statuses() == ["released"]
    assert not list(house.glob(".shoal-*"))
    with Ledger.open() as ledger:
        assert ledger.verify().holds
        ledger.abandon([release.id for release in ledger.releases()])  # confirmed: it stays
    assert statuses() == ["released"]


def test_a_stop_after_the_name_was_given_says_that_the_release_stands(house, monkeypatch):
    def interrupted(folder):
        raise KeyboardInterrupt

    place = house / "place"
    place.mkdir()
    release = make_release()
    real = _staging.Stage._confirm
    monkeypatch.setattr(_staging.Stage, "_confirm", lambda self: interrupted(self.target))
    with pytest.raises(KeyboardInterrupt, match="had been written: it stands"):
        release.write(place / "out", ledger="refuse")
    assert real is not _staging.Stage._confirm
    assert statuses() == ["released"]
    assert [path.name for path in place.iterdir()] == ["out"]
