"""What strangers' tables taught: long numbers are keys, and answers stay with the people."""

import polars as pl
import pytest

import shoal
from shoal.table import infer_roles, read_table


def roles_of(columns):
    return {n: g.choice for n, g in infer_roles(read_table(pl.DataFrame(columns))).items()}


@pytest.mark.parametrize("name", ["collision_index", "xq"])
def test_long_numbers_of_one_length_are_keys(name):
    numbers = [str(20231310000 + 7 * (i // 4)) for i in range(300)]
    found = roles_of({name: numbers, "age": [20 + i % 50 for i in range(300)]})
    assert found[name] == "identifier"


def test_large_amounts_are_no_keys():
    amounts = [str(10 ** (9 + i % 3) + 12_345 * (i // 4)) for i in range(300)]
    found = roles_of({"xq": amounts, "age": [20 + i % 50 for i in range(300)]})
    assert found["xq"] != "identifier"


def test_where_all_is_answered_alike_nothing_is_generalized_with_care():
    answers = {f"D{j}": [(7 * i + j * i // 5) % 5 + 1 for i in range(60)] for j in range(12)}
    proposal = shoal.propose(pl.DataFrame(answers))
    with_care = [c.name for c in proposal.columns if "with care" in c.role_reason]
    assert with_care == []
