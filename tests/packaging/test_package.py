"""The package as others get it: built, installed where nothing else is, operated, backed up."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import typer

from shoal.cli import run
from shoal.datasets import people

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel and a source archive, made from what is tracked and nothing else."""
    folder = tmp_path_factory.mktemp("dist")
    command = [UV, "build", "--quiet", "--out-dir", folder, ROOT]
    subprocess.run(command, check=True)
    return folder


def test_the_wheel_holds_the_package_and_no_more(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        meta = next(name for name in names if name.endswith("METADATA"))
        told = packed.read(meta).decode()
    assert {name.split("/")[0] for name in names} == {"shoal", meta.split("/")[0]}
    assert "shoal/py.typed" in names
    made = [name for name in names if name.endswith((".py", ".typed"))]
    parts = [name for name in names if re.match(r"shoal/.*[^/]$", name) and name not in made]
    rooms = {"datasets", "hierarchies", "languages", "report", "studies", "table", "web"}
    assert {name.split("/")[1] for name in parts} <= rooms
    assert not [name for name in parts if "__pycache__" in name]
    assert "License-Expression: Apache-2.0" in told
    extras = re.findall(r"^Provides-Extra: (\S+)$", told, re.M)
    assert {"web", "tune", "spark", "studies", "databases", "files", "graphs"} <= {*extras}


def test_the_source_archive_builds_the_same_wheel(built, tmp_path):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    again = [UV, "build", "--quiet", "--wheel", "--out-dir", tmp_path / "again", source]
    subprocess.run(again, check=True)
    (first,), (second,) = built.glob("*.whl"), (tmp_path / "again").glob("*.whl")
    with zipfile.ZipFile(first) as a, zipfile.ZipFile(second) as b:
        assert {i.filename: i.CRC for i in a.infolist()} == {
            i.filename: i.CRC for i in b.infolist()
        }


def test_installed_alone_it_works_and_says_what_is_missing(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    alone = tmp_path / "alone"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, alone], check=True)
    install = [UV, "pip", "install", "--quiet", "--python", alone / "bin" / "python", wheel]
    subprocess.run(install, check=True)
    people(60).frame.select("age", "sex").write_csv(tmp_path / "few.csv")
    clean = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "SHOAL_HOME": str(tmp_path / "house"),
    }

    def shoal(*words):
        return subprocess.run(
            [alone / "bin" / "shoal", *words],
            cwd=tmp_path,
            env=clean,
            capture_output=True,
            text=True,
        )

    seen = {
        each["name"]: each["seen"]
        for each in json.loads(shoal("doctor", "--json").stdout)["findings"]
    }
    assert (seen["web"], seen["kernels"]) == ("not installed", "not compiled yet")
    checked = shoal("check", "few.csv", "--quasi", "sex", "-k", "5", "--json")
    assert (checked.returncode, json.loads(checked.stdout)["holds"]) == (0, True)
    served = shoal("serve")
    assert served.returncode == 2
    assert "shoal[web]" in served.stderr
    assert "Traceback" not in served.stderr


def test_the_lock_has_a_hash_for_every_file():
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    files = re.findall(r"\{ url = [^}]*\}", lock)
    assert files
    assert [file for file in files if 'hash = "sha256:' not in file] == []


def test_a_bill_of_materials_names_every_package_that_a_user_gets(tmp_path):
    bill = tmp_path / "sbom.json"
    command = [
        UV,
        "export",
        "--quiet",
        "--frozen",
        "--all-extras",
        "--no-dev",
        "--format",
        "cyclonedx1.5",
    ]
    subprocess.run([*command, "--output-file", bill], cwd=ROOT, check=True, capture_output=True)
    named = {part["name"] for part in json.loads(bill.read_text())["components"]}
    assert {"numpy", "numba", "polars", "duckdb", "fastapi", "optuna", "pyspark"} <= named


def lines_that_start_it():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(ROOT / "deploy" / "shoal.service")
    typed = unit["Service"]["ExecStart"].split()[1:]
    container = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    entry = json.loads(re.search(r"^ENTRYPOINT (.*)$", container, re.M)[1])[1:]
    return [typed, entry]


@pytest.mark.parametrize("words", lines_that_start_it(), ids=["systemd", "container"])
def test_units_and_containers_start_it_with_options_that_exist(words):
    from shoal.cli._app import app

    command = typer.main.get_command(app)
    parsed = command.commands["serve"].make_context("serve", words[1:])
    assert words[0] == "serve"
    assert parsed.params["auth"] is not None  # nobody nameless beyond this machine
    assert parsed.params["open_browser"] is False


def test_the_container_is_not_root_and_keeps_private_state_in_a_volume():
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    order = [text.index(word) for word in ("\nUSER shoal", "\nVOLUME /home/shoal", "\nENTRYPOINT")]
    assert order == sorted(order)
    assert re.search(r"^HEALTHCHECK .*CMD", text, re.M)
    assert "SHOAL_HOME=/home/shoal/" in text


def test_private_state_is_restored_from_a_copy(tmp_path, monkeypatch, capsys):
    people(60).frame.select("age", "sex").write_csv(tmp_path / "few.csv")
    first, second = tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("SHOAL_HOME", str(first))
    release = [str(tmp_path / "few.csv"), "--quasi", "age,sex", "-k", "5", "-o"]
    assert run(["anonymize", *release, str(tmp_path / "one")]) == 0
    assert run(["keys", "new", "ward"]) == 0
    shutil.make_archive(str(tmp_path / "backup"), "tar", first)
    shutil.rmtree(first)
    shutil.unpack_archive(str(tmp_path / "backup.tar"), second, filter="data")
    second.chmod(0o700)
    monkeypatch.setenv("SHOAL_HOME", str(second))
    assert run(["ledger", "verify"]) == 0
    assert run(["doctor"]) == 0
    capsys.readouterr()
    assert run(["ledger", "show", "--json"]) == 0
    assert "one" in capsys.readouterr().out
    assert run(["keys", "list", "--json"]) == 0
    assert "ward" in capsys.readouterr().out
    assert run(["anonymize", *release, str(tmp_path / "two")]) == 0  # and it goes on from there
