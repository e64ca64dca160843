"""In Chromium: one line says on every page what is promised, and nothing changes it silently."""

from __future__ import annotations

import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from serving import table_of

from shoal.privacy import MODELS
from shoal.web.pages._icons import ICONS

pytestmark = pytest.mark.usefixtures("chromium")
PAGES = ("table", "teach", "result", "journal", "people", "later", "network", "tune", "outliers")
FIRST = "k 5 · l 3 · ranges"
MOVED = "values are moved · no k is promised"
ASKED = {  # as somebody would type each model that has no field of its own
    "entropy_l": "1.5",
    "recursive": "3,2",
    "alpha": "0.9",
    "basic_beta": "4",
    "enhanced_beta": "4",
    "delta_disclosure": "2.5",
}
LINKS = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"


@pytest.fixture(scope="module")
def ada(server, keep_browsing, tmp_path_factory):
    """Somebody with a table of which k 5 and l 3 are asked."""
    csv = tmp_path_factory.mktemp("promise") / "patients.csv"
    csv.write_bytes(table_of(120, older=1300))
    visitor = Person(keep_browsing(), server)
    visitor.open()
    visitor.brings(csv)
    types(visitor, "k", "5")
    types(visitor, "l", "3")
    promises(visitor, FIRST)
    return visitor


@pytest.fixture(autouse=True)
def begins_and_ends_with_the_same(ada):
    ada.page("table")
    promises(ada, FIRST)
    yield
    assert not ada.problems


def types(person, act, text):
    """Type over what stands in a field, and send it; a release that would go may go."""
    field = person.sees(f"input[data-act='{act}']")
    person.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(text or Keys.DELETE, Keys.ENTER)


def chooses(person, act, value):
    Select(person.sees(f"select[data-act={act}]")).select_by_value(value)


def promises(person, words):
    person.until(lambda: person.sees(".promise").text == words, words)


def shields(person):
    """Every shield on the page: the sign of crowds that hold."""
    return person.driver.find_elements(By.CSS_SELECTOR, f'.verdict path[d="{ICONS["shield"]}"]')


def test_the_same_line_stands_on_every_page(ada):
    for page in PAGES:
        ada.page(page)
        ada.sees("h1")
        line = ada.sees("header .promise")
        assert (line.text, line.is_displayed()) == (FIRST, True), page
        assert len(ada.driver.find_elements(By.CSS_SELECTOR, ".promise")) == 1, page
        steps = ada.driver.execute_script(LINKS, "nav > a")
        assert steps == ["1Table", "2Teach", "3Result", "4Journal"], page
        assert {"Tune", "Outliers", "Study"} < {*ada.driver.execute_script(LINKS, ".menu a")}


def test_everything_that_may_be_asked_can_be_chosen_and_is_in_the_line(ada):
    assert set(ASKED) == set(MODELS) - {"l", "t"}
    ada.clicks("[data-fragment=privacy] .fold summary")
    for key, text in ASKED.items():
        types(ada, f"model:{key}", text)
        asked = f"{key.replace('_', ' ')} "
        ada.until(lambda: asked in ada.sees(".promise").text, asked)  # noqa: B023
        types(ada, f"model:{key}", "much")
        ada.sees("#told p.trouble")
        field = f"input[data-act='model:{key}']"
        ada.until(lambda: ada.sees(field).get_attribute("value") == text, "what holds")  # noqa: B023
        types(ada, f"model:{key}", "")
        promises(ada, FIRST)
    types(ada, "t", "0.5")
    promises(ada, "k 5 · l 3 · t 0.5 · ranges")
    types(ada, "suppress", "2")
    promises(ada, "k 5 · l 3 · t 0.5 · ranges · up to 2 % left out")
    chooses(ada, "method", "mondrian")
    ada.until(lambda: "method" in ada.sees("[data-act=step][data-value=back]").text, "a step")
    for _ in range(3):
        ada.clicks("[data-act=step][data-value=back]")
    promises(ada, FIRST)


