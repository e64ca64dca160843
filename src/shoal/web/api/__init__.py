"""The REST API: everything the pages do, for scripts; documented at ``/api/openapi.json``.

One file a resource. Handlers are plain functions, so FastAPI runs them in threads and a long one
never holds up a click.
"""

from fastapi import APIRouter

from shoal.web.api._journal import router as journal
from shoal.web.api._results import router as results
from shoal.web.api._study import router as study
from shoal.web.api._tables import router as tables
from shoal.web.api._teaching import router as teaching

__all__ = ["routers"]

routers: tuple[APIRouter, ...] = (tables, teaching, results, journal, study)
