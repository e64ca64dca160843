"""Teaching in Chromium: bars draw what words say, and all answers can be given by mouse."""

from __future__ import annotations

import re

import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from serving import table_of

pytestmark = pytest.mark.usefixtures("chromium")
AGES = 59  # years between the youngest and the oldest
CELLS = """
return [...document.querySelectorAll("table.question tbody tr:not(.both)")].flatMap((row) =>
  [...row.querySelectorAll("td")].map((cell) => {
    const drawn = cell.querySelector("svg.loss");
    const width = (e) => e.getBoundingClientRect().width;
    return [row.querySelector(".name").textContent, cell.querySelector("strong").textContent,
            drawn ? width(drawn.querySelector("rect")) / width(drawn) : null];
  }));
"""


@pytest.fixture(scope="module")
def ada(server, keep_browsing, tmp_path_factory):
    csv = tmp_path_factory.mktemp("taught") / "patients.csv"
    csv.write_bytes(table_of(120, older=1800))
    visitor = Person(keep_browsing(), server)
    visitor.open()
    visitor.brings(csv)
    visitor.page("teach")
    return visitor


def test_what_words_say_is_what_bars_draw(ada):
    seen = {}
    for number in range(12):
        for name, words, width in ada.driver.execute_script(CELLS):
            if width is None:
                assert "becomes" not in words
                assert "told" not in words
                continue
            seen.setdefault((name, words), set()).add(round(width, 2))
            span = re.search(r"becomes (\d+)-(\d+)$", words)
            if name == "age" and span:
                low, high = map(int, span.groups())
                assert width == pytest.approx((high - low) / AGES, abs=0.02)
            if words.endswith("is no longer told"):
                assert width == pytest.approx(1, abs=0.02)
        sizes = [head.text for head in ada.driver.find_elements(By.CSS_SELECTOR, "thead small")]
        assert all(re.fullmatch(r"[234] people so far", size) for size in sizes), sizes
        ada.answers(lambda: ada.clicks("button.a" if number % 3 else "button.b"))  # noqa: B023
        said = ada.sees(".sureness").text  # nobody looked at what was asked
        assert "enough" not in said, said
    assert {name for name, _ in seen} == {"age", "sex", "zip"}
    assert all(len(widths) == 1 for widths in seen.values()), seen


def test_neither_and_about_the_same_are_answers_and_what_was_won_is_told(ada):
    ada.page("teach")
    ada.reads("12 given")
    ada.answers(lambda: ada.clicks("button[data-value=same]"))
    ada.reads("13 given")
    ada.answers(lambda: ada.clicks("button[data-value=neither]"))
    ada.reads("14 given")
    told = ada.sees(".preview .won").text
    assert re.search(r"\w+ matters to you: it lost [\d.]+% before you said so, [\d.]+% now.", told)
    ada.clicks("button[data-act=undo]")
    ada.reads("13 given")
    assert not ada.problems


def test_limits_speak_in_what_would_be_published(ada):
    ada.clicks("[data-fragment=limits] summary")
    limit = Select(ada.sees("select[aria-label='Limit of zip']"))
    options = [option.text for option in limit.options]
    assert options[:2] == ["free", "keep exact"]
    assert all(re.fullmatch(r"like \d+\*+", option) for option in options[2:]), options
    assert len(options) > 2
    limit.select_by_visible_text("keep exact")  # which nobody can have here
    ada.sees("#told p.trouble")
    ada.until(lambda: _chosen(ada) == "free", "what holds")
    Select(ada.sees("select[aria-label='Limit of zip']")).select_by_visible_text(options[-1])
    ada.reads("From now on zip is never published coarser than that.")
    assert _chosen(ada) == options[-1]
    assert not ada.problems


def _chosen(person):
    found = Select(person.sees("select[aria-label='Limit of zip']"))
    return found.first_selected_option.text