def test_for_whom_a_release_is_raises_what_is_promised_and_says_so(ada):
    chooses(ada, "preset", "public")
    ada.until(lambda: "public" in ada.sees(".promise").text, "for the public")
    raised = ada.sees(".promise").text
    assert int(ada.sees("input[data-act=k]").get_attribute("value")) > 5
    for page in ("result", "outliers"):
        ada.page(page)
        promises(ada, raised)
    ada.page("table")
    ada.clicks("[data-act=step][data-value=back]")
    promises(ada, FIRST)
    assert ada.sees("input[data-act=k]").get_attribute("value") == "5"


def test_values_are_amber_on_every_page_and_never_a_shield(ada):
    chooses(ada, "publish", "quantize")
    promises(ada, MOVED)
    ada.reads("no k, l or t is promised")
    assert not ada.driver.find_elements(By.CSS_SELECTOR, "input[data-act=k]")
    for page in PAGES:
        ada.page(page)
        ada.sees("h1")
        promises(ada, MOVED)
        assert "amber" in ada.sees(".promise").get_attribute("class"), page
        assert "will hide among" not in ada.text, page
    ada.sees("input[value=quantize]:checked")  # on the page Outliers, too
    ada.page("result")
    ada.reads("Values will be moved")
    ada.clicks("button[data-value=release]:enabled")
    ada.reads("Values were moved; no k is promised")
    ada.sees(".verdict.amber")
    assert not shields(ada)
    ada.page("table")
    chooses(ada, "publish", "auto")
    asked = ada.until(lambda: ada.driver.switch_to.alert, "whether the release may go")
    assert "the release that lies ready" in asked.text
    asked.dismiss()
    ada.until(lambda: ada.sees("select[data-act=publish]").get_attribute("value") == "quantize", "")
    chooses(ada, "publish", "auto")
    ada.until(lambda: ada.driver.switch_to.alert, "whether the release may go").accept()
    promises(ada, FIRST)  # and not another k or l than before
    ada.page("result")
    ada.clicks("button[data-value=release]:enabled")
    ada.sees(".verdict.good")
    assert shields(ada)  # so that a test that looks for none can fail
    ada.page("table")
    types(ada, "k", "4")
    ada.until(lambda: ada.driver.switch_to.alert, "whether the release may go").accept()
    ada.clicks("[data-act=step][data-value=back]")
    promises(ada, FIRST)


def test_who_stands_out_is_explained_and_counted_in_units(ada):
    ada.page("outliers")
    ada.reads("Somebody stands out who has fewer than m others near.")
    rows = ada.driver.find_elements(By.CSS_SELECTOR, ".slider")
    units = {row.text.split("\n")[0]: row.text.split("\n")[1] for row in rows}
    assert units["m"] == "others near"
    assert units["age"] == "59 from lowest to highest"
    assert units["sex"] == "1 is the whole tree"
    assert all(len(row.text.split("\n")) == 3 for row in rows)  # a name, a unit, a number
    before = int(ada.sees(".facts b").text)
    assert len(ada.driver.find_elements(By.CSS_SELECTOR, "svg[role=img] circle")) == 120
    ada.tabs_to("input[data-act='radius:0']")  # age: nobody is near who is not as old
    ada.presses(Keys.HOME)
    ada.reads("Widen the radii, or lower m.")  # what cannot be is said, with what helps
    ada.presses(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    ada.until(lambda: told_and_drawn(ada) > before, "more people who stand out")
    ada.clicks("button[data-act=free]")
    ada.until(lambda: told_and_drawn(ada) == before, "as it was")
    promises(ada, FIRST)  # looking changes nothing


def told_and_drawn(person):
    """How many stand out, once the picture says the same as the count."""
    count = int(person.sees(".facts b").text)
    return count if f"{count} outliers, " in person.text else -1
