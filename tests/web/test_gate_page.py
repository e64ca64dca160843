"""The gate before a release: every column that leaves as it is, and what is decided about it."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from shoal._progress import SILENT
from shoal.exceptions import ImpossibleError, ReleaseRefusedError
from shoal.risk import TwinColumns
from shoal.web._gate import ReleaseGate, choose_audience
from shoal.web.pages._gate import draw_gate
from shoal.web.pages._page import update_page
from shoal.web.pages._result import ResultPage
from shoal.web.pages._table import TablePage


@pytest.fixture
def space(site):
    """Made-up patients: admitted on exact days, a number of visits."""
    return site.take_built_in(site.visitors.new("steward"), "people", 300)


def counted(page):
    """Look at a page until whom columns single out was counted."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        parts = update_page(page, "", "", {})["fragments"]
        if page.gate.fresh:
            return parts
        time.sleep(0.02)
    raise AssertionError(page.gate.job.facts())


def number(space, name):
    return space.table.column_names.index(name)


def test_a_steward_sees_what_dates_of_admission_tell(space):
    page = ResultPage(space)
    drawn = counted(page)["gate"]["html"]
    assert "of people would stand out by what nobody accepted" in drawn
    assert drawn.count('class="door asked"') >= 1
    column = next(c for c in page.gate.found.found.columns if c.name == "admitted")
    assert column.with_crowds > 0.9 > column.alone
    assert "admitted" in page.gate.found.open
    assert "Nothing is released before" not in drawn  # nobody said for whom: a warning


def test_for_others_nothing_is_made_before_each_column_was_decided_about(space):
    choose_audience(space, "partner")
    page = ResultPage(space)
    making = update_page(page, "", "", {})["fragments"]["making"]["html"]
    assert "disabled" in making.split("Make the release")[0]
    parts = counted(page)
    assert "Nothing is released before." in parts["gate"]["html"]
    assert page.gate.closed
    with pytest.raises(ReleaseRefusedError):  # nor by those who do not come by the page
        space.make_release()
    for name, role in (("admitted", "quasi_identifier"), ("visits", "publish_as_is")):
        update_page(page, f"gate:{number(space, name)}", role, {})
    parts = counted(page)
    assert space.table.roles.publish_as_is == ("visits",)
    assert "admitted" in space.table.roles.quasi_identifiers
    assert "Nothing is open." in parts["gate"]["html"]
    assert parts["gate"]["html"].count(" checked") == 2  # what was decided here can be taken back
    assert not page.gate.closed
    released = space.make_release()
    assert released.manifest["singling_out"]["accepted"] == ["visits"]


def test_dropping_is_an_answer_and_a_coarsened_column_may_come_back(space):
    page = ResultPage(space)
    at = number(space, "admitted")
    for role in ("quasi_identifier", "drop", "publish_as_is"):
        update_page(page, f"gate:{at}", role, {})
        assert space.table.roles.role_of("admitted") == role
    assert "admitted" not in page.gate.undecided


def test_what_singles_out_few_is_accepted_at_once(space):
    space.set_role("admitted", "drop")
    for name in ("sex", "readmitted"):
        space.set_role(name, "other")
    page = ResultPage(space)
    drawn = counted(page)["gate"]["html"]
    harmless = page.gate.harmless
    assert {"sex", "readmitted"} <= {*harmless}
    assert f"Accept the {len(harmless)} that single out at most" in drawn
    update_page(page, "gate-rest", "", {})
    assert {*space.table.roles.publish_as_is} == {*harmless}


def test_all_that_need_an_answer_are_answered_for_at_once(space):
    for name in ("zip", "age"):
        space.set_role(name, "other")
    page = ResultPage(space)
    drawn = counted(page)["gate"]["html"]
    asked = page.gate.found.open
    assert len(asked) > 1
    assert f"Drop all {len(asked)} that need an answer" in drawn
    update_page(page, "gate-open", "nonsense", {})
    assert {*page.gate.found.open} == {*asked}
    update_page(page, "gate-open", "drop", {})
    assert {*asked} <= {*space.table.roles.drop}
    update_page(TablePage(space), "step", "back", {})
    assert not {*asked} & {*space.table.roles.drop}


