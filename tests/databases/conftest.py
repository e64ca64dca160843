"""One PostgreSQL server for all tests of a worker, and a database for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace

import pytest
from postgres_server import INSTALLED, PostgresServer

_numbers = count()
PEOPLE = """CREATE TABLE patients AS SELECT i AS id, 'Name ' || i AS name, 20 + i * 7 % 60 AS age,
    CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex, '0' || (1000 + i % 5) AS zip,
    (ARRAY['flu', 'cold', 'gout', 'ache'])[1 + i % 4] AS disease,
    DATE '2020-01-01' + (i % 30) AS seen FROM generate_series(1, 200) AS i"""


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    if not INSTALLED:
        assert os.environ.get("CI") != "true", "PostgreSQL is not installed (see .ci/run)."
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    running = PostgresServer()
    yield running
    running.stop()


@pytest.fixture
def clinic(server: PostgresServer) -> Iterator[SimpleNamespace]:
    """A database of a test's own, with a table of 200 patients."""
    name = f"clinic{next(_numbers)}"
    server.psql(f"CREATE DATABASE {name}")
    server.psql(PEOPLE, database=name)
    yield SimpleNamespace(
        name=name,
        server=server,
        url=server.url(name),
        psql=lambda *statements: server.psql(*statements, database=name),
    )
    server.psql(f"DROP DATABASE {name} WITH (FORCE)")
