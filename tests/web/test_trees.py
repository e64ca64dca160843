"""The tree of a column, made in its own row: what each step does to the draft and to the plan."""

from __future__ import annotations

import pytest
from occupations import JOBS, table_of_jobs

from shoal.web._tree_editing import TreeEditing
from shoal.web.pages._page import update_page
from shoal.web.pages._table import TablePage


@pytest.fixture
def jobs(steward, site):
    answer = steward.post("/api/tables", params={"name": "jobs.csv"}, content=table_of_jobs())
    assert answer.status_code == 201, answer.text
    id = answer.json()["id"]
    for column in ("occupation", "age"):
        steward.patch(f"/api/tables/{id}/columns/{column}", json={"role": "quasi_identifier"})
    return next(space for (_, known), space in site._open.items() if known == id)


@pytest.fixture
def page(jobs):
    made = TablePage(jobs)
    made.act("tree", "1")
    return made


def say(page, act, value=""):
    return update_page(page, act, value, {})


def drawn(answer):
    return answer["fragments"]["column-1"]["html"]


def test_a_draft_holds_only_once_it_is_used(page, jobs):
    assert "data-editor" in drawn(say(page, ""))
    answer = say(page, "edit:gather", "0,1,2")
    assert "Not used yet" in drawn(answer)
    assert "data-fresh" in drawn(answer)
    group = TreeEditing.of(jobs, "occupation").fresh
    say(page, f"edit:name:{group}", "Some")
    assert jobs.plan.hierarchies["occupation"] == "flat"
    answer = say(page, "edit:use")
    assert "In use." in drawn(answer)
    assert jobs.hierarchy("occupation").n_leaves == len(JOBS)
    assert "Some" in jobs.hierarchy("occupation").labels


def test_steps_go_back_and_forth(page, jobs):
    say(page, "edit:gather", "0,1")
    say(page, "edit:gather", "2,3")
    editing = TreeEditing.of(jobs, "occupation")
    for act, groups in (("undo", 1), ("undo", 0), ("undo", 0), ("redo", 1), ("redo", 2)):
        say(page, f"edit:{act}")
        assert len(editing.draft.names) == groups
    say(page, "edit:undo")
    say(page, "edit:put:40", "5")  # another way forward: the old one is gone
    assert not editing.can_redo
    say(page, "edit:reset")
    assert editing.draft.names == {}
    assert not editing.changed


def test_proposals_and_prefixes_are_drafts(page, jobs):
    editing = TreeEditing.of(jobs, "occupation")
    for way in ("similarity", "spelling"):
        say(page, "edit:propose", way)
        assert editing.draft.levels[0] >= 5
    top = len(editing.draft.levels)
    say(page, "edit:level", str(top))
    assert len(editing.draft.levels) == top - 1
    say(page, "edit:prefix", "3, 1")
    assert {name[-1] for name in editing.draft.names.values()} == {"*"}
    say(page, "edit:alone")
    assert editing.draft.levels == []
    assert jobs.plan.hierarchies["occupation"] == "flat"


def test_what_is_refused_is_told_and_nothing_changes(page, jobs):
    say(page, "edit:gather", "0,1")
    editing = TreeEditing.of(jobs, "occupation")
    for act, value, words in (
        ("edit:name:40", JOBS[3], "would look exact"),
        ("edit:gather", "", "Nothing is picked"),
        ("edit:prefix", "three", "whole numbers"),
        ("edit:fly", "", "no such step"),
    ):
        answer = say(page, act, value)
        assert answer["kind"] == "trouble"
        assert words in answer["say"]
        assert answer["fragments"]  # everything is drawn again: the field shows what holds
    assert editing.at == 1


def test_a_file_is_drawn_and_values_it_lacks_are_told(page, jobs, steward):
    address = f"/t/{jobs.id}/tree/1"
    rows = "".join(f"{job};{job[0].upper()};*\n" for job in JOBS[:37])
    assert steward.put(address, params={"format": "csv"}, content=rows).status_code == 204
    answer = say(page, "")
    assert "3 of 40 values are not in the file" in drawn(answer)
    say(page, "edit:use")
    ladder = steward.get(address)
    assert "attachment" in ladder.headers["content-disposition"]
    assert ladder.text.count("\r\n") == 40
    torn = "".join(f"{job};{i % 3};{i % 2};*\n" for i, job in enumerate(JOBS))
    refused = steward.put(address, content=torn)
    assert refused.status_code == 422
    assert "two parents" in refused.json()["error"]
    strange = steward.put(address, content="x;y;*\n")
    assert "none of the 40 values" in strange.json()["error"]
    assert steward.get(f"/t/{jobs.id}/tree/0").status_code == 404  # ages have steps
    assert not list(jobs.folder.glob("job-*"))


def test_numbers_get_steps(page, jobs):
    page.act("tree", "0")
    say(page, "steps:0", "5, 10")
    assert jobs.plan.hierarchies["age"] == "intervals:5, 10"
    answer = say(page, "steps:0", "5, 7")
    assert answer["kind"] == "trouble"
    assert 'value="5, 10"' in answer["fragments"]["column-0"]["html"]
    say(page, "steps:0", "")
    assert "age" not in jobs.plan.hierarchies


def test_dates_get_the_levels_that_somebody_wants(site):
    space = site.take_built_in(site.visitors.new("steward"), "people", 200)
    space.set_role("admitted", "quasi_identifier")
    number = space.table.column_names.index("admitted")
    page = TablePage(space)
    page.act("tree", str(number))
    say(page, f"dates:{number}", "month,quarter,year,decade")
    assert space.plan.hierarchies["admitted"] == "calendar"
    say(page, f"dates:{number}", "quarter,year")
    labels = space.hierarchy("admitted").labels
    assert any("-Q" in label for label in labels)
    assert not any(label.endswith("0s") for label in labels)
