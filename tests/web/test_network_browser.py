"""A network of 200 people in real Chromium: bring edges, weigh, hide, look, fetch."""

from __future__ import annotations

import zipfile

import pytest
from person import Person
from selenium.webdriver.common.by import By
from serving import downloaded
from test_accessibility import check, held_against_axe
from test_german import left_english, wanting_german
from test_network_page import village

pytestmark = pytest.mark.usefixtures("chromium")
PLAN = """
[roles]
identifiers = ["id"]
quasi_identifiers = ["age", "sex"]

[privacy]
k = 5
"""
APART = """
const dots = [...document.querySelectorAll(".network figure:first-child circle")]
  .map((dot) => dot.getBoundingClientRect());
let near = 0;
dots.forEach((a, i) => { if (dots.some((b, j) => i !== j
  && Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2)
     < (a.width + b.width) / 2)) near += 1; });
return [dots.length, near, Math.min(...dots.map((dot) => dot.width))];
"""


def test_a_network_of_200_people_is_hidden_and_readable(server, browse, tmp_path, axe):
    people, edges = village(200)
    (tmp_path / "village.csv").write_bytes(people)
    (tmp_path / "edges.csv").write_bytes(edges)
    (tmp_path / "plan.toml").write_text(PLAN)
    ada = Person(browse(), server)
    ada.open()
    ada.brings(tmp_path / "village.csv")
    ada.sees("#plan").send_keys(str(tmp_path / "plan.toml"))
    ada.sees(".field[data-role=identifier]")
    ada.page("network")
    ada.sees("#edges").send_keys(str(tmp_path / "edges.csv"))
    ada.reads("edges between 200 people")
    ada.clicks("button[data-value=network]")
    ada.reads("Before and after", 300)  # a busy machine is no failure
    dots, touching, smallest = ada.driver.execute_script(APART)
    assert dots == 200
    assert touching < 40  # a dot that lies on another cannot be read
    assert smallest >= 3  # pixels
    discs = ada.driver.find_elements(By.CSS_SELECTOR, ".network figure:last-child circle")
    assert 2 <= len(discs) <= 40
    assert "What an attacker still gains" in ada.text
    check(ada, "network")
    held_against_axe(ada.driver, axe, "network")
    ada.clicks('a[download="release.zip"]')
    names = zipfile.ZipFile(downloaded(ada.driver, "release.zip")).namelist()
    assert {"release/groups.csv", "release/edges.csv", "release/network.graphml"} <= {*names}
    wanting_german(ada.driver)
    ada.page("network")
    ada.reads("Vorher und nachher")
    assert left_english(set(ada.text.splitlines())) == set()
    assert not ada.problems
