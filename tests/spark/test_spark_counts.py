"""Counts on Spark against counts on one machine: selection, and what was written."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.cli import run
from shoal.selection import select
from shoal.spark import Source, read_source, select_frame
from shoal.spark._recount import recount_frame
from shoal.table import read_table
from shoal.verifier import Claim, recount


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Numbers, names, dates and missing cells around a target."""
    rng = np.random.default_rng(5)
    n = 600
    age = rng.integers(18, 80, n)
    frame = pl.DataFrame(
        {
            "age": [None if i % 50 == 0 else str(a) for i, a in enumerate(age)],
            "born": [f"{2020 - a}-03-0{a % 9 + 1}" for a in age],
            "job": [
                None if i % 37 == 0 else "abcd"[j] for i, j in enumerate(rng.integers(0, 4, n))
            ],
            "weight": [f"{w:.3f}" for w in rng.normal(70, 9, n)],
            "ill": ["yes" if a > 50 else "no" for a in age],
        }
    )
    path = tmp_path_factory.mktemp("mixed") / "a.csv"
    frame.write_csv(path)
    return path


@pytest.mark.parametrize("method", ["fcbf", "cfs"])
def test_spark_selects_what_one_machine_selects(spark, mixed, method):
    local = select(read_table(mixed), "ill", method=method)
    source = read_source(spark, mixed)
    many = Source(source.frame.repartition(5), source.names)
    assert select_frame(many, "ill", method=method) == local
    assert local.selected


def test_a_numeric_target_is_cut_alike(spark, mixed):
    assert select_frame(read_source(spark, mixed), "weight") == select(read_table(mixed), "weight")


def test_the_command_selects_on_spark(spark, mixed, capsys):
    assert run(["select", str(mixed), "--target", "ill", "--engine", "spark", "--json"]) == 0
    on_spark = capsys.readouterr().out
    assert run(["select", str(mixed), "--target", "ill", "--json"]) == 0
    assert capsys.readouterr().out == on_spark


def test_the_recount_agrees_with_the_verifier(spark, tmp_path):
    """All measures of a sensitive column, by Spark SQL and by the verifier's DuckDB."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {
            "q": ["abc"[i] for i in rng.integers(0, 3, 90)],
            "r": [None if i == 0 else str(i) for i in rng.integers(0, 2, 90)],
            "s": [None if v == 5 else str(v) for v in rng.integers(0, 6, 90)],
        }
    )
    frame.write_csv(tmp_path / "a.csv")
    claims = [Claim("k", 2), Claim("t_ordered", 0.5, "s", order="numeric")]
    source = read_source(spark, tmp_path / "a.csv")
    inside = [claims[0], Claim("t_ordered", 0.5, "c2", order="numeric")]
    ours, sizes = recount_frame(source.frame, ["c0", "c1"], inside)
    theirs = recount(
        tmp_path / "a.csv", quasi_identifiers=["q", "r"], sensitive=["s"], orders={"s": "numeric"}
    )
    assert (ours.rows, ours.groups, ours.k) == (theirs.rows, theirs.groups, theirs.k)
    assert sum(size * n for size, n in sizes.items()) == 90
    mine, twin = ours.sensitive["c2"], theirs.sensitive["s"]
    for name in ("distinct_l", "t_equal", "t_ordered", "alpha", "basic_beta", "recursive_c"):
        assert mine[name] == twin[name], name
    assert mine["entropy_l"] == twin["entropy_l"]
    assert mine["enhanced_beta"] == twin["enhanced_beta"]
    for name in ("delta_disclosure", "delta_disclosure_present"):
        assert mine[name] == pytest.approx(twin[name])
