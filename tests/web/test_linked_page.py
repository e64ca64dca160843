"""The page of linked tables: a key, crowds, and where the rows of one person are."""

from __future__ import annotations

import re

import pytest

from shoal.datasets import hospital


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
