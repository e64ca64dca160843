"""A person at a browser: looks for what is on the screen, clicks it or reaches it by keyboard."""

from __future__ import annotations

import json
import time

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PATIENCE = 60
ARRIVED = "return document.readyState === 'complete' && !location.search.includes('token=')"
MOVING = "return document.body.hasAttribute('data-waiting')"
SHOWN = """
const titles = [...document.querySelectorAll("svg title")];
const seen = titles.filter((e) => e.ownerSVGElement.checkVisibility());
return [document.body.innerText, ...seen.map((e) => e.textContent)].join("\\n");
"""
REACHED = "return document.activeElement.matches(arguments[0])"


class Person:
    """Somebody with a browser and a server to visit."""

    def __init__(self, driver, server):
        self.driver = driver
        self.server = server

    def open(self, address=None):
        """Visit, and wait until the token has left the address bar and the page can listen."""
        self.driver.get(address or self.server.link)
        self.until(lambda: self.driver.execute_script(ARRIVED), "a page that is ready")

    def page(self, name):
        """Go to another page of the same table, by its link."""
        link = f"{self.server.base}/t/{self.table}/{name}"
        self.driver.get(link)
        if not self.driver.current_url.startswith(link):  # the page came back to itself meanwhile
            self.driver.get(link)

    @property
    def table(self):
        return self.driver.current_url.split("/")[4]

    def sees(self, css, seconds=PATIENCE):
        """Wait until something is on the page, and return it."""
        return self.until(lambda: self.driver.find_element(By.CSS_SELECTOR, css), css, seconds)

    def reads(self, words, seconds=PATIENCE):
        """Wait until these words are on the page."""
        self.until(lambda: words in self.text, words, seconds)

    @property
    def text(self):
        """All that is on the page and said of its charts; selenium takes fifty times as long."""
        lines = self.driver.execute_script(SHOWN).splitlines()
        return "\n".join(" ".join(line.split()) for line in lines if line.strip())

    def until(self, look, what, seconds=PATIENCE):
        end, pause = time.monotonic() + seconds, 0.03
        while time.monotonic() < end:
            try:
                found = look()
                if found:
                    return found
            except (WebDriverException, StaleElementReferenceException):
                pass
            time.sleep(pause)
            pause = min(pause * 1.3, 0.3)  # looking costs the browser more than waiting
        where = self.driver.current_url
        raise AssertionError(f"never saw {what!r} on {where}:\n{self.text[:2000]}")

    def clicks(self, css):
        """Click with the mouse once nothing moves, where the element is on the screen."""
        element = self.sees(css)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        self.until(lambda: self._click(css), css)

    def _click(self, css):
        if self.driver.execute_script(MOVING):
            return False  # an answer on its way would shift the page under the mouse
        self.driver.find_element(By.CSS_SELECTOR, css).click()
        return True

    def presses(self, *keys):
        ActionChains(self.driver, duration=20).send_keys(*keys).perform()

    def tabs_to(self, css, most=200):
        """Reach an element with the tabulator alone, as somebody without a mouse does."""
        self.sees(css)
        for _ in range(most):
            self.presses(Keys.TAB)
            if self.driver.execute_script(REACHED, css):
                return
        raise AssertionError(f"{css!r} cannot be reached by keyboard")

    def brings(self, path):
        self.sees("input[data-upload]").send_keys(str(path))
        self.sees(".fields")

    @property
    def question(self):
        return self.sees("table.question").get_attribute("data-question")

    def answers(self, act):
        """Answer and wait for the next question."""
        before = self.question
        act()
        self.until(lambda: self.question != before, "another question")

    @property
    def problems(self):
        """What the browser complained about; 401s before coming in are expected nowhere."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE"
        ]

    @property
    def hosts(self):
        """Every server that the browser spoke to."""
        found = set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = message["params"]["request"]["url"]
                if not address.startswith(("data:", "chrome", "about:", "blob:")):
                    found.add(address.split("/")[2])
        return found
