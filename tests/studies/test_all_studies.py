"""Every study there is: its miniature runs, and says what the framework asks of all."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import time

import pytest

from forking import begin
from shoal.exceptions import ShoalError
from shoal.studies import Finished, find_study, finished_work, run_study, study_names

pytestmark = pytest.mark.usefixtures("data_dir")
KILLED = "miche2016"  # one of them: how to go on is the framework's business
EXTRAS = {"selvi2021": "pyspark"}  # beside matplotlib, which all need


def need_extras(name):
    """Skip, or fail under ``CI=true``, where what a study needs is not installed."""
    for module in ("matplotlib", EXTRAS.get(name, "matplotlib")):
        if importlib.util.find_spec(module) is None:
            message = f"{module} is not installed."
            pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)


@pytest.mark.parametrize("name", [name for name in study_names() if name != KILLED])
def test_the_miniature_is_run_and_read(name, tmp_path):
    need_extras(name)
    check_the_rest(name, tmp_path)


def test_the_miniature_goes_on_after_a_kill_and_is_done_once(tmp_path):
    need_extras(KILLED)
    kill_after_the_first_item(KILLED, tmp_path)
    run = check_the_rest(KILLED, tmp_path)
    assert run.done_now < run.items
    again = run_study(find_study(KILLED), tmp_path, size="miniature", workers=1)
    assert (again.done_now, again.items) == (0, run.items)


def check_the_rest(name, folder):
    """Do what is left of a miniature, and look at what it says."""
    study = find_study(name)
    assert study.name == name
    run = run_study(study, folder, size="miniature", workers=1)
    assert run.items == run.planned
    done = finished_work(name, folder)
    assert all(item in done for item in study.plan("miniature", done))  # nothing is done again
    facts = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert facts["summary"]
    assert facts["claims"]
    assert facts["tables"]
    assert facts["figures"]
    assert study.title.split()[0] in (folder / "index.html").read_text(encoding="utf-8")
    return run


def kill_after_the_first_item(name, folder):
    """Begin a study in another process, and kill it once something is done."""
    script = begin(
        "import sys, shoal.studies as s; s.run_study(*sys.argv[1:], size='miniature', workers=1)",
        name,
        folder,
    )
    try:
        while not finished(name, folder):
            assert script.process.exitcode is None, "it ended with nothing done"
            time.sleep(0.02)
    finally:
        script.send_signal(signal.SIGKILL)
        script.wait()


def finished(name, folder):
    try:
        return len(finished_work(name, folder))
    except ShoalError:  # there is no store yet, or it is being made
        return 0


@pytest.mark.parametrize("name", study_names())
def test_small_and_full_plan_more_than_the_miniature(name):
    study = find_study(name)
    sizes = [len(list(study.plan(size, Finished()))) for size in ("miniature", "small", "full")]
    assert sizes == sorted(sizes)
    keys = [item.key for item in study.plan("full", Finished())]
    assert len(keys) == len(set(keys))
