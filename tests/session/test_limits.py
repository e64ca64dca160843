"""Which rows can hide under limits: the fast answer against looking at every window."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import ImpossibleError
from shoal.grouping import Problem
from shoal.hierarchies import Mask
from shoal.privacy import KAnonymity
from shoal.session._limits import _can_hide, refuse_impossible
from shoal.spaces import build_spaces
from shoal.table import Roles, read_table


def made(ages, codes):
    frame = pl.DataFrame({"age": ages, "zip": codes})
    return read_table(frame, roles=Roles(quasi_identifiers=["age", "zip"]), kinds={"zip": "code"})


def slow_can_hide(table, width, level, k):
    """Every window of ages that starts at somebody, every prefix of codes, every row."""
    ages = np.array(table.frame["age"].to_list(), dtype=float)
    kept = [code[: len(code) - level] for code in table.frame["zip"].to_list()]
    hidden = []
    for age, prefix in zip(ages, kept, strict=True):
        same = np.array([other == prefix for other in kept])
        windows = [same & (ages >= low) & (ages <= low + width) for low in ages[same]]
        hidden.append(any(w.sum() >= k for w in windows if age in ages[w]))
    return hidden


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.sampled_from(["8010", "8011", "8020", "1190"])),
        min_size=1,
        max_size=14,
    ),
    st.integers(0, 6),
    st.integers(0, 3),
    st.integers(1, 4),
)
def test_rows_that_can_hide(rows, width, level, k):
    table = made([age for age, _ in rows], [code for _, code in rows])
    spaces = build_spaces(table, limits={"age": width, "zip": level}, hierarchies={"zip": Mask()})
    limited = [space for space in spaces.spaces if space.reach() is not None]
    if len(limited) == 2 and limited[1].reach() is not None:
        assert _can_hide(limited, k).tolist() == slow_can_hide(table, width, level, k)


def problem(k, limits, suppression=0.0):
    table = made([20] * 5 + [60] * 2, ["8010"] * 7)
    spaces = build_spaces(table, limits=limits)
    return Problem(table, spaces, (KAnonymity(k),), suppression)


def test_the_reason_names_columns_rows_and_k():
    with pytest.raises(ImpossibleError) as caught:
        refuse_impossible(problem(3, {"age": 10}))
    assert str(caught.value) == (
        "2 rows share what may be published of 'age' with fewer than 3 rows, "
        "and at most 0 may be left out."
    )
    assert "60" not in str(caught.value)


def test_what_may_be_left_out_is_no_obstacle():
    refuse_impossible(problem(3, {"age": 10}, suppression=0.3))
    refuse_impossible(problem(2, {"age": 10}))
    refuse_impossible(problem(3, {"age": 40}))
    refuse_impossible(problem(3, {}))
