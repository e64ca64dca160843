"""The page of linked tables: a key, crowds, and where the rows of one person are."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile

import pytest

from shoal.datasets import hospital
from shoal.ledger import Ledger
from shoal.linked import check_family, read_linked


@pytest.fixture
def brought(steward):
    """Two tables about the same people, uploaded one after the other."""
    tables = hospital(60, stays=2)
    for name in ("patients", "stays"):
        content = tables[name].write_csv().encode()
        answer = steward.post("/api/tables", params={"name": f"{name}.csv"}, content=content)
        assert answer.status_code == 201, answer.text
    return steward


def did(client, act, value=""):
    answer = client.post("/linked", json={"act": act, "value": value, "have": {}})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_crowds_reach_over_tables_and_a_person_is_found_in_them(brought):
    assert 'href="/linked"' in brought.get("/").text
    page = brought.get("/linked").text
    assert '<option value="patient_no"' in page.replace(" selected", "")
    assert "One person" not in page
    did(brought, "key", "patient_no")
    made = did(brought, "group")
    assert made["kind"] != "trouble", made["say"]
    assert "60 people in" in made["fragments"]["tables"]["html"]
    first = made["fragments"]["person"]["html"]
    assert "Crowd" in first
    assert "shared by" in first
    second = did(brought, "person", "7")["fragments"]["person"]["html"]
    assert 'value="7"' in second
    counts = [int(n) for n in re.findall(r"(\d+) people</td>", second)]
    assert counts
    assert min(counts) >= 10  # the k of the plans
    assert did(brought, "person", "9999")["kind"] != "trouble"


def test_without_a_second_table_there_is_nothing_to_join(steward):
    assert "bring another one" in steward.get("/linked").text


def test_others_do_not_see_these_tables(brought, visit):
    assert "bring another one" in visit().get("/linked").text


def test_tables_are_released_and_fetched_by_their_owner_alone(brought, visit, tmp_path):
    assert brought.get("/linked/release.zip").status_code == 404
    did(brought, "key", "patient_no")
    did(brought, "group")
    made = did(brought, "release")
    assert made["kind"] != "trouble", made["say"]
    told = made["fragments"]["release"]["html"]
    assert "joined, every row is shared by" in told
    answer = brought.get("/linked/release.zip")
    assert answer.status_code == 200
    (tmp_path / "release.zip").write_bytes(answer.content)
    with zipfile.ZipFile(tmp_path / "release.zip") as pack:
        pack.extractall(tmp_path)
    assert check_family(read_linked(tmp_path / "release")[0]).k >= 10
    verified = [sys.executable, str(tmp_path / "release" / "verify.py")]
    assert subprocess.run(verified, capture_output=True).returncode == 0
    patients = hospital(60, stays=2)["patients"]["patient_no"].to_list()
    everything = b"".join(p.read_bytes() for p in (tmp_path / "release").iterdir())
    assert not any(f"{name},".encode() in everything for name in patients)
    with Ledger.open() as ledger:
        entered = [release.id for release in ledger.releases()]
    assert entered == [entered[0], f"{entered[0]}-1"]  # both tables of one release
    assert visit().get("/linked/release.zip").status_code == 404
    did(brought, "group")  # other crowds: what was released is not offered for them
    assert brought.get("/linked/release.zip").status_code == 404
