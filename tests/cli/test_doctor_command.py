"""``shoal doctor``, completion and the manual: what helps a newcomer, and whoever helps them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import shoal as package
from shoal.cli._manual import EXITS


def test_the_doctor_tells_versions_extras_tools_and_folders(shoal):
    told = shoal("doctor --json")
    seen = {(each["topic"], each["name"]): each["seen"] for each in told.json["findings"]}
    assert told.code == 0
    assert told.json["well"] is True
    assert seen["version", "Shoal"] == package.__version__
    assert int(seen["machine", "cores"]) >= 1
    assert seen["extra", "web"] == "installed, for shoal serve"
    assert seen["private", "ledger"] == "not used yet"


def test_the_doctor_names_no_folder_and_no_machine(shoal, own_house):
    told = shoal("doctor").out
    assert len(told.splitlines()) < 40  # one screen
    assert os.sep not in told
    assert os.uname().nodename not in told.split()
    assert own_house.name not in told.split("mode")[0].split()


def test_a_folder_that_others_may_read_needs_a_hand(shoal, tmp_path, monkeypatch):
    open_to_all = tmp_path / "house"
    open_to_all.mkdir()
    open_to_all.chmod(0o755)
    monkeypatch.setenv("SHOAL_HOME", str(open_to_all))
    told = shoal("doctor")
    assert told.code == 1
    assert "!!  private    SHOAL_HOME: mode 755 (others on this machine may read it" in told.out


def test_a_private_folder_that_cannot_be_made_is_told(shoal, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "file" / "house"))
    told = shoal("doctor --json")
    broken = [each for each in told.json["findings"] if not each["well"]]
    assert (told.code, [each["seen"] for each in broken]) == (1, ["cannot be made"])


def test_the_manual_has_every_command_and_option(shoal):
    text = shoal("manual").out
    for command in ("anonymize", "check", "keys rotate", "hierarchy scaffold", "doctor"):
        assert f"## shoal {command}\n" in text
    assert "| `-k N` |" in text
    assert "--entropy-l" in text  # options of models, too
    assert all(f"| {code} | {means} |" in text for code, means in EXITS)


def test_the_man_page_is_read_by_groff(shoal):
    page = shoal("manual --man").out
    assert page.startswith(".TH SHOAL 1")
    lines = [line for line in page.splitlines() if line.startswith(".")]
    assert {line.split()[0] for line in lines} == {".TH", ".SH", ".SS", ".TP"}


@pytest.mark.parametrize(
    ("typed", "offered"), [("shoal an", "anonymize"), ("shoal keys ro", "rotate")]
)
def test_a_shell_completes_commands(typed, offered):
    words = {
        "_SHOAL_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(typed.count(" ")),
    }
    done = subprocess.run(
        [sys.executable, "-m", "shoal"], env={**os.environ, **words}, capture_output=True, text=True
    )
    assert done.stdout.split() == [offered]
