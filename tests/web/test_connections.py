"""Tables that an administrator listed: by name, never by host."""

from __future__ import annotations

import sqlite3

import pytest
from serving import table_of

from shoal.exceptions import InvalidParameterError
from shoal.web._connections import listed_connections

CANARY = "Kanarie7731"


@pytest.fixture
def clinic(shoal_home, tmp_path):
    rows = [line.split(",") for line in table_of().decode().splitlines()]
    with sqlite3.connect(tmp_path / f"{CANARY}.db") as connection:
        names = ", ".join(f'"{name}" TEXT' for name in rows[0])
        connection.execute(f"CREATE TABLE people ({names})")
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO people VALUES ({marks})", rows[1:])
    connection.close()
    shoal_home.mkdir(exist_ok=True)
    (shoal_home / "some.sql").write_text("SELECT * FROM people")
    (shoal_home / "connections.toml").write_text(
        f'[patients]\nsource = "sqlite:///{tmp_path}/{CANARY}.db"\ntable = "people"\n'
        f'[asked]\nsource = "sqlite:///{tmp_path}/{CANARY}.db"\nquery = "some.sql"\n'
    )
    return len(rows) - 1


def test_a_listed_table_is_taken_by_name_and_its_place_is_not_told(clinic, steward):
    assert steward.get("/api/tables/connections").json() == ["asked", "patients"]
    page = steward.get("/").text
    assert 'data-act="connection"' in page
    for name in ("patients", "asked"):
        made = steward.post("/api/tables/connection", json={"name": name})
        assert made.status_code == 201, made.text
        assert made.json()["name"] == name
        about = steward.get(f"/api/tables/{made.json()['id']}")
        assert about.json()["rows"] == clinic
        assert CANARY not in about.text + made.text + page
    steward.delete(f"/api/tables/{made.json()['id']}")


@pytest.mark.parametrize("name", ["nobody", "sqlite:///etc/passwd", "postgresql://host/db"])
def test_what_is_not_listed_does_not_exist(name, clinic, steward):
    answer = steward.post("/api/tables/connection", json={"name": name})
    assert answer.status_code == 422
    assert "no such connection" in answer.text
    assert steward.get("/api/tables").json() == []


def test_without_a_token_nothing_is_listed_or_taken(clinic, anybody):
    assert anybody.get("/api/tables/connections").status_code in (401, 403)
    assert anybody.post("/api/tables/connection", json={"name": "patients"}).status_code in (
        401,
        403,
    )


@pytest.mark.parametrize(
    "text",
    [
        '[a]\nsource = "patients.csv"\n',
        '[a]\ntable = "t"\n',
        f'[a]\nsource = "postgresql://u:{CANARY}@host/db"\n',
        "[a\n",
    ],
)
def test_a_wrong_list_is_refused_without_its_secrets(text, shoal_home):
    shoal_home.mkdir(exist_ok=True)
    (shoal_home / "connections.toml").write_text(text)
    with pytest.raises(InvalidParameterError) as error:
        listed_connections()
    assert CANARY not in str(error.value)
