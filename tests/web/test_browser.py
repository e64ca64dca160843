"""Real Chromium, a real server: what a person does, from the table to the release."""

from __future__ import annotations

import zipfile

import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from serving import downloaded, start_server, table_of

pytestmark = pytest.mark.usefixtures("chromium")


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_bytes(table_of(120))
    return path


def test_from_upload_to_download_with_the_mouse(server, browse, csv):
    ada = Person(browse(), server)
    ada.open()
    ada.brings(csv)
    ada.reads("are alone")
    ada.clicks(".slot:nth-child(6) .field label:nth-of-type(7)")  # readmitted is just a column
    ada.sees(".slot:nth-child(6) .field[data-role=other]")
    ada.clicks(".slot:nth-child(6) .field label:nth-of-type(4)")
    ada.sees(".slot:nth-child(6) .field[data-role=target]")
    ada.clicks("a.button.primary")
    ada.answers(lambda: ada.clicks("button.a"))
    ada.answers(lambda: ada.clicks("button.b"))
    ada.answers(lambda: ada.clicks("button[data-value=skip]"))
    ada.reads("2 given, 1 skipped")
    ada.answers(lambda: ada.clicks("button[data-act=undo]"))
    ada.reads("2 given, 0 skipped")
    ada.reads("of the detail lost")  # the preview came by itself
    ada.clicks(".onward a.primary")
    ada.sees("button[disabled][aria-describedby=why-not]")  # no download before the proof
    ada.reads("Nothing can be downloaded before")
    ada.clicks("button[data-value=release]")
    ada.reads("Nobody stands out")
    ada.clicks('a[download="release.zip"]')
    pack = zipfile.ZipFile(downloaded(ada.driver, "release.zip"))
    assert b"Person" not in pack.read("release/data.csv")
    assert pack.read("release/data.csv").count(b"\n") == 121
    assert not ada.problems
    assert ada.hosts == {f"127.0.0.1:{server.port}"}


def test_nothing_leaves_as_it_is_before_somebody_said_so(server, browse):
    """The built-in patients were admitted on exact days, which tell nearly everybody apart."""
    ada = Person(browse(), server)
    ada.open()
    ada.clicks("button[data-value=people]")
    ada.sees(".fields")
    Select(ada.sees("select[data-act=preset]")).select_by_value("partner")
    ada.until(lambda: "partner" in ada.sees(".promise").text, "for whom, in what is promised")
    ada.page("result")
    ada.reads("of people would stand out by what nobody accepted")
    ada.reads("Nothing is released before.")
    ada.sees("button[data-value=release]:disabled")
    ada.clicks(".door:nth-child(1) label:nth-of-type(2)")  # admitted gets coarser
    ada.sees(".door:nth-child(1) input[value=quasi_identifier]:checked")
    ada.clicks(".door:nth-child(1) label:nth-of-type(3)")  # or does not leave at all
    ada.sees(".door:nth-child(1) input[value=drop]:checked")
    ada.clicks(".door:nth-child(1) label:nth-of-type(1)")  # no, the exact days are accepted
    ada.sees(".door:nth-child(1) input[value=publish_as_is]:checked")
    ada.tabs_to(".door:nth-child(2) input")  # and visits are accepted, by the keyboard
    ada.presses(Keys.SPACE)
    ada.reads("Nothing is open.")
    ada.sees("button[data-value=release]:enabled")
    ada.clicks("button[data-value=release]:enabled")
    ada.reads("stand out by columns that were accepted by name")
    ada.sees(".verdict.amber")  # no shield over people who stand out, whoever accepted it
    assert not ada.problems


def test_a_file_chosen_before_the_script_is_there_is_taken(server, browse, csv):
    ada = Person(browse(), server)
    ada.driver.execute_cdp_cmd("Network.enable", {})
    ada.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/shoal.js"]})
    ada.open()
    ada.sees("input[data-upload]").send_keys(str(csv))
    ada.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    ada.driver.execute_script(
        "const late = document.createElement('script'); late.src = '/static/shoal.js';"
        "document.head.append(late)"
    )
    ada.sees(".fields")


