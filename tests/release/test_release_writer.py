"""The one way out: what it takes along, what it replaces, and who comes first."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from releases import ROLES, make_release, people

from forking import play
from shoal._progress import SILENT
from shoal.exceptions import InvalidParameterError, OutputError, ReleaseRefusedError
from shoal.release import _manifest, _writer, check_folder
from shoal.release._staging import staged
from shoal.table import read_table

PAPERS = {"plan.toml": "[privacy]\nk = 3\n", "hierarchies/zip.csv": "8000;*\r\n"}


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_further_papers_are_staged_and_named_in_the_manifest(tmp_path):
    written = make_release().write(tmp_path / "out", papers=PAPERS, ledger="off")
    assert {*PAPERS, "data.csv", "report.html", "verify.py"} == set(written.manifest["files"])
    assert (tmp_path / "out" / "hierarchies" / "zip.csv").read_bytes() == b"8000;*\r\n"
    run = subprocess.run([sys.executable, tmp_path / "out" / "verify.py"], check=False)
    assert run.returncode == 0
    make_release().write(tmp_path / "out", force=True, ledger="off")
    assert not (tmp_path / "out" / "plan.toml").exists()
    assert not (tmp_path / "out" / "hierarchies").exists()
    assert not (tmp_path / "out" / "provenance.json").exists()  # nobody asked for it


@pytest.mark.parametrize(
    "name", ["data.csv", "manifest.json", "data/part-0", "../x", "/etc/x", "", "a/../../x"]
)
def test_papers_stay_in_their_folder_and_leave_the_others_alone(tmp_path, name):
    with pytest.raises(InvalidParameterError, match="can be called"):
        make_release().write(tmp_path / "out", papers={name: "x"}, ledger="off")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("inside", [False, True])
def test_what_no_release_put_there_is_named_and_kept(tmp_path, monkeypatch, inside):
    out = tmp_path / "out"
    make_release().write(out, papers=PAPERS, ledger="off")
    (out / "hierarchies" / "mine.csv").write_text("years of work")
    (out / "empty").mkdir()
    (out / "verify.py").unlink()
    (out / "verify.py").symlink_to(out / "report.html")
    before = contents(out)
    if inside:
        monkeypatch.chdir(out)
    with pytest.raises(OutputError) as refused:
        make_release().write(out, force=True, ledger="off")
    for name in ("'hierarchies/mine.csv'", "'empty/'", "'verify.py (a link)'"):
        assert name in str(refused.value)
    assert contents(out) == before


@pytest.mark.parametrize("name", ["data.csv", "plan.toml"])
def test_what_was_changed_by_hand_is_named_and_kept(tmp_path, name):
    out = tmp_path / "out"
    make_release().write(out, papers=PAPERS, ledger="off")
    (out / name).write_text("changed by hand")
    with pytest.raises(OutputError, match=f"changed since the release: '{name}'"):
        make_release().write(out, force=True, ledger="off")
    assert (out / name).read_text() == "changed by hand"


def test_a_manifest_without_digests_proves_nothing(tmp_path):
    out = tmp_path / "out"
    make_release().write(out, ledger="off")
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["files"]["data.csv"] = 3
    (out / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(OutputError, match=r"data\.csv"):
        check_folder(out, force=True)


def test_the_input_is_never_replaced(tmp_path):
    out = tmp_path / "out"
    make_release().write(out, ledger="off")
    table = read_table(out / "data.csv")
    assert table.source == out / "data.csv"
    before = contents(out)
    people().write_csv(tmp_path / "people.csv")
    release = make_release()
    made = read_table(tmp_path / "people.csv", roles=ROLES)
    object.__setattr__(made, "source", out / "data.csv")
    object.__setattr__(release.lineage, "table", made)
    with pytest.raises(OutputError, match=r"input 'data\.csv' lies in the folder 'out'"):
        release.write(out, force=True, ledger="off")
    assert contents(out) == before


def test_a_private_paper_is_replaced_with_its_release(tmp_path):
    make_release().write(tmp_path / "out", provenance=True, ledger="off")
    assert json.loads((tmp_path / "out" / "provenance.json").read_text())["seed"] == 7
    make_release().write(tmp_path / "out", force=True, ledger="off")
    assert not (tmp_path / "out" / "provenance.json").exists()


# --- two at once


def _write_when_told(out, format, told, answers):
    release = make_release()
    told.wait()
    try:
        release.write(out, format=format, ledger="off")
    except OutputError as error:
        answers.put(str(error))
    else:
        answers.put(format)


def test_of_two_runs_into_one_folder_exactly_one_succeeds(tmp_path):
    fork = multiprocessing.get_context("spawn")
    told, answers = fork.Barrier(2), fork.Queue()
    runs = [
        fork.Process(target=_write_when_told, args=(tmp_path / "out", format, told, answers))
        for format in ("csv", "parquet")
    ]
    for run in runs:
        run.start()
    found = {answers.get(timeout=900) for _ in runs}
    for run in runs:
        run.join()
    assert len(found & {"csv", "parquet"}) == 1
    assert any("is not empty" in answer for answer in found)
    (won,) = found & {"csv", "parquet"}
    assert (tmp_path / "out" / f"data.{won}").is_file()


@pytest.mark.parametrize("inside", [False, True])
def test_who_comes_second_is_told_even_if_both_found_it_empty(tmp_path, monkeypatch, inside):
    out = tmp_path / "out"
    if inside:
        out.mkdir()
        monkeypatch.chdir(out)
    with staged(out, force=False) as second:
        (second.path / "manifest.json").write_text("{}")
        make_release().write(out, ledger="off")
        before = {k: v for k, v in contents(out).items() if ".shoal-" not in str(k)}
        with pytest.raises(OutputError, match="not empty"):
            second.place()
        assert not second.stands()
    assert contents(out) == before


@pytest.mark.parametrize("at", range(14))
def test_a_move_that_is_cut_off_inside_a_folder_is_undone(tmp_path, monkeypatch, at):
    out, private = tmp_path / "out", {"study.html": "scores"}
    make_release().write(out, provenance=True, papers=PAPERS, private=private, ledger="off")
    before = contents(out)
    monkeypatch.chdir(out)
    left, real = [at], Path.rename

    def rename(self, target):
        left[0] -= 1
        if left[0] == -1:
            raise KeyboardInterrupt
        return real(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", rename)
        try:
            new = {"study.html": "others", "plan.toml": "weights"}
            make_release().write(out, force=True, format="parquet", private=new, ledger="off")
        except KeyboardInterrupt:
            assert contents(out) == before
        else:
            assert (out / "data.parquet").is_file()
            assert left[0] >= 0
    assert not [name for name in os.listdir(out) if name.startswith(".shoal")]


def test_what_a_killed_move_left_inside_a_folder_comes_back(tmp_path, monkeypatch):
    out = tmp_path / "out"
    make_release().write(out, provenance=True, papers=PAPERS, ledger="off")
    before = contents(out)
    script = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from releases import make_release
left, real = int(sys.argv[1]), Path.rename
def rename(self, target):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, target)
Path.rename = rename
make_release().write(".", force=True, format="parquet", ledger="off")
"""
    for at in (1, 6, 8):
        play(script, at, cwd=out)
        with pytest.raises(OutputError, match="not empty"):  # sweeps all the same
            make_release().write(out, ledger="off")
        assert contents(out) == before


