"""Journal: what happened, and whether anybody changed it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from shoal.audit import Journal
from shoal.web._server import NotFoundError
from shoal.web._workspace import Workspace
from shoal.web.api._shared import ERRORS, TheWorkspace

router = APIRouter(prefix="/api/tables/{id}/journal", tags=["journal"], responses=ERRORS)


@router.get("")
def entries(space: TheWorkspace, after: int = 0) -> list[dict[str, Any]]:
    """Read the journal."""
    return [
        {"number": e.number, "time": e.time, "actor": e.actor, "kind": e.kind, "body": e.body}
        for e in journal_of(space).entries(after)
    ]


@router.get("/verification")
def verification(space: TheWorkspace) -> dict[str, Any]:
    """Recompute the chain: the first entry that was changed, removed or reordered is named."""
    found = journal_of(space).verify()
    return {"holds": found.holds, "entry": found.entry, "reason": found.reason}


@router.get("/witness")
def witness(space: TheWorkspace) -> Response:
    """Fetch the head of the chain, to be kept elsewhere: it gives a cut-off tail away."""
    path = space.folder / "job-witness.json"
    try:
        journal_of(space).write_witness(path)
        text = path.read_bytes()
    finally:
        path.unlink(missing_ok=True)
    headers = {"content-disposition": 'attachment; filename="witness.json"'}
    return Response(text, media_type="application/json", headers=headers)


def journal_of(space: Workspace) -> Journal:
    """Return the journal of the running session."""
    journal = space.session.journal
    if journal is None:
        raise NotFoundError("There is no journal.")
    return journal
