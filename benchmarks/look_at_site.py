"""Open every page of the documentation in Chromium: light and dark, wide and narrow.

``make look`` builds the site and runs this. It fails on a page that scrolls sideways, an image
that is not there, a message in the browser's console, more or less than one heading of the first
order, or a broken rule of axe-core; pictures of all pages are left to be looked at.
"""

from __future__ import annotations

import base64
import http.server
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

AXE = Path(__file__).parents[1] / ".axe" / "package" / "axe.min.js"
FACTS = """
const wide = document.documentElement;
return {
  sideways: wide.scrollWidth - wide.clientWidth,
  missing: [...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src),
  headings: document.querySelectorAll("h1").length,
  height: Math.min(2600, wide.scrollHeight),
};
"""
RULES = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then((found) => done(
  found.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 120)])));
"""


class Silent(http.server.SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, *told: object) -> None:
        """Say nothing."""


def main(site: Path, pictures: Path) -> int:
    """Look at all pages, tell what is wrong with which, and return how many that are."""
    pictures.mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser, faulty = _browser(), 0
    for scheme in ("light", "dark"):
        for width in (1280, 390):
            _look_like(browser, scheme, width)
            for page in sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html")):
                browser.get(f"http://127.0.0.1:{server.server_port}/{page}")
                faults = _faults(browser)
                faulty += bool(faults)
                if faults:
                    print(page, scheme, width, *faults, flush=True)
                name = f"{page.replace('/', '-')}-{scheme}-{width}.jpg"
                (pictures / name).write_bytes(_picture(browser, width))
    browser.quit()
    print(f"{faulty} pages have something wrong.")
    return faulty


def _browser() -> Any:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options)


def _look_like(browser: Any, scheme: str, width: int) -> None:
    preferred = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preferred)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def _faults(browser: Any) -> list[object]:
    facts = browser.execute_script(FACTS)
    said = [each["message"] for each in browser.get_log("browser")]
    browser.execute_script(AXE.read_text("utf-8"))
    broken = browser.execute_async_script(RULES)
    faults = [("sideways", facts["sideways"])] if facts["sideways"] > 0 else []
    faults += [("headings", facts["headings"])] if facts["headings"] != 1 else []
    loud = [message for message in said if "favicon" not in message]
    return [*faults, *facts["missing"], *loud, *broken]


def _picture(browser: Any, width: int) -> bytes:
    height = browser.execute_script(FACTS)["height"]
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 0.5}
    asked = {"format": "jpeg", "quality": 60, "captureBeyondViewport": True, "clip": clip}
    return base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", asked)["data"])


if __name__ == "__main__":
    sys.exit(1 if main(Path(sys.argv[1]), Path(sys.argv[2])) else 0)
