"""What the documents promise of ten deliveries is what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "results" / "growing.json"
FOUND = json.loads(FILE.read_text("utf-8"))["results"]
TABLES = ("adult", "stays", "registry", "real_stays")


@pytest.mark.parametrize("name", TABLES)
def test_ten_deliveries_keep_what_the_first_one_promised(name):
    table = FOUND[name]
    first, last = table["after"][0], table["after"][-1]
    assert len(table["after"]) == len(table["anew"]) == 10
    assert table["refounded"][-1]["delivery"] == 10
    assert last["single"] <= first["single"]  # composition, difference and arrival together
    assert last["ngil"] <= first["ngil"]
    assert last["waiting"] <= 0.05 * last["newcomers"]
    assert all(told["disclosed"] == 0 for told in (*table["after"], *table["refounded"]))
    assert all(told["single"] <= first["single"] for told in table["refounded"])
    assert table["anew"][-1]["single"] > 100  # the harm, where nobody keeps a ledger


@pytest.mark.parametrize("name", TABLES)
def test_newcomers_and_deleted_people_are_believed_no_more_of_than_others(name):
    assert FOUND[name]["gain"]["interval"][0] <= 0  # over seeds: no more than by chance
    for told in FOUND[name]["deletions"]:
        assert told["after"] <= told["before"]


@pytest.mark.parametrize("name", TABLES)
def test_a_delivery_takes_no_longer_than_a_release(name):
    assert FOUND[name]["seconds"]["after"] <= 1.05 * FOUND[name]["seconds"]["anew"]


def test_the_registry_forgets_people():
    assert len(FOUND["registry"]["deletions"]) >= 3
