"""Keys: where they lie, who may read them, and what is recorded of them."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from shoal.audit import Journal
from shoal.exceptions import InputError, InvalidParameterError, OutputError
from shoal.projects import (
    destroy_key,
    export_key,
    kept_keys,
    new_key,
    project_key,
    rotate_key,
)


def test_the_default_project_draws_its_key_once_and_for_its_owner_only(house):
    first = project_key()
    assert project_key() == first
    file = house / "keys" / "project-default"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_bytes()) == 32


def test_another_project_must_be_made_first():
    with pytest.raises(InvalidParameterError, match="no key for the project 'trial'"):
        project_key("trial")
    assert new_key("trial") == project_key("trial") != project_key()
    with pytest.raises(InvalidParameterError, match="has a key already"):
        new_key("trial")


@pytest.mark.parametrize("name", ["", "Trial", "../x", "a b", "-a", "x" * 90])
def test_names_of_projects_are_plain(name):
    with pytest.raises(InvalidParameterError, match="small letters"):
        project_key(name)


def test_keys_are_separated_by_project_purpose_and_part(monkeypatch):
    monkeypatch.setenv("SHOAL_PROJECT_KEY", "ab" * 32)
    one, other = project_key("one"), project_key("other")
    made = {one.derive("a", "bc"), one.derive("ab", "c"), other.derive("a", "bc"), one.derive("a")}
    assert len(made) == 4
    assert one.id != other.id
    assert "ab" * 32 not in repr(one)


def test_a_key_comes_from_a_private_file(tmp_path, monkeypatch):
    new_key("trial")
    file = tmp_path / "trial.key"
    export_key("trial", file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    here = project_key("trial")
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "elsewhere"))
    assert new_key("trial", file) == here
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "third"))
    monkeypatch.setenv("SHOAL_PROJECT_KEY_FILE", str(file))
    assert project_key("trial") == here
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(OutputError, match="there already"):
        export_key("trial", file)


def test_a_key_file_that_others_can_read_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "open.key"
    file.write_text("ab" * 32)
    file.chmod(0o644)
    monkeypatch.setenv("SHOAL_PROJECT_KEY_FILE", str(file))
    if os.name == "posix":
        with pytest.raises(InputError, match="open to others"):
            project_key()
    file.chmod(0o600)
    file.write_text("not a key")
    with pytest.raises(InputError, match="64 hex digits"):
        project_key()


def test_what_happens_to_keys_is_recorded(house):
    new_key("trial")
    before = project_key("trial")
    after = rotate_key("trial")
    assert after != before
    destroy_key("trial")
    with pytest.raises(InvalidParameterError, match="was destroyed on"):
        project_key("trial")
    assert [(key.project, key.status) for key in kept_keys()] == [("trial", "destroyed")]
    key = (house / "keys" / "keys").read_bytes()
    with Journal.open(house / "keys.journal", key) as journal:
        assert [entry.kind for entry in journal.entries()] == ["made", "rotated", "destroyed"]
        assert journal.verify().holds
        assert before._key.hex() not in str([entry.body for entry in journal.entries()])
    assert not (house / "keys" / "project-trial").exists()
    assert new_key("trial") not in (before, after)  # said aloud, it may begin anew


def test_a_destroyed_default_key_is_not_drawn_again_by_itself():
    project_key()
    destroy_key("default")
    with pytest.raises(InvalidParameterError, match="destroyed"):
        project_key()
    with pytest.raises(InvalidParameterError, match="No key"):
        destroy_key("default")


CRASHING = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
from shoal.projects import new_key
if sys.argv[1] == "key":
    new_key("trial")
os.abort()
"""


def test_no_core_is_dumped_while_a_key_is_in_memory(house, tmp_path):
    """With a control: where the same crash leaves a core, one with a key in memory leaves none."""
    resource = pytest.importorskip("resource")
    if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
        pytest.skip("no process may leave a core here")
    environment = {
        **os.environ,
        "SHOAL_HOME": str(house),
        "PYTHONPATH": str(Path(shoal.__file__).parents[1]),
    }
    left = {}
    for what in ("key", "nothing"):
        (tmp_path / what).mkdir()
        command = [sys.executable, "-c", CRASHING, what]
        done = subprocess.run(
            command, cwd=tmp_path / what, env=environment, capture_output=True, check=False
        )
        assert done.returncode == -signal.SIGABRT, done.stderr
        left[what] = [path.name for path in (tmp_path / what).iterdir()]
    assert left["key"] == []
    if Path("/proc/sys/kernel/core_pattern").read_text().startswith("core"):
        assert left["nothing"] != []


def test_a_key_is_in_no_output_argument_log_or_traceback(house, tmp_path):
    """A run that fails loudly after the key was used, and one that logs everything."""
    new_key("trial")
    key = (house / "keys" / "project-trial").read_bytes()
    script = """
import logging, sys
logging.basicConfig()
logging.getLogger("shoal").setLevel(logging.DEBUG)
from shoal.cli import run
from shoal.projects import project_key
run(sys.argv[1:])
sys.stderr.write(open("/proc/self/cmdline").read())
held = project_key("trial")
print(held, vars(type(held)).keys(), f"{held!r}")
raise RuntimeError(held)
"""
    (tmp_path / "p.csv").write_text("no,age\n" + "".join(f"{i:06d},{30 + i}\n" for i in range(20)))
    words = "anonymize p.csv --quasi age --person no --pseudonym no=project --project trial -k 4"
    done = subprocess.run(
        [sys.executable, "-c", script, *words.split(), "--no-bound", "-o", "out"],
        cwd=tmp_path,
        env={
            **os.environ,
            "SHOAL_HOME": str(house),
            "PYTHONPATH": str(Path(shoal.__file__).parents[1]),
        },
        capture_output=True,
        check=False,
    )
    told = done.stdout + done.stderr
    assert b"ProjectKey(project='trial')" in told
    assert (tmp_path / "out" / "data.csv").exists()
    for spelled in (key, key.hex().encode(), repr(key).encode()):
        assert spelled not in told
