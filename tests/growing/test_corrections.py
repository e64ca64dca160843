"""What was published of somebody was wrong: the rules for corrections under the law."""

from __future__ import annotations

import polars as pl
import pytest
from registry import CANARY, asked, check_difference, first, later, people, read, rows_of

from shoal.exceptions import InputError, InvalidParameterError
from shoal.growing import Refounding
from shoal.ledger import Ledger
from shoal.plan import Plan

JANUARY = people(90, 1)
WRONG = JANUARY.filter(id="p00004")["ill"][0]
RIGHT = next(value for value in ("flu", "cold") if value != WRONG)
MENDED = JANUARY.with_columns(
    ill=pl.when(pl.col("id").is_in(["p00004", "p00009"])).then(pl.lit(RIGHT)).otherwise("ill")
)


@pytest.fixture
def named(house):
    path = house / "corrected.txt"
    path.write_text("p00004\n")
    return path


def test_the_crowd_leaves_and_the_right_value_comes_with_a_release_made_anew(house, named):
    first(JANUARY, house / "one")
    counts = later(MENDED, house / "one", house / "two", corrected=named).counts_
    came, left = check_difference(house / "one", house / "two", 3, 2)
    boxes = {box for box, _ in left}
    assert len(boxes) == 1  # the other one who changed stays published as they were
    assert left.total() == counts["left_out"] >= 3
    assert not came
    more = pl.concat([MENDED, people(30, 5, start=300)])
    again = later(more, house / "two", house / "three")  # named once is enough
    assert again.counts_["left_out"] == counts["left_out"]
    assert not {box for box, _ in rows_of(house / "three")[0]} & boxes
    anew = Refounding(asked()).fit(read(more))
    written = anew.release_.write(house / "anew", ledger="refuse")
    assert written.ledger.composition.disclosed == 0  # held against all three deliveries


def test_whoever_is_forgotten_and_delivered_corrected_arrives_anew(house):
    first(JANUARY, house / "one")
    with Ledger.open() as ledger:
        ledger.forget(read(JANUARY), "id", ["p00004"])
    more = pl.concat([MENDED, people(30, 5, start=300)])
    delivery = later(more, house / "one", house / "two")
    assert delivery.counts_["newcomers"] == 31
    came, left = check_difference(house / "one", house / "two", 3, 2)
    assert left.total() == delivery.counts_["left_out"] + 1
    assert came.total() == 31 - delivery.counts_["waiting"]


def test_a_plan_names_the_file(house, named):
    (house / "plan.toml").write_text('[after]\nrelease = "one"\ncorrected = "corrected.txt"\n')
    plan = Plan.read(house / "plan.toml")
    assert plan.later(asked()).corrected == str(named)
    assert 'corrected = "corrected.txt"' in plan.to_toml(house)


def test_whom_nobody_finds_and_whom_nothing_names_is_a_sentence(house, named):
    first(JANUARY, house / "one")
    named.write_text(f"{CANARY}\np00004\n")
    with pytest.raises(InputError, match="1 name of 2 to correct") as told:
        later(MENDED, house / "one", house / "two", corrected=named)
    assert CANARY not in str(told.value) + str(told.value.hint)
    with pytest.raises(InputError, match="cannot be read"):
        later(MENDED, house / "one", house / "two", corrected=house / "nothing.txt")
    others = people(90, 8, start=1000)
    visits = pl.concat([others, others.with_columns(pay=pl.col("pay") + 1)])
    first(visits, house / "visits")
    with pytest.raises(InvalidParameterError, match="each has one row"):
        later(visits, house / "visits", house / "two", corrected=named)
