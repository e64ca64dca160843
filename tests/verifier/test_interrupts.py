"""Ctrl-C while the second opinion counts: it stops as everything else does, and never crashes."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from shoal.verifier import _recount


@pytest.fixture(autouse=True)
def listening():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs are born deaf to it
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_until_duckdb_is_loaded(monkeypatch):
    loaded = []

    def load(name):
        os.kill(os.getpid(), signal.SIGINT)
        loaded.append(name)

    monkeypatch.setattr(_recount, "import_module", load)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        _recount._duckdb()
    assert loaded == ["duckdb"]
    assert signal.getsignal(signal.SIGINT) is handler


def counting(folder, error):
    with _recount.database(folder) as connection:
        connection.execute("SELECT 1")
        raise error


def test_what_duckdb_makes_of_ctrl_c_is_ctrl_c_again(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        counting(tmp_path, RuntimeError("Query interrupted"))
    assert list(tmp_path.iterdir()) == []


def test_any_other_error_stays_what_it_is(tmp_path):
    with pytest.raises(RuntimeError, match="bug"):
        counting(tmp_path, RuntimeError("a bug"))


def test_another_thread_leaves_signals_alone():
    """Python lets only the main thread listen to them."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(_recount._duckdb).result().__name__ == "duckdb"
