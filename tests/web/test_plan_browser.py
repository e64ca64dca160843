"""In Chromium: refused numbers go back, nothing is lost unasked, and changes are taken back."""

from __future__ import annotations

import pytest
from person import Person
from selenium.webdriver.common.keys import Keys
from serving import table_of

pytestmark = pytest.mark.usefixtures("chromium")
K = "input[data-act=k]"


def test_a_plan_changes_only_as_somebody_wants(server, browse, tmp_path):
    csv = tmp_path / "patients.csv"
    csv.write_bytes(table_of(120, older=400))
    ada = Person(browse(), server)
    ada.open()
    ada.brings(csv)
    held = ada.sees(K).get_attribute("value")

    def types(number):
        ada.sees(K).send_keys(Keys.CONTROL, "a")
        ada.presses(number, Keys.ENTER)

    def shows(number):
        ada.until(lambda: ada.sees(K).get_attribute("value") == number, f"k {number}")

    types("1")
    ada.sees("#told p.trouble")
    shows(held)
    types("4")
    ada.until(lambda: "k 4" in ada.sees(".promise").text, "the promise")
    ada.page("teach")
    ada.answers(lambda: ada.presses(Keys.ARROW_LEFT))
    ada.page("table")
    types("6")
    alert = ada.until(lambda: ada.driver.switch_to.alert, "a question")
    assert "the session with 1 answer away" in alert.text
    alert.dismiss()
    shows("4")
    assert "k 4" in ada.sees(".promise").text
    types("6")
    ada.until(lambda: ada.driver.switch_to.alert, "a question").accept()
    ada.until(lambda: "k 6" in ada.sees(".promise").text, "the promise")
    ada.clicks("[data-act=step][data-value=back]")
    shows("4")
    ada.clicks("[data-act=step][data-value=forth]")
    shows("6")
    assert not ada.problems
