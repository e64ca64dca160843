"""Pictures of the web app for the documents: a real server, a real Chromium, made-up people."""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path
from typing import Any

from latency import _browser, _server

IMAGES = Path(__file__).parents[1] / "docs" / "images"
ANSWERS = 16
WIDE, PHONE = 1440, 390
#: What somebody answers to whom the ZIP code does not matter: fewest other details lost.
CHOOSE = """
const lost = (n) => [...document.querySelectorAll(`.question tbody tr td:nth-of-type(${n})`)]
  .filter((cell) => cell.matches(".loses") && !cell.textContent.includes("zip")).length;
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
        person.wait(".verdict.good")
        person.press("button[data-value=compare]")
        person.wait("[aria-label=Comparison]")
        person.shoot("web-result", WIDE, 1700)
        driver.get(f"{at}/people")
        person.press("tbody button[data-act=row]")
        person.wait("tr.itself")
        person.shoot("web-people", WIDE, 1300)
        driver.get(f"{at}/journal")
        person.wait(".verdict")
        person.shoot("web-journal", WIDE, 1000)


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
    draw_all()
