"""Weight of the web app: what the Teach page costs a browser that has never seen it.

Bytes and requests until the page can be used, the time that takes, the content policy it needs,
and the lines that make it, on the built-in Adult table in a real Chromium.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from latency import _browser, _press, _server, _spread

SOURCE = Path(__file__).parents[1] / "src" / "shoal" / "web"
WARM_UP, ANSWERS = 3, 40


def measure() -> dict[str, Any]:
    """Open the Teach page cold, then answer at a reader's pace."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _server(Path(folder)) as (base, token),
        _browser(log=True) as driver,
    ):
        _open(driver, f"{base}/?token={token}")
        teach = driver.current_url.replace("/table", "/teach")
        driver.get(teach)  # once before, so that kernels are compiled and the session exists
        _wait(driver, ".preview[data-answers]")
        driver.get(f"{base}/")
        driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        driver.get_log("performance")
        begin = time.perf_counter()
        driver.get(teach)
        _wait(driver, "table.question")
        usable = time.perf_counter() - begin
        _wait(driver, ".preview[data-answers]")
        found = _transferred(driver.get_log("performance"))
        for i in range(WARM_UP):
            _press(driver, i, wait=True)
        answers = [_press(driver, i, wait=True)[0] for i in range(ANSWERS)]
        policy = httpx.get(base).headers["content-security-policy"]
    return {
        "teach_page_cold": {**found, "usable_ms": round(1000 * usable)},
        "next_question_ms": _spread(answers),
        "policy": policy.partition("; style-src")[0] + "; …",
        "lines_of_source": _lines(),
        "load": round(os.getloadavg()[0], 1),
    }


def _open(driver: Any, link: str) -> None:
    driver.get(link)
    _wait(driver, "button[data-value=adult]").click()
    _wait(driver, ".fields")


def _wait(driver: Any, css: str) -> Any:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, 120).until(lambda d: d.find_element(By.CSS_SELECTOR, css))


def _transferred(log: list[dict[str, Any]]) -> dict[str, float]:
    """Sum what crossed the wire: answers, and frames of sockets and event streams."""
    events = [json.loads(entry["message"])["message"] for entry in log]
    by = {name: [e["params"] for e in events if e["method"] == f"Network.{name}"] for name in NAMES}
    sizes = sum(found["encodedDataLength"] for found in by["loadingFinished"])
    frames = sum(len(f["response"]["payloadData"]) for f in by["webSocketFrameReceived"])
    streamed = sum(len(found["data"]) for found in by["eventSourceMessageReceived"])
    requests = len(by["requestWillBeSent"]) + len(by["webSocketCreated"])
    return {"kilobytes": round((sizes + frames + streamed) / 1000, 1), "requests": requests}


NAMES = (
    *("requestWillBeSent", "loadingFinished", "webSocketCreated", "webSocketFrameReceived"),
    "eventSourceMessageReceived",
)


def _lines() -> dict[str, int]:
    return {
        ending: sum(len(path.read_text().splitlines()) for path in SOURCE.rglob(f"*.{ending}"))
        for ending in ("py", "js", "css")
    }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