def test_from_upload_to_download_with_the_keyboard_alone(server, browse, csv):
    csv.write_bytes(table_of(120, older=200))  # of the others there may be a release already
    bob = Person(browse(), server)
    bob.open()
    bob.tabs_to("input[data-upload]")
    bob.brings(csv)  # the file dialog is the system's
    bob.tabs_to("input[type=radio][name=role-1]")
    bob.presses(Keys.ARROW_RIGHT)
    bob.sees(".slot:nth-child(2) .field[data-role=sensitive]")
    bob.presses(Keys.ARROW_LEFT)
    bob.sees(".slot:nth-child(2) .field[data-role=quasi_identifier]")
    bob.tabs_to(".onward a.primary")
    bob.presses(Keys.ENTER)
    bob.answers(lambda: bob.presses(Keys.ARROW_LEFT))
    bob.answers(lambda: bob.presses(Keys.ARROW_RIGHT))
    bob.answers(lambda: bob.presses(Keys.ARROW_DOWN))
    bob.answers(lambda: bob.presses("u"))
    bob.reads("2 given, 0 skipped")
    bob.tabs_to("button.b")
    bob.answers(lambda: bob.presses(Keys.SPACE))
    bob.tabs_to(".fold summary")
    bob.presses(Keys.ENTER)
    bob.tabs_to("input[type=range]")
    before = bob.question
    bob.presses(Keys.ARROW_RIGHT)  # moves the slider, answers nothing
    bob.until(lambda: bob.sees("output").text == "5.5", "the slider's value")
    assert bob.question == before
    bob.tabs_to(".onward a.primary")
    bob.presses(Keys.ENTER)
    bob.tabs_to("button[data-value=release]")
    bob.presses(Keys.ENTER)
    bob.reads("Nobody stands out")
    bob.tabs_to('a[download="data.csv"]')
    bob.presses(Keys.ENTER)
    assert downloaded(bob.driver, "data.csv").read_bytes().count(b"\n") == 121
    assert not bob.problems


def test_two_users_at_once_do_not_meet(server, browse, csv):
    ada, bob = Person(browse(), server), Person(browse(), server)
    for person in (ada, bob):
        person.open()
        person.brings(csv)
        person.page("teach")
        person.sees("table.question")
    ada.answers(lambda: ada.presses(Keys.ARROW_LEFT))
    bob.answers(lambda: bob.presses(Keys.ARROW_RIGHT))
    ada.answers(lambda: ada.presses(Keys.ARROW_LEFT))
    ada.reads("2 given")
    bob.reads("1 given")
    bob.open(f"{server.base}/t/{ada.table}/teach")
    bob.reads("There is no such table")
    bob.open(f"{server.base}/api/tables/{ada.table}")
    assert "There is no such table" in bob.text


def test_reload_in_the_middle_and_another_tab(server, browse, csv):
    ada = Person(browse(), server)
    ada.open()
    ada.brings(csv)
    ada.page("teach")
    ada.answers(lambda: ada.presses(Keys.ARROW_LEFT))
    asked = ada.question
    ada.driver.refresh()
    assert ada.question == asked
    ada.reads("1 given")
    first = ada.driver.current_window_handle
    ada.driver.switch_to.new_window("tab")
    ada.open(f"{server.base}/t/{_table_of(ada, first)}/teach")
    ada.answers(lambda: ada.presses(Keys.ARROW_RIGHT))
    there = ada.question
    ada.driver.close()
    ada.driver.switch_to.window(first)
    ada.until(lambda: ada.question == there, "what was answered in the other tab")


def _table_of(person, window):
    other = person.driver.current_window_handle
    person.driver.switch_to.window(window)
    found = person.table
    person.driver.switch_to.window(other)
    return found


def test_killed_and_restarted_in_the_middle(tmp_path, browse, csv):
    server = start_server(tmp_path / "home")
    ada = Person(browse(), server)
    ada.open()
    ada.brings(csv)
    ada.page("teach")
    ada.answers(lambda: ada.presses(Keys.ARROW_LEFT))
    ada.answers(lambda: ada.presses(Keys.ARROW_RIGHT))
    asked, table = ada.question, ada.table
    weights = [item.text for item in ada.driver.find_elements(By.CSS_SELECTOR, ".weights b")]
    server.kill()
    again = start_server(tmp_path / "home", port=server.port)
    assert again.link != server.link  # another token; the cookie is still good
    ada.open(f"{again.base}/t/{table}/teach")
    assert ada.question == asked
    ada.reads("2 given")
    assert [i.text for i in ada.driver.find_elements(By.CSS_SELECTOR, ".weights b")] == weights
    ada.answers(lambda: ada.presses(Keys.ARROW_LEFT))
    ada.page("journal")
    ada.reads("The chain is whole")
    ada.open(again.base)
    ada.reads("Go on where you were")
    again.stop()
