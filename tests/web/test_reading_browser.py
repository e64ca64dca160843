"""In Chromium: a file is read with a bar and a way out, and nobody meets a framework's page."""

from __future__ import annotations

import threading
import time

import pytest
from person import Person
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from serving import host

from shoal._progress import stop_if_cancelled
from shoal.web import _server
from shoal.web._first_look import read_first
from shoal.web.pages._tune import TunePage

pytestmark = pytest.mark.usefixtures("chromium")
LARGE = 5 << 20  # bytes, from 4 MB on the first part tells how long the rest takes
NAMES = ["Größe", "Gewicht, morgens", "Augenfarbe"]
ENCODED = "Größe;Gewicht, morgens;Augenfarbe\n" + "".join(
    f"{150 + i % 40};{60 + i % 30},5;{('grün', 'braun', 'k. A.')[i % 3]}\n" for i in range(60)
)


class Gate:
    """Reading for real, but the whole file only once a test lets it go on."""

    def __init__(self):
        self.open = threading.Event()
        self.ended = threading.Event()

    def __call__(self, path, limits, progress):
        try:
            while path.stat().st_size >= LARGE and not self.open.wait(0.02):
                stop_if_cancelled(progress)
            return read_first(path, limits, progress)
        finally:
            if path.stat().st_size >= LARGE:
                self.ended.set()


@pytest.fixture
def hosted(shoal_home):
    with host() as running:
        yield running


@pytest.fixture(scope="module")
def driver(keep_browsing):
    return keep_browsing()


@pytest.fixture
def ada(hosted, driver):
    driver.delete_all_cookies()
    visitor = Person(driver, hosted)
    visitor.open()
    return visitor


def test_reading_says_how_far_it_is_and_can_be_cancelled(ada, hosted, monkeypatch, tmp_path):
    gate = Gate()
    monkeypatch.setattr(_server, "read_first", gate)
    csv = tmp_path / "large.csv"
    rows = (f"{i},{i % 90},80{i % 97:02},{'x' * 120}\n" for i in range(40_000))
    csv.write_text("id,age,zip,note\n" + "".join(rows))
    assert csv.stat().st_size > LARGE
    ada.sees("input[data-upload]").send_keys(str(csv))
    ada.until(lambda: "%" in ada.sees("[data-reading]").text, "how much is read")
    ada.until(lambda: float(ada.sees(".drop progress").get_attribute("value")) > 0, "a bar")
    assert ada.sees(".drop").get_attribute("aria-busy") == "true"
    assert ada.sees("[data-cancel]").is_displayed()
    ada.clicks("[data-cancel]")
    ada.reads("Cancelled; nothing of the file was kept.")
    assert not ada.sees("[data-cancel]").is_displayed()
    assert gate.ended.wait(60)
    ada.until(lambda: not files_of(hosted), "nothing left of the file")
    ada.open(f"{hosted.base}/")
    assert "large.csv" not in ada.text
    gate.open.set()
    ada.brings(csv)  # and the same file is taken the second time
    ada.reads("40,000 rows, 4 columns")
    ada.open(f"{hosted.base}/")
    listed = ada.sees(".resume li").text  # tables can be told apart: rows, size, day
    assert "large.csv" in listed
    assert "40,000 rows, 5." in listed
    assert time.strftime("%Y-%m-%d") in listed
    assert not ada.problems


def files_of(hosted):
    root = hosted.site.store.root
    return [path for path in root.rglob("*") if path.is_file() and path.name.startswith("table")]


def test_whatever_is_wrong_with_a_file_is_told_under_its_own_name(ada, hosted, tmp_path):
    broken = tmp_path / "klinik.parquet"
    broken.write_bytes(b"PAR1 and nothing of the kind")
    ada.sees("input[data-upload]").send_keys(str(broken))
    told = ada.until(lambda: ada.sees(".drop [role=alert]").text, "what is wrong")
    assert "table.parquet" not in told
    assert "/" not in told.replace("and/or", "")
    assert not files_of(hosted)
    ada.until(lambda: not ada.sees(".drop progress").is_displayed(), "a page at rest")
    assert all("422" in problem for problem in ada.problems)  # the browser's note of the refusal


def test_a_file_is_read_another_way_if_somebody_says_so(ada, tmp_path):
    """Latin 1, semicolons, decimal commas and words for nothing: found, told, and changed."""
    csv = tmp_path / "messung.csv"
    csv.write_bytes(ENCODED.encode("latin-1"))
    ada.brings(csv)
    assert names(ada) == NAMES
    assert kind(ada, 2) == "numeric"  # a decimal comma
    ada.clicks("[data-fragment=import] summary")  # and it is open as long as somebody chooses
    choose(ada, "delimiter", ",")
    ada.until(lambda: len(names(ada)) == 2, "columns that end at commas")
    choose(ada, "delimiter", ";")
    ada.until(lambda: names(ada) == NAMES, "columns as they were")
    choose(ada, "encoding", "mac_roman")
    ada.until(lambda: (names(ada) or [""])[0] not in ("Größe", ""), "another alphabet")
    choose(ada, "encoding", "iso-8859-1")
    ada.until(lambda: (names(ada) or [""])[0] == "Größe", "the right one")
    field = ada.sees("[data-fragment=import] details[open] input[data-act=missing]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("braun, k. A.", Keys.ENTER)
    ada.until(lambda: "1 values" in column(ada, 3) or "1 value" in column(ada, 3), "only green")
    ada.clicks("[data-act=step][data-value=back]")
    ada.until(lambda: "1 value" not in column(ada, 3), "all colours")
    assert not ada.problems


def column(person, n):
    return person.sees(f".slot:nth-child({n}) .about").text


def names(person):
    found = person.driver.find_elements(By.CSS_SELECTOR, ".slot .about strong")
    return [name.text for name in found]


def kind(person, n):
    select = Select(person.sees(f".slot:nth-child({n}) select[data-act^=kind]"))
    return select.first_selected_option.get_attribute("value")


def choose(person, act, value):
    person.until(lambda: person.sees(f"select[data-act={act}]").is_displayed(), act)
    Select(person.sees(f"select[data-act={act}]")).select_by_value(value)


def test_pages_that_are_not_there_or_break_are_our_own(ada, hosted, monkeypatch):
    ada.clicks("button[data-value=people]")
    ada.sees(".fields")
    table = ada.table
    for address in ("/nowhere", "/t/none/table", f"/t/{table}/nowhere"):
        ada.open(f"{hosted.base}{address}")
        assert ada.sees("h1").text == "Not found"
        ada.clicks("a[href='/']")
        ada.reads("Go on where you were")

    def stumble(self, *_):
        raise ZeroDivisionError("a cell: 4711")

    monkeypatch.setattr(TunePage, "fragments", stumble)
    ada.open(f"{hosted.base}/t/{table}/tune")
    assert ada.sees("h1").text == "Something went wrong"
    ada.reads("Shoal stumbled over itself (number ")
    assert "4711" not in ada.driver.page_source
    assert "ZeroDivision" not in ada.driver.page_source
    ada.clicks("a[href='/']")
    ada.reads("Go on where you were")
    ada.open(f"{hosted.base}/t/{table}/teach")  # nothing was lost
    ada.sees("table.question")
