"""verify.py as its readers run it: alone, in the folder of a release."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import pytest
from releases import make_release


def run(folder, *flags):
    done = subprocess.run(
        [sys.executable, *flags, folder / "verify.py"], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def forge(folder):
    """Make the manifest agree with the bytes in the folder, as a careful forger would."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    for name, facts in manifest["files"].items():
        facts["sha256"] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    return make_release().write(tmp_path / "out").folder


def test_it_needs_nothing_but_python_and_says_what_holds(folder):
    code, said = run(folder, "-I", "-S")  # no site-packages: the standard library alone
    assert code == 0
    assert "24 rows in 8 groups" in said
    assert "at least 3 that look alike" in said
    assert "at least 2 values of 'disease'" in said
    assert said.endswith("Everything recounted here holds.\n")


def test_a_changed_byte_is_noticed(folder):
    path = folder / "data.csv"
    path.write_text(path.read_text().replace("note 1", "note 2", 1))
    code, said = run(folder)
    assert code == 1
    assert "data.csv is not the file that was released" in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("[20, 22]", "20", 1), "k is 1, asked was 3"),
        (lambda text: text.replace("cold", "flu").replace("asthma", "flu"), "distinct l"),
        (lambda text: text + text.splitlines()[-1] + "\n", "the file has 25"),
    ],
)
def test_a_release_that_does_not_hold_fails(folder, change, words):
    path = folder / "data.csv"
    path.write_text(change(path.read_text()))
    forge(folder)
    code, said = run(folder)
    assert code == 1
    assert words in said
    assert said.endswith("This release does NOT hold.\n")


def test_what_is_not_a_release_is_said(folder):
    (folder / "manifest.json").write_text("[]")
    assert run(folder)[0] == 2
    (folder / "manifest.json").unlink()
    assert run(folder)[0] == 2


def test_a_ragged_row_is_no_release(folder):
    path = folder / "data.csv"
    path.write_text(path.read_text() + "1,2\n")
    forge(folder)
    code, said = run(folder)
    assert (code, said) == (2, "A row of the file has more or fewer cells than its header.\n")


def test_parquet_is_counted_with_pyarrow_and_refused_without(tmp_path):
    folder = make_release().write(tmp_path / "out", format="parquet").folder
    code, said = run(folder)
    assert code == 0
    assert "24 rows in 8 groups" in said
    code, said = run(folder, "-I", "-S")
    assert code == 2
    assert "needs pyarrow" in said


def test_people_cannot_be_recounted_and_it_says_so(folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"counts": "people"}))
    code, said = run(folder)
    assert code == 0
    assert "cannot be recounted here" in said
