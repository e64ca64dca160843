"""Tables that might be, which the second opinion learns from: written as they should be."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
schemas = pytest.importorskip("role_schemas")
TABLES = list(schemas.all_schemas())


def test_they_are_many_and_hold_every_letter():
    columns = [column for _, table in TABLES for column in table]
    letters = Counter(column.letters[0] for column in columns)
    assert len(TABLES) >= 300
    assert all(letters[letter] >= 500 for letter in "IQSH")
    assert {letter for column in columns for letter in column.letters} <= set("IQSH")


def test_no_table_holds_a_column_twice_or_without_a_name():
    for title, table in TABLES:
        names = Counter(column.name for column in table)
        assert names.most_common(1)[0][1] == 1, title
        assert all(names), title


def test_they_are_the_same_in_every_run_and_take_values_of_their_letter():
    pool = schemas.pool_of([("S", "n", ["as a secret"]), ("Q", "n", ["as a fact"])])
    title, table = next(t for t in TABLES if t[0] == "care hospital_admissions")
    assert list(schemas.all_schemas()) == TABLES
    said = schemas.said_of(table, pool, title)
    by_name = {c.name: values for c, (_, _, values) in zip(table, said, strict=True)}
    assert by_name["total_charges"] == ["as a secret"]
    assert np.all([values in ([], ()) for name, values in by_name.items() if name == "sex"])
