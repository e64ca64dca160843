"""Uploads of many formats, read in the background with a share to show, and sheets to choose."""

from __future__ import annotations

import time
from io import BytesIO

import polars as pl
import pytest
from serving import table_of

from shoal.exceptions import CancelledError, InputError
from shoal.web._first_look import read_first
from shoal.web._jobs import JobProgress
from shoal.web._table_reading import read_with_progress
from shoal.web._upload_limits import TooMuchError, UploadLimits, check_workbook
from shoal.web.pages import TablePage, draw_page

FRAME = pl.read_csv(BytesIO(table_of(60)))


def workbook(**sheets):
    from xlsxwriter import Workbook

    file = BytesIO()
    with Workbook(file) as book:
        for name, frame in sheets.items():
            frame.write_excel(book, worksheet=name)
    return file.getvalue()


def statistics(kind):
    import tempfile
    from pathlib import Path

    import pyreadstat

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{kind}"
        write = pyreadstat.write_sav if kind == "sav" else pyreadstat.write_dta
        write(FRAME, str(path))
        return path.read_bytes()


def arrow():
    file = BytesIO()
    FRAME.write_ipc(file)
    return file.getvalue()


FILES = {
    "people.xlsx": lambda: workbook(people=FRAME),
    "people.sav": lambda: statistics("sav"),
    "people.dta": lambda: statistics("dta"),
    "people.feather": arrow,
    "people.ndjson": lambda: FRAME.write_ndjson().encode(),
}


def follow(client, name, content):
    """Bring a file and wait until it was read, as the page does."""
    began = client.post("/api/tables/readings", params={"name": name}, content=content)
    assert began.status_code == 202, began.text
    address = f"/api/tables/readings/{began.json()['id']}"
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = client.get(address).json()
        if found["state"] in ("done", "failed", "stopped"):
            return found
        time.sleep(0.05)
    raise AssertionError("never read")


@pytest.mark.parametrize("name", FILES)
def test_each_format_is_read_behind_the_page(steward, name):
    found = follow(steward, name, FILES[name]())
    assert found["state"] == "done", found
    told = steward.get(f"/api/tables/{found['table']}").json()
    assert (told["name"], told["rows"]) == (name, 60)
    assert set(told["columns"]) == set(FRAME.columns)


def test_a_sheet_is_chosen_and_another_one_instead(steward, site):
    content = workbook(people=FRAME, others=FRAME.head(20).drop("zip"))
    id = follow(steward, "house.xlsx", content)["table"]
    space = next(s for (_, at), s in site._open.items() if at == id)
    page = TablePage(space)
    assert space.plan.sheet == "people"
    assert ">others</option>" in draw_page(page)
    page.act("sheet", "others")
    assert (space.plan.sheet, space.table.n_rows) == ("others", 20)
    assert "zip" not in space.table.column_names


def test_errors_call_a_file_as_its_owner_does(steward):
    broken = {"params": {"name": "klinik.xlsx"}, "content": workbook(people=FRAME)[:200]}
    assert steward.post("/api/tables/readings", **broken).status_code == 422
    found = follow(steward, "klinik.sav", b"no such thing")
    assert (found["state"], found["table"]) == ("failed", None)
    assert "'klinik.sav'" in found["problem"]
    refused = steward.post("/api/tables/readings", params={"name": "a.exe"}, content=b"x")
    assert refused.status_code == 422
    assert "Excel" in refused.json()["hint"]


def test_a_reading_that_is_stopped_leaves_nothing(steward, site):
    stop = {}

    def slow(path, limits, progress):
        stop["job"].stop()
        return read_first(path, limits, progress)

    job = JobProgress()
    stop["job"] = job
    folder = site.store.new(site.visitors.new("steward"))
    (folder / "table.csv").write_bytes(table_of(60))
    with pytest.raises(CancelledError):
        read_with_progress(folder / "table.csv", site.settings.limits, slow, job)
    began = steward.post("/api/tables/readings", params={"name": "a.csv"}, content=table_of(60))
    address = f"/api/tables/readings/{began.json()['id']}"
    assert steward.delete(address).status_code == 200
    assert steward.get("/api/tables/readings/none").status_code == 404


def test_how_long_a_large_file_takes_is_told_from_its_beginning(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.web._table_reading.QUICK", 1_000)
    monkeypatch.setattr("shoal.web._table_reading.SMALLEST", 1_000)
    (tmp_path / "table.csv").write_bytes(table_of(400))
    seen, job = [], JobProgress()

    def read(path, limits, progress):
        seen.append((path.stat().st_size, job.share))
        return read_first(path, limits, progress)

    read_with_progress(tmp_path / "table.csv", UploadLimits(), read, job)
    (part, before), (whole, share) = seen
    assert part < whole / 5
    assert before is None
    assert 0 <= share <= 0.99
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_a_workbook_that_grows_too_much_is_refused(tmp_path):
    import zipfile

    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("xl/worksheets/sheet1.xml", b"0" * (40 << 20))
    with pytest.raises(TooMuchError):
        check_workbook(path, UploadLimits())
    path.write_bytes(b"no zip")
    with pytest.raises(InputError):
        check_workbook(path, UploadLimits())
