"""Elsewhere the same: on one core, and on a cluster that loses a worker while it shuffles.

Both begin a session of their own in the Java of all tests, the cluster's as users have it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest
from lean_java import QUICK

from shoal.spark import anonymize, read_source
from shoal.spark._java import java_home

PATIENCE = 240  # seconds for anything that starts
AS_USERS = {
    "spark.sql.shuffle.partitions": "6",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.codegen.factoryMode": "FALLBACK",
    "spark.python.daemon.module": "pyspark.daemon",  # Pythons import for themselves
    "spark.python.sql.dataFrameDebugging.enabled": "true",
}
ON_A_CLUSTER = {
    "spark.authenticate": "false",  # Java would ask it of the master, as of the session before
    "spark.network.crypto.enabled": "false",
    "spark.jars": "",
    "spark.executor.extraJavaOptions": QUICK,
    "spark.executor.memory": "1g",
    "spark.executor.cores": "1",
    "spark.task.maxFailures": "8",
}


def wait_for(file, text):
    for _ in range(PATIENCE * 5):
        if text in file.read_text():
            return
        time.sleep(0.2)
    pytest.fail(f"the cluster did not start: {text!r} was not said")


@contextmanager
def cluster(folder):
    """A master and a worker in the Java of all tests, and a worker that may be killed.

    Yields the address and the process of the latter; executors are processes of their own.
    """
    import pyspark

    start = Path(pyspark.__file__).parent / "bin" / "spark-class"
    deploy = pyspark.SparkContext._jvm.org.apache.spark.deploy
    settings = pyspark.SparkContext._jvm.org.apache.spark.SparkConf(False)
    here = deploy.LocalSparkCluster.apply(1, 1, 1200, settings)
    (address,) = here.start()
    java = java_home()
    environment = {
        **os.environ,
        **({"JAVA_HOME": str(java)} if java else {}),
        "SPARK_CONF_DIR": str(told_in(folder / "conf")),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "384m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "SPARK_LAUNCHER_OPTS": QUICK,
        "PYSPARK_PYTHON": sys.executable,
    }
    log = folder / "worker.log"
    with log.open("w") as out:
        worker = subprocess.Popen(
            [
                *(str(start), "org.apache.spark.deploy.worker.Worker"),
                *("--cores", "1", "--memory", "1200m", "--webui-port", "0"),
                *("--host", "127.0.0.1", "--work-dir", str(folder / "work"), address),
            ],
            env=environment, stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
    try:
        wait_for(log, "Successfully registered with master")
        yield address, worker
    finally:
        stop(worker)
        here.stop()


def told_in(folder):
    """A folder of settings by which a worker writes what it does."""
    folder.mkdir()
    (folder / "log4j2.properties").write_text(
        "rootLogger.level = info\nrootLogger.appenderRef.o.ref = o\n"
        "appender.o.type = Console\nappender.o.name = o\nappender.o.target = SYSTEM_ERR\n"
        "appender.o.layout.type = PatternLayout\nappender.o.layout.pattern = %m%n\n"
    )
    return folder


def stop(process):
    """Kill a process that was started here, with all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def calm(spark, plan, tmp_path_factory):
    """What two cores of this machine make where nobody dies."""
    with anonymize(read_source(spark, plan.source), plan, rows_per_fragment=250) as release:
        written = release.write(tmp_path_factory.mktemp("calm") / "out", ledger="off")
        return told_of(release, written)


class At:
    """Does something a while after a phase begins."""

    cancelled = False

    def __init__(self, phase, act):
        self.timer, self.awaited = Timer(1.0, act), phase

    def phase(self, name, total=None):
        if name == self.awaited:
            self.timer.start()

    def advance(self, steps=1):
        """Steps are nothing to wait for."""


def told_of(release, written):
    files = written.manifest["files"].items()
    digests = [facts["sha256"] for name, facts in files if "part" in name]
    return {"digests": digests, "ngil": release.ngil}


@pytest.fixture(scope="session")
def elsewhere(begin, plan, tmp_path_factory):
    """What one core makes, and a cluster that loses a worker, before two cores have a session."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOAL_HOME", str(folder / "home"))
        return {"alone": on_one_core(begin, plan, folder), **robbed(begin, plan, folder)}


def on_one_core(begin, plan, folder):
    with (
        begin("local[1]") as spark,
        anonymize(read_source(spark, plan.source), plan, rows_per_fragment=250) as release,
    ):
        return told_of(release, release.write(folder / "alone"))


def robbed(begin, plan, folder):
    with cluster(folder) as (address, worker):
        # one second on its tasks run; those of the first half may be done
        killing = At("grouping fragments", lambda: stop(worker))
        with (
            begin(address, **AS_USERS, **ON_A_CLUSTER) as spark,
            anonymize(
                read_source(spark, plan.source), plan, rows_per_fragment=250, progress=killing
            ) as release,
        ):
            written = release.write(folder / "robbed")
            killing.timer.join()
            left = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
            recount = written.verification.recount
            return {"robbed": told_of(release, written), "left": left, "recount": recount}


def test_one_core_gives_what_two_give(elsewhere, request):
    assert elsewhere["alone"] == request.getfixturevalue("calm")


def test_a_worker_killed_in_the_shuffle_changes_nothing(elsewhere, plan, request):
    """Same rows, same groups, same bytes as on one machine where nobody died."""
    assert elsewhere["left"] == 1  # one of the two executors is gone
    assert elsewhere["recount"].k >= plan.k
    assert elsewhere["recount"].rows == 900
    assert elsewhere["robbed"] == request.getfixturevalue("calm")