def test_sets_and_the_column_that_helps_most_are_told(site):
    visitor = site.visitors.new("steward")
    space = site.take_built_in(visitor, "people", 400)
    for name in ("zip", "age"):
        space.set_role(name, "other")
    page = ResultPage(space)
    drawn = counted(page)["gate"]["html"]
    assert "Even without any crowd these sets single people out:" in drawn
    assert f"Coarsening {page.gate.found.found.helps_most} helps most" in drawn


def test_a_column_that_tells_a_coarsened_one_says_which(space):
    page = ResultPage(space)
    assert "tells age again" not in counted(page)["gate"]["html"]
    twin = TwinColumns("visits", "age", share=0.4, people=120)
    page.gate.found = replace(page.gate.found, twins=(twin,))
    drawn = str(draw_gate(page.gate, set()))
    assert "tells age again" in drawn
    assert "visits" in page.gate.found.open


def test_nothing_is_counted_twice_and_what_fails_is_told(space, monkeypatch):
    page = ResultPage(space)
    counted(page)
    jobs = len(space.jobs)
    update_page(page, "", "", {})
    assert len(space.jobs) == jobs
    space.decide(k=20)

    def fail(progress):
        raise ImpossibleError("No crowd is large enough.", hint="Bring more people.")

    monkeypatch.setattr(space.session, "exposure", fail)
    update_page(page, "", "", {})
    while not page.gate.job.over:
        time.sleep(0.02)
    for _ in range(2):
        drawn = update_page(page, "", "", {})["fragments"]["gate"]["html"]
        assert "No crowd is large enough. Bring more people." in drawn
    assert len(space.jobs) == jobs + 1


def test_without_such_columns_there_is_no_gate(space):
    for name in ("admitted", "visits"):
        space.set_role(name, "drop")
    assert draw_gate(ReleaseGate.of(space), set()) == ""


def test_an_audience_raises_what_must_hold(space):
    page = TablePage(space)
    space.decide(k=4, l=1)
    page.act("preset", "public")
    assert (space.plan.preset, space.plan.k, space.plan.l) == ("public", 11, 3)
    assert "public" in space.promise.words
    page.act("preset", "")
    assert space.plan.preset is None
    space.decide(l={"diagnosis": 1})
    page.act("preset", "partner")
    assert (space.plan.k, space.plan.l) == (11, {"diagnosis": 2})


def test_what_was_counted_of_another_plan_opens_nothing(space):
    """A count of which nothing is open, and then a column comes back: it was not counted."""
    choose_audience(space, "partner")
    gate = ReleaseGate.of(space)
    gate.count(SILENT)
    gate.found = SimpleNamespace(open=())
    assert not gate.closed
    assert gate.harmless == gate.undecided != ()
    space.decide(k=7)
    assert gate.closed
    assert gate.harmless == ()


def test_what_was_not_asked_for_is_left_to_the_audience(space):
    space.decide(k=None, l=None)
    choose_audience(space, "public")
    assert (space.plan.preset, space.plan.k, space.plan.l) == ("public", None, None)


def test_the_same_for_scripts(steward, table_id):
    found = steward.get(f"/api/tables/{table_id}/exposure").json()
    assert {"share_unique", "columns", "open", "twins", "helps_most"} <= {*found}
    told = steward.put(f"/api/tables/{table_id}/privacy", json={"preset": "public"}).json()
    assert told["privacy"]["preset"] == "public"
    assert told["privacy"]["k"] >= 11


def test_an_exact_secret_is_accepted_by_name_and_stays_a_secret(space):
    space.set_role("visits", "drop")
    space.set_role("admitted", "sensitive")
    choose_audience(space, "partner")
    page = ResultPage(space)
    assert "sensitive, and exact" in counted(page)["gate"]["html"]
    assert "admitted" in page.gate.found.open
    page.act(f"gate:{number(space, 'admitted')}", "publish_as_is")
    counted(page)
    assert "admitted" not in page.gate.found.open
    assert space.table.roles.role_of("admitted") == "sensitive"
    space.set_role("visits", "publish_as_is")  # what else is decided forgets nothing
    assert set(space.table.roles.publish_as_is) == {"visits", "admitted"}
    space.set_role("admitted", "quasi_identifier")
    assert space.table.roles.publish_as_is == ("visits",)
