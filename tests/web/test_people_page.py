"""People before and after: every row beside what is published, and the story of one."""

from __future__ import annotations

import shutil
import zipfile

import pytest

from shoal.plan import Plan
from shoal.release import ReleasedPeople
from shoal.web.pages._page import update_page
from shoal.web.pages._people import ON_A_PAGE, PeoplePage


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A release of made-up patients, made once."""
    from shoal.web._server import Server
    from shoal.web._settings import Settings

    site = Server(Settings(), root=tmp_path_factory.mktemp("people") / "web")
    space = site.take_built_in(site.visitors.new("steward"), "people", 200)
    space.make_release()
    yield space
    site.close()


def look(page, act="", value=""):
    return update_page(page, act, value, {})["fragments"]


def test_each_row_stands_beside_what_is_published_of_it(made):
    page = PeoplePage(made)
    html = look(page)["people"]["html"]
    assert f"1 to {ON_A_PAGE} of 200" in html
    assert html.count("<tr data-row=") == ON_A_PAGE
    assert f"{201 - ON_A_PAGE} to 200 of 200" in look(page, "at", "999")["people"]["html"]
    assert f"1 to {ON_A_PAGE}" in look(page, "at", "-5")["people"]["html"]
    first = look(page, "by", "changed")["people"]["html"]
    people = page.people
    assert f'data-row="{int(people.changed.argmax())}"' in first
    small = people.order("crowd")
    assert people.crowd(int(small[0])).size <= people.crowd(int(small[-1])).size


def test_the_story_of_a_person_tells_every_cell(made):
    page = PeoplePage(made)
    told = look(page, "row", "5")["person"]["html"]
    people = page.people
    crowd = people.crowd(4)
    assert f"The person of row 5, in a crowd of {crowd.size}" in told
    stories = {cell.column: cell for cell in people.story(4)}
    assert {*stories} == {*made.table.column_names}
    assert crowd.size >= made.plan.k
    for name in people.names:
        was, became = people.pair(4, name)
        assert stories[name].was == was
        assert {people.pair(int(row), name)[1] for row in crowd} == {became}  # all look alike
        assert stories[name].changed == (became != was)
    assert "left out: it names a person" in stories[made.table.roles.identifiers[0]].why
    sensitive = stories[made.table.roles.sensitive[0]]
    assert not sensitive.changed
    assert look(page, "close")["person"]["html"] == ""


def test_numbers_that_are_no_rows_are_refused(made):
    page = PeoplePage(made)
    for value in ("0", "201", "x"):
        assert update_page(page, "row", value, {})["kind"] == "trouble"
    assert page.row == -1


def test_without_a_release_the_page_says_where_to_make_one(made, site):
    space = site.take_built_in(site.visitors.new("steward"), "people", 150)
    page = PeoplePage(space)
    assert "There is no release yet." in look(page)["refusal"]["html"]
    assert made.lineage is not None
    assert isinstance(ReleasedPeople(made.lineage).published, dict)


def test_the_plan_comes_with_its_trees_and_makes_the_same_crowds(made, tmp_path):
    with zipfile.ZipFile(made.folder / "release" / "plan.zip") as pack:
        pack.extractall(tmp_path)
    shutil.copy(made.plan.source, tmp_path / "table.csv")
    plan = Plan.read(tmp_path / "plan.toml")
    assert any(word.endswith(".csv") for word in plan.hierarchies.values())
    table = plan.table()
    assert table.roles == made.table.roles
    trees = plan.anonymizer(table).recoding.hierarchies
    assert {*trees} == {*made.plan.hierarchies}
