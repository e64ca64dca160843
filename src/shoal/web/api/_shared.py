"""Shared parts of the resources: who asks, for which table, and what an error looks like."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from pydantic import BaseModel

from shoal.web._server import NotFoundError, Server
from shoal.web._visitors import Visitor
from shoal.web._workspace import Workspace


class ErrorBody(BaseModel):
    """What went wrong, and what to do about it; never a cell value."""

    error: str
    hint: str = ""


def _server(request: Request) -> Server:
    server: Server = request.scope["shoal.server"]
    return server


def _visitor(request: Request) -> Visitor:
    visitor: Visitor = request.scope["shoal.visitor"]
    if visitor.part != "steward":
        raise NotFoundError("There is nothing here.")
    return visitor


TheServer = Annotated[Server, Depends(_server)]
TheVisitor = Annotated[Visitor, Depends(_visitor)]


def _workspace(id: str, server: TheServer, visitor: TheVisitor) -> Workspace:
    return server.workspace(visitor, id)


TheWorkspace = Annotated[Workspace, Depends(_workspace)]
ERRORS: dict[int | str, dict[str, object]] = {
    404: {"model": ErrorBody, "description": "No such table, or somebody else's."},
    422: {"model": ErrorBody, "description": "It cannot be done as asked."},
}
