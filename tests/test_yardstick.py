"""A yardstick in pipelines: an assertion, a fixture of pytest, a hook, an action."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from shoal.testing import assert_k_anonymous

ROOT = Path(__file__).parents[1]
PEOPLE = pl.DataFrame({"age": ["20-29"] * 3 + ["30-39"] * 2, "flu": ["y", "n", "y", "y", "y"]})


def test_a_table_that_hides_everybody_passes():
    assert_k_anonymous(PEOPLE, quasi_identifiers="age", k=2)
    assert_k_anonymous(PEOPLE.to_pandas(), quasi_identifiers=["age"], k=2)


@pytest.mark.parametrize(
    ("asked", "says"),
    [({"k": 3}, "3-anonymity"), ({"k": 2, "sensitive": "flu", "l": 2}, "distinct 2-diversity")],
)
def test_one_that_does_not_fails_with_the_models_that_fail(asked, says):
    with pytest.raises(AssertionError, match=f"^{says} .*does not hold") as failed:
        assert_k_anonymous(PEOPLE, quasi_identifiers="age", **asked)
    assert "20-29" not in str(failed.value)


def test_pytest_hands_it_out_where_shoal_is_installed(tmp_path):
    (tmp_path / "test_mine.py").write_text(
        "import polars as pl\n"
        "def test_it(assert_k_anonymous):\n"
        "    assert_k_anonymous(pl.DataFrame({'age': [1, 1]}), quasi_identifiers='age', k=3)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, str(tmp_path), "--rootdir", str(tmp_path), "-c", os.devnull],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout
    assert "3-anonymity does not hold" in done.stdout


def test_the_package_names_its_plug_in():
    assert '[project.entry-points.pytest11]\nshoal = "shoal.pytest_plugin"' in (
        ROOT / "pyproject.toml"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize("file", ["pre-commit-hooks.yaml", "action.yml"])
def test_hook_and_action_run_a_check_that_parses(file):
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8")
    assert "shoal check" in text
    assert "\t" not in text
