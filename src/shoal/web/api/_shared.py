"""What the resources share: who asks, for which table, and what an error looks like."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from pydantic import BaseModel

from shoal.web._house import House, NotFoundError
from shoal.web._visitors import Visitor
from shoal.web._workspace import Workspace


class Problem(BaseModel):
    """What went wrong, and what to do about it; never a cell value."""

    error: str
    hint: str = ""


def _house(request: Request) -> House:
    house: House = request.scope["shoal.house"]
    return house


def _visitor(request: Request) -> Visitor:
    visitor: Visitor = request.scope["shoal.visitor"]
    if visitor.part != "steward":
        raise NotFoundError("There is nothing here.")
    return visitor


TheHouse = Annotated[House, Depends(_house)]
TheVisitor = Annotated[Visitor, Depends(_visitor)]


def _workspace(id: str, house: TheHouse, visitor: TheVisitor) -> Workspace:
    return house.workspace(visitor, id)


TheWorkspace = Annotated[Workspace, Depends(_workspace)]
PROBLEMS: dict[int | str, dict[str, object]] = {
    404: {"model": Problem, "description": "No such table, or somebody else's."},
    422: {"model": Problem, "description": "It cannot be done as asked."},
}
