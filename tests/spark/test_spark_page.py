"""What the documents type for Spark is typed here, where a session runs already."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from shoal.cli import run
from shoal.datasets import people

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(page, language):
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [source for found, source in FENCE.findall(text) if found == language]


def lines_about_spark():
    lines = [
        line
        for page in ("spark", "selection")
        for b in blocks_of(page, "sh")
        for line in b.splitlines()
    ]
    return [line for line in lines if "--engine spark" in line]


@pytest.fixture
def here(tmp_path, monkeypatch, spark):
    monkeypatch.chdir(tmp_path)
    frame = people(300).frame.select("age", "sex", "zip", "diagnosis", "readmitted")
    frame.write_csv("patients.csv")
    assert run(["init", "patients.csv"]) == 0
    return tmp_path


def test_every_command_of_the_page_runs(here, capsys):
    assert len(lines_about_spark()) == 4
    for line in lines_about_spark():
        assert run(shlex.split(line)[1:]) == 0, f"{line}\n{capsys.readouterr().err}"


def test_the_python_of_the_page_runs_on_this_session(here, spark):
    (source,) = blocks_of("spark", "text")
    people = (here / "people.parquet").as_uri()
    spark.read.csv((here / "patients.csv").as_uri(), header=True).write.parquet(people)
    source = source.replace("spark://host:7077", spark.sparkContext.master)
    source = source.replace("hdfs://people/", people)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, "spark.md", "exec", dont_inherit=True), {"__name__": "page"})
    assert (here / "release" / "manifest.json").is_file()
