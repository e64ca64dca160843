"""Ladders built from the data: values whose people are alike stand together."""

import polars as pl

from shoal.hierarchies import build_ladder
from shoal.table import Roles, read_table


def test_a_ladder_is_built_from_the_data():
    frame = pl.DataFrame({"age": [20, 21, 60, 61] * 9, "job": ["a", "b", "c", "d"] * 9})
    table = read_table(frame, roles=Roles(quasi_identifiers=["age", "job"]))
    steps = [line.split(";") for line in build_ladder(table, "job").decode().splitlines()]
    assert [step[1] for step in steps] == ["a | b", "a | b", "c | d", "c | d"]
