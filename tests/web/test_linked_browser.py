"""In Chromium: two tables are joined, a person's rows are found in their crowd, all is released."""

from __future__ import annotations

import pytest
from person import Person
from selenium.webdriver.common.keys import Keys
from test_accessibility import check, held_against_axe
from test_german import left_english, wanting_german

from shoal.datasets import hospital

pytestmark = pytest.mark.usefixtures("chromium")


def test_a_steward_joins_looks_and_releases(server, browse, tmp_path, axe):
    ada = Person(browse(), server)
    tables = hospital(60, stays=2)
    for name in ("patients", "stays"):
        tables[name].write_csv(tmp_path / f"{name}.csv")
        ada.open()
        ada.brings(tmp_path / f"{name}.csv")
    ada.open(f"{server.base}/linked")
    ada.sees("select[data-act=key] option[value=patient_no]").click()
    ada.clicks("[data-act=group]")
    ada.reads("60 people in")
    number = ada.sees("input[data-act=person]")
    number.send_keys(Keys.CONTROL, "a")
    ada.presses("7", Keys.ENTER)
    ada.until(lambda: ada.sees("input[data-act=person]").get_attribute("value") == "7", "person 7")
    ada.reads("shared by")
    ada.clicks("[data-act=release]")
    ada.reads("joined, every row is shared by")
    assert ada.sees("a[href='/linked/release.zip']").text == "release.zip"
    check(ada, "linked")
    held_against_axe(ada.driver, axe, "linked")
    wanting_german(ada.driver)
    ada.open(f"{server.base}/linked")
    ada.reads("Gruppen bilden")
    assert left_english(set(ada.text.splitlines())) == set()
    assert not ada.problems
