"""PostgreSQL through Spark's JDBC reader: one snapshot, however often and wherever Spark reads.

A connection of ours finds the table, says what is wrong with it, and holds a snapshot open; every
connection of Spark's begins by taking that snapshot. The driver is a Java archive that the machine
has (Debian: ``libpostgresql-jdbc-java``) or that ``SHOAL_JDBC_DRIVER`` names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from shoal.exceptions import InputError
from shoal.plan import Plan, read_sql
from shoal.spark._source import Source, check_place, is_database, read_source
from shoal.table.sources import Place, given_password, shared_snapshot

DRIVER_VARIABLE = "SHOAL_JDBC_DRIVER"
DEBIAN = Path("/usr/share/java/postgresql.jar")
PASSED_ON = ("sslmode", "sslrootcert", "sslcert", "sslkey")  # what both drivers understand
AT_ONCE = "10000"  # rows fetched at a time


def jdbc_settings(source: str) -> dict[str, str]:
    """Settings of a session that is to read a source: the driver, if it is a database."""
    check_place(source)
    if not is_database(source):
        return {}
    jdbc_address(source)
    return {"spark.jars": str(jdbc_driver())}


def jdbc_driver() -> Path:
    """Find the driver, or say where it comes from."""
    named = os.environ.get(DRIVER_VARIABLE)
    driver = Path(named) if named else DEBIAN
    if not driver.is_file():
        raise InputError(
            "Spark reads PostgreSQL through a JDBC driver, and there is none.",
            hint="apt-get install libpostgresql-jdbc-java, or name one:"
            f" {DRIVER_VARIABLE}=/path/to/postgresql.jar",
        )
    return driver.resolve()


def jdbc_address(source: str) -> tuple[str, str | None]:
    """Turn an address into one for Java, and the user in it.

    >>> jdbc_address("postgresql://ann@db.example.org:5433/clinic?sslmode=require")
    ('jdbc:postgresql://db.example.org:5433/clinic?sslmode=require', 'ann')
    """
    parts = urlsplit(source)
    given = dict(parse_qsl(parts.query))
    host = parts.hostname or given.get("host", "")
    if not host or host.startswith("/"):
        raise InputError(
            "Machines of a cluster reach a database by its host, not by a socket.",
            hint="postgresql://host/db; or leave out --engine spark.",
        )
    port = parts.port or given.get("port") or os.environ.get("PGPORT", "5432")  # as libpq does
    settings = urlencode({name: given[name] for name in PASSED_ON if name in given})
    where = f"jdbc:postgresql://{host}:{port}{parts.path}{'?' if settings else ''}{settings}"
    user = parts.username or given.get("user") or os.environ.get("PGUSER")
    return where, None if user is None else unquote(user)


@contextmanager
def plan_source(spark: Any, plan: Plan) -> Iterator[Source]:
    """Read the table of a plan: a file, or a database for as long as Spark may look at it."""
    source = str(plan.source)
    if not is_database(source):
        yield read_source(spark, source, delimiter=plan.delimiter, encoding=plan.encoding)
        return
    query = None if plan.query is None else read_sql(plan.query)
    with shared_snapshot(Place(source, table=plan.source_table, query=query)) as shared:
        where, user = jdbc_address(source)
        password = given_password() or os.environ.get("PGPASSWORD")
        options = {
            "url": where,
            "driver": "org.postgresql.Driver",
            "dbtable": f"({shared.query}) AS shoal",
            "sessionInitStatement": shared.begin,
            "fetchsize": AT_ONCE,
            **({} if user is None else {"user": user}),
            **({} if password is None else {"password": password}),
        }
        spark.sql(f"ADD JAR '{jdbc_driver()}'")  # a session that runs already may not have it
        frame = spark.read.format("jdbc").options(**options).load()
        yield Source(frame, shared.names)
