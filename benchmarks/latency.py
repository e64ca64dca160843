"""Latency: what somebody who teaches waits for, measured inside a real Chromium.

From the press of a key to the next question on the screen (the frame after it changed), and to the
regrouped result of the whole table, on all 30,162 complete rows of Adult. Once at the pace of
somebody who reads, once as fast as keys can be pressed.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx

READING, HURRYING = 40, 40  # answers
WARM_UP = 3
STOPS = 5  # releases that are stopped at different times
PATIENCE = 30_000  # milliseconds

#: Press a key; tell when the next question was painted, and when its preview was.
PRESS = """
const [key, wait, patience, done] = arguments;
const asked = () => document.querySelector("table.question").dataset.question;
const regrouped = () => document.querySelector(".preview[data-answers]")?.dataset.answers;
const before = asked(), shown = regrouped(), begin = performance.now();
let next = null;
const timer = setInterval(() => { if (performance.now() - begin > patience) finish(null); }, 100);
const finish = (preview) => {
  observer.disconnect(); clearInterval(timer); done([next, preview]);
};
const look = () => {
  if (next === null && asked() !== before) {
    next = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      next = performance.now() - begin;
      if (!wait) finish(null);
    }));
  }
  if (wait && next && regrouped() !== shown) finish(performance.now() - begin);
};
const observer = new MutationObserver(look);
observer.observe(document.body, { childList: true, subtree: true, attributes: true });
document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
"""


def measure() -> dict[str, Any]:
    """Answer questions about Adult in a browser, and time it there."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (base, token):
        key = {"authorization": f"Bearer {token}"}
        with httpx.Client(base_url=base, headers=key, timeout=120) as client:
            made = client.post("/api/tables/built-in", json={"name": "adult"}).json()
            rows, stopped = made["rows"], [_stop(client, made["id"], i) for i in range(STOPS)]
        with _browser() as driver:
            _begin(driver, f"{base}/?token={token}")
            reading = [_press(driver, i, wait=True) for i in range(READING)]
            hurrying = [_press(driver, i, wait=False)[0] for i in range(HURRYING)]
    return {
        "rows": rows,
        "reading": {
            "answers": READING,
            "next_question_ms": _spread([first for first, _ in reading]),
            "regrouped_ms": _spread([last for _, last in reading]),
        },
        "hurrying": {"answers": HURRYING, "next_question_ms": _spread(hurrying)},
        "stopped_ms": {"jobs": STOPS, **_spread(stopped)},
    }


def _stop(client: httpx.Client, table: str, i: int) -> float:
    """Begin to make the release, stop after a while, and time until the work has ended."""
    job = client.post(f"/api/tables/{table}/jobs", json={"kind": "release"}).json()["id"]
    time.sleep(0.3 + 0.7 * i)
    begin = time.perf_counter()
    found = client.delete(f"/api/tables/{table}/jobs/{job}").json()
    while found["state"] in ("waiting", "running"):
        found = client.get(f"/api/tables/{table}/jobs/{job}").json()
    return 1000 * (time.perf_counter() - begin) if found["state"] == "stopped" else 0.0


def _press(driver: Any, i: int, *, wait: bool) -> tuple[float, float]:
    key = ("ArrowLeft", "ArrowRight")[i * 7 % 5 % 2]
    first, last = driver.execute_async_script(PRESS, key, wait, PATIENCE)
    if first is None or (wait and last is None):
        sys.exit("An answer was not shown in time.")
    if wait:
        time.sleep(0.5)  # somebody reads
    return first, last or 0.0


def _begin(driver: Any, link: str) -> None:
    """Open the Adult table and answer a few, so that everything is compiled and drawn once."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    def wait(css: str) -> Any:
        return WebDriverWait(driver, 120).until(lambda d: d.find_element(By.CSS_SELECTOR, css))

    driver.get(link)
    wait("button[data-value=adult]").click()
    wait(".fields")
    driver.get(driver.current_url.replace("/table", "/teach"))
    wait(".preview[data-answers]")
    for i in range(WARM_UP):
        _press(driver, i, wait=True)


def _spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(median(ordered), 1),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "worst": round(ordered[-1], 1),
    }


@contextmanager
def _server(folder: Path, script: Path | None = None) -> Iterator[tuple[str, str]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    run = ["-m", "shoal"] if script is None else [str(script)]
    command = [sys.executable, *run, "serve", "--no-open", "--port", str(port)]
    environment = {**os.environ, "SHOAL_HOME": str(folder / "home")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    try:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        base, _, token = link.partition("/?token=")
        while True:
            try:
                httpx.get(base)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield base, token
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextmanager
def _browser(*, log: bool = False) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    os.environ.update(SE_OFFLINE="true", SE_AVOID_STATS="true")
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        sys.exit("This needs Chromium and chromedriver.")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in (
        *("--headless=new", "--no-sandbox", "--disable-gpu"),
        *("--window-size=1440,900", "--hide-scrollbars"),
    ):
        options.add_argument(argument)
    if log:
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    made = webdriver.Chrome(options=options, service=Service(driver))
    made.set_script_timeout(PATIENCE / 1000 + 10)
    try:
        yield made
    finally:
        made.quit()


if __name__ == "__main__":
    import json

    print(json.dumps(measure(), indent=2))
