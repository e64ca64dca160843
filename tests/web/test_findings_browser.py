"""Real Chromium: cells that do not fit, what is said of a release, and people before and after."""

from __future__ import annotations

import zipfile

import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from serving import downloaded

from shoal.cli import run
from shoal.web.pages._attacks import STALE

pytestmark = pytest.mark.usefixtures("chromium")
SCROLL = "const all = document.querySelector('.virtual'); all.scrollTop = all.scrollHeight;"
LAST = "return [...document.querySelectorAll('.virtual tbody button')].at(-1).textContent"


def clinic(rows=150):
    """Stays in a clinic: some days are words, a few are no days, one column predicts."""
    odd = {7: "unbekannt", 11: "31.31.2012", 13: "n/a"}
    lines = ["born;sex;zip;admitted;disease;smoker"]
    lines += [
        f"{1930 + i % 70};{'fm'[i % 2]};{8010 + i % 9};{odd.get(i, f'{1 + i % 28:02}.03.2021')};"
        f"{('flu', 'gout', 'asthma', 'angina')[(i * 5 + i // 4) % 4]};{'yn'[i % 3 == 0]}"
        for i in range(rows)
    ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def ada(server, browse, tmp_path):
    csv = tmp_path / "clinic.csv"
    csv.write_text(clinic())
    visitor = Person(browse(), server)
    visitor.open()
    visitor.brings(csv)
    return visitor


def test_cells_that_do_not_fit_are_shown_and_decided_about(ada):
    ada.reads("1 column holds cells that do not fit")
    ada.clicks("details.fold summary")
    ada.reads("98 % read as dates, 2 % do not. What are they?")
    ada.reads("They count as missing, and admitted is read as dates.")
    column = ada.sees(".reading")
    assert "31.31.2012" in column.text
    ada.clicks(".reading button[data-value=nominal]")
    ada.until(lambda: _kind(ada) == "nominal", "days as text")
    ada.clicks(".reading button[data-value='']")
    ada.until(lambda: _kind(ada) == "date", "days as dates")
    ada.clicks(".meanings summary")
    ada.reads("Others may know it; generalized until nobody stands out")
    assert not ada.problems


def _kind(person):
    return Select(person.sees(".slot:nth-child(4) select")).first_selected_option.get_attribute(
        "value"
    )


def runs_again(pack, folder, monkeypatch):
    """Unpacked beside the table, the plan finds its trees and makes the same data."""
    with zipfile.ZipFile(pack) as packed:
        packed.extractall(folder)
    assert {"plan.toml", "hierarchies", "release"} == {path.name for path in folder.iterdir()}
    assert "hierarchies/" in (folder / "plan.toml").read_text()
    (folder / "clinic.csv").write_text(clinic())
    monkeypatch.chdir(folder)
    assert run(["anonymize", "--plan", "plan.toml", "--ledger", "off", "-o", "again"]) == 0
    assert (folder / "again/data.csv").read_text() == (folder / "release/data.csv").read_text()


def test_what_is_said_of_a_release_stays_with_it(ada, tmp_path, monkeypatch):
    Select(ada.sees(".slot:nth-child(3) select[data-act^=kind]")).select_by_value("code")
    ada.clicks(".slot:nth-child(3) [data-act=tree]")
    ada.sees("input[data-act='edit:prefix']").send_keys("3", Keys.ENTER)
    ada.reads("Not used yet")
    ada.clicks("[data-act='edit:use']")
    ada.reads("In use.")
    ada.page("teach")
    ada.answers(lambda: ada.presses(Keys.ARROW_UP))  # about the same
    ada.answers(lambda: ada.presses("n"))  # neither
    ada.page("result")
    _release(ada)
    ada.clicks("button[data-value=attack]")
    ada.until(lambda: "attack" in _tags(ada), "attacks in the ranking", 120)
    assert {"risk", "loss"} <= _tags(ada)
    field = ada.sees("input[data-act=population]")
    field.send_keys("60000", Keys.ENTER)
    ada.reads("Who is alone in the population cannot be estimated")  # no two rows are alike
    ada.clicks("details.fold summary")
    name, why = ada.driver.find_elements(By.CSS_SELECTOR, "input[data-part]")
    name.send_keys("Ada")
    why.send_keys("for the ward round")
    ada.clicks("button[data-send=sign]")
    ada.reads("Signed off by Ada")
    ada.page("journal")
    ada.reads("for the ward round")
    ada.page("result")
    ada.clicks('a[download="everything.zip"]')
    runs_again(downloaded(ada.driver, "everything.zip"), tmp_path / "unpacked", monkeypatch)
    ada.page("table")
    _ask_for(ada, "15")
    ada.page("result")
    assert "Signed off by Ada" not in ada.text  # it was another release
    _release(ada)
    ada.reads(STALE)
    ada.sees(".stale")
    assert "attack" not in _tags(ada)  # nor are its attacks in the ranking of this one
    ada.page("journal")
    ada.clicks("[data-fragment=earlier] summary")
    ada.reads("for the ward round")  # what was signed stays to be read
    assert not ada.problems


def test_people_are_seen_before_and_after(ada):
    ada.page("result")
    _release(ada)
    ada.page("people")
    ada.sees(".virtual tbody button")
    ada.until(lambda: _scrolled(ada), "the last row, drawn once it is seen")
    drawn = ada.driver.find_elements(By.CSS_SELECTOR, ".virtual tbody button")
    assert len(drawn) < 150
    Select(ada.sees("select[data-act=by]")).select_by_index(1)
    ada.reads("1 to 40 of 150")  # another order begins at the top
    ada.clicks(".virtual tbody button")
    ada.reads("The crowd, as it was")
    story = ada.sees("[aria-label='What happened to each cell']").text
    assert "zip" in story
    ada.sees("tr.itself")
    assert not ada.problems


def _scrolled(person):
    person.driver.execute_script(SCROLL)
    return "150" in person.driver.execute_script(LAST)


def _tags(person):
    return {tag.text for tag in person.driver.find_elements(By.CSS_SELECTOR, ".ranking .tag")}


def _release(person):
    person.clicks("button[data-value=release]:enabled")
    person.sees("a[download='release.zip']")
    person.sees(".ranking")


def _ask_for(person, k):
    person.sees("input[data-act=k]").send_keys(Keys.CONTROL, "a")
    person.presses(k, Keys.ENTER)
    person.until(lambda: person.driver.switch_to.alert, "whether the release may go").accept()
    person.until(lambda: f"k {k}" in person.sees(".promise").text, "the promise")
