"""Application: routes, errors and the guard around them, put together with FastAPI."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.sessions import SessionMiddleware
from starlette.staticfiles import StaticFiles

from shoal import __version__
from shoal._words import retell, say
from shoal.exceptions import (
    CancelledError,
    ImpossibleError,
    InvalidParameterError,
    MissingExtraError,
    ReleaseRefusedError,
    ShoalError,
)
from shoal.web import _sign_in, api, pages
from shoal.web._first_look import warm_up
from shoal.web._guard import RequestGuard
from shoal.web._logs import quieten
from shoal.web._server import NotFoundError, Server
from shoal.web._settings import Settings
from shoal.web._sign_in import refusal_page
from shoal.web._upload_limits import TooMuchError
from shoal.web._visitors import REMEMBERED

COOKIE = "shoal"
log = logging.getLogger("shoal.web.server")
STATUS: dict[type[ShoalError], int] = {
    NotFoundError: 404,
    TooMuchError: 413,
    ImpossibleError: 409,
    ReleaseRefusedError: 409,
    CancelledError: 409,
    MissingExtraError: 501,
}


def create_app(server: Server) -> FastAPI:
    """Put the application together: pages and REST API, the guard before them."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(int)  # threads are brought in by the first that asks for one
        yield
        gc.unfreeze()
        server.close()

    app = FastAPI(
        title="Shoal",
        version=__version__,
        description="Safety in numbers for tables of people. Send the token of the printed link "
        "as `Authorization: Bearer TOKEN`.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    for router in (*api.routers, _sign_in.router, pages.router):
        app.router.routes.extend(router.routes)  # as they are: included, each is built once more
    app.mount("/static", StaticFiles(directory=str(files("shoal.web").joinpath("static"))))
    _add_errors(app)
    app.add_middleware(RequestGuard, server=server)
    app.add_middleware(  # signs and reads the cookie; the guard decides what it is worth
        SessionMiddleware,
        secret_key=server.visitors.derive("cookies"),
        session_cookie=COOKIE,
        max_age=REMEMBERED,
        same_site="strict",
        https_only=server.settings.scheme == "https",
    )
    _put_together(app)
    return app


def serve(settings: Settings, ready: Callable[[Server], None] = lambda _: None) -> None:
    """Run the server until it is stopped; ``ready`` is called once it listens."""
    import uvicorn

    os.umask(0o077)  # whatever is written is this user's alone
    with _listening(settings) as listener:
        server = Server(settings)
        config = uvicorn.Config(
            create_app(server),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_graceful_shutdown=2,
            ssl_certfile=settings.certificate,
            ssl_keyfile=settings.key,
        )
        quieten()
        config.load()  # protocols are imported now, not on the event loop
        ready(server)
        threading.Thread(target=warm_up, name="shoal-warm-up", daemon=True).start()
        uvicorn.Server(config).run(sockets=[listener])


def _listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InvalidParameterError(
            f"Port {settings.port} of {settings.host} cannot be used: {error.strerror}.",
            hint="Give another one: --port 8081.",
        ) from None
    return listener


def _put_together(app: FastAPI) -> None:
    """Do before there is an event loop what would hold up the first requests."""
    nowhere = {"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []}
    for route in app.router.routes:  # each is put together when it is first looked at
        route.matches(nowhere)
    app.middleware_stack = app.build_middleware_stack()
    import_module("anyio._backends._asyncio")  # which the first that asks for a thread would do
    gc.freeze()  # what was imported need not be looked through again


def _add_errors(app: FastAPI) -> None:
    """Turn what goes wrong into a sentence and a hint, never what was sent or read."""

    @app.exception_handler(ShoalError)
    async def explain(request: Request, error: ShoalError) -> Response:
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
        return _told(request, str(error), error.hint or "", status)

    @app.exception_handler(RequestValidationError)
    async def refuse(_: Request, error: RequestValidationError) -> Response:
        where = sorted({".".join(map(str, found["loc"])) for found in error.errors()})
        return JSONResponse(
            {"error": say("Not understood: {parts}.", parts=", ".join(where)), "hint": ""}, 422
        )

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return _told(request, "There is nothing here.", "", error.status_code)

    @app.exception_handler(Exception)
    async def stumble(request: Request, error: Exception) -> Response:
        number = secrets.token_hex(4)
        log.error("request failed with %s, number %s", type(error).__name__, number)
        sentence = f"Shoal stumbled over itself (number {number})."
        return _told(request, sentence, "This is a bug in Shoal; nothing was lost.", 500)


def _told(request: Request, sentence: str, hint: str, status: int) -> Response:
    """Tell a browser on a page, and a script in JSON."""
    reads = "text/html" in request.headers.get("accept", "")
    if reads and request.method == "GET" and not request.url.path.startswith("/api/"):
        told = f"{retell(sentence)} {retell(hint)}".strip()
        page = refusal_page(status, told, home=True)
        return HTMLResponse(page, status_code=status)
    return JSONResponse({"error": retell(sentence), "hint": retell(hint)}, status)
