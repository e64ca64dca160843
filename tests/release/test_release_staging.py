from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import time
from pathlib import Path

import pytest
from releases import make_release

from forking import begin, play
from shoal.exceptions import CancelledError, OutputError, ReleaseRefusedError
from shoal.release import _staging
from shoal.release._staging import staged, sweep

HERE = Path(__file__).parent
WRITER = f"""
import os, signal, sys
sys.path.insert(0, {str(HERE)!r})
from releases import make_release

real, left = os.fsync, int(sys.argv[2])

def fsync(descriptor):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    real(descriptor)

os.fsync = fsync
release = make_release()
print("ready", flush=True)
release.write(sys.argv[1], force=True, ledger="off")
"""


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("years of work")
    for force in (False, True):
        with pytest.raises(OutputError):
            make_release().write(tmp_path / "out", force=force)
    assert names(tmp_path / "out") == {"thesis.txt"}


def test_data_that_no_release_wrote_is_never_replaced(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "data.csv").write_text("the,original")
    with pytest.raises(OutputError, match=r"no release put there: 'data\.csv'"):
        make_release().write(tmp_path / "out", force=True)
    assert (tmp_path / "out" / "data.csv").read_text() == "the,original"


def test_an_empty_folder_is_taken(tmp_path):
    (tmp_path / "out").mkdir()
    make_release().write(tmp_path / "out")
    assert "data.csv" in names(tmp_path / "out")


def test_an_earlier_release_gives_way_only_to_force(tmp_path):
    make_release().write(tmp_path / "out")
    with pytest.raises(OutputError, match="not empty"):
        make_release().write(tmp_path / "out")
    make_release().write(tmp_path / "out", force=True, format="parquet")
    assert "data.csv" not in names(tmp_path / "out")
    assert names(tmp_path) == {"out"}


def test_without_exchange_the_earlier_release_still_gives_way(tmp_path, monkeypatch):
    monkeypatch.setattr(_staging, "exchange", lambda one, other: False)
    make_release().write(tmp_path / "out", provenance=True)
    make_release().write(tmp_path / "out", force=True)
    assert "provenance.json" not in names(tmp_path / "out")
    assert names(tmp_path) == {"out"}


def test_a_refused_release_leaves_the_earlier_one(tmp_path):
    make_release().write(tmp_path / "out")
    before = {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()}
    with pytest.raises(ReleaseRefusedError):
        make_release(l=4).write(tmp_path / "out", force=True)
    assert {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()} == before


def test_a_folder_that_cannot_move_is_filled_from_inside(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    inode = (tmp_path / "out").stat().st_ino
    monkeypatch.chdir(tmp_path / "out")
    make_release().write(".", provenance=True)
    make_release().write(".", force=True, format="parquet")
    assert (tmp_path / "out").stat().st_ino == inode
    assert names(tmp_path / "out") == {"data.parquet", "manifest.json", "report.html", "verify.py"}


def test_what_cannot_be_a_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="is a file"):
        make_release().write(tmp_path / "file")
    with pytest.raises(OutputError, match="does not exist"):
        make_release().write(tmp_path / "no" / "out")
    with pytest.raises(OutputError, match="does not exist"):
        make_release().write(tmp_path / "file" / "out")
    with pytest.raises(OutputError, match="too long"):
        make_release().write(tmp_path / ("x" * 300))
    assert names(tmp_path) == {"file"}


def test_modes_are_private_while_writing_and_open_afterwards(tmp_path, monkeypatch):
    seen = {}
    place = _staging.Stage.place

    def look(self):
        seen.update({p.name: stat.S_IMODE(p.stat().st_mode) for p in self.path.iterdir()})
        seen["folder"] = stat.S_IMODE(self.path.stat().st_mode)
        place(self)

    monkeypatch.setattr(_staging.Stage, "place", look)
    old = os.umask(0o022)
    try:
        folder = make_release().write(tmp_path / "out").folder
    finally:
        os.umask(old)
    assert seen.pop("folder") == 0o700
    assert set(seen.values()) == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "data.csv").stat().st_mode) == 0o644


# --- when the system fails


class FailingCall:
    """Let a function fail as a disk does, the n-th time it is called."""

    def __init__(self, function, n, code=errno.ENOSPC):
        self.function, self.left, self.code = function, n, code

    def __call__(self, *args, **kwargs):
        self.left -= 1
        if self.left == -1:
            raise OSError(self.code, os.strerror(self.code))
        return self.function(*args, **kwargs)


@pytest.mark.parametrize("name", ["fsync", "open", "fdopen"])
def test_whichever_call_fails_nothing_is_left(tmp_path, monkeypatch, name):
    release = make_release()
    for n in range(40):
        with monkeypatch.context() as patch:
            failing = FailingCall(getattr(os, name), n)
            patch.setattr(os, name, failing)
            try:
                release.write(tmp_path / "out", ledger="off")
            except OutputError as error:
                confirmed = "did not confirm" not in str(error)
                assert "disk is full" in str(error) or not confirmed  # noqa: PT017
                assert (tmp_path / "out").exists() != confirmed
                shutil.rmtree(tmp_path / "out", ignore_errors=True)
            else:
                break
        assert names(tmp_path) == set()
    assert 0 < n < 40


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "no permission"),
        (errno.EIO, "disk failed"),
        (errno.EBUSY, "The system said"),
    ],
)
def test_the_reason_is_a_sentence(tmp_path, monkeypatch, code, words):
    monkeypatch.setattr(os, "fsync", FailingCall(os.fsync, 0, code))
    with pytest.raises(OutputError, match=words):
        make_release().write(tmp_path / "out", ledger="off")
    assert names(tmp_path) == set()


