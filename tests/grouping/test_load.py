"""What `auto` takes a table for: rows, and what columns and rules make of them."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal import read_table
from shoal.grouping import Auto
from shoal.grouping._auto import COSTS, COUNTED_FROM, count_unlike, load_of
from shoal.privacy import DistinctLDiversity, KAnonymity, TCloseness
from shoal.recipe import resolve
from shoal.recoding import Generalize
from shoal.table import Roles

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def table(rows: int, values: int = 1_000_000, columns: int = 1):
    random = np.random.default_rng(0)
    names = [f"q{i}" for i in range(columns)]
    frame = pl.DataFrame({name: random.integers(0, values, rows) for name in names})
    ill = pl.Series("ill", np.tile(["flu", "cold"], -(-rows // 2))[:rows])
    return read_table(frame.with_columns(ill), roles=Roles([], names, "ill"))


def choice(of, effort="default", models=(KAnonymity(10),), **recoding):
    recipe = resolve(of, grouping=Auto(effort=effort), recoding=Generalize(**recoding),
                     privacy=models)  # fmt: skip
    return recipe.grouper, recipe.why


def test_costs_are_those_on_file():
    found = json.loads((BENCHMARKS / "results" / "costs.json").read_text())["results"]["costs"]
    assert found == COSTS


def test_a_plain_table_is_as_many_rows_as_it_has():
    plain = table(1_000)
    assert choice(plain)[1] == Auto().chosen(1_000).why
    assert load_of(plain, Generalize().spaces(plain), [KAnonymity(10)]) == (1_000, "")


def test_rules_columns_and_k_make_more_of_rows():
    plain, wide = table(1_000), table(1_000, columns=16)
    spaces = Generalize().spaces(plain)
    assert load_of(plain, spaces, [KAnonymity(20)]).rows == round(1_000 * 2 ** COSTS["k"])
    both = [KAnonymity(10), TCloseness(0.3, "ill")]
    assert load_of(plain, spaces, both) == (round(1_000 * COSTS["t"]), "t")
    limited = Generalize(limits={"q0": 10}).spaces(plain)
    assert load_of(plain, limited, []) == (round(1_000 * COSTS["limits"]), "limits")
    of_columns = load_of(wide, Generalize().spaces(wide), [])
    assert of_columns == (round(1_000 * 2 ** COSTS["columns"]), "16 quasi-identifiers")


def test_what_asks_for_too_much_is_searched_less_and_says_why():
    asked = table(10_000, columns=10), "quick", (KAnonymity(1_000), DistinctLDiversity(2, "ill"))
    grouper, why = choice(*asked)
    assert grouper.order == "common"
    assert why.startswith("takes as long as ")
    assert why.endswith("the default effort loses less")
    assert "(10 quasi-identifiers, k = 1000)" in why
    assert choice(table(10_000), "thorough", asked[2])[0].steps == "thorough"  # who asks gets it


def test_groups_that_must_look_like_the_table_never_begin_at_common_rows():
    k = KAnonymity(1_000)
    grouper, why = choice(table(10_000), "quick", (k, TCloseness(0.3, "ill")))
    assert (grouper.order, grouper.refine) == ("best-first", False)
    assert why.startswith("groups that must look like the whole table are formed sooner")
    assert choice(table(10_000), "quick", (k,))[0].order == "common"


def test_rows_that_are_alike_are_searched_once():
    rows = COUNTED_FROM + 1_000
    alike, unlike = table(rows, values=100), table(rows, values=10**9)
    assert choice(unlike, "quick")[0].order == "common"
    grouper, why = choice(alike, "quick")
    assert grouper.order == "best-first"
    assert "rows that are alike" in why


@pytest.mark.parametrize("seed", range(5))
def test_rows_that_differ_are_counted(seed):
    codes = np.random.default_rng(seed).integers(0, 4, (200, 3)).astype(np.int32)
    assert count_unlike(codes) == len({*map(tuple, codes.tolist())})
    assert count_unlike(codes[:0]) == 0
