"""In Chromium: double clicks and quick ones on a slow line are neither lost nor misunderstood."""

from __future__ import annotations

import httpx
import pytest
from person import Person
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from serving import table_of

pytestmark = pytest.mark.usefixtures("chromium")
K = "input[data-act=k]"
CLICKS = "for (const css of arguments) document.querySelector(css).click()"
QUIET = "return !document.body.hasAttribute('data-waiting')"


@pytest.fixture
def slow(server, browse, tmp_path):
    """Somebody whose clicks are answered a third of a second later."""
    csv = tmp_path / "hasty.csv"
    csv.write_bytes(table_of(120, older=900))
    person = Person(browse(), server)
    person.open()
    person.brings(csv)
    late = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    person.driver.execute_cdp_cmd("Network.enable", {})
    person.driver.execute_cdp_cmd("Network.emulateNetworkConditions", late)
    return person


def settled(person):
    person.until(lambda: person.driver.execute_script(QUIET), "all answers")


def plan_of(person):
    token = person.server.link.partition("token=")[2]
    key = {"authorization": f"Bearer {token}"}
    return httpx.get(f"{person.server.base}/api/tables/{person.table}", headers=key)


def test_whatever_is_clicked_while_answers_are_late_holds_in_its_order(slow):
    field = slow.sees(K)
    for number in ("4", "5", "6", "7"):
        field.send_keys(Keys.CONTROL, "a")
        slow.presses(number, Keys.ENTER)
    slow.until(lambda: "k 7" in slow.sees(".promise").text, "the last of four")
    settled(slow)
    back = "[data-act=step][data-value=back]"
    slow.driver.execute_script(CLICKS, back, back)  # two steps, and not one
    slow.until(lambda: "k 5" in slow.sees(".promise").text, "two steps back")
    settled(slow)
    assert field.get_attribute("value") == "5"
    roles = [f'.slot:nth-child(3) input[value="{role}"]' for role in ("drop", "sensitive", "drop")]
    slow.driver.execute_script(CLICKS, *roles)
    settled(slow)
    assert slow.sees(roles[0]).is_selected()
    assert not slow.problems


def test_a_double_click_starts_a_release_once_and_a_key_twice_answers_once(slow):
    slow.page("teach")
    before = slow.question
    slow.presses(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    slow.until(lambda: slow.question != before, "another question")
    settled(slow)
    slow.reads("1 given")
    slow.page("result")
    button = slow.sees("button[data-value=release]:not(:disabled)")
    ActionChains(slow.driver).double_click(button).perform()
    slow.sees(".verdict.good, .verdict.amber")
    assert "worked on already" not in slow.text
    assert not slow.problems


def test_what_is_being_typed_stays_while_the_page_is_drawn_anew(slow):
    field = slow.sees(K)
    slow.driver.execute_script(CLICKS, "[data-act=step]:not(:disabled), .slot input[value=drop]")
    field.send_keys(Keys.CONTROL, "a")
    slow.presses("9")  # and not yet sent
    settled(slow)
    assert field.get_attribute("value") == "9"
    slow.presses(Keys.ENTER)
    slow.until(lambda: "k 9" in slow.sees(".promise").text, "what was typed")
