"""A Spark session that nobody but its user can look into."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shoal.exceptions import InvalidParameterError, MissingExtraError
from shoal.spark._java import java_home

LOCAL = "local[*]"
_LOGGING = """rootLogger.level = off
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
"""  # a failed task's log may quote rows: errors are told by the exception, and by it alone


@contextmanager
def spark_session(
    master: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[Any]:
    """Use the active session, or start one and stop it at the end.

    Sessions that Shoal starts have no web page, listen on loopback only, authenticate every
    connection, and encrypt what they spill to disk (in a folder of their own).

    Parameters
    ----------
    master : str, optional
        Where to run: ``local[2]``, ``spark://host:7077``, ...; all cores of this machine if not
        given.
    settings : mapping of str to str, optional
        More Spark settings, over those made here.
    """
    check_spark()
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        if master is not None and master != active.sparkContext.master:
            raise InvalidParameterError(
                "A Spark session is running with another master.",
                hint="Stop it first, or leave out the master.",
            )
        yield active
        return
    scratch = Path(tempfile.mkdtemp(prefix="shoal-spark-"))
    try:
        session = start_session(master or LOCAL, scratch, settings)
        try:
            yield session
        finally:
            session.stop()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def start_session(master: str, scratch: Path, settings: Mapping[str, str] | None = None) -> Any:
    """Start a session that keeps its files in ``scratch``."""
    from pyspark.sql import SparkSession

    _prepare(scratch)
    builder = SparkSession.builder.master(master).appName("shoal")
    for name, value in {**hardened(master, scratch), **(settings or {})}.items():
        builder = builder.config(name, value)
    try:
        with _quiet_child():
            session = builder.getOrCreate()
    except Exception as error:  # py4j, Spark and the system each have their own
        raise InvalidParameterError(
            f"Spark could not be started with the master {master!r} ({type(error).__name__}).",
            hint="local[2] runs on this machine; spark://host:7077 needs a cluster there.",
        ) from None
    session.sparkContext.setLogLevel("OFF")
    return session


def hardened(master: str, scratch: Path) -> dict[str, str]:
    """Settings that close what Spark leaves open, and those that results rely on."""
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.io.encryption.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.caseSensitive": "true",
        "spark.sql.csv.parser.columnPruning.enabled": "false",  # every record is checked, always
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
        "spark.sql.execution.pythonUDF.arrow.enabled": "true",
        "spark.sql.shuffle.partitions": "64",
        "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
        "spark.sql.adaptive.advisoryPartitionSizeInBytes": "32m",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.local.dir": str(scratch),
    }
    if master.startswith("local"):
        settings |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.authenticate": "true",
            "spark.authenticate.secret": secrets.token_hex(32),
            "spark.network.crypto.enabled": "true",
        }
    if master.startswith("local["):
        settings["spark.driver.memory"] = os.environ.get("SPARK_DRIVER_MEMORY", "2g")
    return settings


def check_spark() -> None:
    """Say what is missing if Spark is not installed."""
    try:
        import pandas  # noqa: F401  # Spark's Arrow functions refuse to run without it
        import pyspark  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "The engine 'spark' needs the spark extra, which is not installed.",
            hint="pip install 'shoal[spark]', or leave it out: one machine takes millions of rows.",
        ) from None


@contextmanager
def _quiet_child() -> Iterator[None]:
    """Let the Java machine that is started in here write its chatter to nowhere."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _prepare(scratch: Path) -> None:
    """Set what Spark reads from the environment: python, Java, addresses, logging."""
    java = java_home()
    if java is not None:
        os.environ["JAVA_HOME"] = str(java)
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("SPARK_LOCAL_HOSTNAME", "localhost")
    if "SPARK_CONF_DIR" not in os.environ or not Path(os.environ["SPARK_CONF_DIR"]).is_dir():
        conf = scratch / "conf"
        conf.mkdir(exist_ok=True)
        (conf / "log4j2.properties").write_text(_LOGGING)
        os.environ["SPARK_CONF_DIR"] = str(conf)
