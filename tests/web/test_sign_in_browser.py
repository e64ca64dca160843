"""Accounts at a real browser: a form lets in, a button lets out, and nobody else's cookie does."""

from __future__ import annotations

import pytest
from person import Person
from serving import start_server

from shoal.web import add_account

pytestmark = pytest.mark.usefixtures("chromium")
PASSWORD = "a long enough secret"


@pytest.fixture
def guarded(tmp_path):
    people = tmp_path / "people.toml"
    add_account(people, "ada", PASSWORD)
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
