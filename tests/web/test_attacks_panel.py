"""The Result page tries attacks on the release that lies ready."""

from __future__ import annotations

import time

import pytest

from shoal.datasets import people
from shoal.web._house import _proposed
from shoal.web.pages._attacks import KIND, attack_work, attacking
from shoal.web.pages._result import _progress

ROLES = {
    "age": "quasi_identifier",
    "sex": "quasi_identifier",
    "zip": "quasi_identifier",
    "diagnosis": "sensitive",
}


@pytest.fixture
def space(house):
    visitor = house.visitors.new("steward")
    folder = house.store.new(visitor)
    people(150).frame.select(*ROLES).write_csv(folder / "table.csv")
    space = house._begin(visitor, folder, _proposed(folder / "table.csv"), "people")
    for column, role in ROLES.items():
        space.set_role(column, role)
    return space


def test_there_is_nothing_to_attack_before_a_release(space):
    assert attacking(space, _progress) == ""


def test_attacks_are_tried_and_drawn(space):
    space.make_release()
    before = attacking(space, _progress)
    assert f'data-value="{KIND}"' in before
    assert "<svg" not in before
    job = space.start(KIND, attack_work(space))
    waited = time.monotonic() + 120
    while not job.over and time.monotonic() < waited:
        time.sleep(0.1)
    assert job.state == "done", job.problem
    page = attacking(space, _progress)
    assert "attacks were tried" in page
    assert page.count("<svg") == sum(result.applies for result in job.result.results)
    assert not any(word in page for word in people(150).frame["diagnosis"].unique())
