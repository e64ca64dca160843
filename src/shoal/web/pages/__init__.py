"""The pages: one file each. A new page is a file with a function and a line in `PAGES`."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from nicegui import Client, ui

from shoal.exceptions import ShoalError
from shoal.web._doors import LOGO, knock_page
from shoal.web._house import House
from shoal.web._workspace import Workspace
from shoal.web.pages._frame import HEAD, frame
from shoal.web.pages._journal import journal_page
from shoal.web.pages._outliers import outliers_page
from shoal.web.pages._result import result_page
from shoal.web.pages._start import start_page
from shoal.web.pages._study import study_page
from shoal.web.pages._table import table_page
from shoal.web.pages._teach import teach_page
from shoal.web.pages._tune import tune_page

__all__ = ["PAGES", "Page", "mount_pages"]

PATIENCE = 120.0  # seconds to read a large table for the first time


@dataclass(frozen=True)
class Page:
    """A step in the navigation, about one table."""

    path: str
    title: str
    build: Callable[[Workspace], Awaitable[None]]


PAGES = (
    Page("table", "Table", table_page),
    Page("outliers", "Outliers", outliers_page),
    Page("teach", "Teach", teach_page),
    Page("tune", "Tune", tune_page),
    Page("result", "Result", result_page),
    Page("journal", "Journal", journal_page),
)


def mount_pages(app: FastAPI, house: House) -> None:
    """Mount NiceGUI with all pages into our application."""
    ui.add_head_html(HEAD, shared=True)
    ui.page("/", response_timeout=PATIENCE)(_start)
    for page in PAGES:
        ui.page(f"/t/{{id}}/{page.path}", response_timeout=PATIENCE)(_about_a_table(page))
    if house.study is not None:
        ui.page("/study", response_timeout=PATIENCE)(_study)
    house.owner_of_page = _owner_of_page
    ui.run_with(
        app,
        title="Shoal",
        favicon=LOGO.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg" fill="#0b6b75"'),
        language="en-US",
        tailwind=False,
        gzip_middleware_factory=None,  # the gate marks scripts in pages, which it must read
        reconnect_timeout=20.0,
        show_welcome_message=False,
    )


def _owner_of_page(id: str) -> str | None:
    """Tell who opened a page; its socket carries the id, and is nobody else's."""
    opened = Client.instances.get(id)
    visitor = opened.request.scope.get("shoal.visitor") if opened else None
    return visitor.id if visitor else None


def _about_a_table(page: Page) -> Callable[..., Awaitable[Response | None]]:
    async def build(request: Request, id: str) -> Response | None:
        house: House = request.scope["shoal.house"]
        try:
            space = house.workspace(request.scope["shoal.visitor"], id)
            await to_thread(lambda: space.table)
        except ShoalError as error:
            return HTMLResponse(knock_page(404, str(error)), status_code=404)
        with frame(page.title, PAGES, space):
            await page.build(space)
        return None

    return build


async def _start(request: Request) -> Response | None:
    with frame("Welcome"):
        await start_page(request.scope["shoal.house"], request.scope["shoal.visitor"])
    return None


async def _study(request: Request) -> Response | None:
    house: House = request.scope["shoal.house"]
    assert house.study is not None
    participant = house.study.participant(request.scope["shoal.visitor"])
    with frame("Study"):
        await study_page(participant)
    return None
