"""What the browser prints, and so its PDF: all that is told, nothing to click, nothing cut off."""

from __future__ import annotations

import base64

import pytest
from person import Person
from selenium.webdriver.common.by import By
from serving import start_server, table_of

pytestmark = pytest.mark.usefixtures("chromium")
A4 = 718  # pixels between usual margins
CLICKED = "button, .button, nav, [type=file], [type=checkbox], [type=radio], [type=range], .foot"
SEEN = """
const seen = (e) => e.checkVisibility() && e.getBoundingClientRect().width > 0;
const found = [...document.querySelectorAll(arguments[0])].filter(seen);
return found.map((e) => e.outerHTML.slice(0, 150));
"""
CUT = """
const wide = document.documentElement.clientWidth + 1;
const more = (e) => e.scrollWidth > e.clientWidth + 1;
const hides = (e) => getComputedStyle(e).overflowX !== "visible" && more(e);
const seen = [...document.querySelectorAll("main :is(table, td, th, .scroll, .panel, svg, p)")]
  .filter((e) => e.checkVisibility() && !e.closest(".unseen"));
const beyond = (e) => e.getBoundingClientRect().right > wide;
return seen.filter((e) => beyond(e) || (e.matches(".scroll") && hides(e)))
  .map((e) => e.outerHTML.slice(0, 150));
"""
FRAMED = """
const framed = (e) => e.checkVisibility() && parseFloat(getComputedStyle(e).borderTopWidth) > 0;
return [...document.querySelectorAll("main :is(input, select)")].filter(framed).length;
"""


@pytest.fixture
def person(browse, tmp_path):
    """Somebody with a release, on a server whose ledger knows no other."""
    running = start_server(tmp_path / "home")
    csv = tmp_path / "patients.csv"
    csv.write_bytes(table_of(120))
    visitor = Person(browse(), running)
    visitor.open()
    visitor.brings(csv)
    visitor.page("result")
    visitor.clicks("button[data-value=release]")
    visitor.sees("a[download][href*='release.zip']")
    yield visitor
    running.stop()


def test_pages_print_what_they_tell_and_nothing_to_click(person):
    driver = person.driver
    for name, told in (
        ("result", "10-anonymity"),
        ("table", "Who stands out now"),
        ("people", "before and after"),
        ("journal", "export"),
    ):
        person.page(name)
        person.sees("h1")
        if name == "result":
            person.reads("A few released rows")
        on_paper(driver)
        assert driver.execute_script(SEEN, CLICKED) == [], name
        assert driver.execute_script(CUT) == [], name
        assert driver.execute_script(FRAMED) == 0, name
        assert told.lower() in person.text.lower(), name
        on_screen(driver)
    assert len(driver.find_elements(By.CSS_SELECTOR, "nav a")) > 3
    person.page("result")
    person.reads("A few released rows")
    pdf = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    paper = base64.b64decode(pdf["data"])
    assert paper.startswith(b"%PDF")
    assert 2 <= paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page/") <= 12


def test_what_was_chosen_and_typed_is_printed_as_text(person):
    person.page("table")
    person.sees(".fields")
    on_paper(person.driver)
    chosen = person.driver.find_elements(By.CSS_SELECTOR, ".chips span")
    shown = [span.text for span in chosen if span.is_displayed()]
    assert len(shown) == len(person.driver.find_elements(By.CSS_SELECTOR, ".field"))
    assert "Describes" in shown
    k = person.driver.find_element(By.CSS_SELECTOR, "input[data-act=k]")
    assert k.is_displayed()
    on_screen(person.driver)


def on_paper(driver):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wide = {"width": A4, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", wide)


def on_screen(driver):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen"})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
