"""The gate by itself: what it refuses and what it lets through, without a table behind it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import nullcontext
from types import SimpleNamespace

import polars as pl
import pytest
from releases import make_release

from shoal.exceptions import InputError, InvalidParameterError, OutputError, ReleaseRefusedError
from shoal.ledger import NOT_ASKED
from shoal.privacy import KAnonymity, check
from shoal.release import check_folder
from shoal.release._manifest import (
    MANIFEST_KEYS,
    _named,
    _singling,
    check_replaceable,
    files_in,
    listed_in,
    read_manifest,
    to_json,
)
from shoal.release._writer import Draft, recounted, write_release
from shoal.report import SinglingSummary
from shoal.table import Roles, read_table


class ReachedError(Exception):
    """The gate opened as far as this."""


def stop(*_):
    raise ReachedError


def draft(**parts):
    whole = {"file": "data.csv", "write": stop, "recount": stop, "summarize": stop, "enter": stop}
    return Draft(**{**whole, **parts})


@pytest.fixture
def earlier(tmp_path):
    """A folder that holds a release as it was written."""
    folder = tmp_path / "out"
    (folder / "hierarchies").mkdir(parents=True)
    files = {"data.csv": b"age\n*\n", "hierarchies/age.csv": b"30;*\n"}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    listed = {n: {"sha256": hashlib.sha256(c).hexdigest()} for n, c in files.items()}
    (folder / "manifest.json").write_text(json.dumps({"shoal": "1", "files": listed}))
    return folder


# --- who gets out


def test_what_holds_gets_out_and_nothing_else():
    good, bad = SimpleNamespace(holds=True), SimpleNamespace(holds=False)
    assert recounted(draft(recount=lambda _: good), None) is good
    with pytest.raises(ReleaseRefusedError, match="Not released"):
        recounted(draft(recount=lambda _: bad), None)


def test_what_cannot_be_counted_does_not_get_out():
    def fail(_):
        raise InputError("No rows.")

    with pytest.raises(ReleaseRefusedError, match="cannot be counted again"):
        recounted(draft(recount=fail), None)


@pytest.mark.parametrize("mode", ["refuse", "warn", "off"])
def test_the_ledger_is_asked_unless_it_is_off(tmp_path, mode):
    asked = []

    def enter(mode, stage):
        asked.append((mode, stage.stands()))
        return nullcontext(NOT_ASKED)

    with pytest.raises(ReachedError):
        write_release(draft(enter=enter), tmp_path / "out", mode=mode)
    assert asked == ([] if mode == "off" else [(mode, False)])
    assert not (tmp_path / "out").exists()


def test_the_folder_in_which_a_release_is_built_says_what_the_ledger_calls_it(tmp_path):
    built = []

    def enter(mode, stage):
        built.extend([stage.release, stage.path.name, stage.path.stat().st_ino])
        return nullcontext(NOT_ASKED)

    with pytest.raises(ReachedError):
        write_release(draft(enter=enter), tmp_path / "out", mode="warn")
    assert re.fullmatch("[0-9a-f]{16}", built[0])
    assert built[1] == f".shoal-{built[0]}-{built[2]}"


def test_an_earlier_release_gives_way_to_force_alone(earlier):
    with pytest.raises(OutputError, match="not empty"):
        write_release(draft(), earlier, mode="off")
    with pytest.raises(ReachedError):
        write_release(draft(), earlier, mode="off", force=True)
    assert (earlier / "data.csv").is_file()


@pytest.mark.parametrize("name", ["report.html", "verify.py", "Plan.toml", "a/b.csv", "plan"])
def test_papers_have_names_that_verify_py_expects(name):
    with pytest.raises(InvalidParameterError):
        draft(papers={name: ""})
    assert draft(papers={"plan.toml": "", "hierarchies/a b.csv": ""}).papers


# --- what gives way


def test_a_new_or_an_empty_folder_takes_a_release(tmp_path):
    assert check_folder(tmp_path / "new") == tmp_path / "new"
    (tmp_path / "empty").mkdir()
    assert check_folder(tmp_path / "empty") == tmp_path / "empty"


def test_a_file_or_a_folder_in_no_folder_takes_none(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="'file' is a file"):
        check_folder(tmp_path / "file", force=True)
    with pytest.raises(OutputError, match="does not exist"):
        check_folder(tmp_path / "nowhere" / "out", force=True)


def test_a_release_as_it_was_written_gives_way_to_force(earlier):
    with pytest.raises(OutputError, match="not empty"):
        check_folder(earlier)
    assert check_folder(earlier, force=True) == earlier
    (earlier / "provenance.json").touch()
    assert check_folder(earlier, force=True, source=earlier.parent / "people.csv") == earlier


def test_the_input_does_not_give_way(earlier):
    for source in (earlier / "data.csv", earlier / "hierarchies" / "age.csv"):
        with pytest.raises(OutputError, match="lies in the folder"):
            check_replaceable(earlier, force=True, source=source)


@pytest.mark.parametrize("name", ["mine.txt", "hierarchies/mine.csv", "empty/", "deep/er/"])
def test_what_no_release_put_there_does_not_give_way(earlier, name):
    if name.endswith("/"):
        (earlier / name).mkdir(parents=True)
    else:
        (earlier / name).touch()
    with pytest.raises(OutputError, match=f"no release put there: '{name}'"):
        check_replaceable(earlier, force=True)


@pytest.mark.parametrize("name", ["data.csv", "hierarchies/age.csv"])
def test_what_was_changed_does_not_give_way(earlier, name):
    (earlier / name).write_text("changed")
    with pytest.raises(OutputError, match=f"changed since the release: '{name}'"):
        check_replaceable(earlier, force=True)


@pytest.mark.parametrize("told", [3, {}, {"sha256": None}, {"sha256": "0"}])
def test_what_the_manifest_does_not_prove_does_not_give_way(earlier, told):
    manifest = json.loads((earlier / "manifest.json").read_text())
    manifest["files"]["data.csv"] = told
    (earlier / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(OutputError, match=r"changed since the release: 'data\.csv'"):
        check_replaceable(earlier, force=True)


def test_without_a_manifest_nothing_gives_way(earlier):
    (earlier / "manifest.json").write_text("{}")
    assert listed_in(earlier) == {}
    with pytest.raises(OutputError, match=r"no release put there: 'data\.csv'"):
        check_replaceable(earlier, force=True)


def test_only_folders_that_are_staged_are_overlooked(tmp_path):
    stage = ".shoal-0123456789abcdef"
    (tmp_path / stage).mkdir()
    (tmp_path / stage / "data.csv").touch()
    assert [*files_in(tmp_path)] == []
    (tmp_path / stage[:-1]).mkdir()
    (tmp_path / stage.replace("0", "1")).touch()
    os.symlink(tmp_path, tmp_path / stage.replace("0", "2"))
    assert sorted(files_in(tmp_path)) == [
        ".shoal-0123456789abcde/",
        ".shoal-1123456789abcdef",
        ".shoal-2123456789abcdef (a link)",
    ]
    assert [*files_in(tmp_path / "nowhere")] == []


def test_five_names_are_named():
    assert _named("abcde") == "'a', 'b', 'c', 'd', 'e'"
    assert _named("abcdef") == "'a', 'b', 'c', 'd', 'e' and 1 more"


def test_nothing_holds_of_columns_that_nobody_named():
    table = read_table(pl.DataFrame({"age": [1, 1]}), roles=Roles())
    with pytest.raises(InvalidParameterError, match="No quasi-identifier is named"):
        check(table, [KAnonymity(2)])
    assert check(table).holds  # nothing was asked
    named = read_table(pl.DataFrame({"age": [1, 1]}), roles=Roles(quasi_identifiers="age"))
    assert check(named, [KAnonymity(2)]).holds


# --- what a manifest says


def test_a_manifest_tells_who_stands_out_as_it_was_found():
    found = SinglingSummary(
        0.5, 0.25, {"day": 0.2}, ("ward",), ("day",), (("place", "zip"),), ((("a", "b"), 0.1),),
        ("day", 0.125),
    )  # fmt: skip
    said = _singling(SimpleNamespace(singling=found))["singling_out"]
    assert said == {
        "share_unique": 0.5,
        "share_unique_plain": 0.25,
        "columns": {"day": 0.2},
        "accepted": ["ward"],
        "open": ["day"],
        "twins": [{"telling": "place", "told": "zip"}],
        "sets": [{"columns": ["a", "b"], "share": 0.1}],
        "helps_most": "day",
    }


def test_a_manifest_says_which_list_of_keys_it_keeps_to(tmp_path):
    manifest = make_release().write(tmp_path / "out").manifest
    assert manifest["format"] == 1
    assert {*manifest} <= {*MANIFEST_KEYS}


def test_a_manifest_leaves_out_what_was_not_looked_for():
    assert _singling(SimpleNamespace(singling=None)) == {}
    rough = _singling(SimpleNamespace(singling=SinglingSummary(0.5, 0.5, step=2)))["singling_out"]
    assert (rough["helps_most"], rough["in_steps_of"]) == (None, 2)


def test_a_manifest_is_the_same_bytes_everywhere():
    assert to_json({"né": [1, "inf"]}) == '{\n  "né": [\n    1,\n    "inf"\n  ]\n}\n'


@pytest.mark.parametrize(
    "text",
    ["[]", '["shoal"]', "{}", '{"files": {}}', '{"shoal": "1"}', '{"shoal": "1", "files": []}'],
)
def test_only_a_manifest_is_read_as_one(text):
    with pytest.raises(ValueError, match="not the manifest"):
        read_manifest(text)
