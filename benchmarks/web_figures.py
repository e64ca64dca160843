"""Pictures of the web app for the documents: a real server, a real Chromium, made-up people."""

from __future__ import annotations

import io
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from latency import _browser, _server
from shoal.datasets import people

IMAGES = Path(__file__).parents[1] / "docs" / "images"
ANSWERS = 16
WIDE, PHONE = 1440, 390
#: What somebody answers to whom the ZIP code does not matter: least of all other detail lost.
CHOOSE = """
const lost = (n) => [...document.querySelectorAll(`.question tbody tr td:nth-of-type(${n})`)]
  .filter((cell) => cell.matches(".loses") && !cell.textContent.includes("zip"))
  .reduce((sum, cell) => sum + parseFloat(cell.querySelector("rect").getAttribute("width")), 0);
return lost(1) <= lost(2) ? "A" : "B";
"""
MOST_VALUED = """
const values = (slot) => parseInt(slot.querySelector(".about .quiet").textContent);
const byHand = (slot) => slot.querySelector("select").value === "nominal"
  && slot.querySelector("[data-act=tree]");
const many = [...document.querySelectorAll(".slot")].map((s) => (byHand(s) ? values(s) : 0));
return many.indexOf(Math.max(...many)) + 1;
"""
DOORS = "return document.querySelectorAll('.door').length"
REGISTRY = (600, 900)
ROLES = {
    **dict.fromkeys(("age", "sex", "zip", "marital_status"), "quasi_identifier"),
    "diagnosis": "sensitive",
}
FOLLOW = """
const choice = document.querySelector("select[data-act=follow]");
choice.value = arguments[0];
choice.dispatchEvent(new Event("change", {bubbles: true}));
"""
ASKED = "return document.querySelector('table.question').dataset.question"


def draw_all() -> None:
    """Walk through the app and take a picture of each page, wide and on a telephone."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _server(Path(folder)) as (base, token),
        _browser() as driver,
    ):
        person = _Person(driver)
        driver.get(f"{base}/?token={token}")
        person.press("button[data-value=people]")
        person.wait(".fields")
        at = driver.current_url.removesuffix("/table")
        person.shoot("web-table", WIDE, 1500)
        _shoot_tree(person)
        driver.get(f"{at}/result")
        person.wait(".door.asked")
        person.shoot("web-gate", WIDE, 980)
        for door in range(driver.execute_script(DOORS)):
            person.press(f".door:nth-child({door + 1}) input[value=publish_as_is]")
        time.sleep(3)  # they are counted again
        driver.get(f"{at}/teach")
        for _ in range(ANSWERS):
            person.answer()
        time.sleep(4)  # the preview catches up
        person.shoot("web-teach", WIDE, 1360)
        person.shoot("web-teach-phone", PHONE, 1800)
        driver.get(f"{at}/result")
        person.press("button[data-value=release]")
        person.wait(".verdict.good, .verdict.amber")
        person.press("button[data-value=compare]")
        person.wait(".compared")
        person.shoot("web-result", WIDE, 1700)
        driver.get(f"{at}/people")
        person.press("tbody button[data-act=row]")
        person.wait("tr.itself")
        person.shoot("web-people", WIDE, 1300)
        driver.get(f"{at}/journal")
        person.wait(".verdict")
        person.shoot("web-journal", WIDE, 1000)
    draw_later()


def draw_later() -> None:
    """Release a registry, bring it again with more people, and take a picture of what changed."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _server(Path(folder)) as (base, token),
        _browser() as driver,
    ):
        person = _Person(driver)
        driver.get(f"{base}/?token={token}")
        person.wait("button[data-value=people]")
        cookies = {cookie["name"]: cookie["value"] for cookie in driver.get_cookies()}
        with httpx.Client(base_url=base, cookies=cookies, headers={"Origin": base}) as client:
            january = _bring(client, "january.csv", REGISTRY[0])
            job = client.post(f"/api/tables/{january}/jobs", json={"kind": "release"}).json()
            while client.get(f"/api/tables/{january}/jobs/{job['id']}").json()["state"] != "done":
                time.sleep(0.2)
            client.get(f"/api/tables/{january}/release/release.zip").raise_for_status()
            february = _bring(client, "february.csv", REGISTRY[1])
        driver.get(f"{base}/t/{february}/later")
        person.wait(f"option[value='{january}']")
        driver.execute_script(FOLLOW, january)
        person.press("button[data-value=later]")
        person.wait(".downloads")
        person.shoot("web-later", WIDE, 1300)


def _bring(client: httpx.Client, name: str, n: int) -> str:
    """Bring the first n people of a made-up town, and say which columns are which."""
    frame = people(REGISTRY[-1], seed=5).frame.select("person_id", *ROLES)[:n]
    answer = client.post("/api/tables", params={"name": name}, content=frame.write_csv().encode())
    id = answer.raise_for_status().json()["id"]
    for column, role in {"person_id": "person", **ROLES}.items():
        client.patch(f"/api/tables/{id}/columns/{column}", json={"role": role}).raise_for_status()
    client.put(f"/api/tables/{id}/privacy", json={"k": 5, "l": 2}).raise_for_status()
    return str(id)


def _shoot_tree(person: _Person) -> None:
    """Propose a tree for the column with most values that is sorted by hand, and draw it."""
    person.press(f".slot:nth-child({person.driver.execute_script(MOST_VALUED)}) [data-act=tree]")
    person.press("[data-act='edit:propose'][data-value=similarity]")
    person.wait(".branches .group .group")
    person.driver.execute_script("document.querySelector('.field.open').scrollIntoView()")
    person.shoot("web-tree", WIDE, 900)
    person.press(".field.open [data-act=tree]")


class _Person:
    """Somebody at the browser."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def wait(self, css: str) -> Any:
        from selenium.webdriver.common.by import By
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, 400).until(
            lambda driver: driver.find_element(By.CSS_SELECTOR, css)
        )

    def press(self, css: str) -> None:
        self.driver.execute_script("arguments[0].click()", self.wait(css))

    def answer(self) -> None:
        self.wait("table.question")
        before = self.driver.execute_script(ASKED)
        self.press(f"button[data-value={self.driver.execute_script(CHOOSE)}]")
        while self.driver.execute_script(ASKED) == before:
            time.sleep(0.05)

    def shoot(self, name: str, width: int, tallest: int) -> None:
        """Take a picture of the top of a page, in few colours."""
        from PIL import Image

        screen = {"width": width, "deviceScaleFactor": 1, "mobile": width < 500}
        self._emulate({**screen, "height": 900})
        tall = self.driver.execute_script("return document.documentElement.scrollHeight")
        self._emulate({**screen, "height": min(tall, tallest)})
        with Image.open(io.BytesIO(self.driver.get_screenshot_as_png())) as picture:
            small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
            small.save(IMAGES / f"{name}.png", optimize=True)
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def _emulate(self, screen: dict[str, Any]) -> None:
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        time.sleep(0.7)


if __name__ == "__main__":
    draw_later() if sys.argv[1:] == ["later"] else draw_all()
