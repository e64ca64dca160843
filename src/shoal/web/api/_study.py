"""Study: its table of weight vectors, for whoever runs it."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from shoal.web._server import NotFoundError
from shoal.web.api._shared import ERRORS, TheServer, TheVisitor

router = APIRouter(prefix="/api/study", tags=["study"], responses=ERRORS)


@router.get("/weights.csv")
def weights(server: TheServer, visitor: TheVisitor) -> Response:
    """Fetch one row per participant and way: a weight vector."""
    if server.study is None:
        raise NotFoundError("No study runs here.", hint="shoal serve --study plan.toml")
    headers = {"content-disposition": 'attachment; filename="weights.csv"'}
    return Response(server.study.to_csv(), media_type="text/csv", headers=headers)
