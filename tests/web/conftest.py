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
    """The browser and its driver; the shell without windows does the same for less."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    browser = next(filter(None, map(shutil.which, names)), None)
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


@pytest.fixture(scope="session")
def browsers(chromium):
    """Browsers for all tests of this process."""
    from browsers import Pool

    pool = Pool(*chromium)
    yield pool
    pool.close()


@pytest.fixture
def browse(browsers, tmp_path):
    """Open as many browsers as asked for; all are given back at the end."""
    with browsers.lending(tmp_path) as open_one:
        yield open_one


@pytest.fixture(scope="module")
def keep_browsing(browsers, tmp_path_factory):
    """The same, for browsers that several tests of a file share."""
    with browsers.lending(tmp_path_factory.mktemp("browsers")) as open_one:
        yield open_one


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
