"""Plug-ins: a package of somebody else is installed, and used wherever a user would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from shoal._plugins import _load
from shoal.datasets import people

REEF = Path(__file__).parent / "reef"
UV = Path(sys.executable).with_name("uv")
QUASI = "--quasi age,sex,zip --sensitive visits -k 5"

USE_THE_WEB_APP = """
import sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
from starlette.testclient import TestClient
from shoal.web import Settings
from shoal.web._app import create_app
from shoal.web._server import Server

server = Server(Settings(), Path("web"))
base = "http://127.0.0.1:8080"
client = TestClient(create_app(server), base_url=base, headers={"origin": base})
client.get("/", params={"token": server.visitors.token})
made = client.post("/api/tables?name=few.csv", content=Path("few.csv").read_bytes())
table = made.json()["id"]
roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "visits": "sensitive"}
for column, role in roles.items():
    client.patch(f"/api/tables/{table}/columns/{column}", json={"role": role})
page = client.get(f"/t/{table}/table").text
chosen = client.put(f"/api/tables/{table}/privacy", json={"method": "sort-and-cut"})
print(chosen.status_code, "sort-and-cut" in page, "Numbers of a group reach over so much" in page)
"""


@pytest.fixture(scope="module")
def reef(tmp_path_factory):
    """A folder with a table, in which the other package is installed."""
    folder = tmp_path_factory.mktemp("reef")
    site = folder / "site"
    command = [UV, "pip", "install", "--quiet", "--no-deps", "--target", site, REEF]
    subprocess.run(command, check=True, env={**os.environ, "UV_LINK_MODE": "copy"})
    few = people(120).frame.select("age", "sex", "zip", "visits")
    few.write_csv(folder / "few.csv")
    lines = [";".join(f"{k}={v}" for k, v in row.items()) for row in few.to_dicts()]
    (folder / "few.reef").write_text("\n".join(lines))

    def use(*arguments):
        paths = os.pathsep.join([str(site), *sys.path])
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths, "SHOAL_HOME": str(folder / "house")},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, done.stderr

    use.folder = folder
    return use


def test_the_command_line_knows_all_five_families(reef):
    typed = f"{QUASI} --least-range 2 --method sort-and-cut --recoding stars --json"
    code, out, err = reef("-m", "shoal", "anonymize", "few.reef", *typed.split(), "-o", "typed")
    assert code == 0, err
    told = json.loads(out)
    assert (told["method"], told["source"]["kind"]) == ("sort-and-cut", "reef")
    published = (reef.folder / "typed" / "data.csv").read_text().splitlines()
    assert {line.rsplit(",", 1)[0] for line in published[1:]} == {"*,*,*"}
    held = json.loads((reef.folder / "typed" / "manifest.json").read_text())["holds"]
    assert [each["model"] for each in held[1:]] == ["range 2 of 'visits'"]
    code, out, err = reef(
        *("-m", "shoal", "attack", "typed", "--original", "few.csv", "--attacks", "first_row"),
        "--json",
    )
    assert [attack["name"] for attack in json.loads(out)["attacks"]] == ["first_row"], err


def test_a_plan_knows_them_too(reef):
    (reef.folder / "plan.toml").write_text(
        '[table]\nsource = "few.reef"\n[roles]\nquasi_identifiers = ["age", "sex", "zip"]\n'
        'sensitive = ["visits"]\n[privacy]\nk = 5\nleast_range = 2\n'
        '[method]\nname = "sort-and-cut"\nrecoding = "stars"\n'
    )
    code, out, err = reef("-m", "shoal", "anonymize", "--plan", "plan.toml", "-o", "planned")
    assert code == 0, err
    assert "range 2 of 'visits' holds" in out


def test_the_web_app_offers_them(reef):
    code, out, err = reef("-c", USE_THE_WEB_APP)
    assert (code, out.split()) == (0, ["200", "True", "True"]), err


def test_the_doctor_lists_them_and_names_the_broken_ones(reef):
    code, out, _ = reef("-m", "shoal", "doctor", "--json")
    seen = {
        each["name"]: each for each in json.loads(out)["findings"] if each["topic"] == "plug-in"
    }
    assert code == 1
    assert seen["sort-and-cut"] == {
        "topic": "plug-in",
        "name": "sort-and-cut",
        "seen": "groupers, from shoal-reef",
        "well": True,
        "advice": None,
    }
    faults = {name: each["advice"] for name, each in seen.items() if not each["well"]}
    assert faults == {
        "broken": "it raises ModuleNotFoundError, and is left out",
        "no-attack": "it is no Attack, and is left out",
        "l": "it has a name that is taken, or none, and is left out",
    }


def test_what_is_ours_is_not_replaced(reef):
    code, out, _ = reef("-c", "from shoal.privacy import MODELS; print(MODELS['l'].__module__)")
    assert (code, out.strip()) == (0, "shoal.privacy._distinct")


def test_a_package_that_exits_stops_nothing(tmp_path, monkeypatch):
    (tmp_path / "leaving_early.py").write_text("raise SystemExit('Kanarie7731')")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("early", "leaving_early:Model", "shoal.models")
    assert _load(point, object).fault == "raises SystemExit"
