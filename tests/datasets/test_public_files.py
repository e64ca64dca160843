import hashlib
import io
from pathlib import Path
from urllib.error import URLError

import pytest

from shoal.datasets import _store, adult, census_income
from shoal.datasets._store import PublicFile, cache_folder, data_folders, fetch, find
from shoal.exceptions import MissingDataError

CONTENT = b"a,b\n1,2\n"
FILE = PublicFile(
    "some/file.csv", hashlib.sha256(CONTENT).hexdigest(), "https://example.org/file.csv"
)


@pytest.fixture(autouse=True)
def _far_from_home(monkeypatch, tmp_path):
    """Nothing is on this machine, and nothing can be reached."""
    monkeypatch.setenv("SHOAL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(_store, "data_folders", lambda: [tmp_path / "data", cache_folder()])
    monkeypatch.setattr(_store, "urlopen", _unreachable)


def _unreachable(url, timeout):
    raise URLError("no network")


def _place(folder: Path, content: bytes) -> Path:
    path = folder / FILE.path
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def test_a_local_copy_is_found_and_checked(tmp_path):
    path = _place(tmp_path / "data", CONTENT)
    assert find(FILE) == fetch(FILE) == path


def test_a_changed_copy_is_refused_without_showing_it(tmp_path):
    _place(tmp_path / "data", CONTENT + b"canary")
    with pytest.raises(MissingDataError, match="checksum") as caught:
        fetch(FILE)
    assert "canary" not in str(caught.value)


def test_offline_is_one_sentence_and_a_hint():
    with pytest.raises(MissingDataError, match=r"some/file.csv.*could not be downloaded") as caught:
        fetch(FILE)
    assert "SHOAL_DATA" in caught.value.hint
    assert FILE.url in caught.value.hint


def test_a_file_without_an_address_says_so():
    with pytest.raises(MissingDataError, match="not on this machine"):
        fetch(PublicFile("some/other.csv", sha256=""))


def test_a_download_is_checked_and_kept(monkeypatch):
    asked = []

    def answer(url, timeout):
        asked.append(url)
        return io.BytesIO(CONTENT)

    monkeypatch.setattr(_store, "urlopen", answer)
    path = fetch(FILE)
    assert path == cache_folder() / FILE.path
    assert path.read_bytes() == CONTENT
    assert fetch(FILE) == path
    assert asked == [FILE.url]
    assert list(path.parent.iterdir()) == [path]


def test_a_wrong_download_is_not_kept(monkeypatch):
    monkeypatch.setattr(_store, "urlopen", lambda url, timeout: io.BytesIO(b"<html>"))
    with pytest.raises(MissingDataError, match="checksum"):
        fetch(FILE)
    assert find(FILE) is None


@pytest.mark.parametrize("load", [adult, census_income])
def test_datasets_say_what_is_missing(load):
    with pytest.raises(MissingDataError, match="not on this machine"):
        load()


def test_the_named_folder_comes_first_and_the_cache_last(monkeypatch, tmp_path):
    monkeypatch.undo()
    monkeypatch.setenv("SHOAL_DATA", str(tmp_path))
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    folders = list(data_folders())
    assert folders[0] == tmp_path
    assert tmp_path / "shared" / "data" in folders
    assert folders[-1] == cache_folder() == tmp_path / "home" / "datasets"
