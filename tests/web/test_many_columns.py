"""Forty columns: found by name or role, changed together; all models can be asked for."""

from __future__ import annotations

import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from shoal.web.pages._page import update_page
from shoal.web.pages._table import TablePage

WIDE = ",".join(["age", "disease", *(f"lab_{i}" for i in range(38))])
ROWS = "".join(
    ",".join([str(20 + i % 40), ["flu", "gout"][i % 2], *(str((i * j) % 9) for j in range(38))])
    + "\n"
    for i in range(60)
)


@pytest.fixture
def space(steward, site):
    content = f"{WIDE}\n{ROWS}".encode()
    answer = steward.post("/api/tables", params={"name": "labs.csv"}, content=content)
    return next(s for (_, id), s in site._open.items() if id == answer.json()["id"])


def test_one_role_for_many_columns_is_one_change(space):
    page = TablePage(space)
    numbers = ",".join(str(i) for i in range(2, 40))
    update_page(page, "roles:drop", numbers, {})
    assert len(space.table.roles.drop) == 38
    refused = update_page(page, "roles:target", numbers, {})
    assert refused["kind"] == "trouble"
    update_page(page, "step", "back", {})
    assert space.table.roles.drop == ()


def test_only_what_changed_is_sent(space):
    page = TablePage(space)
    have = {part.name: part.version for part in page.fragments()}
    sent = update_page(page, "role:5", "drop", have)["fragments"]
    assert [name for name in sent if name.startswith("column-")] == ["column-5"]


@pytest.mark.parametrize(
    ("act", "value", "field", "kept"),
    [
        ("model:entropy_l", "1.5", "models", {"entropy_l": 1.5}),
        ("model:recursive", "3,2", "models", {"recursive": (3.0, 2)}),
        ("suppress", "2.5", "max_suppression", 0.025),
        ("method", "mondrian", "method", "mondrian"),
    ],
)
def test_models_suppression_and_method_can_be_chosen(space, act, value, field, kept):
    page = TablePage(space)
    space.set_role("disease", "sensitive")
    told = update_page(page, act, value, {})
    assert told["kind"] == "info", told["say"]
    assert getattr(space.plan, field) == kept
    if act.startswith("model"):
        assert f'value="{value}"' in told["fragments"]["privacy"]["html"]
        assert update_page(page, act, "much", {})["kind"] == "trouble"
        update_page(page, act, "", {})
        assert space.plan.models == {}


def test_l_is_asked_of_all_sensitive_columns_at_once(space):
    page = TablePage(space)
    for name in ("disease", "lab_3", "lab_4"):
        space.set_role(name, "sensitive")
    space.decide(l={"lab_3": 3})
    assert 'data-act="l-rest"' in update_page(page, "", "", {})["fragments"]["privacy"]["html"]
    told = update_page(page, "l-rest", "", {})
    assert set(space.plan.l) == set(space.plan.roles.sensitive) >= {"lab_3", "disease", "lab_4"}
    assert space.plan.l == dict.fromkeys(space.plan.l, 3) | {"disease": 2}  # there are two diseases
    assert 'data-act="l-rest"' not in told["fragments"]["privacy"]["html"]


@pytest.mark.usefixtures("chromium")
def test_columns_are_found_and_changed_together(server, browse, tmp_path):
    csv = tmp_path / "labs.csv"
    csv.write_text(f"{WIDE}\n{ROWS}")
    ada = Person(browse(), server)
    ada.open()
    ada.brings(csv)
    ada.sees("input[data-filter]").send_keys("lab_1")
    ada.reads("11 of 40 columns")
    Select(ada.sees("select[data-all]")).select_by_value("drop")
    ada.until(lambda: _dropped(ada) == 11, "eleven columns dropped")
    ada.clicks("[data-act=step][data-value=back]")
    ada.until(lambda: _dropped(ada) == 0, "none dropped")
    assert not ada.problems


@pytest.mark.usefixtures("chromium")
def test_two_hundred_columns_are_found_and_changed_together(server, browse, tmp_path):
    """A page of 200 columns is searched by name and by role, and half of it changed at once."""
    csv = tmp_path / "wide.csv"
    names = [f"{'item' if i % 2 else 'score'}_{i:03d}" for i in range(200)]
    rows = [",".join(str((i * j) % 7) for j in range(200)) for i in range(40)]
    csv.write_text("\n".join([",".join(names), *rows]))
    ada = Person(browse(), server)
    ada.open()
    ada.brings(csv)
    find = ada.sees("input[data-filter]")
    find.send_keys("item_")
    ada.reads("100 of 200 columns")
    Select(ada.sees("select[data-all]")).select_by_value("drop")
    ada.until(lambda: _dropped(ada) == 100, "a hundred columns dropped")
    find.clear()
    find.send_keys("drop")
    ada.reads("100 of 200 columns")  # roles are found, too
    find.clear()
    find.send_keys("score_00")
    ada.reads("5 of 200 columns")
    Select(ada.sees("select[data-all]")).select_by_value("identifier")
    ada.until(lambda: len(_roles(ada, "identifier")) == 5, "five that name people")
    ada.clicks("[data-act=step][data-value=back]")
    ada.clicks("[data-act=step][data-value=back]")
    ada.until(lambda: _dropped(ada) == 0, "none dropped")
    ada.clicks("[data-act=step][data-value=forth]")
    ada.until(lambda: _dropped(ada) == 100, "dropped again")
    assert not ada.problems


def _roles(person, role):
    return person.driver.find_elements(By.CSS_SELECTOR, f".field[data-role={role}]")


def _dropped(person):
    return len(person.driver.find_elements(By.CSS_SELECTOR, ".field[data-role=drop]"))