def test_many_files_are_not_all_named(tmp_path):
    for number in range(9):
        (tmp_path / f"file{number}").touch()
    with pytest.raises(OutputError, match="'file4' and 4 more"):
        check_folder(tmp_path, force=True)
    assert _manifest.listed_in(tmp_path) == {}


def test_what_recounting_took_is_told(tmp_path, monkeypatch):
    clock = iter([100.0, 102.5])
    monkeypatch.setattr(_writer, "perf_counter", lambda: next(clock))
    assert make_release().write(tmp_path / "out", ledger="off").seconds == 2.5


def test_private_papers_stay_with_their_maker(tmp_path):
    """Named by the provenance alone, closed to others, replaced only as they were written."""
    folder = tmp_path / "out"
    make_release().write(folder, private={"plan.toml": "weights"}, ledger="off")
    written = make_release().write(
        folder, private={"plan.toml": "weights"}, force=True, ledger="off"
    )
    assert "plan.toml" not in written.files
    assert {*written.manifest["files"]} == {"data.csv", "report.html", "verify.py"}
    assert stat.S_IMODE((folder / "plan.toml").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "provenance.json").stat().st_mode) == 0o600
    told = json.loads((folder / "provenance.json").read_text("utf-8"))
    assert [*told] == ["files"]  # settings are told only where that was asked for
    (folder / "plan.toml").write_text("mine")
    with pytest.raises(OutputError, match=r"changed since the release: 'plan\.toml'"):
        make_release().write(folder, force=True, ledger="off")


@pytest.mark.parametrize("told", ["", "[]", "{}", '{"files": ["plan.toml"]}', '{"files": null}'])
def test_a_provenance_that_names_nothing_makes_no_file_replaceable(tmp_path, told):
    folder = make_release().write(tmp_path / "out", ledger="off").folder
    (folder / "provenance.json").write_text(told)
    (folder / "plan.toml").write_text("mine")
    with pytest.raises(OutputError, match=r"no release put there: 'plan\.toml'"):
        make_release().write(folder, force=True, ledger="off")
    (folder / "plan.toml").unlink()
    assert make_release().write(folder, force=True, ledger="off").folder == folder


def test_what_the_last_look_finds_wrong_does_not_get_out(tmp_path):
    release = make_release()
    pending, _ = release._pending("csv", tmp_path / "out", False, False, "off", SILENT)
    seen = []

    def proof(folder, faults):
        seen.append({path.name for path in folder.iterdir()})
        return faults

    for faults in (["edges are missing."], []):
        looked = replace(pending, proof=lambda folder, faults=faults: proof(folder, faults))
        refused = pytest.raises(ReleaseRefusedError, match="Not released: edges are missing")
        with refused if faults else nullcontext():
            _writer.write_release(looked, tmp_path / "out", mode="off")
        assert (tmp_path / "out").exists() == (not faults)
    assert seen == [{"data.csv", "manifest.json", "report.html", "verify.py"}] * 2


def test_papers_say_which_table_they_speak_of_or_none(tmp_path):
    release = make_release()
    pending, _ = release._pending("csv", tmp_path / "out", False, False, "off", SILENT)
    pending.write(tmp_path / "data.csv")
    counted = _writer.recounted(pending, tmp_path / "data.csv")
    for name, table in (("file", None), ("base", {"kind": "sqlite", "name": "t"})):
        (tmp_path / name).mkdir()
        told = (pending, tmp_path / name, [], counted, release.summary)
        assert _writer.write_papers(*told, table=table).get("table") == table
