"""A real cluster on loopback: a master, two workers, and one of them killed while it shuffles."""

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


def test_a_worker_killed_in_the_shuffle_changes_nothing(spark, plan, tmp_path):
    """Same rows, same groups, same bytes as on one machine where nobody died."""
    with anonymize(read_source(spark, plan.source), plan, rows_per_fragment=250) as release:
        calm = release.write(tmp_path / "calm")
        ngil = release.ngil
    plan.write(tmp_path / "plan.toml")
    with cluster(tmp_path) as (address, workers):
        job = subprocess.Popen(
            [sys.executable, str(RUN), address, str(tmp_path / "plan.toml"), str(tmp_path / "out")],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert job.stdout is not None
        for line in job.stdout:
            if line.strip() == "grouping fragments":
                time.sleep(1.0)  # its tasks run now; those of the first half may be done
                stop(workers[0])
                break
        out, err = job.communicate(timeout=600)
    assert job.returncode == 0, err[-500:]
    told = json.loads(out.strip().splitlines()[-1])
    digests = [f["sha256"] for name, f in calm.manifest["files"].items() if "part" in name]
    assert told["executors"] == 1  # one of the two is gone
    assert told["digests"] == digests
    assert told["ngil"] == ngil
    assert told["k"] >= plan.k
    assert told["rows"] == 900
