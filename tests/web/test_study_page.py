"""A participant at a browser: sliders and questions, then a thank-you."""

from __future__ import annotations

import httpx
import pytest
from person import Person
from selenium.webdriver.common.keys import Keys
from serving import start_server, table_of

from shoal.plan import Plan
from shoal.table import Roles

pytestmark = pytest.mark.usefixtures("chromium")


@pytest.fixture
def study(tmp_path):
    (tmp_path / "people.csv").write_bytes(table_of(80))
    roles = Roles("name", ("age", "sex", "zip"), "disease", "readmitted")
    plan = tmp_path / "plan.toml"
    Plan(source=str(tmp_path / "people.csv"), roles=roles, k=4).write(plan)
    extra = ("--study", str(plan), "--game", "--questions", "4")
    running = start_server(tmp_path / "home", extra=extra)
    yield running
    running.stop()


def take_part(person):
    """Do the two parts in whichever order they come."""
    for part in (1, 2):
        person.reads(f"Part {part} of 2")
        if "How much does each detail matter" in person.text:
            person.tabs_to("input[type=range]")
            person.presses(Keys.END)
            person.until(lambda: person.sees("output").text == "10", "the slider's value")
            person.clicks("button[data-act=bias]")
        else:
            for number in range(1, 5):
                person.reads(f"question {number} of 4")
                person.presses(Keys.ARROW_LEFT)
    person.reads("Thank you")


def test_two_participants_through_one_link(study, browse):
    for _ in range(2):
        person = Person(browse(390, 844), study)
        person.open(study.participants)
        take_part(person)
        assert not person.problems
    person.reads("Your sliders and your answers agree by")
    person.open(f"{study.base}/")
    person.reads("There is nothing here")
    token = study.link.partition("token=")[2]
    table = httpx.get(f"{study.base}/api/study/weights.csv", params={"token": token}).text
    lines = table.splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("participant,way,weight_age,weight_sex,weight_zip,answers")
    assert {line.split(",")[1] for line in lines[1:]} == {"bias", "iml"}
