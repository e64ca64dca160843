"""Request guard: looks at Host, cookie, token and Origin of a request before anything else."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal._words import LANGUAGES, preferred, speaking
from shoal.web._sign_in import let_in_page, refusal_page
from shoal.web._visitors import Visitor

if TYPE_CHECKING:
    from shoal.web._server import Server

LOOPBACK = ("localhost", "127.0.0.1", "::1")
SAFE = {"GET", "HEAD", "OPTIONS"}
UPLOADS = ("/api/tables", "/api/tables/readings")  # which count their own bytes as they arrive
MOST, MOST_LADDER = 1 << 20, 8 << 20  # bytes of any other body; of one that is put somewhere
LOOKS = "/static/"  # what anybody may fetch: no data, only looks
FOR_PARTICIPANTS = "/study"
CHOOSE_LANGUAGE = "/language"
MISLEADING = (b"x-forwarded-", b"x-original-", b"forwarded")  # no proxy is trusted
POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect")),
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # none at all would make a form's Origin "null"
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class RequestGuard:
    """Lets a request through to the application, or answers it here; seals every answer.

    In this order: a Host that is not ours is refused (400), so no other site's name can be pointed
    at us; then who is asking (401); then whether another site asks in their name (403); then
    whether it is theirs to ask (404); then whether what they send is of a size (413).
    """

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app = app
        self.server = server
        settings = server.settings
        self._names = {*LOOPBACK, settings.host, *settings.allowed_hosts}
        self._names |= {_name_of(settings.proxy_name)} if settings.proxy_name else set()
        self._any_address = not settings.on_loopback
        self._scheme = settings.scheme

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "websocket":  # there are none
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["headers"] = [h for h in scope["headers"] if not h[0].startswith(MISLEADING)]
        scope["scheme"] = self._scheme  # behind a proxy, that of its browsers
        scope["shoal.server"] = self.server

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _seal(MutableHeaders(scope=message), str(scope["path"]))
            await send(message)

        connection = HTTPConnection(scope)
        with speaking(_language_of(connection)):
            answer: ASGIApp | None = self._refuse(connection)
            if answer is None and scope["method"] not in SAFE:
                body = await _whole_body(scope, receive)
                too_much = _answer(connection, 413, "The request is too large.")
                answer, receive = (too_much, receive) if body is None else (None, body)
            await (answer or self.app)(scope, receive, sealed)

    def _refuse(self, connection: HTTPConnection) -> Response | None:
        """Return why not, or None."""
        if not self._knows_host(connection):
            return _answer(connection, 400, "This server does not go by that name.")
        if "upgrade" in connection.headers:
            return _answer(connection, 400, "There are no websockets here.")
        path, visitor = str(connection.scope["path"]), None
        if self._is_open(path):
            return None if _same_origin(connection) else _elsewhere(connection)
        token, how = _token_of(connection)
        part = self.server.visitors.holder(token) if token else None
        if part == "steward" and (how == "header" or _is_api(connection)):
            visitor = self.server.visitors.script()
        else:
            visitor = self.server.visitors.known(connection.scope["session"])
            if part and connection.scope["method"] == "GET" and not _is_api(connection):
                if visitor is None or (part == "steward" and visitor.part != part):
                    visitor = self.server.visitors.new(part)
                return self._let_in(connection, visitor)
            if visitor is None:
                return self._send_away(connection)
            if not _same_origin(connection):
                return _elsewhere(connection)
        if visitor.part == "participant" and path != FOR_PARTICIPANTS:
            return _answer(connection, 404, "There is nothing here.")
        connection.scope["shoal.visitor"] = visitor
        return None

    def _knows_host(self, connection: HTTPConnection) -> bool:
        """Tell whether a Host header names this server.

        A name that only its owner's name server points here (DNS rebinding) is not one of ours;
        a bare address cannot be pointed anywhere, so on a network any address will do.
        """
        hosts = connection.headers.getlist("host")
        name = _name_of(hosts[0]) if len(hosts) == 1 else ""
        return name in self._names or (self._any_address and _is_address(name))

    def _is_open(self, path: str) -> bool:
        if path.startswith(LOOKS) or path == CHOOSE_LANGUAGE:
            return True
        return path == "/login" and self.server.accounts is not None

    def _let_in(self, connection: HTTPConnection, visitor: Visitor) -> Response:
        """Trade a token in a link for a cookie; the token leaves the address bar."""
        connection.scope["session"].update(self.server.visitors.remember(visitor))
        asked = parse_qsl(connection.scope["query_string"].decode("latin-1"))
        rest = urlencode([pair for pair in asked if pair[0] != "token"])
        path = _own_path(str(connection.scope["path"]))
        return HTMLResponse(let_in_page(f"{path}?{rest}" if rest else path))

    def _send_away(self, connection: HTTPConnection) -> Response:
        accounts = self.server.accounts is not None
        if accounts and not _is_api(connection) and _wants_html(connection):
            return RedirectResponse("/login", status_code=303)
        return _answer(connection, 401, "Open the link that 'shoal serve' printed: it has a token.")


async def _whole_body(scope: Scope, receive: Receive) -> Receive | None:
    """Take in the body of a request, to be received again; None if it is too large."""
    if scope["method"] == "POST" and scope["path"] in UPLOADS:
        return receive
    most = MOST_LADDER if scope["method"] == "PUT" else MOST
    announced = dict(scope["headers"]).get(b"content-length", b"0")
    if not announced.isdigit() or int(announced) > most:
        return None
    content, message = b"", await receive()
    while message["type"] == "http.request":
        content += message.get("body", b"")
        if len(content) > most:
            return None
        if not message.get("more_body", False):
            break
        message = await receive()
    else:
        return _repeated([message], receive)  # whoever sent it has gone
    return _repeated([{"type": "http.request", "body": content, "more_body": False}], receive)


def _repeated(messages: list[Message], receive: Receive) -> Receive:
    """Receive some messages again, then whatever comes."""

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


def _language_of(connection: HTTPConnection) -> str:
    """Return the language that was chosen here, else the one that the browser asks for."""
    chosen = connection.scope["session"].get("language")
    asked = connection.headers.get("accept-language", "")
    return str(chosen) if chosen in LANGUAGES else preferred(asked)


def _seal(headers: MutableHeaders, path: str) -> None:
    """Forbid storing whatever does not say how long it may be kept; nothing names our parts."""
    del headers["server"]
    headers.setdefault("cache-control", "no-cache" if path.startswith(LOOKS) else "no-store")
    headers.update(HEADERS)


def _same_origin(connection: HTTPConnection) -> bool:
    """Tell whether what changes something comes from a page of ours."""
    scope, headers = connection.scope, connection.headers
    if scope["method"] in SAFE:
        return True
    return headers.get("origin") == f"{scope['scheme']}://{headers['host']}"


def _own_path(path: str) -> str:
    r"""Write a path so that no browser reads another site out of it.

    >>> _own_path("//evil.test/"), _own_path("/\\evil"), _own_path("/\t/evil"), _own_path("/t/1/ä")
    ('/evil.test/', '/%5Cevil', '/%09/evil', '/t/1/%C3%A4')
    """
    return "/" + quote(path.lstrip("/"))


def _token_of(connection: HTTPConnection) -> tuple[str, str]:
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token:
        return token.strip(), "header"
    return connection.query_params.get("token", ""), "link"


def _name_of(host: str) -> str:
    """Read the name out of a Host header (Starlette's TrustedHost cannot read ``[::1]``).

    >>> _name_of("localhost:8080"), _name_of("[::1]:8080"), _name_of("evil.test")
    ('localhost', '::1', 'evil.test')
    """
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_api(connection: HTTPConnection) -> bool:
    return str(connection.scope["path"]).startswith("/api/")


def _wants_html(connection: HTTPConnection) -> bool:
    return "text/html" in connection.headers.get("accept", "")


def _elsewhere(connection: HTTPConnection) -> Response:
    return _answer(connection, 403, "This request comes from another site.")


def _answer(connection: HTTPConnection, status: int, sentence: str) -> Response:
    if _wants_html(connection) and not _is_api(connection):
        return HTMLResponse(refusal_page(status, sentence), status_code=status)
    body: dict[str, Any] = {"error": sentence}
    return JSONResponse(body, status_code=status)
