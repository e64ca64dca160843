"""In Chromium: what was found about a release is drawn, grows old visibly, outlives a server."""

from __future__ import annotations

import re

import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from serving import start_server, table_of

from shoal.web.pages._result import COMPARED_BEFORE, OUTDATED

pytestmark = pytest.mark.usefixtures("chromium")
SLOW = 300  # seconds; a busy machine is no failure
BARS = """
return [...document.querySelectorAll(".compared figure")].map((part) => [
  part.querySelector("figcaption").textContent,
  [...part.querySelectorAll("li")].map((row) => [
    row.querySelector(".name").textContent,
    row.querySelector("rect").getBoundingClientRect().width
      / row.querySelector("svg").getBoundingClientRect().width,
    row.querySelector(".value").textContent])]);
"""
SHOWN = ("ranking", "charts", "compared", "holds")


@pytest.fixture
def ada(browse, tmp_path):
    running = start_server(tmp_path / "home")
    csv = tmp_path / "patients.csv"
    csv.write_bytes(table_of(120))
    visitor = Person(browse(), running)
    visitor.open()
    visitor.brings(csv)
    yield visitor
    running.stop()


def drawn(person):
    """All that is told of the release, part by part."""
    person.sees(".compared")
    return {
        name: [e.text for e in person.driver.find_elements(By.CLASS_NAME, name)] for name in SHOWN
    }


def test_a_release_is_compared_in_bars_and_all_of_it_outlives_the_server(ada):
    ada.page("teach")
    ada.answers(lambda: ada.presses(Keys.ARROW_LEFT))
    ada.page("result")
    ada.clicks("button[data-value=release]:enabled")
    ada.sees(".ranking")
    ada.clicks("button[data-value=attack]")
    ada.until(lambda: "attack" in ada.sees(".ranking").text, "attacks", SLOW)
    ada.clicks("button[data-value=compare]:enabled")
    ada.sees(".compared", SLOW)
    parts = dict(ada.driver.execute_script(BARS))
    assert {"Detail lost", "Lost: age", "Lost: zip"} <= set(parts)
    assert any(title.startswith("Macro F1") for title in parts)
    for title, rows in parts.items():
        assert [name for name, *_ in rows[:2]] == ["Equal", "Questions"], title
        for name, width, told in rows:
            value = float(told.rstrip("%")) / (100 if told.endswith("%") else 1)
            assert width == pytest.approx(value, abs=0.01), (title, name)
    no_bar_above_what_is_claimed(ada)
    before = drawn(ada)
    assert not ada.problems
    ada.server.restart()
    ada.problems  # noqa: B018 - what the browser says of a server that is away
    ada.page("result")
    assert drawn(ada) == before
    assert not ada.driver.find_elements(By.CSS_SELECTOR, ".stale")
    ada.page("teach")
    ada.answers(lambda: ada.presses(Keys.ARROW_RIGHT))
    ada.page("result")
    ada.reads(OUTDATED)
    ada.reads(COMPARED_BEFORE)
    assert not ada.problems


def no_bar_above_what_is_claimed(person):
    """Bars longer than what is said to be gained at most are explained in the same sentence."""
    attacks = person.sees("[data-fragment=attacks]").text
    rates = [float(rate) for rate in re.findall(r"Right in ([\d.]+)\s?% of cases", attacks)]
    assert len(rates) > 5
    assert re.search(r"None gains more than the [\d.]+\s?%|More than the [\d.]+\s?% that", attacks)
    claimed = re.search(r"None gains more than the ([\d.]+)\s?%.*", attacks)
    if claimed and max(rates) > float(claimed[1]):
        assert f"reaches {max(rates):g}" in claimed[0]
