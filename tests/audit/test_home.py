"""Private state: where it lives, who may read it, and that two at once get one key."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from shoal._home import home, secret
from shoal.exceptions import InvalidParameterError, OutputError


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "deep" / "mine"))
    return tmp_path / "deep" / "mine"


def test_home_is_private(mine):
    assert home() == mine
    assert stat.S_IMODE(mine.stat().st_mode) == 0o700


def test_home_without_a_wish_is_under_the_user_data(tmp_path, monkeypatch):
    monkeypatch.delenv("SHOAL_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert home() == tmp_path / "shoal"


def test_a_key_is_drawn_once_and_kept_private(mine):
    key = secret("audit")
    assert len(key) == 32
    assert secret("audit") == key != secret("ledger")
    assert stat.S_IMODE((mine / "keys" / "audit").stat().st_mode) == 0o600
    assert sorted(path.name for path in (mine / "keys").iterdir()) == ["audit", "ledger"]


def test_many_at_once_get_one_key(mine):
    home()
    with ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(lambda _: secret("audit"), range(40))}) == 1


@pytest.mark.parametrize("name", ["", "../key", "A", "a/b", "a\n"])
def test_odd_names_are_refused(mine, name):
    with pytest.raises(InvalidParameterError):
        secret(name)


def test_a_damaged_key_is_told(mine):
    secret("audit")
    (mine / "keys" / "audit").write_bytes(b"short")
    with pytest.raises(OutputError, match="damaged"):
        secret("audit")


def test_a_home_that_cannot_be_made_is_told(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "file" / "mine"))
    with pytest.raises(OutputError, match="could not be made"):
        home()
