"""Recoders publish what covers every member, say no more, and the battery catches those who lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from shoal.hierarchies import Flat, Mask, Taxonomy
from shoal.recoding import Generalize
from shoal.table import Grouping, Roles, read_table
from shoal.testing import (
    check_recoded,
    check_recoder,
    random_grouping,
    random_hierarchies,
    random_table,
    uncovered_rows,
)


@pytest.mark.parametrize("recoder", [Generalize(), Generalize(grid=True)], ids=repr)
def test_every_recoder_passes_the_battery(recoder):
    check_recoder(recoder, tables=25)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 60),
    n_values=st.sampled_from([1, 2, 5, 40]),
    missing=st.sampled_from([0.0, 0.2, 1.0]),
    step=st.sampled_from([0.25, 1.0, 2.5, 10.0]),
)
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_trees_and_grids_cover_every_value(seed, n_rows, n_values, missing, step):
    rng = np.random.default_rng(seed)
    table = random_table(rng, n_rows=n_rows, n_values=n_values, missing=missing)
    trees = random_hierarchies(rng, table)
    on_grid = [
        name
        for name in table.roles.quasi_identifiers
        if table.kinds[name] == "numeric" and name not in trees and step >= finest(table, name)
    ]
    recoder = Generalize(hierarchies=trees, grid=dict.fromkeys(on_grid, step))
    grouping = random_grouping(rng, n_rows)
    check_recoded(table, grouping, recoder.recode(table, grouping), trees)


def finest(table, name):
    return 1 if table.frame[name].dtype == pl.Int64 else 0.25


def test_recoders_can_be_cloned():
    recoder = Generalize(hierarchies={"zip": Mask()}, limits={"age": 10}, grid={"age": 5})
    assert clone(recoder).get_params().keys() == recoder.get_params().keys()
    assert repr(clone(recoder)) == repr(recoder)


def small_table():
    frame = pl.DataFrame(
        {
            "name": ["Ann", "Bob", "Cid", "Dee"],
            "age": [17, 25, 25, None],
            "zip": ["01234", "01299", "1234", "99999"],
            "disease": ["flu", "cold", "flu", "gout"],
        }
    )
    roles = Roles("name", ["age", "zip"], "disease")
    return read_table(frame, roles=roles, kinds={"zip": "code"})


def test_what_is_published_reads_as_documented():
    recoded = Generalize().recode(small_table(), Grouping([0, 0, 1, 1]))
    assert recoded.columns["age"].to_list() == ["[17, 25]", "[17, 25]", "*", "*"]
    assert recoded.columns["zip"].to_list() == ["012**", "012**", "*", "*"]


def test_a_group_of_one_kind_keeps_its_value_and_a_missing_one_stays_empty():
    recoded = Generalize().recode(small_table(), Grouping([0, 1, 1, 2]))
    assert recoded.columns["age"].to_list() == ["17", "25", "25", None]


def test_suppressed_rows_are_starred_and_left_out():
    table = small_table()
    recoded = Generalize().recode(table, Grouping([0, 0, -1, -1]))
    assert recoded.aligned_frame(table).rows()[2] == ("*", "*", "flu")
    assert recoded.release_frame(table).rows() == [
        ("[17, 25]", "012**", "flu"),
        ("[17, 25]", "012**", "cold"),
    ]


def test_groups_that_read_the_same_are_one_crowd():
    table = read_table(
        pl.DataFrame({"q": ["a1", "a2", "a2", "a1", "b1", "b2"]}), roles=Roles([], "q")
    )
    tree = Taxonomy.from_json({"*": {"A": ["a1", "a2"], "B": ["b1", "b2"]}})
    recoded = Generalize({"q": tree}).recode(table, Grouping([0, 0, 1, 1, 2, 2]))
    assert recoded.columns["q"].to_list() == ["A"] * 4 + ["B"] * 2
    assert recoded.grouping.sizes.tolist() == [4, 2]


def test_a_literal_star_and_a_full_mask_are_one_crowd():
    """An attacker sees two stars, whatever they came from."""
    table = read_table(pl.DataFrame({"q": ["*", "*", "a", "b"]}), roles=Roles([], "q"))
    recoded = Generalize({"q": Flat()}).recode(table, Grouping([0, 0, 1, 1]))
    assert recoded.columns["q"].to_list() == ["*"] * 4
    assert recoded.grouping.sizes.tolist() == [4]


def test_everybody_suppressed_releases_nobody():
    table = small_table()
    recoded = Generalize().recode(table, Grouping([-1] * 4))
    assert recoded.release_frame(table).height == 0
    assert recoded.columns["age"].to_list() == ["*"] * 4


def where_suppressed(grouping, name, text, otherwise):
    chosen = pl.when(pl.Series(grouping.labels < 0)).then(text).otherwise(otherwise)
    return pl.select(chosen.alias(name)).to_series()


class TooNarrow(Generalize):
    """Publishes the first member's value for the whole group."""

    def recode(self, table, grouping, spaces=None):
        honest = super().recode(table, grouping, spaces)
        first = np.arange(table.n_rows)
        for group in range(grouping.n_groups):
            first[grouping.members(group)] = grouping.members(group)[0]
        columns = {
            name: where_suppressed(grouping, name, pl.lit("*"), table.text(name).gather(first))
            for name in honest.columns
        }
        return replace(honest, columns=columns)


class Talkative(Generalize):
    """Tells what suppressed rows held."""

    def recode(self, table, grouping, spaces=None):
        honest = super().recode(table, grouping, spaces)
        columns = {
            name: where_suppressed(grouping, name, table.text(name), text)
            for name, text in honest.columns.items()
        }
        return replace(honest, columns=columns)


class Counting(Generalize):
    """Calls every group a crowd of its own, though some read the same."""

    def recode(self, table, grouping, spaces=None):
        return replace(super().recode(table, grouping, spaces), grouping=grouping)


@pytest.mark.parametrize("liar", [TooNarrow(), Talkative(), Counting()], ids=repr)
def test_the_battery_catches_recoders_that_lie(liar):
    with pytest.raises(AssertionError, match=r"\.$"):
        check_recoder(liar, tables=20)


@pytest.mark.parametrize(
    ("cells", "kind", "text", "covered"),
    [
        ("5", "numeric", "[1, 10]", True),
        ("5", "numeric", "[6, 10]", False),
        ("5", "numeric", "5.0", True),
        ("5", "numeric", "*", True),
        ("5", "numeric", None, False),
        (None, "numeric", None, True),
        (None, "numeric", "5", False),
        ("801", "code", "80*", True),
        ("801", "code", "81*", False),
        ("801", "code", "80**", False),
        ("801", "code", "801", True),
        ("red", "nominal", "blue", False),
    ],
)
def test_coverage_is_read_from_the_text(cells, kind, text, covered):
    table = read_table(pl.DataFrame({"q": pl.Series([cells], dtype=pl.String)}), kinds={"q": kind})
    published = pl.Series([text], dtype=pl.String)
    assert (uncovered_rows(table, "q", published) == []) == covered


def test_coverage_by_trees_follows_the_tree():
    tree = Taxonomy.from_json({"*": {"A": {"A1": ["a", "b"], "A2": ["c"]}, "B": ["d"]}})
    table = read_table(pl.DataFrame({"q": ["a", "b", "c", "d"]}))
    for label, inside in {"A1": "ab", "A": "abc", "*": "abcd", "d": "d"}.items():
        rows = uncovered_rows(table, "q", pl.Series([label] * 4), tree)
        assert rows == [i for i, value in enumerate("abcd") if value not in inside]
