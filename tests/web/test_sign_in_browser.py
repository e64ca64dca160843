"""Accounts at a real browser: a form lets in, a button lets out, and nobody else's cookie does."""

from __future__ import annotations

import pytest
from person import Person
from selenium.webdriver.common.keys import Keys
from serving import start_server, table_of

from shoal.web import add_account

pytestmark = pytest.mark.usefixtures("chromium")
PASSWORD = "a long enough secret"


@pytest.fixture
def guarded(tmp_path):
    people = tmp_path / "people.toml"
    for name in ("ada", "eve"):
        add_account(people, name, PASSWORD)
    running = start_server(tmp_path / "home", extra=("--auth", str(people)), token=False)
    yield running
    running.stop()


def test_logging_in_and_out(guarded, browse):
    ada = Person(browse(), guarded)
    ada.open(f"{guarded.base}/")
    ada.sees("input[name=name]").send_keys("ada")
    ada.sees("input[name=password]").send_keys("not my secret")
    ada.clicks("button[type=submit]")
    ada.reads("The name or the password is wrong")
    ada.sees("input[name=name]").send_keys("ada")
    ada.sees("input[name=password]").send_keys(PASSWORD)
    ada.clicks("button[type=submit]")
    ada.reads("Hide everyone in a crowd")
    ada.clicks(".log-out button")
    ada.sees("input[name=password]")
    ada.open(f"{guarded.base}/")
    ada.sees("input[name=password]")


def log_in(person, name):
    person.open(f"{person.server.base}/")
    person.sees("input[name=name]").send_keys(name)
    person.sees("input[name=password]").send_keys(PASSWORD)
    person.clicks("button[type=submit]")
    person.reads("Hide everyone in a crowd")


def test_a_second_browser_of_the_same_person_goes_on_and_nobody_elses_does(
    guarded, browse, tmp_path
):
    csv = tmp_path / "patients.csv"
    csv.write_bytes(table_of(90))
    at_work, at_home, eve = (Person(browse(), guarded) for _ in range(3))
    log_in(at_work, "ada")
    at_work.brings(csv)
    table = at_work.table
    at_work.page("teach")
    for _ in range(2):
        at_work.answers(lambda: at_work.presses(Keys.ARROW_LEFT))
    at_work.reads("2 given")
    log_in(at_home, "ada")
    at_home.reads("patients.csv")
    at_home.driver.get(f"{guarded.base}/t/{table}/teach")
    at_home.reads("2 given")
    at_home.answers(lambda: at_home.presses(Keys.ARROW_RIGHT))
    at_home.reads("3 given")
    at_work.driver.refresh()
    at_work.reads("3 given")  # one session, whoever looks at it
    log_in(eve, "eve")
    assert "patients.csv" not in eve.text
    eve.driver.get(f"{guarded.base}/t/{table}/teach")
    eve.reads("There is no such table.")
