"""Browsers that tests lend from each other: each gets one without tabs, cookies or a past."""

from __future__ import annotations

from contextlib import contextmanager

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--force-prefers-reduced-motion",  # each picture of what moves costs as much as one that stays
)
LOGS = ("browser", "performance")


class Pool:
    """Starts a browser only if all others are lent: starting one costs what a short test does."""

    def __init__(self, browser, driver):
        self.browser, self.driver = browser, driver
        self.idle = []

    @contextmanager
    def lending(self, folder):
        """Open as many browsers as asked for, with folders for downloads; take all back."""
        lent = []

        def open_one(width=1280, height=900):
            driver = self.idle.pop() if self.idle else self._start()
            lent.append(driver)
            driver.set_window_size(width, height)
            driver.downloads = folder / f"downloads-{len(lent)}"
            where = {"behavior": "allow", "downloadPath": str(driver.downloads)}
            driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)
            return driver

        yield open_one
        for driver in lent:
            self._take_back(driver)

    def close(self):
        for driver in self.idle:
            driver.quit()

    def _start(self):
        options = webdriver.ChromeOptions()
        options.binary_location = self.browser
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", dict.fromkeys(LOGS, "ALL"))
        return webdriver.Chrome(options=options, service=Service(self.driver))

    def _take_back(self, driver):
        try:
            _forget(driver)
        except WebDriverException:
            driver.quit()  # it broke, or a page holds it: nobody gets it again
        else:
            self.idle.append(driver)


def _forget(driver):
    """Leave one new tab (what was emulated goes with the old ones) and nothing that was stored."""
    old = driver.window_handles
    for tab in old:
        driver.switch_to.window(tab)
        everything = {"origin": driver.execute_script("return origin"), "storageTypes": "all"}
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", everything)
    driver.switch_to.new_window("tab")
    new = driver.current_window_handle
    for tab in old:
        driver.switch_to.window(tab)
        driver.close()
    driver.switch_to.window(new)
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    for log in LOGS:
        driver.get_log(log)
