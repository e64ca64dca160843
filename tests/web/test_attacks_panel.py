"""The Result page tries attacks on the release that lies ready."""

from __future__ import annotations

import json
import time
import zipfile
from dataclasses import replace

import pytest

from shoal._home import home
from shoal._progress import SILENT
from shoal.datasets import people
from shoal.exceptions import LedgerDamagedError, ReleaseRefusedError
from shoal.growing import LaterDelivery
from shoal.ledger import Ledger, reset_ledger
from shoal.table import read_table
from shoal.web._first_look import read_first
from shoal.web._released import Released, hand_over
from shoal.web.pages._attacks import KIND, STALE, attack_work, attacking
from shoal.web.pages._result import _making, _progress

ROLES = {
    "age": "quasi_identifier",
    "sex": "quasi_identifier",
    "zip": "quasi_identifier",
    "diagnosis": "sensitive",
}


@pytest.fixture
def space(site):
    visitor = site.visitors.new("steward")
    folder = site.store.new(visitor)
    people(150).frame.select(*ROLES).write_csv(folder / "table.csv")
    space = site._begin(
        visitor, folder, read_first(folder / "table.csv", site.settings.limits), "people"
    )
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
    assert page.count("<svg") == sum(result.applies for result in job.result.report.results)
    assert not any(word in page for word in people(150).frame["diagnosis"].unique())


def test_attacks_on_an_earlier_release_say_so(space):
    space.make_release()
    found = attack_work(space)(SILENT)
    job = space.start(KIND, lambda _: found)
    while not job.over:
        time.sleep(0.02)
    assert STALE not in attacking(space, _progress)
    space.make_release()
    assert STALE not in attacking(space, _progress)  # made again, the same bytes
    space.decide(k=30)
    space.make_release()
    page = attacking(space, _progress)
    assert STALE in page
    assert 'class="stale"' in page


def test_a_release_enters_the_ledger_when_it_leaves_the_house(space):
    space.make_release()
    with Ledger.open() as ledger:
        assert ledger.releases() == []  # it lies ready; nobody has it
    hand_over(space.released, space.table)
    hand_over(space.released, space.table)  # a second file of the same release
    with Ledger.open() as ledger:
        (entered,) = ledger.releases()
        assert (entered.status, entered.rows) == ("released", 150)
        assert entered.folder == "release.zip"


def test_a_release_that_was_fetched_can_be_followed(space, tmp_path):
    space.make_release()
    hand_over(space.released, space.table)
    with zipfile.ZipFile(space.released.folder / "release.zip") as pack:
        pack.extractall(tmp_path / "fetched")
    (manifest,) = (tmp_path / "fetched").rglob("manifest.json")
    more = read_table(
        people(200).frame.select(*ROLES), roles=space.plan.roles, kinds=space.table.kinds
    )
    delivery = LaterDelivery(space.plan.anonymizer(more), manifest.parent).fit(more)
    assert delivery.counts_["known"] == 150
    assert delivery.release_.write(tmp_path / "next").ledger.composition.holds


@pytest.fixture
def damaged(space):
    """A release that lies ready beside a ledger that lost its traces."""
    space.make_release()
    hand_over(space.released, space.table)
    (home() / "ledger.traces").unlink()
    space.make_release()
    return space


def test_a_damaged_ledger_is_told_and_lets_it_leave_unrecorded_as_the_command_line_does(damaged):
    assert damaged.released.caution.startswith("The release was not recorded in the ledger.")
    assert "ledger reset --yes" in damaged.released.caution
    assert damaged.released.caution.partition("gone")[0] in _making(damaged)
    hand_over(damaged.released, damaged.table)
    with Ledger.open() as ledger:
        assert len(ledger.releases()) == 1
    reset_ledger()
    hand_over(damaged.released, damaged.table)  # once it is mended, the next file is recorded
    with Ledger.open() as ledger:
        assert len(ledger.standing()) == 1


def test_a_damaged_ledger_refuses_what_is_for_others(damaged):
    manifest = damaged.released.manifest | {"preset": "public"}
    text = json.dumps(manifest)
    (damaged.released.folder / "manifest.json").write_text(text, encoding="utf-8")
    found = Released.read(damaged.released.folder)
    assert found.objection.startswith("Not released. The ledger is not as it was written")
    assert "ledger reset --yes" in found.objection
    with pytest.raises(LedgerDamagedError, match="not as it was written"):
        hand_over(found, damaged.table)


def test_a_damaged_ledger_refuses_where_the_plan_says_so(space):
    space.plan = replace(space.plan, ledger="refuse")
    space.make_release()
    hand_over(space.released, space.table)
    (home() / "ledger.traces").unlink()
    space.make_release()
    assert space.released.objection.startswith("Not released. The ledger is not as it was written")
    with pytest.raises(LedgerDamagedError, match="not as it was written"):
        hand_over(space.released, space.table)


def test_another_release_of_the_same_people_is_refused_at_the_door(space):
    space.decide(k=3)
    space.make_release()
    hand_over(space.released, space.table)
    space.session.set_weights({"age": 9.0, "sex": 1.0, "zip": 0.1})
    space.make_release()
    with pytest.raises(ReleaseRefusedError, match="people"):
        hand_over(space.released, space.table)
    with pytest.raises(ReleaseRefusedError):  # asking again does not help
        hand_over(space.released, space.table)


def test_the_page_says_why_another_release_may_not_leave(space):
    space.decide(k=3)
    space.make_release()
    assert 'id="why-not"' not in _making(space)
    hand_over(space.released, space.table)
    space.session.set_weights({"age": 9.0, "sex": 1.0, "zip": 0.1})
    space.make_release()
    page = _making(space)
    assert space.released.objection
    assert 'id="why-not"' in page
    assert "earlier release" in page
    assert f"/api/tables/{space.id}/release/" not in page
    assert Released.read(space.released.folder).objection == space.released.objection
