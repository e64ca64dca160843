"""How a file was read: what did not fit is shown, another way is taken, names are the owner's."""

from __future__ import annotations

import asyncio

import pytest

from shoal.exceptions import CancelledError
from shoal.web import _server
from shoal.web.pages._page import update_page
from shoal.web.pages._start import StartPage
from shoal.web.pages._table import TablePage

MESSY = "age;admitted;weight;sex\n" + "".join(
    f"{20 + i % 50};{1 + i % 28:02}.03.20{10 + i % 10};{60 + i % 30},5;{'mf'[i % 2]}\n"
    for i in range(97)
)
WITH_WORDS = MESSY + "40;unbekannt;70,1;m\n" * 2 + "41;31.31.2012;70,2;f\n"


def brought(steward, site, text, name="klinik.csv"):
    answer = steward.post("/api/tables", params={"name": name}, content=text.encode())
    assert answer.status_code == 201, answer.text
    id = answer.json()["id"]
    return next(space for (_, known), space in site._open.items() if known == id)


def drawn(page, act="", value=""):
    return update_page(page, act, value, {})


def test_what_is_no_date_is_shown_and_decided_about(steward, site):
    space = brought(steward, site, WITH_WORDS)
    page = TablePage(space)
    html = drawn(page)["fragments"]["import"]["html"]
    assert ": 97 % read as dates, 3 % do not." in html
    assert "<b>unbekannt</b> in 2 rows" in html
    assert "<b>31.31.2012</b> in 1 row<" in html
    number = space.table.column_names.index("admitted")
    drawn(page, f"kind:{number}", "nominal")
    assert space.table.kinds["admitted"] == "nominal"
    drawn(page, f"format:{number}:date", "%d.%m.%Y")
    assert space.table.kinds["admitted"] == "date"
    column = space.table.column("admitted")
    assert int((column.codes == len(column.labels)).sum()) == 3
    refused = drawn(page, f"format:{number}:date", "days")
    assert refused["kind"] == "trouble"


def test_words_for_no_value_ask_nothing(steward, site):
    rows = (f"{20 + i % 50},{i % 60 if i % 30 else 'unknown'}\n" for i in range(300))
    space = brought(steward, site, "age,stay\n" + "".join(rows))
    html = drawn(TablePage(space))["fragments"]["import"]["html"]
    assert "Counted as missing, as they mean no value: unknown." in html
    assert "In stay." in html
    assert "hold cells that do not fit" not in html
    number = space.table.column_names.index("stay")
    opened = drawn(TablePage(space), f"kind:{number}", "nominal")["fragments"]["import"]["html"]
    assert "<b>unknown</b> in 10 rows" in opened
    assert "1 column holds cells that do not fit" in opened  # somebody said that they are values


def test_words_that_many_columns_share_are_asked_about_once(steward, site):
    head, rows = "a,b,c,d\n", []
    for i in range(300):
        odd = "weiss i ned" if i % 29 == 0 else str(i % 50)
        rows.append(f"{odd},{odd},{odd},{'rund 40' if i % 31 == 0 else i % 60}\n")
    space = brought(steward, site, head + "".join(rows))
    page = TablePage(space)
    html = drawn(page)["fragments"]["import"]["html"]
    assert "3 columns hold the same words beside their numbers or dates: weiss i ned." in html
    assert "<b>rund 40</b>" in html  # which is a question of its own
    drawn(page, "missing", "weiss i ned")
    assert "weiss i ned" in space.plan.missing
    assert "hold the same words" not in drawn(TablePage(space))["fragments"]["import"]["html"]


def test_another_delimiter_is_read_anew(steward, site):
    both = "p,q;r,s\n" + "".join(f"{i},{i % 7};{i % 5},{i % 3}\n" for i in range(30))
    space = brought(steward, site, both)
    wanted = {",": ("p", "q;r", "s"), ";": ("p,q", "r,s")}
    for delimiter, names in wanted.items():
        told = drawn(TablePage(space), "delimiter", delimiter)
        if told["kind"] == "info":
            assert told["go"] == f"/t/{space.id}/table"
        assert tuple(space.table.column_names) == names
        assert len(TablePage(space).fragments()) == len(names) + 6


def test_words_for_missing_are_said_of_the_whole_table(steward, site):
    space = brought(steward, site, MESSY)
    assert space.table.kinds["weight"] == "numeric"  # a decimal comma, found by itself
    drawn(TablePage(space), "missing", "m, ?")
    assert space.table.column("sex").labels == ("f",)
    drawn(TablePage(space), "step", "back")
    assert space.table.column("sex").labels == ("f", "m")


def test_errors_name_the_file_as_its_owner_does(steward):
    answer = steward.post("/api/tables", params={"name": "klinik.parquet"}, content=b"no parquet")
    assert answer.status_code in (413, 422)
    assert "table.parquet" not in answer.text


def test_pages_that_are_not_there_are_pages(steward, monkeypatch):
    html = {"accept": "text/html"}
    lost = steward.get("/nowhere", headers=html)
    assert lost.status_code == 404
    assert "Back to your tables" in lost.text
    assert steward.get("/api/nowhere", headers=html).headers["content-type"] == "application/json"
    monkeypatch.setattr(StartPage, "fragments", lambda self: 1 / 0)
    steward._transport.raise_server_exceptions = False
    broken = steward.get("/", headers=html)
    assert broken.status_code == 500
    assert "Shoal stumbled over itself (number" in broken.text
    assert "ZeroDivision" not in broken.text


def test_whoever_leaves_while_a_table_is_read_leaves_nothing(site, monkeypatch):
    visitor = site.visitors.new("steward")
    monkeypatch.setattr(_server, "LOOK_UP", 0.01)
    monkeypatch.setattr(_server, "read_first", lambda path, limits: _wait())

    def _wait():
        import time

        time.sleep(0.2)

    async def pieces():
        yield MESSY.encode()

    async def gone():
        return True

    with pytest.raises(CancelledError):
        asyncio.run(site.take(visitor, "klinik.csv", pieces(), gone))
    assert site.store.of(visitor) == []
    assert not list((site.store.root / visitor.id).iterdir())


def test_tables_on_the_start_page_can_be_told_apart(steward, site):
    brought(steward, site, MESSY)
    html = steward.get("/").text
    assert "97 rows, " in html
