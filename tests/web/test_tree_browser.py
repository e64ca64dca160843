"""A tree of forty occupations, made in Chromium: with the mouse, and with the keyboard alone."""

from __future__ import annotations

import pytest
from occupations import FIELDS, JOBS, table_of_jobs
from person import REACHED, Person
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from serving import downloaded

pytestmark = pytest.mark.usefixtures("chromium")
MOST_ACTIONS = 40


class Maker(Person):
    """Somebody who sorts values, and counts what they do: a click, a word typed, a key."""

    done = 0

    def click(self, css):
        self.done += 1
        self.clicks(css)

    def key(self, *keys):
        self.done += 1
        self.presses(*keys)

    def groups(self):
        """Make a group of what is picked: its name can be typed as soon as it has the focus."""
        self.key("g")
        fresh = "input[data-fresh]"
        self.until(lambda: self.driver.execute_script(REACHED, fresh), fresh)

    def word(self, text):
        """Type a word over what is selected, and confirm it."""
        self.done += 1
        self.presses(text, Keys.ENTER)

    def row(self, label):
        """Where a value, or the group of this name, stands."""
        return self.until(lambda: self.driver.execute_script(FIND, label), label)

    def drag(self, label, onto):
        self.done += 1
        there, here = self.row(onto), self.row(label)
        source = self.driver.find_element(By.CSS_SELECTOR, f'li[data-row="{here}"] label span')
        target = self.driver.find_element(By.CSS_SELECTOR, f'li[data-row="{there}"] small')
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", source)
        ActionChains(self.driver, duration=30).click_and_hold(source).move_by_offset(
            8, 4
        ).move_to_element(target).release().perform()


FIND = """
for (const li of document.querySelectorAll("[data-editor] li[data-row]")) {
  const text = li.matches(".group") ? li.querySelector("input[type=text]").value
                                    : li.querySelector("span").textContent;
  if (text === arguments[0]) return li.dataset.row;
}
return null;
"""
TREE = """
const walk = (ul) => Object.fromEntries([...ul.children].map((li) => li.matches(".group")
  ? [li.querySelector("input[type=text]").value, walk(li.querySelector("ul"))]
  : [li.querySelector("span").textContent, null]));
return walk(document.querySelector("[data-root]"));
"""


@pytest.fixture
def maker(server, browse, tmp_path):
    path = tmp_path / "jobs.csv"
    path.write_bytes(table_of_jobs())
    person = Maker(browse(1280, 1000), server)
    person.open()
    person.brings(path)
    person.clicks(".slot:nth-child(4) label:nth-of-type(2)")  # pay describes people, too
    person.sees(".slot:nth-child(4) .field[data-role=quasi_identifier]")
    return person


def leaves(tree):
    return sorted(
        leaf
        for name, inner in tree.items()
        for leaf in ([name] if inner is None else leaves(inner))
    )


def test_forty_occupations_get_a_tree_with_the_mouse(maker):
    """A proposal, its coarsest level away, all groups named, strays dragged: three levels."""
    maker.click(".slot:nth-child(2) [data-act=tree]")
    maker.click("[data-act='edit:propose'][data-value=similarity]")
    maker.reads("A proposal")
    maker.until(lambda: len(maker.driver.execute_script(LEVELS)) == 3, "three levels")
    maker.click(".levels li:nth-child(4) button")
    maker.until(lambda: len(maker.driver.execute_script(LEVELS)) == 2, "two levels")
    found = maker.driver.execute_script(TREE)
    assert leaves(found) == sorted(JOBS)
    for top, inner in found.items():
        field = name_among(FIELDS, inner)
        rename(maker, top, field)
        for group, jobs in inner.items():
            if jobs is not None:
                rename(maker, group, name_among(FIELDS[field], jobs))
    for field, inner in maker.driver.execute_script(TREE).items():  # who stands alone is dragged
        for stray in (job for job, jobs in inner.items() if jobs is None):
            maker.drag(stray, name_among(FIELDS[field], {stray: None}))
            maker.until(lambda: stray not in maker.driver.execute_script(TREE)[field], stray)  # noqa: B023
    assert maker.driver.execute_script(TREE) == nested(FIELDS)
    maker.click("[data-act='edit:use']")
    maker.reads("In use.")
    assert maker.done < MOST_ACTIONS
    maker.clicks("[data-editor] a[download]")
    ladder = downloaded(maker.driver, "occupation.csv").read_text("utf-8").splitlines()
    assert len(ladder) == 40
    assert {line.count(";") for line in ladder} == {3}  # value, group, field, *
    assert not maker.problems


LEVELS = "return document.querySelectorAll('.levels button')"


def nested(tree):
    """Write the tree that was wanted as the one on the page is read."""
    if isinstance(tree, list):
        return dict.fromkeys(tree)
    return {name: nested(inner) for name, inner in tree.items()}


def name_among(wanted, found):
    """Name what was found after what holds its first value."""
    one = leaves(found)[0]
    return next(name for name, inner in wanted.items() if one in leaves(nested(inner)))


