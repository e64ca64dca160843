"""Every page, in Chromium: names on controls, contrast AA, room on a telephone, one heading."""

from __future__ import annotations

import pytest
from person import Person
from selenium.webdriver.common.by import By
from serving import table_of

pytestmark = pytest.mark.usefixtures("chromium")
PAGES = ("table", "teach", "result", "journal", "people", "later", "network", "tune", "outliers")

CONTROLS = "main :is(button, select, input):not([hidden])"

#: Text that does not stand out from its ground (WCAG 2.2, AA): its words and the contrast.
FAINT = """
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((v) => v / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const over = (top, ground) => {
  const a = top[3] ?? 1;
  return ground.map((v, i) => a * top[i] + (1 - a) * v);
};
const ground = (e) => {
  const layers = [];
  for (let at = e; at; at = at.parentElement)
    layers.push(parts(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((below, layer) => over(layer, below), [242, 247, 248]);
};
const faint = [];
for (const e of document.querySelectorAll("body *")) {
  const texts = [...e.childNodes].filter((n) => n.nodeType === 3);
  const words = texts.map((n) => n.textContent.trim()).join("");
  const style = getComputedStyle(e), box = e.getBoundingClientRect();
  if (!words || !box.width || style.visibility === "hidden") continue;
  if (e.closest("[hidden], .unseen, :disabled, svg, #popup")) continue;
  const below = ground(e), ink = over(parts(style.color), below);
  const [a, b] = [light(ink), light(below)].sort((x, y) => y - x);
  const size = parseFloat(style.fontSize), contrast = (a + 0.05) / (b + 0.05);
  const large = size >= 24 || (size >= 18.7 && style.fontWeight >= 700);
  if (contrast < (large ? 3 : 4.5)) faint.push([words.slice(0, 40), contrast.toFixed(2)]);
}
return faint;
"""


#: What axe-core finds: the rule, how often, and the first element that breaks it.
AXE = """
const [rules, done] = arguments;
const only = rules.length ? { runOnly: rules } : {};
axe.run(document, { resultTypes: ["violations"], ...only }).then((found) => done(
  found.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200)])));
"""


def held_against_axe(driver, axe, name):
    """Hold a page against all rules of axe, and its dark colours against those for contrast."""
    driver.set_script_timeout(120)
    driver.execute_script(axe)
    by_night(driver, "light")
    assert driver.execute_async_script(AXE, []) == [], name
    by_night(driver, "dark")
    assert driver.execute_async_script(AXE, ["color-contrast"]) == [], f"{name}, dark"
    by_night(driver, "light")


@pytest.fixture
def person(server, browse, tmp_path):
    csv = tmp_path / "patients.csv"
    csv.write_bytes(table_of(120))
    visitor = Person(browse(), server)
    visitor.open()
    visitor.sees(".drop")
    check(visitor, "start")
    visitor.brings(csv)
    return visitor


def by_night(driver, scheme):
    """Ask for a page in dark or light; nothing fades while it is measured."""
    wanted = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})


def check(person, name):
    """Hold one page against all rules."""
    driver = person.driver
    by_night(driver, "light")  # a button that was grey a moment ago would still be fading
    assert driver.execute_script(FAINT) == [], name
    by_night(driver, "dark")
    assert driver.execute_script(FAINT) == [], f"{name}, dark"
    by_night(driver, "light")
    assert len(driver.find_elements(By.CSS_SELECTOR, "h1")) == 1
    assert len(driver.find_elements(By.CSS_SELECTOR, "main")) == 1
    for control in driver.find_elements(By.CSS_SELECTOR, CONTROLS):
        assert control.accessible_name, (name, control.get_attribute("outerHTML")[:200])
    driver.set_window_size(500, 900)  # the narrowest window there is; the page must fit in less
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
    )
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.set_window_size(1280, 900)
    assert wide <= 390, name


def test_every_page_can_be_used_by_everybody_and_breaks_no_rule_of_axe(person, axe):
    driver = person.driver
    table = person.table
    for name in PAGES:
        person.page(name)
        person.sees("h1")
        if name == "teach":
            person.sees("table.question")
            person.reads("of the detail lost")
        if name == "result":
            person.clicks("button[data-value=release]")
            person.reads("Nobody stands out")
            person.sees(".ranking")
            person.clicks("button[data-value=compare]")
            person.sees(".compared")
        for fold in driver.find_elements(By.CSS_SELECTOR, ".fold:not([open]) > summary"):
            driver.execute_script("arguments[0].click()", fold)
        if name == "people":
            person.clicks("tbody button[data-act=row]")
            person.reads("The crowd, as it was")
            person.sees("tr.itself")
        if name == "table":  # the tree of sexes, open in its row
            person.clicks("[data-act=tree][aria-label='Tree of sex']")
            person.sees("[data-editor]")
        check(person, name)
        held_against_axe(driver, axe, name)
    for path in ("/", "/study", "/linked", f"/t/{table}/nowhere"):
        driver.get(f"{person.server.base}{path}")
        person.sees("h1")
        held_against_axe(driver, axe, path)


def test_the_measure_sees_faint_text(person):
    person.driver.execute_script(
        "document.querySelector('h1').style.color = '#bbbbbb';"
        "document.querySelector('h1').style.backgroundColor = '#ffffff'"
    )
    assert [words for words, *_ in person.driver.execute_script(FAINT)] == [
        "Is this what your table is?"
    ]
