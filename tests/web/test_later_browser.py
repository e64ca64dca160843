"""A second delivery in real Chromium: release, fetch, bring more people, follow, fetch again."""

from __future__ import annotations

import zipfile

import pytest
from person import Person
from selenium.webdriver.support.ui import Select
from serving import downloaded, start_server
from test_accessibility import check, held_against_axe
from test_german import left_english, wanting_german
from test_later_page import K, crowds, town

pytestmark = pytest.mark.usefixtures("chromium")
PLAN = f"""
[roles]
person = "name"
quasi_identifiers = ["age", "sex"]
sensitive = ["ill"]

[privacy]
k = {K}
l = 2
"""


@pytest.fixture
def server(tmp_path):
    """A ledger without anybody else's releases: crowds of theirs might come back here by chance."""
    running = start_server(tmp_path / "home")
    yield running
    running.stop()


def test_a_registry_is_delivered_again(server, browse, tmp_path, axe):
    for name, n in (("january", 48), ("february", 69)):
        (tmp_path / f"{name}.csv").write_bytes(town(0, n))
    (tmp_path / "plan.toml").write_text(PLAN)
    ada = Person(browse(), server)
    ada.open()
    ada.brings(tmp_path / "january.csv")
    ada.sees("#plan").send_keys(str(tmp_path / "plan.toml"))
    ada.sees(".field[data-role=person]")
    ada.page("result")
    ada.clicks("button[data-value=release]")
    ada.reads("Nobody stands out")
    ada.clicks('a[download="release.zip"]')
    before = crowds(downloaded(ada.driver, "release.zip").read_bytes())
    downloaded(ada.driver, "release.zip").unlink()

    ada.open(server.base)
    ada.brings(tmp_path / "february.csv")
    ada.page("later")
    Select(ada.sees("select[data-act=follow]")).select_by_visible_text("january.csv, 48 rows")
    ada.reads("After january.csv")
    (tmp_path / "wrong.txt").write_text("Person 4\n")
    ada.sees("#corrected").send_keys(str(tmp_path / "wrong.txt"))
    ada.reads("1 person to correct")
    ada.clicks("button[data-value=later]")
    ada.reads("What changed", 300)  # a busy machine is no failure
    assert "founded by newcomers" in ada.text
    assert "waiting for others who fit" in ada.text
    assert "of crowds that left" in ada.text
    assert "1 person to correct" not in ada.text
    check(ada, "later")
    held_against_axe(ada.driver, axe, "later")
    ada.clicks('a[download="release.zip"]')
    pack = downloaded(ada.driver, "release.zip")
    assert "report.html" in "".join(zipfile.ZipFile(pack).namelist())
    now = crowds(pack.read_bytes())
    gone = [box for box in before if box not in now]
    assert len(gone) == 1
    assert all(now[box] >= many for box, many in before.items() if box not in gone)
    assert min((now - before).values()) >= K
    wanting_german(ada.driver)
    ada.page("later")
    ada.reads("Was sich änderte")
    assert left_english(set(ada.text.splitlines())) == set()
    assert not ada.problems
