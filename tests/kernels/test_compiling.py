"""Compiling: where compiled kernels are kept, and that processes side by side share the work."""

from __future__ import annotations

import shutil
import threading

import numba
import numpy as np
import pytest
from numba.core import event

from shoal.kernels import compiling
from shoal.kernels.shared_cache import WAITING


def test_a_change_in_a_family_of_kernels_is_compiled_anew(tmp_path, monkeypatch):
    """Compiled code of another state of the source cannot always be loaded."""
    (tmp_path / "proof").mkdir()
    monkeypatch.setattr(compiling, "PACKAGE", tmp_path)
    seen = set()
    for place, text in (("a.py", "1"), ("proof/b.py", "1"), ("proof/b.py", "2")):
        (tmp_path / place).write_text(text)
        seen.add(compiling._source_digest())
    assert len(seen) == 3


@pytest.mark.parametrize("version", [numba.__version__, "0.99.0"])
def test_kernels_that_call_each_other_say_the_same_with_any_numba(version, monkeypatch):
    monkeypatch.setattr(compiling.numba, "__version__", version)

    @compiling.njit(nogil=True, counted=False)
    def doubled(numbers, i):
        return 2 * numbers[i]

    @compiling.njit(nogil=True)
    def total(numbers):
        told = np.zeros(1, np.int64)
        for i in range(numbers.size):
            told[0] += doubled(numbers, i)
        return told

    assert total(np.arange(5)).tolist() == [20]
    assert doubled(np.arange(5), 3) == 6
    linked = "get_call_template" in vars(doubled)
    assert linked == compiling.knows_insides(version)


def plus_one(number):
    return number + 1


class Waiting(event.Listener):
    """Hears when somebody waits."""

    def __init__(self):
        self.begun = threading.Event()

    def on_start(self, _):
        self.begun.set()

    def on_end(self, _):
        pass


def test_what_another_process_compiles_is_waited_for(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    kernels = {}
    for house in ("theirs", "ours"):
        monkeypatch.setattr(compiling.config, "CACHE_DIR", str(tmp_path / house))
        kernels[house] = compiling.njit(cache=True, nogil=True)(plus_one)
    assert kernels["theirs"](1) == 2
    assert not [*tmp_path.rglob("*.lock")]  # nothing is left behind
    (index,) = (tmp_path / "theirs").rglob("*.nbi")
    folder = tmp_path / "ours" / index.parent.relative_to(tmp_path / "theirs")
    folder.mkdir(parents=True, exist_ok=True)
    waiting = Waiting()
    with (folder / f"{kernels['ours']._cache._impl.filename_base}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with event.install_listener(WAITING, waiting):
            thread = threading.Thread(target=kernels["ours"], args=(1,))
            thread.start()
            assert waiting.begun.wait(60)
            assert not kernels["ours"].overloads
            shutil.copytree(tmp_path / "theirs", tmp_path / "ours", dirs_exist_ok=True)
    thread.join()
    assert sum(kernels["ours"].stats.cache_hits.values()) == 1
    assert not kernels["ours"].stats.cache_misses


def test_where_nothing_can_be_kept_kernels_are_compiled_anyway(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling.config, "CACHE_DIR", str(tmp_path))
    kernel = compiling.njit(cache=True, nogil=True)(plus_one)
    monkeypatch.setattr(kernel._cache._impl.locator, "ensure_cache_path", _refuse)
    monkeypatch.setattr(kernel._cache, "save_overload", lambda *_: None)
    assert kernel(1) == 2
    assert not [*tmp_path.rglob("*.lock")]


def _refuse():
    raise PermissionError
