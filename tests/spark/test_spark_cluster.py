"""Elsewhere the same: on one core, and on a cluster that loses a worker while it shuffles."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from shoal.spark import anonymize, read_source

RUN = Path(__file__).parent / "cluster_run.py"
PATIENCE = 240  # seconds for anything that starts


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(file, text, times):
    for _ in range(PATIENCE * 5):
        if file.exists() and file.read_text().count(text) >= times:
            return
        time.sleep(0.2)
    pytest.fail(f"the cluster did not start: {text!r} was not said")


@contextmanager
def cluster(folder):
    """A master and two workers as processes of their own; yields the address and the workers."""
    import pyspark

    start = Path(pyspark.__file__).parent / "bin" / "spark-class"
    port, log = free_port(), folder / "master.log"
    conf = folder / "conf"
    conf.mkdir()
    (conf / "log4j2.properties").write_text(
        "rootLogger.level = info\nrootLogger.appenderRef.o.ref = o\n"
        "appender.o.type = Console\nappender.o.name = o\nappender.o.target = SYSTEM_ERR\n"
        "appender.o.layout.type = PatternLayout\nappender.o.layout.pattern = %m%n\n"
    )
    environment = {
        **os.environ,
        "SPARK_CONF_DIR": str(conf),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "384m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "PYSPARK_PYTHON": sys.executable,
    }
    started = []

    def launch(*arguments):
        with log.open("a") as out:
            process = subprocess.Popen(
                [str(start), *arguments],
                env=environment, stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip
        started.append(process)
        return process

    address = f"spark://127.0.0.1:{port}"
    try:
        launch(
            "org.apache.spark.deploy.master.Master",
            *("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"),
        )
        wait_for(log, "Starting Spark master", 1)
        workers = [
            launch(
                "org.apache.spark.deploy.worker.Worker",
                *("--cores", "1", "--memory", "1200m", "--webui-port", "0"),
                *("--host", "127.0.0.1", "--work-dir", str(folder / f"work{i}"), address),
            )
            for i in range(2)
        ]
        wait_for(log, "Registering worker", 2)
        yield address, workers
    finally:
        for process in started:
            stop(process)


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
        files = written.manifest["files"].items()
        digests = [facts["sha256"] for name, facts in files if "part" in name]
        return {"digests": digests, "ngil": release.ngil}


def start(master, plan, folder):
    """Run the plan elsewhere, in a process of its own."""
    plan.write(folder / "plan.toml")
    return subprocess.Popen(
        [sys.executable, str(RUN), master, str(folder / "plan.toml"), str(folder / "out")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def end(job):
    """Wait for a run and hear what came out."""
    out, err = job.communicate(timeout=600)
    assert job.returncode == 0, err[-500:]
    return json.loads(out.strip().splitlines()[-1])


def test_one_core_gives_what_two_give(calm, plan, tmp_path):
    told = end(start("local[1]", plan, tmp_path))
    assert {name: told[name] for name in calm} == calm


def test_a_worker_killed_in_the_shuffle_changes_nothing(calm, plan, tmp_path):
    """Same rows, same groups, same bytes as on one machine where nobody died."""
    with cluster(tmp_path) as (address, workers):
        job = start(address, plan, tmp_path)
        assert job.stdout is not None
        for line in job.stdout:
            if line.strip() == "grouping fragments":
                time.sleep(1.0)  # its tasks run now; those of the first half may be done
                stop(workers[0])
                break
        told = end(job)
    assert told["executors"] == 1  # one of the two is gone
    assert {name: told[name] for name in calm} == calm
    assert told["k"] >= plan.k
    assert told["rows"] == 900
