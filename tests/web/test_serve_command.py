"""``shoal serve`` as a user types it."""

from __future__ import annotations

import json
import logging
import re
import socket
import sys

import httpx
import pytest

from shoal.cli import run
from shoal.web._logs import DiscreetFormatter


def test_another_address_without_accounts_is_wrong_usage(capsys, shoal_home):
    assert run(["serve", "--host", "0.0.0.0", "--no-open"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "network" in told.err
    assert "--auth" in told.err


def test_accounts_without_anybody_are_refused(capsys, shoal_home, tmp_path):
    assert run(["serve", "--host", "0.0.0.0", "--auth", str(tmp_path / "none.toml")]) == 2
    assert "nobody could come in" in capsys.readouterr().err


def test_a_port_in_use_is_told(capsys, server, shoal_home):
    assert run(["serve", "--port", str(server.port), "--no-open"]) == 2
    assert "cannot be used" in capsys.readouterr().err


def test_one_line_with_the_link_then_silence(server):
    assert re.fullmatch(rf"http://127\.0\.0\.1:{server.port}/\?token=[\w-]{{43}}", server.link)
    token = server.link.partition("token=")[2]
    assert httpx.get(f"{server.base}/").status_code == 401
    assert httpx.get(server.base, headers={"host": "evil.test"}).status_code == 400
    spec = httpx.get(f"{server.base}/api/openapi.json", params={"token": token})
    assert spec.json()["openapi"].startswith("3")
    page = httpx.get(server.link)
    assert page.status_code == 200
    inside = httpx.get(server.base, cookies={"shoal": page.cookies["shoal"]})
    assert "Hide everyone in a crowd" in inside.text
    assert server.log.read_text() == ""  # no address, no token, nothing


def test_there_are_no_websockets(server):
    """Whoever asks for one, with or without cookie and token, gets a clean refusal."""
    cookie = httpx.get(server.link).cookies["shoal"]
    token = server.link.partition("token=")[2]
    own = {"Host": f"127.0.0.1:{server.port}", "Origin": server.base, "Cookie": f"shoal={cookie}"}
    for headers in (own, {**own, "Cookie": ""}, {**own, "Origin": "http://evil.test"}):
        for path in ("/", "/ws", f"/ws?token={token}", "/api/tables"):
            assert _handshake(server, headers, path) == 400
    assert _handshake(server, {**own, "Host": "evil.test"}, "/") == 400


def _handshake(server, headers, path):
    """Ask for a websocket, byte by byte, and return the status of the answer."""
    asked = {
        **headers,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "c2hvYWwgc2hvYWwgc2hvYQ==",
    }
    lines = [f"GET {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in asked.items() if value]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
        wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return int(wire.recv(64).split()[1])


def test_links_as_json(capsys, site):
    from shoal.cli._serve import _announce

    _announce(site.settings, site, open_browser=False, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["token"] == site.visitors.token
    assert told["link"].endswith(told["token"])


@pytest.mark.parametrize("name", ["uvicorn.error", "starlette", "fastapi"])
def test_logs_of_libraries_say_where_and_never_what(name):
    try:
        raise ValueError("CANARY in a message")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord(name, logging.ERROR, "x.py", 7, "said %s", ("CANARY",), error)
    line = DiscreetFormatter().format(record)
    assert "CANARY" not in line
    assert "ValueError" in line
    assert "CANARY" in logging.Formatter().format(record)  # the usual one would have told
