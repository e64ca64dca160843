"""Tables: bring one, look at it, say what its columns are."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from shoal._words import retell
from shoal.table import Role
from shoal.web._connections import listed_connections
from shoal.web._gate import choose_audience
from shoal.web._jobs import BackgroundJob
from shoal.web._plans import MOST_BYTES, open_plan
from shoal.web._trees import Branch, tree_of
from shoal.web._upload_limits import TooMuchError
from shoal.web._uploads import MOST_LADDER, check_size, read_small
from shoal.web._workspace import UPLOADED, Workspace
from shoal.web.api._shared import ERRORS, ErrorBody, TheServer, TheVisitor, TheWorkspace

router = APIRouter(prefix="/api/tables", tags=["tables"], responses=ERRORS)
FileName = Annotated[str, Query(max_length=255, description="File name; its ending says the type.")]
KindName = Literal["numeric", "ordinal", "nominal", "date", "code"]


class BuiltInBody(BaseModel):
    """A table that comes with Shoal."""

    name: Literal["people", "adult"]
    rows: int = Field(5_000, ge=100, le=1_000_000, description="How many people to make up.")


class ConnectionBody(BaseModel):
    """A table of a database that an administrator listed."""

    name: str = Field(max_length=100)


class ColumnBody(BaseModel):
    """What to say about a column; what is left out stays as it is."""

    role: Role | None = None
    kind: KindName | None = None
    hierarchy: str | None = Field(
        None, description='"mask", "flat", "calendar", "intervals:5,10,20", or "" for the usual.'
    )


class PrivacyBody(BaseModel):
    """What must hold in every group, and how groups are formed."""

    k: int | None = Field(None, ge=2)
    l: int | None = Field(None, ge=1)
    t: float | None = Field(None, ge=0, le=1)
    max_suppression: float | None = Field(None, ge=0, le=1)
    method: str | None = Field(
        None, max_length=100, description="auto, sangreea, mondrian, or the one of a plug-in."
    )
    preset: Literal["internal", "partner", "public"] | None = Field(
        None, description="For whom the release is; k and l rise to what that asks for."
    )


@router.post("", status_code=201, responses={413: {"model": ErrorBody}})
async def upload(
    request: Request,
    server: TheServer,
    visitor: TheVisitor,
    name: FileName,
) -> dict[str, Any]:
    """Upload a table as the body of the request: CSV, Excel, SPSS, Stata, SAS, Parquet, Arrow."""
    pieces, gone = _pieces(request, server), request.is_disconnected
    return await to_thread(about, await server.take(visitor, name, pieces, gone))


@router.post("/readings", status_code=202, responses={413: {"model": ErrorBody}})
async def begin_reading(
    request: Request,
    server: TheServer,
    visitor: TheVisitor,
    name: FileName,
) -> dict[str, Any]:
    """Upload a file as `POST /api/tables` does, and read it in the background."""
    return _reading(await server.receive(visitor, name, _pieces(request, server)))


def _pieces(request: Request, server: TheServer) -> AsyncIterator[bytes]:
    """Let a table come in piece by piece; refuse a form, and what says that it is too large."""
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise TooMuchError("Send the file itself as the body, not a form.")
    check_size(int(request.headers.get("content-length") or 0), server.settings.limits)
    return request.stream()


@router.get("/readings/{job}")
def look_at_reading(job: str, server: TheServer, visitor: TheVisitor) -> dict[str, Any]:
    """Look how far a table is read; ``table`` is its id once it is there."""
    return _reading(server.reading(visitor, job))


@router.delete("/readings/{job}")
def stop_reading(job: str, server: TheServer, visitor: TheVisitor) -> dict[str, Any]:
    """Stop reading; nothing of the file is kept."""
    found = server.reading(visitor, job)
    found.stop()
    return _reading(found)


def _reading(job: BackgroundJob) -> dict[str, Any]:
    told = job.facts()
    told |= {"problem": retell(told["problem"]), "hint": retell(told["hint"])}
    return told | {"table": job.result.id if job.state == "done" else None}


@router.post("/built-in", status_code=201)
def built_in(body: BuiltInBody, server: TheServer, visitor: TheVisitor) -> dict[str, Any]:
    """Take a built-in table."""
    return about(server.take_built_in(visitor, body.name, body.rows))


@router.get("/connections")
def connections(visitor: TheVisitor) -> list[str]:
    """List the tables of databases that an administrator offers, by name."""
    return sorted(listed_connections())


@router.post("/connection", status_code=201)
def connection(body: ConnectionBody, server: TheServer, visitor: TheVisitor) -> dict[str, Any]:
    """Take a table of a database that an administrator listed."""
    return about(server.take_connection(visitor, body.name))


@router.get("")
def all_tables(server: TheServer, visitor: TheVisitor) -> list[dict[str, Any]]:
    """List your tables, newest first."""
    return [{"id": space.id, "name": space.name} for space in server.workspaces(visitor)]


@router.get("/{id}")
def one_table(space: TheWorkspace) -> dict[str, Any]:
    """Look at a table: its columns, their kinds and roles, and the plan."""
    return about(space)


@router.delete("/{id}", status_code=204)
def forget(id: str, server: TheServer, visitor: TheVisitor) -> None:
    """Forget a table: the rows, the plan, the journal, the release."""
    server.forget(visitor, id)


@router.patch("/{id}/columns/{column:path}")
def change_column(space: TheWorkspace, column: str, body: ColumnBody) -> dict[str, Any]:
    """Say what a column is."""
    if body.kind is not None:
        space.set_kind(column, body.kind)
    if body.role is not None:
        space.set_role(column, body.role)
    if body.hierarchy is not None:
        space.set_hierarchy(column, body.hierarchy or None)
    return about(space)


@router.put("/{id}/columns/{column:path}/hierarchy")
async def upload_hierarchy(
    request: Request,
    space: TheWorkspace,
    column: str,
    format: Annotated[Literal["csv", "json"], Query()] = "csv",
) -> dict[str, Any]:
    """Upload a ladder (CSV: ``leaf;level1;...;*``) or a JSON tree for a column."""
    content = await read_small(request, MOST_LADDER, "The hierarchy has more than 8 megabytes.")
    await to_thread(space.add_hierarchy, column, content, json=format == "json")
    return await to_thread(about, space)


@router.put("/{id}/plan")
async def upload_plan(request: Request, space: TheWorkspace, server: TheServer) -> dict[str, Any]:
    """Open a plan (TOML) for this table: its roles, weights, limits, privacy and method."""
    content = await read_small(request, MOST_BYTES, "The plan has more than 256 kilobytes.")
    shared = server.accounts is not None
    await to_thread(open_plan, space, content, shared=shared)
    return await to_thread(about, space)


@router.get("/{id}/columns/{column:path}/hierarchy")
def hierarchy(space: TheWorkspace, column: str) -> Branch | None:
    """See how a column is generalized, as a tree; null where spans serve."""
    return tree_of(space, column)


@router.put("/{id}/privacy")
def change_privacy(space: TheWorkspace, body: PrivacyBody) -> dict[str, Any]:
    """Say what must hold."""
    given = {name: value for name, value in body.model_dump().items() if value is not None}
    preset = given.pop("preset", None)
    space.decide(**given)
    if preset is not None:
        choose_audience(space, preset)
    return about(space)


@router.get("/{id}/uniqueness")
def uniqueness(space: TheWorkspace) -> dict[str, Any]:
    """Count who is alone, and which columns do it."""
    return asdict(space.uniqueness)


@router.get("/{id}/exposure")
def exposure(space: TheWorkspace) -> dict[str, Any]:
    """Count whom the columns published as they are would single out, alone and in their crowds."""
    return space.session.exposure().to_dict()


def about(space: Workspace) -> dict[str, Any]:
    """Describe a table without any cell of it."""
    table, plan = space.table, space.plan
    columns = {
        name: {
            "role": table.roles.role_of(name),
            "kind": table.kinds[name],
            "hierarchy": _shown(plan.hierarchies.get(name)),
        }
        for name in table.column_names
    }
    privacy = {"k": plan.k, "l": plan.l, "t": plan.t, "max_suppression": plan.max_suppression}
    return {
        "id": space.id,
        "name": space.name,
        "rows": table.n_rows,
        "columns": columns,
        "privacy": {**privacy, "method": plan.method, "preset": plan.preset},
        "warnings": list(table.warnings),
    }


def _shown(word: str | None) -> str | None:
    return UPLOADED if word is not None and word.endswith((".csv", ".json")) else word
