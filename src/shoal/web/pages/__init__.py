"""Pages: one file each. A new page is a file with a `Page` class and a line in `STEPS`."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from pydantic import BaseModel, Field

from shoal._words import later
from shoal.exceptions import ShoalError
from shoal.web._server import NotFoundError, Server
from shoal.web._sign_in import refusal_page
from shoal.web._tree_editing import TreeEditing, by_hand
from shoal.web._uploads import MOST_LADDER, plain_name, read_small
from shoal.web._visitors import Visitor
from shoal.web._workspace import Workspace
from shoal.web.pages._frame import draw_document
from shoal.web.pages._journal import JournalPage
from shoal.web.pages._later import LaterPage
from shoal.web.pages._linked import LinkedPage
from shoal.web.pages._network import NetworkPage
from shoal.web.pages._outliers import OutliersPage
from shoal.web.pages._page import Fragment, Page, Reply, WorkspacePage, draw_page, h, update_page
from shoal.web.pages._people import PeoplePage
from shoal.web.pages._result import ResultPage
from shoal.web.pages._start import StartPage
from shoal.web.pages._study import StudyPage
from shoal.web.pages._study_desk import StudyDeskPage
from shoal.web.pages._table import TablePage
from shoal.web.pages._teach import TeachPage
from shoal.web.pages._tune import TunePage

__all__ = [
    "STEPS",
    "Fragment",
    "Page",
    "PageStep",
    "Reply",
    "WorkspacePage",
    "draw_page",
    "h",
    "router",
    "update_page",
]

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class PageStep:
    """A page about one table: a numbered step of the way, or one of those beside it."""

    path: str
    title: str
    open: Callable[[Workspace], Page]
    beside: bool = False


STEPS = (
    PageStep("table", later("Table"), TablePage),
    PageStep("teach", later("Teach"), TeachPage),
    PageStep("result", later("Result"), ResultPage),
    PageStep("journal", later("Journal"), JournalPage),
    PageStep("people", later("People"), PeoplePage, beside=True),
    PageStep("later", later("Later delivery"), LaterPage, beside=True),
    PageStep("network", later("Network"), NetworkPage, beside=True),
    PageStep("tune", later("Tune"), TunePage, beside=True),
    PageStep("outliers", later("Outliers"), OutliersPage, beside=True),
)


class ActBody(BaseModel):
    """What was done on a page (nothing, if it only looks), and which fragments it shows."""

    act: str = Field("", max_length=200)
    value: str = Field("", max_length=8_000)  # a thousand picks
    have: dict[str, str] = {}
    agreed: bool = False  # to lose what the act throws away


@router.get("/t/{id}/tree/{number}")
def download_tree(request: Request, id: str, number: int) -> Response:
    """Hand out the tree of a column as it is drawn, as a ladder."""
    editing = _editing(request, id, number)
    name = plain_name(editing.column).encode("ascii", "replace").decode().replace("?", "_")
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(editing.ladder_text(), media_type="text/csv", headers=headers)


@router.put("/t/{id}/tree/{number}")
async def draw_uploaded(request: Request, id: str, number: int, format: str = "csv") -> Response:
    """Draw a ladder or a tree that somebody has; it holds once they say so."""
    content = await read_small(request, MOST_LADDER, "The hierarchy has more than 8 megabytes.")
    suffix = ".json" if format == "json" else ".csv"
    await to_thread(lambda: _editing(request, id, number).take_file(content, suffix))
    return Response(status_code=204)


@router.get("/t/{id}/{path}")
def show(request: Request, id: str, path: str) -> Response:
    """Show a page about a table, opened anew."""
    try:
        space, step = _found(request, id, path)
        page = space.kept[path] = step.open(space)
    except ShoalError as error:
        return HTMLResponse(refusal_page(404, str(error), home=True), status_code=404)
    return HTMLResponse(draw_document(step.title, page, _visitor(request), STEPS, space))


@router.post("/t/{id}/{path}")
def act(request: Request, id: str, path: str, body: ActBody) -> dict[str, Any]:
    """Do something on a page about a table; a server that was restarted opens it again."""
    space, step = _found(request, id, path)
    if path not in space.kept:
        space.kept[path] = step.open(space)
    page = space.kept[path]
    return update_page(page, body.act, body.value, body.have, agreed=body.agreed)


@router.get("/")
def start(request: Request) -> Response:
    """Show where everybody begins."""
    page = StartPage(_server(request), _visitor(request))
    return HTMLResponse(draw_document(later("Welcome"), page, _visitor(request)))


@router.post("/")
def begin(request: Request, body: ActBody) -> dict[str, Any]:
    """Take a built-in table, or forget one."""
    page = StartPage(_server(request), _visitor(request))
    return update_page(page, body.act, body.value, body.have)


@router.get("/linked")
def linked(request: Request) -> Response:
    """Show tables of this visitor that belong together, opened anew."""
    server, visitor = _server(request), _visitor(request)
    page = server.linked[visitor.id] = LinkedPage(server, visitor)
    return HTMLResponse(draw_document(later("Linked"), page, visitor))


@router.post("/linked")
def link(request: Request, body: ActBody) -> dict[str, Any]:
    """Choose a key, form crowds, or look at a person."""
    server, visitor = _server(request), _visitor(request)
    page = server.linked.setdefault(visitor.id, LinkedPage(server, visitor))
    return update_page(page, body.act, body.value, body.have)


@router.get("/linked/release.zip")
def fetch_linked(request: Request) -> Response:
    """Hand out the release of this visitor's linked tables."""
    page = _server(request).linked.get(_visitor(request).id)
    if page is None or page.pack is None or not page.pack.is_file():
        raise NotFoundError("Nothing was released here.", hint="Release the tables first.")
    return FileResponse(page.pack, media_type="application/zip", filename="release.zip")


@router.get("/study")
def study(request: Request) -> Response:
    """Show a participant what is next."""
    page = _study_page(request)
    return HTMLResponse(draw_document(later("Study"), page, _visitor(request)))


@router.post("/study")
def take_part(request: Request, body: ActBody) -> dict[str, Any]:
    """Take a slider or an answer of a participant."""
    return update_page(_study_page(request), body.act, body.value, body.have)


def _study_page(request: Request) -> Page:
    visitor, study = _visitor(request), _server(request).study
    if visitor.part == "steward":
        return StudyDeskPage(_server(request))
    if study is None:
        raise NotFoundError("No study runs here.", hint="shoal serve --study plan.toml")
    participant = study.participant(visitor)
    if participant.page is None:
        participant.page = StudyPage(participant)
    page: Page = participant.page
    return page


def _editing(request: Request, id: str, number: int) -> TreeEditing:
    space, _ = _found(request, id, "table")
    names = space.table.column_names
    if number >= len(names) or not by_hand(space, names[number]):
        raise NotFoundError("There is no such tree.")
    return TreeEditing.of(space, names[number])


def _found(request: Request, id: str, path: str) -> tuple[Workspace, PageStep]:
    space = _server(request).workspace(_visitor(request), id)
    step = next((step for step in STEPS if step.path == path), None)
    if step is None:
        raise NotFoundError("There is no such page.")
    return space, step


def _server(request: Request) -> Server:
    server: Server = request.scope["shoal.server"]
    return server


def _visitor(request: Request) -> Visitor:
    visitor: Visitor = request.scope["shoal.visitor"]
    return visitor
