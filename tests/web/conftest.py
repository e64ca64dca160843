"""A server for tests: in this process for requests, in its own process for browsers."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the web extra is not installed")

from serving import HERE, TestClient, start_server, table_of

from shoal.web._app import create_app
from shoal.web._server import Server
from shoal.web._settings import Settings
from shoal.web._upload_limits import UploadLimits

SMALL = UploadLimits(upload=200_000, unpacked=40 << 20, rows=2_000, columns=40, field=2_000, idle=5)


@pytest.fixture
def shoal_home(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def site(shoal_home):
    made = Server(Settings(limits=SMALL))
    yield made
    made.close()


@pytest.fixture
def anybody(site):
    """Somebody without token or cookie."""
    with TestClient(create_app(site), base_url=HERE) as client:
        yield client


@pytest.fixture
def visit(site, anybody):
    """Let in as many browsers as asked for."""

    def come_in():
        client = TestClient(anybody.app, base_url=HERE, headers={"origin": HERE})
        assert client.get("/", params={"token": site.visitors.token}).status_code == 200
        return client

    return come_in


@pytest.fixture
def steward(visit):
    return visit()


@pytest.fixture
def table_id(steward):
    answer = steward.post("/api/tables", params={"name": "people.csv"}, content=table_of())
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


# ---------------------------------------------------------------------- a server of its own


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    running = start_server(tmp_path_factory.mktemp("served") / "home")
    yield running
    running.stop()


# ---------------------------------------------------------------------- browsers


def find_chromium():
    """The browser and its driver, or why there is none."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@pytest.fixture(scope="session")
def chromium():
    """A maker of browsers; skips where there is no Chromium, and fails under ``CI=true``."""
    found = find_chromium()
    if found is None:
        message = "There is no Chromium with chromedriver on this machine."
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    os.environ.update(SE_OFFLINE="true", SE_AVOID_STATS="true")
    return found


@pytest.fixture
def browse(chromium, tmp_path):
    """Open as many browsers as asked for; all are closed at the end."""
    yield from _browsers(chromium, tmp_path)


@pytest.fixture(scope="module")
def keep_browsing(chromium, tmp_path_factory):
    """The same, for browsers that several tests of a file share."""
    yield from _browsers(chromium, tmp_path_factory.mktemp("browsers"))


def _browsers(chromium, folder):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    opened = []

    def open_one(width=1280, height=900):
        options = webdriver.ChromeOptions()
        options.binary_location = chromium[0]
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            f"--window-size={width},{height}",
        ):
            options.add_argument(argument)
        downloads = folder / f"downloads-{len(opened)}"
        options.add_experimental_option(
            "prefs",
            {"download.default_directory": str(downloads), "download.prompt_for_download": False},
        )
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(chromium[1]))
        driver.downloads = downloads
        opened.append(driver)
        return driver

    yield open_one
    for driver in opened:
        driver.quit()


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core, which .ci/run fetches; without it, fails under ``CI=true``."""
    path = Path(__file__).parents[2] / ".axe" / "package" / "axe.min.js"
    if not path.is_file():
        message = "axe-core is not here: npm pack axe-core, unpacked into .axe (see .ci/run)."
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return path.read_text("utf-8")
