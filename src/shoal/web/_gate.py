"""The gate: every request passes it before anything else looks at it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.web._doors import knock_page, let_in_page
from shoal.web._headers import HTML, security_headers, with_nonce
from shoal.web._visitors import COOKIE, REMEMBERED, Visitor

if TYPE_CHECKING:
    from shoal.web._house import House

SAFE = {"GET", "HEAD", "OPTIONS"}
OPEN = ("/static/", "/login", "/favicon.ico")  # what anybody may fetch: no data, only looks
FOR_PARTICIPANTS = ("/study", "/_nicegui")
MISLEADING = (b"x-forwarded-", b"x-original-", b"forwarded")  # no proxy is trusted


class Gate:
    """Looks at Host, Origin and token of every request and websocket, and seals every answer.

    In this order: a Host that is not ours is refused (400), so no other site's name can be
    pointed at us; then who is asking (401); then whether another site asks in their name (403).
    """

    def __init__(self, app: ASGIApp, house: House) -> None:
        self.app = app
        self.house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope["headers"] = [h for h in scope["headers"] if not h[0].startswith(MISLEADING)]
        scope["shoal.house"] = self.house
        connection = HTTPConnection(scope)
        refusal = self._refuse(connection)
        if scope["type"] == "websocket":
            await (self.app if refusal is None else _close)(scope, receive, send)
            return
        sealed = Sealed(send)
        await (refusal or self.app)(scope, receive, sealed)

    def _refuse(self, connection: HTTPConnection) -> Response | None:
        """Return why not, or None."""
        scope = connection.scope
        if not self._knows_host(connection):
            return _answer(connection, 400, "This server does not go by that name.")
        if scope["path"].startswith(OPEN) and self._same_origin(connection):
            return None
        token, how = _token_of(connection)
        part = self.house.visitors.holder(token) if token else None
        visitor = self._cookie_of(connection)
        if how == "link" and part and scope["method"] == "GET" and not _is_api(connection):
            return self._let_in(connection, visitor or self.house.visitors.new(part))
        if part == "steward" and scope["type"] == "http":
            scope["shoal.visitor"] = self.house.visitors.script()
            return None
        if visitor is None:
            return self._send_away(connection)
        if not self._same_origin(connection):
            return _answer(connection, 403, "This request comes from another site.")
        if not self._theirs(connection, visitor):
            return _answer(connection, 404, "There is nothing here.")
        scope["shoal.visitor"] = visitor
        return None

    def _knows_host(self, connection: HTTPConnection) -> bool:
        hosts = connection.headers.getlist("host")
        return len(hosts) == 1 and self.house.settings.knows(_name_of(hosts[0]))

    def _cookie_of(self, connection: HTTPConnection) -> Visitor | None:
        try:
            kept = SimpleCookie(connection.headers.get("cookie", "")).get(COOKIE)
            return self.house.visitors.read_cookie(kept.value) if kept else None
        except (CookieError, ValueError):
            return None

    def _same_origin(self, connection: HTTPConnection) -> bool:
        """Tell whether what changes something comes from a page of ours."""
        scope, headers = connection.scope, connection.headers
        if scope["type"] == "http" and scope["method"] in SAFE:
            return True
        origin = urlsplit(headers.get("origin", ""))
        secure = scope["scheme"] in ("https", "wss")
        return origin.netloc == headers["host"] and origin.scheme == ("https" if secure else "http")

    def _theirs(self, connection: HTTPConnection, visitor: Visitor) -> bool:
        """Keep participants in their study, and everybody out of the open pages of others."""
        path = str(connection.scope["path"])
        if visitor.part == "participant" and not path.startswith(FOR_PARTICIPANTS):
            return False
        page = connection.query_params.get("client_id")
        return page is None or self.house.owner_of_page(page) in (None, visitor.id)

    def _let_in(self, connection: HTTPConnection, visitor: Visitor) -> Response:
        """Trade a token in a link for a cookie; the token leaves the address bar."""
        asked = parse_qsl(connection.scope["query_string"].decode("latin-1"))
        rest = urlencode([pair for pair in asked if pair[0] != "token"])
        path = "/" + connection.scope["path"].lstrip("/")  # never "//another.site"
        response = HTMLResponse(let_in_page(f"{path}?{rest}" if rest else path))
        remember(response, self.house, visitor)
        return response

    def _send_away(self, connection: HTTPConnection) -> Response:
        if self.house.accounts is not None and not _is_api(connection) and _wants_html(connection):
            return RedirectResponse("/login", status_code=303)
        return _answer(connection, 401, "Open the link that 'shoal serve' printed: it has a token.")


class Sealed:
    """Sends an answer with our headers; pages have their scripts marked as ours."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._nonce = secrets.token_urlsafe(16)
        self._start: Message | None = None
        self._page = b""

    async def __call__(self, message: Message) -> None:
        """Pass a message on; a page is held back until it is whole."""
        if message["type"] == "http.response.start":
            message["headers"] = [*_own(message["headers"]), *security_headers(self._nonce)]
            if _is_page(message["headers"]):
                self._start = message
                return
        elif message["type"] == "http.response.body" and self._start is not None:
            self._page += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._start)
            return
        await self._send(message)

    async def _send_page(self, start: Message) -> None:
        page = with_nonce(self._page, self._nonce)
        headers = [h for h in start["headers"] if h[0].lower() != b"content-length"]
        headers.append((b"content-length", str(len(page)).encode()))
        await self._send({**start, "headers": headers})
        await self._send({"type": "http.response.body", "body": page})


def remember(response: Response, house: House, visitor: Visitor) -> None:
    """Give a browser its cookie: for this site's own requests only, and not for scripts."""
    response.set_cookie(
        COOKIE,
        house.visitors.cookie(visitor),
        max_age=REMEMBERED,
        httponly=True,
        samesite="strict",
        secure=house.settings.scheme == "https",
        path="/",
    )


async def _close(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1008})


def _own(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Forbid storing whatever does not say how long it may be kept; nothing names our parts."""
    kept = [h for h in headers if h[0].lower() != b"server"]
    if not any(name.lower() == b"cache-control" for name, _ in kept):
        kept.append((b"cache-control", b"no-store"))
    return kept


def _is_page(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    found = {name.lower(): value for name, value in headers}
    attached = found.get(b"content-disposition", b"").startswith(b"attachment")
    packed = b"content-encoding" in found
    return found.get(b"content-type", b"").startswith(HTML) and not attached and not packed


def _token_of(connection: HTTPConnection) -> tuple[str, str]:
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token:
        return token.strip(), "header"
    return connection.query_params.get("token", ""), "link"


def _name_of(host: str) -> str:
    """Read the name out of a Host header.

    >>> _name_of("localhost:8080"), _name_of("[::1]:8080"), _name_of("evil.test")
    ('localhost', '::1', 'evil.test')
    """
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_api(connection: HTTPConnection) -> bool:
    return str(connection.scope["path"]).startswith("/api")


def _wants_html(connection: HTTPConnection) -> bool:
    return "text/html" in connection.headers.get("accept", "")


def _answer(connection: HTTPConnection, status: int, sentence: str) -> Response:
    if _wants_html(connection) and not _is_api(connection):
        return HTMLResponse(knock_page(status, sentence), status_code=status)
    body: dict[str, Any] = {"error": sentence}
    return JSONResponse(body, status_code=status)
