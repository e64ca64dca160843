"""The request guard: every refusal beside the same request that is let through."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode

import pytest
from serving import HERE, TestClient, table_of
from starlette.websockets import WebSocketDisconnect

from shoal.exceptions import InvalidParameterError
from shoal.web import add_account
from shoal.web._app import create_app
from shoal.web._server import Server
from shoal.web._settings import Settings

SOCKET = "ws://127.0.0.1:8080/ws"
UPLOAD = {"params": {"name": "a.csv"}, "content": table_of()}


def test_without_the_token_nothing_is_answered(anybody, site):
    for path in ("/", "/api/openapi.json", "/api/tables", "/t/x/table", "/nothing"):
        assert anybody.get(path).status_code == 401
    with_token = {"authorization": f"Bearer {site.visitors.token}"}
    assert anybody.get("/api/openapi.json", headers=with_token).status_code == 200


def test_a_wrong_token_is_no_token(anybody, site):
    wrong = site.visitors.token[:-1] + ("A" if site.visitors.token[-1] != "A" else "B")
    assert (
        anybody.get("/api/tables", headers={"authorization": f"Bearer {wrong}"}).status_code == 401
    )
    assert anybody.get("/api/tables", params={"token": wrong}).status_code == 401
    assert anybody.get("/api/tables", params={"token": site.visitors.token}).status_code == 200


def test_the_link_trades_its_token_for_a_cookie_that_scripts_cannot_read(anybody, site):
    answer = anybody.get("/", params={"token": site.visitors.token})
    cookie = answer.headers["set-cookie"]
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert site.visitors.token not in answer.text  # the address bar loses it too
    assert anybody.get("/api/tables").status_code == 200


def test_a_cookie_somebody_made_up_is_refused(anybody, steward):
    kept = steward.cookies["shoal"]
    body, _, seal = kept.partition(".")
    said = json.loads(b64decode(body))
    other = b64encode(json.dumps({**said, "id": "0" * 32}).encode()).decode()
    for cookie in (f"{other}.{seal}", kept[:-1], body, "steward.x", "", "...."):
        answer = anybody.get("/api/tables", headers={"cookie": f"shoal={cookie}"})
        assert answer.status_code == 401
    assert anybody.get("/api/tables", headers={"cookie": f"shoal={kept}"}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:8080", "127.0.0.1.evil.test", "", "10.0.0.1"]
)
def test_a_foreign_host_is_refused_before_anything_else(anybody, site, host):
    key = {"authorization": f"Bearer {site.visitors.token}"}
    assert anybody.get("/api/tables", headers={**key, "host": host}).status_code == 400
    for own in ("127.0.0.1:8080", "localhost:8080", "localhost:9999", "[::1]:8080"):
        assert anybody.get("/api/tables", headers={**key, "host": own}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.test", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8080", ""]
)
def test_another_site_cannot_act_in_my_name(steward, origin):
    headers = {"origin": origin} if origin else {"origin": "", "sec-fetch-site": "cross-site"}
    for content_type in ("text/plain", "application/json", "multipart/form-data; boundary=x"):
        answer = steward.post(
            "/api/tables", headers={**headers, "content-type": content_type}, **UPLOAD
        )
        assert answer.status_code == 403
    assert steward.delete("/api/tables/0", headers=headers).status_code == 403
    assert steward.post("/api/tables", headers={"origin": HERE}, **UPLOAD).status_code == 201


def test_a_script_with_the_token_needs_no_origin(anybody, site):
    key = {"authorization": f"Bearer {site.visitors.token}"}
    assert anybody.post("/api/tables", headers=key, **UPLOAD).status_code == 201


def test_websockets_are_closed_whoever_asks(steward, anybody):
    for client in (anybody, steward):
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect(SOCKET, headers={"origin": HERE}),
        ):
            pass
        assert closed.value.code == 1008


def test_every_answer_carries_the_policy(steward, anybody):
    for answer in (steward.get("/api/tables"), anybody.get("/"), steward.get("/static/shoal.css")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "http" not in policy  # no other server
        for loose in ("unsafe", "nonce", "data:", "*"):
            assert loose not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "server" not in answer.headers
    assert steward.get("/api/tables").headers["cache-control"] == "no-store"


def test_no_proxy_is_believed(steward):
    lie = {"x-forwarded-prefix": "//evil.test", "x-forwarded-host": "evil.test"}
    answer = steward.get("/", headers={**lie, "accept": "text/html"})
    assert "evil.test" not in answer.text


def test_a_login_link_never_leads_elsewhere(anybody, site):
    answer = anybody.get(f"{HERE}//evil.test/", params={"token": site.visitors.token})
    assert 'url=/evil.test/"' in answer.text


@pytest.mark.parametrize("path", ["/%5Cevil.test", "/%09/evil.test", "/%5C%5Cevil.test/", "//e.t"])
def test_no_browser_reads_another_site_out_of_a_login_link(anybody, site, path):
    """A backslash is a slash to them, and a tab is nothing."""
    answer = anybody.get(f"{HERE}{path}", params={"token": site.visitors.token})
    onward = re.search(r'url=([^"]*)"', answer.text)[1]
    assert re.fullmatch(r"/[\w.%/-]*", onward)
    assert not onward.startswith("//")
    assert f'href="{onward}"' in answer.text


@pytest.mark.parametrize(
    "path", ["/loginfoo", "/login/x", "/login", "/logout", "/studyfoo", "/static"]
)
def test_nothing_else_is_open_to_anybody(anybody, path):
    assert anybody.get(path).status_code == 401
    assert anybody.post(path, headers={"origin": HERE}).status_code == 401
    assert anybody.get("/static/shoal.css").status_code == 200


def test_another_address_needs_accounts(tmp_path):
    with pytest.raises(InvalidParameterError, match="network") as refused:
        Settings(host="0.0.0.0")
    assert "--auth" in refused.value.hint
    assert Settings(host="0.0.0.0", accounts=tmp_path / "people.toml").port == 8080


class TestAccounts:
    PASSWORD = "a long enough secret"

    @pytest.fixture
    def people(self, tmp_path):
        path = tmp_path / "people.toml"
        add_account(path, "ada", self.PASSWORD)
        assert path.stat().st_mode & 0o777 == 0o600
        assert self.PASSWORD not in path.read_text()
        return path

    @pytest.fixture
    def client(self, people, shoal_home):
        site = Server(Settings(host="0.0.0.0", accounts=people))
        app = create_app(site)
        with TestClient(
            app, base_url="http://10.1.2.3:8080", headers={"origin": "http://10.1.2.3:8080"}
        ) as client:
            yield client

    def enter(self, client, password, name="ada"):
        form = {"name": name, "password": password}
        return client.post("/login", data=form, follow_redirects=False)

    def test_a_password_lets_in(self, client):
        assert client.get("/api/tables").status_code == 401
        assert self.enter(client, "guess").status_code == 401
        assert client.get("/api/tables").status_code == 401
        assert self.enter(client, self.PASSWORD).status_code == 303
        assert client.get("/api/tables").status_code == 200

    def test_behind_a_proxy_that_ends_tls(self, people, shoal_home):
        """The proxy speaks plain HTTP to us; browsers behind it are at another origin."""
        server = Server(Settings(accounts=people, proxy_name="shoal.example.org"))
        browser = {"origin": "https://shoal.example.org", "x-forwarded-proto": "http"}
        there = "http://shoal.example.org"
        with TestClient(create_app(server), base_url=there, headers=browser) as client:
            assert self.enter(client, "guess").status_code == 401
            entered = self.enter(client, self.PASSWORD)
            assert entered.status_code == 303
            assert "secure" in entered.headers["set-cookie"].lower()
            again = client.post("/login", data={}, headers={"origin": "http://shoal.example.org"})
            assert again.status_code == 403

    def test_a_proxy_without_accounts_is_refused(self):
        with pytest.raises(InvalidParameterError, match=r"shoal\.example\.org would show tables"):
            Settings(proxy_name="shoal.example.org")

    def test_nobody_fills_the_memory_before_signing_in(self, client):
        form = {"content-type": "application/x-www-form-urlencoded"}
        for path, status in (("/login", 413), ("/api/tables", 401), ("/", 401)):
            answer = client.post(path, content=b"name=" + b"a" * (1 << 20), headers=form)
            assert answer.status_code == status

    def test_guessing_is_slowed_down(self, client):
        for _ in range(5):
            self.enter(client, "guess")
        assert self.enter(client, self.PASSWORD).status_code == 401  # now even the right one waits

    def test_somebody_unknown_is_told_the_same(self, client):
        known, unknown = self.enter(client, "guess"), self.enter(client, "guess", name="bob")
        assert known.text == unknown.text

    def test_another_site_cannot_log_me_in(self, client):
        form = {"name": "ada", "password": self.PASSWORD}
        answer = client.post("/login", data=form, headers={"origin": "http://evil.test"})
        assert answer.status_code in (401, 403)

    def test_only_the_form_is_open(self, client):
        assert client.get("/login").status_code == 200
        for path in ("/loginfoo", "/login/x", "/api/login"):
            assert client.get(path).status_code == 401

    def test_a_removed_account_is_out_with_the_next_request(self, client, people):
        add_account(people, "bob", self.PASSWORD)
        assert self.enter(client, self.PASSWORD, name="bob").status_code == 303
        assert client.get("/api/tables").status_code == 200
        lines = people.read_text().splitlines()
        people.write_text("\n".join(line for line in lines if "bob" not in line))
        assert client.get("/api/tables").status_code == 401
        assert client.get("/").status_code == 401
        people.write_text("\n".join(lines))
        assert client.get("/api/tables").status_code == 200
        people.unlink()  # what cannot be read lets nobody in
        assert client.get("/api/tables").status_code == 401

    def test_another_password_ends_the_sessions_of_the_old_one(self, client, people):
        self.enter(client, self.PASSWORD)
        assert client.get("/api/tables").status_code == 200
        add_account(people, "ada", "another long secret")
        assert client.get("/api/tables").status_code == 401
        assert self.enter(client, self.PASSWORD).status_code == 401
        assert self.enter(client, "another long secret").status_code == 303
        assert client.get("/api/tables").status_code == 200

    def test_whoever_logged_out_is_out_also_with_a_copy_of_the_cookie(self, client, people):
        self.enter(client, self.PASSWORD)
        copy = {"cookie": f"shoal={client.cookies['shoal']}"}
        assert "Log ada out" in client.get("/").text
        answer = client.post("/logout", follow_redirects=False)
        assert answer.headers["location"] == "/login"
        assert client.get("/api/tables").status_code == 401
        assert client.get("/api/tables", headers=copy).status_code == 401
        again = create_app(Server(Settings(host="0.0.0.0", accounts=people)))
        with TestClient(again, base_url="http://10.1.2.3:8080") as restarted:
            assert restarted.get("/api/tables", headers=copy).status_code == 401

    def test_a_cookie_of_a_start_without_accounts_does_not_come_in(self, client, people):
        """Same home, same key; and there is no token that would make a nameless steward."""
        alone = Server(Settings())
        with TestClient(create_app(alone), base_url=HERE) as browser:
            browser.get("/", params={"token": alone.visitors.token})
            assert browser.get("/api/tables").status_code == 200
            kept = {"cookie": f"shoal={browser.cookies['shoal']}"}
            assert client.get("/api/tables", headers=kept).status_code == 401
            self.enter(client, self.PASSWORD)
            mine = {"cookie": f"shoal={client.cookies['shoal']}"}
            browser.cookies.clear()
            assert browser.get("/api/tables", headers=mine).status_code == 401
        assert Server(Settings(accounts=people)).visitors.token is None

    def test_pages_lead_to_the_login(self, client):
        answer = client.get("/", headers={"accept": "text/html"}, follow_redirects=False)
        assert answer.headers["location"] == "/login"


def in_pieces(size):
    """A body whose length nobody announces."""
    for _ in range(size >> 16):
        yield b" " * (1 << 16)
    yield b"{}"


BODIES = [
    ("PATCH", "/api/tables/{id}/columns/age", 1 << 20),
    ("POST", "/api/tables/built-in", 1 << 20),
    ("POST", "/t/{id}/table", 1 << 20),
    ("POST", "/", 1 << 20),
    ("PUT", "/api/tables/{id}/weights", 8 << 20),
    ("DELETE", "/api/tables/{id}", 1 << 20),
]


def test_no_body_is_larger_than_it_can_be(steward):
    table = steward.post("/api/tables", **UPLOAD).json()["id"]
    for method, path, most in BODIES:
        where, kind = path.format(id=table), {"content-type": "application/json"}
        for content in (in_pieces(most + (1 << 16)), b" " * (most + 1)):
            answer = steward.request(method, where, content=content, headers=kind)
            assert answer.status_code == 413, path
            assert answer.json() == {"error": "The request is too large."}
        small = steward.request(method, where, content=in_pieces(1 << 16), headers=kind)
        assert small.status_code != 413, path


def test_a_body_in_pieces_is_understood(steward):
    table = steward.post("/api/tables", **UPLOAD).json()["id"]
    pieces = iter([b'{"role": ', b'"sensitive"}'])
    kind = {"content-type": "application/json"}
    answer = steward.patch(f"/api/tables/{table}/columns/age", content=pieces, headers=kind)
    assert answer.json()["columns"]["age"]["role"] == "sensitive"


def test_a_length_that_is_no_number_is_refused(steward):
    for length in ("-1", "1e3", "x"):
        answer = steward.request(
            "PATCH", "/api/tables/x/columns/y", content=b"{}", headers={"content-length": length}
        )
        assert answer.status_code in (400, 413)
