"""The Tune page in real Chromium: a small study, its live front, a point, its release."""

from __future__ import annotations

import zipfile

import polars as pl
import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from serving import downloaded, start_server
from test_accessibility import check

from shoal.datasets import people
from shoal.plan import Plan
from shoal.table import Roles, read_table
from shoal.tuning import Search, tune

pytestmark = pytest.mark.usefixtures("chromium")
ROWS = 250
SLOW = 300  # seconds; a busy machine is no failure
ASKED = "k 10 · l 2 · ranges"
SAID = Roles((), ["age", "sex", "zip"], (), "readmitted")
ROLES = {"age": 2, "sex": 2, "zip": 2, "readmitted": 3}  # places of the choices beside a column
BARS = """
return [...document.querySelectorAll(arguments[0])].map((row) => [
  row.querySelector("rect").getBoundingClientRect().width
    / row.querySelector("svg").getBoundingClientRect().width,
  parseFloat(row.querySelector(".value").textContent)]);
"""


@pytest.fixture
def mortal(tmp_path):
    """A server of its own, which is killed like by a power cut once there are trials."""
    running = start_server(tmp_path / "home")
    yield running
    running.stop()


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "patients.csv"
    people(ROWS).frame.select(*ROLES).write_csv(path)
    return path


@pytest.fixture
def ada(mortal, browse, csv):
    """Somebody whose table has three quasi-identifiers and a secret to predict, on Tune."""
    person = Person(browse(), mortal)
    person.open()
    person.brings(csv)
    for place, (column, role) in enumerate(ROLES.items(), 1):
        wanted = {2: "quasi_identifier", 3: "sensitive"}[role]
        person.clicks(f".slot:nth-child({place}) .field label:nth-of-type({role})")
        person.sees(f".slot:nth-child({place}) .field[data-role={wanted}]")
        assert column in person.sees(f".slot:nth-child({place}) .field").text
    person.sees(".also input:checked")  # sensitive, and what models predict, as was proposed
    person.clicks(".also input")
    step = "[data-act=step][data-value=back]"
    person.until(lambda: "what models predict" in person.sees(step).text, "a change by its name")
    person.clicks(step)
    person.sees(".also input:checked")
    field = person.sees("input[data-act=l]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("2", Keys.ENTER)
    person.until(lambda: person.sees(".promise").text == ASKED, ASKED)
    person.page("tune")
    return person


def choose(person, act, value):
    """Choose from a list, and wait until the page has heard of it."""
    person.until(lambda: Select(person.sees(f"select[data-act={act}]")), act)
    Select(person.sees(f"select[data-act={act}]")).select_by_value(value)
    css = f"select[data-act={act}] option[value={value!r}]"
    person.until(lambda: person.driver.find_element(By.CSS_SELECTOR, css).is_selected(), value)


def facts(person):
    """The table beside the front, as names and values."""
    rows = person.driver.find_elements(By.CSS_SELECTOR, ".halves table tr")
    return {
        row.find_element(By.TAG_NAME, "th").text: row.find_element(By.TAG_NAME, "td").text
        for row in rows
    }


def test_a_study_its_front_a_point_and_the_release_of_it(ada):
    ada.reads("A model predicts readmitted")
    ada.reads("No trial yet")
    choose(ada, "model", "logistic_regression")
    choose(ada, "trials", "50")
    ada.clicks("button[data-act=start]")
    ada.until(lambda: 0 < len(dots(ada)) < 50, "the front while it grows", SLOW)
    ada.reads("What the study would choose", SLOW)
    ada.until(lambda: len(dots(ada)) == 50, "all trials")

    before = ada.driver.find_element(By.CSS_SELECTOR, ".halves h2 ~ table").text
    other = next(dot for dot in uncovered(ada) if f"Trial {seen(ada)}," not in dot)
    ada.clicks(f'a[data-act=see][aria-label="{other}"] circle')
    number = other.split(",")[0].split()[1]
    ada.until(lambda: seen(ada) == number, "the point that was clicked")
    told = facts(ada)
    assert ada.driver.find_element(By.CSS_SELECTOR, ".halves h2 ~ table").text != before
    assert 0 <= float(told["f1_macro, untouched rows"]) <= 1
    assert 0 < float(told["Information lost (NGIL)"]) <= 1
    assert 0 < float(told["Mean risk of a row"].rstrip("%")) <= 50
    assert other.startswith(f"Trial {number}, k {told['Smallest crowd']}:")

    ada.clicks("button[data-act=use]")
    ada.reads("The plan has its k and weights now")
    k, *rest = ada.sees(".promise").text.split(" · ")
    assert int(k.removeprefix("k ")) >= 10  # never weaker than what was asked for
    assert rest == ["l 2", "ranges"]
    assert "of the model." in ada.sees(".won").text  # k = 17 keeps 98% of the model
    drawn = ada.driver.execute_script(BARS, ".tuning .bars li")
    assert len(drawn) > 4  # test rows, and finalists tried again
    assert all(abs(length - told) < 0.01 for length, told in drawn)
    check(ada, "tune")
    ada.clicks(".halves a.button[href$=result]")
    ada.sees("button[data-value=release]")
    ada.clicks("button[data-value=release]")
    ada.reads("Nobody stands out")
    ada.clicks('a[download="release.zip"]')
    pack = zipfile.ZipFile(downloaded(ada.driver, "release.zip"))
    data = pack.read("release/data.csv").decode().splitlines()
    assert len(data) == ROWS + 1
    crowds = {}
    for row in data[1:]:
        key = row.rpartition(",")[0]
        crowds[key] = crowds.get(key, 0) + 1
    assert min(crowds.values()) >= int(told["k asked for"])
    assert not ada.problems

    ada.page("tune")
    before = (dots(ada), facts(ada), ada.sees(".tuning").text)
    ada.server.restart()
    ada.page("tune")
    ada.until(lambda: len(dots(ada)) == 50, "all trials, after a restart")
    ada.clicks(f'a[data-act=see][aria-label="{other}"] circle')
    ada.until(lambda: seen(ada) == number, "the same trial")
    assert (dots(ada), facts(ada), ada.sees(".tuning").text) == before
    ada.page("table")
    field = ada.sees("input[data-act=l]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE, Keys.ENTER)
    ada.until(lambda: ada.driver.switch_to.alert, "whether the release may go").accept()
    ada.until(lambda: "l 2" not in ada.sees(".promise").text, "less is asked for")
    ada.page("tune")
    ada.reads("The plan was changed after this search.")
    ada.sees(".tuning.stale")
    assert not ada.driver.find_elements(By.CSS_SELECTOR, "button[data-act=use]:enabled")


def test_the_plan_of_a_study_is_opened_on_the_page_of_the_table(server, browse, tmp_path):
    csv = tmp_path / "others.csv"
    nobody = pl.col("age") + 200  # looks like anybody of whom there was a release
    people(ROWS, seed=5).frame.select(*ROLES).with_columns(nobody).write_csv(csv)
    found = tune(
        read_table(csv), target="readmitted", quasi_identifiers=["age", "sex", "zip"], trials=3,
        models="logistic_regression", search=Search(k=(7, 7)),
        plan=Plan(source=str(csv), roles=SAID),
    )  # fmt: skip
    found.write(tmp_path / "out")
    bob = Person(browse(), server)
    bob.open()
    bob.brings(csv)
    bob.sees("#plan").send_keys(str(tmp_path / "out" / "plan.toml"))
    bob.sees(".slot:nth-child(4) .field[data-role=target]")
    bob.page("result")
    bob.clicks("button[data-value=release]")
    bob.reads("Nobody stands out")
    bob.clicks('a[download="data.csv"]')
    ours = pl.read_csv(tmp_path / "out" / "data.csv", infer_schema=False)
    theirs = pl.read_csv(downloaded(bob.driver, "data.csv"), infer_schema=False)
    assert theirs.sort(theirs.columns).equals(ours.sort(ours.columns))
    bob.page("table")
    (tmp_path / "wrong.toml").write_text("[privacy]\nk = 0\n")
    bob.sees("#plan").send_keys(str(tmp_path / "wrong.toml"))
    bob.reads("The plan cannot be opened")


UNCOVERED = """
const all = [...document.querySelectorAll("a[data-act=see]")];
all[0].scrollIntoView({block: "center"});
return all.filter((dot) => {
  const at = dot.querySelector("circle").getBoundingClientRect();
  return dot.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2));
}).map((dot) => dot.getAttribute("aria-label"));
"""


def uncovered(person):
    """Trials that a mouse reaches: some lie below others that came to nearly the same."""
    return person.driver.execute_script(UNCOVERED)


DOTS = "return [...document.querySelectorAll('a[data-act=see]')].map((e) => e.ariaLabel)"


def dots(person):
    return person.driver.execute_script(DOTS)


def seen(person):
    """Number of the trial that is looked at."""
    heads = person.driver.find_elements(By.CSS_SELECTOR, ".halves h2")
    return next(h.text.split()[1] for h in heads if h.text.startswith("Trial "))