def test_a_full_disk_leaves_nothing(tmp_path):
    script = f"""
import itertools, resource, sys
sys.path.insert(0, {str(HERE)!r})
from releases import make_release
from shoal.exceptions import OutputError

release, refused = make_release(), 0
for limit, format in itertools.product((0, 100, 900), ("csv", "parquet")):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        release.write(sys.argv[1], format=format, ledger="off")
    except OutputError as error:
        assert "larger than this system allows" in str(error), error
        refused += 1
sys.exit(refused)
"""
    assert play(script, tmp_path / "out") == 6
    assert names(tmp_path) == set()


def test_everything_is_on_disk_before_it_has_its_name(tmp_path, monkeypatch):
    calls = []
    real_fsync, real_replace = os.fsync, Path.replace
    inodes = {}

    def fsync(descriptor):
        calls.append(("fsync", os.fstat(descriptor).st_ino))
        real_fsync(descriptor)

    def replace(self, target):
        if self.is_dir():  # the ledger's witnesses are replaced, too
            inodes.update({p.name: p.stat().st_ino for p in [self, *self.iterdir()]})
            calls.append(("replace", self.stat().st_ino))
        return real_replace(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    make_release().write(tmp_path / "out", ledger="off")  # its witness is replaced, too
    moment = [what for what, _ in calls].index("replace")
    before = {inode for what, inode in calls[:moment] if what == "fsync"}
    assert set(inodes.values()) <= before
    assert ("fsync", tmp_path.stat().st_ino) in calls[moment:]


def test_cancelling_leaves_nothing(tmp_path):
    class Impatient:
        cancelled = True

        def phase(self, name, total=None):
            pass

        def advance(self, steps=1):
            pass

    with pytest.raises(CancelledError):
        make_release().write(tmp_path / "out", progress=Impatient())
    assert names(tmp_path) == set()


# --- when the process dies


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def kill_while_writing(target, *, at_fsync=99, after=None):
    """Start a writer, kill it at its n-th fsync or after some seconds; tell if it died."""
    writer = begin(WRITER, target, at_fsync)
    assert writer.stdout.readline() == "ready\n"
    if after is not None:
        time.sleep(after)
        writer.send_signal(signal.SIGKILL)
    return writer.wait() == -signal.SIGKILL


@pytest.mark.parametrize("at_fsync", [0, 2, 4, 5])
def test_killed_at_any_fsync_the_folder_is_whole_or_not_there(tmp_path, at_fsync):
    assert kill_while_writing(tmp_path / "out", at_fsync=at_fsync)
    made = make_release().write(tmp_path / "want").folder  # also sweeps
    if at_fsync < 5:
        assert names(tmp_path) == {"want"}
    else:  # data, report, script, manifest and folder are on disk, the name is given
        assert contents(tmp_path / "out") == contents(made)


@pytest.mark.parametrize("after", [0.1, 0.3])
def test_killed_at_any_moment_an_earlier_release_is_there_or_the_new_one(tmp_path, after):
    new = contents(make_release().write(tmp_path / "new").folder)
    old = contents(make_release().write(tmp_path / "out", format="parquet").folder)
    kill_while_writing(tmp_path / "out", after=after)
    assert contents(tmp_path / "out") in (old, new)
    make_release().write(tmp_path / "out", force=True)
    assert names(tmp_path) == {"out", "new"}


def test_left_behind_folders_are_swept_but_living_ones_are_not(tmp_path):
    dead = tmp_path / ".shoal-0123456789abcdef"
    dead.mkdir()
    (dead / "data.csv").write_text("half")
    mine = tmp_path / ".shoal-settings"
    mine.mkdir()
    with staged(tmp_path / "one", force=False) as living:
        sweep(tmp_path)
        assert living.path.exists()
    assert names(tmp_path) == {".shoal-settings"}


def test_a_release_that_was_moved_away_comes_back(tmp_path):
    make_release().write(tmp_path / "out")
    (tmp_path / "out").rename(tmp_path / ".shoal-0123456789abcdef.was-out")
    sweep(tmp_path)
    assert names(tmp_path) == {"out"}
    shutil.copytree(tmp_path / "out", tmp_path / ".shoal-0123456789abcdef.was-out")
    sweep(tmp_path)
    assert names(tmp_path) == {"out"}


def test_an_old_release_returns_if_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    make_release().write(tmp_path / "out")
    old = contents(tmp_path / "out")
    monkeypatch.setattr(_staging, "exchange", lambda one, other: False)
    real = Path.rename

    def rename(self, target):
        if ".was-" not in str(target) and ".was-" not in str(self):
            raise OSError(errno.EIO, "no")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(OutputError, match="disk failed"):
        make_release().write(tmp_path / "out", force=True, format="parquet")
    assert contents(tmp_path / "out") == old
    assert names(tmp_path) == {"out"}


def test_without_locks_only_old_folders_are_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(_staging, "fcntl", None)
    young, old = (tmp_path / f".shoal-{digit * 16}" for digit in "ab")
    young.mkdir()
    old.mkdir()
    os.utime(old, (0, 0))
    make_release().write(tmp_path / "out")
    assert names(tmp_path) == {"out", young.name}
