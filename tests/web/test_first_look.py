"""What a file seemed to be is worked out once, while it is read: pages open at once."""

import pytest

from shoal.web import _first_look
from shoal.web._first_look import LOOK, read_first, warm_up
from shoal.web._workspace import Workspace
from shoal.web.pages import TablePage, draw_page, update_page

MESSY = "seen;cost;sex\n" + "".join(
    f"{1 + n % 28}.{1 + n % 12}.2020;{n},5;{'fm'[n % 2]}\n" for n in range(60)
)
MESSY += "unbekannt;3,5;f\n"


@pytest.fixture
def space(site):
    visitor = site.visitors.new("steward")
    folder = site.store.new(visitor)
    (folder / "table.csv").write_text(MESSY)
    return site._begin(visitor, folder, read_first(folder / "table.csv", site.settings.limits), "m")


def forbid(monkeypatch, *names):
    def never(*_args, **_kwargs):
        raise AssertionError("looked again")

    for name in names:
        monkeypatch.setattr(_first_look, name, never)


def test_a_page_opens_with_what_the_reading_found(space, monkeypatch):
    forbid(monkeypatch, "propose_plan", "read_table", "count_odd")
    page = draw_page(TablePage(space))
    assert "unbekannt" in page
    assert space.proposal["sex"].role_reason


def test_after_a_restart_only_odd_cells_are_looked_up(space, monkeypatch):
    before = draw_page(TablePage(space))
    space.close()
    forbid(monkeypatch, "propose_plan")
    again = Workspace(space.folder, space._pool, space.actor)
    assert draw_page(TablePage(again)) == before
    assert "unbekannt" not in (space.folder / LOOK).read_text()  # cells stay in the table


def test_a_file_read_another_way_is_looked_at_again_and_back(space):
    page = TablePage(space)
    first = dict(space.proposal)
    reply = update_page(page, "delimiter", "|", {})
    assert reply["go"] == f"/t/{space.id}/table"
    assert set(space.proposal) != set(first)
    assert not space.plan.l  # of columns that are gone
    page = TablePage(space)
    reply = update_page(page, "step", "back", {})
    assert reply["go"] == f"/t/{space.id}/table"  # it has other columns again
    assert space.proposal == first
    assert space.plan.l == {"cost": 3}


def test_what_cannot_be_read_back_is_looked_at_again(space):
    (space.folder / LOOK).write_text("{}")
    again = Workspace(space.folder, space._pool, space.actor)
    assert again.proposal == space.proposal
    assert again.nearly == space.nearly


def test_a_server_warms_up_by_a_file_that_comes_along():
    warm_up()
