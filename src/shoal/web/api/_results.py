"""Results: long work, the release, the comparison, and the files to fetch."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from shoal._progress import Progress
from shoal.web import _later as later
from shoal.web import _network as network
from shoal.web._released import FILES, PACK, Released, hand_over
from shoal.web._server import NotFoundError
from shoal.web._uploads import read_small
from shoal.web._workspace import Workspace
from shoal.web.api._shared import ERRORS, ErrorBody, TheServer, TheVisitor, TheWorkspace

router = APIRouter(prefix="/api/tables/{id}", tags=["results"], responses=ERRORS)
MOST_NAMES = 1 << 20  # bytes
TYPES = {".csv": "text/csv", ".json": "application/json", ".html": "text/html"}


class JobBody(BaseModel):
    """What to do: make the release, after an earlier one or with a network, or compare ways."""

    kind: Literal["release", "later", "network", "compare"]
    node: str | None = Field(None, max_length=200)  # of a network: the column that names people
    alpha: float = Field(1.0, ge=0)
    beta: float = Field(1.0, ge=0)


class EarlierBody(BaseModel):
    """Another table of yours whose release left the house."""

    table: str = Field(max_length=40)


@router.post("/jobs", status_code=202)
def begin(
    space: TheWorkspace, server: TheServer, visitor: TheVisitor, body: JobBody
) -> dict[str, Any]:
    """Begin long work in the background."""
    server.check_quota(visitor)
    return space.start(body.kind, _work(space, body)).facts()


def _work(space: Workspace, body: JobBody) -> Callable[[Progress], Any] | None:
    """What a job does; None for the two that the workspace knows itself."""
    if body.kind == later.LATER:
        return later.work(space)
    if body.kind == network.NETWORK:
        node = body.node or space.table.column_names[0]
        return network.work(space, {"node": node, "alpha": body.alpha, "beta": body.beta})
    return None


@router.put("/edges", status_code=204, responses={413: {"model": ErrorBody}})
async def bring_edges(request: Request, space: TheWorkspace, server: TheServer) -> None:
    """Bring who knows whom: a CSV whose first two columns are the ends of edges, or GraphML."""
    limits = server.settings.limits
    content = await read_small(request, limits.upload, "There are too many edges.")
    await to_thread(network.bring_edges, space, content, limits)


@router.put("/earlier", status_code=204, responses={413: {"model": ErrorBody}})
async def bring_earlier(request: Request, space: TheWorkspace, server: TheServer) -> None:
    """Bring the release that this table's release shall follow: its folder as a zip."""
    limits = server.settings.limits
    pack = await read_small(request, limits.upload, "The release is larger than can be taken.")
    await to_thread(later.bring, space, pack, limits)


@router.put("/corrected", status_code=204, responses={413: {"model": ErrorBody}})
async def bring_corrected(request: Request, space: TheWorkspace) -> None:
    """Bring the names of people of whom something wrong was published: one a line, as text."""
    content = await read_small(request, MOST_NAMES, "These are too many names.")
    await to_thread(later.bring_corrected, space, content)


@router.post("/earlier", status_code=204)
def choose_earlier(space: TheWorkspace, body: EarlierBody) -> None:
    """Follow the release of another table of yours, and decide about columns as then."""
    later.choose(space, body.table)


@router.get("/jobs/{job}")
def look(id: str, job: str, server: TheServer, visitor: TheVisitor) -> dict[str, Any]:
    """Look how far a job is."""
    return server.job(visitor, id, job).facts()


@router.delete("/jobs/{job}")
def stop(id: str, job: str, server: TheServer, visitor: TheVisitor) -> dict[str, Any]:
    """Stop a job; nothing of it is left behind."""
    found = server.job(visitor, id, job)
    found.stop()
    return found.facts()


@router.get("/comparison")
def comparison(space: TheWorkspace) -> dict[str, Any]:
    """Return the comparison of equal, bias and iml."""
    if space.compared is None:
        raise NotFoundError("Nothing was compared yet.", hint='Begin a job of kind "compare".')
    return space.compared.found.to_dict()


@router.get("/release")
def release(space: TheWorkspace) -> dict[str, Any]:
    """Return what holds in the release, as recounted from the written file."""
    return _released(space).facts()


@router.get("/release/{file}")
def fetch(space: TheWorkspace, file: str) -> FileResponse:
    """Fetch a file of the verified release; journal and ledger remember that it left."""
    found = _released(space)
    if file not in (*FILES, PACK):
        raise NotFoundError("A release has no such file.")
    path = found.folder / file
    hand_over(found, space.table)
    space.session.exported(file, sha256(path.read_bytes()).hexdigest())
    kind = TYPES.get(path.suffix, "application/octet-stream")
    return FileResponse(path, media_type=kind, filename=file)  # as an attachment


def _released(space: Workspace) -> Released:
    if space.released is None or not space.released.holds:
        raise NotFoundError(
            "There is no verified release yet.", hint='Begin a job of kind "release".'
        )
    return space.released