def rename(maker, old, new):
    row = maker.row(old)
    maker.done += 1
    field = maker.driver.find_element(By.CSS_SELECTOR, f'li[data-row="{row}"] > .head [type=text]')
    maker.driver.execute_script("arguments[0].select(); arguments[0].focus()", field)
    maker.word(new)
    maker.row(new)


def test_and_with_the_keyboard_alone(maker):
    """Find, pick, group, name; put a value into a group; take it out; use the tree."""
    maker.tabs_to(".slot:nth-child(2) [data-act=tree]")
    maker.key(Keys.ENTER)
    maker.sees("[data-editor]")
    maker.tabs_to("[data-find]", 400)
    for word, name in (("nurse", "Nursing"), ("teacher", "School")):
        maker.word(word)
        maker.groups()
        maker.word(name)
        maker.row(name)
        maker.until(lambda: maker.driver.execute_script(REACHED, "[data-find]"), "the search again")
    tree = maker.driver.execute_script(TREE)
    assert {*tree["Nursing"]} == {"day nurse", "night nurse", "head nurse"}
    maker.tabs_to(f'li[data-row="{maker.row("Nursing")}"] > .head [data-node]', 400)
    maker.key(Keys.SPACE)
    for _ in range(4):
        maker.key(Keys.ARROW_DOWN)
    maker.key(Keys.SPACE)  # the group School, after three nurses
    maker.groups()
    maker.word("Public service")
    maker.row("Public service")
    tree = maker.driver.execute_script(TREE)
    assert {*tree["Public service"]} == {"Nursing", "School"}
    maker.key(Keys.F2)
    maker.word("The state")
    maker.row("The state")
    maker.key(Keys.DELETE)
    maker.until(lambda: "Nursing" in maker.driver.execute_script(TREE), "a group dissolved")
    keys = ActionChains(maker.driver, duration=20)
    keys.key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    maker.row("The state")
    maker.tabs_to("[data-act='edit:use']", 400)
    maker.key(Keys.ENTER)
    maker.reads("In use.")
    assert not maker.problems


def test_any_forty_values_are_sorted_by_words_in_under_forty_actions(maker):
    """Nothing is proposed: words find the values of a group, its name says both levels."""
    maker.tabs_to(".slot:nth-child(2) [data-act=tree]")
    maker.key(Keys.ENTER)
    maker.tabs_to("[data-find]", 400)
    for field, groups in FIELDS.items():
        for group, jobs in groups.items():
            maker.word(", ".join(jobs))
            maker.groups()
            maker.word(f"{field} > {group}")
            maker.row(group)  # and the cursor is back where more is found
    assert maker.driver.execute_script(TREE) == nested(FIELDS)
    maker.tabs_to("[data-act='edit:use']", 400)
    maker.key(Keys.ENTER)
    maker.reads("In use.")
    assert maker.done == 32 < MOST_ACTIONS
    assert not maker.problems


def test_numbers_dates_and_codes_get_their_own_rules(server, browse, tmp_path):
    """Steps, levels, first characters, a ready ladder; reset, and what is wrong with a tree."""
    ada = Person(browse(1280, 1000), server)
    ada.open()
    ada.clicks("button[data-value=people]")
    ada.sees(".fields")
    opens(ada, "age")
    ada.sees("input[data-act^=steps]").send_keys("5, 10", Keys.ENTER)
    ada.reads("[20, 29]")
    field = ada.sees("input[data-act^=steps]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("5, 7", Keys.ENTER)
    ada.sees("#told p.trouble")
    ada.until(lambda: field.get_attribute("value").replace(" ", "") == "5,10", "what holds")
    ada.clicks(".slot:nth-child(11) label:nth-of-type(2)")  # admitted describes people, too
    ada.sees(".slot:nth-child(11) .field[data-role=quasi_identifier]")
    opens(ada, "admitted")
    ada.clicks("button[data-act^=dates][data-value='month,year']")
    ada.until(lambda: ada.sees(".growing .tree"), "months in years")
    opens(ada, "zip")
    ada.sees("input[data-act='edit:prefix']").send_keys("3, 1", Keys.ENTER)
    ada.reads("Not used yet")
    ada.clicks("[data-act='edit:reset']")
    ada.reads("In use.")
    opens(ada, "birth_country")
    ada.clicks("[data-act='edit:propose'][data-value=spelling]")
    ada.reads("Not used yet")
    ready = "[data-act='edit:propose']:not([data-value=spelling]):not([data-value=similarity])"
    ada.clicks(ready)
    ada.until(lambda: "Europe" in ada.driver.execute_script(NAMES), "a ladder that was ready")
    (tmp_path / "wrong.csv").write_text("Germany;Europe;*\nGermany;Asia;*\n")
    ada.sees(".growing input[type=file]").send_keys(str(tmp_path / "wrong.csv"))
    told = ada.until(lambda: ada.sees(".growing [role=alert]").text, "what is wrong with it")
    assert len(told) > 20


NAMES = "return [...document.querySelectorAll('.group input[type=text]')].map((e) => e.value)"


def opens(person, column):
    person.clicks(f"[data-act=tree][aria-label='Tree of {column}'][aria-expanded=false]")
    person.sees(f"[data-act=tree][aria-label='Tree of {column}'][aria-expanded=true]")
