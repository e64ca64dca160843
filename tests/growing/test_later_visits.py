"""Later deliveries of people with several rows, who move, come again, and are forgotten."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from registry import check_difference, first, later, people, read

from shoal.ledger import Ledger

K, L = 3, 2


def month(table, number, rng):
    """Some move, some come again with what they had, others arrive, somebody is forgotten."""
    ids = rng.permutation(table["id"].unique().sort().to_list()).tolist()
    moved = pl.when(pl.col("id").is_in(ids[:15])).then(pl.lit(40 + number)).otherwise("age")
    table = table.with_columns(age=moved)
    with Ledger.open() as ledger:
        ledger.forget(read(table), "id", ids[50:51])
    table = table.filter(pl.col("id") != ids[50])
    again = table.filter(pl.col("id").is_in(ids[20:45])).unique("id", maintain_order=True)
    visits = again.with_columns(pay=pl.lit(1000.0 * number))
    return pl.concat([table, visits, people(30, number, start=1000 * number)])


@pytest.mark.parametrize("seed", [0, 3])
def test_whoever_comes_is_among_k_people_and_no_fact_is_told_twice(house, seed):
    """The attacker knows whose every row is: only crowds hide them, in every difference."""
    rng, base = np.random.default_rng(seed), people(100, seed)
    ills = pl.Series(rng.choice(["flu", "cold", "gout"], 50))
    table = pl.concat([base, base[:50].with_columns(ills.alias("ill"), pay=pl.col("pay") + 100)])
    first(table, house / "r0")
    for number in (1, 2, 3, 4):
        table = month(table, number, rng)
        later(table, house / f"r{number - 1}", house / f"r{number}")
        check_difference(house / f"r{number - 1}", house / f"r{number}", K, L)
        with Ledger.open() as ledger:
            *_, then, now = ledger.traces().values()
        came = ~np.isin(now.rows, then.rows)
        crowds = pl.DataFrame({"crowd": now.groups[came], "who": now.people[came]})
        assert crowds.group_by("crowd").n_unique()["who"].min() >= K
        assert np.unique(now.rest).size == now.rest.size  # a person and what is told of them


def test_nobody_with_several_rows_who_moved_is_published_in_another_crowd(house):
    """Everybody is a year older: each stay would come again, and two crowds leave one value."""
    january = people(90, 1)
    visits = pl.concat([january, january.with_columns(pay=pl.col("pay") + 100)])
    first(visits, house / "one")
    aged = visits.with_columns(pl.col("age") + 1)
    more = pl.concat([aged, people(40, 9, start=800)])
    delivery = later(more, house / "one", house / "two")
    counts = delivery.counts_
    old = visits["age"].is_not_null().sum()
    assert (counts["known"], counts["moved"], counts["newcomers"]) == (180, old, 40)
    came, left = check_difference(house / "one", house / "two", 3, 2)
    assert came.total() == 40 - counts["waiting"]
    assert not left
    again = later(more.with_columns(pl.col("age") + 1), house / "two", house / "three")
    assert again.counts_["newcomers"] == counts["waiting"]
    visit = aged[:30].with_columns(pay=pl.lit(999.0))  # one more stay of people who moved
    third = later(pl.concat([more, visit]), house / "three", house / "four")
    assert third.counts_["newcomers"] == counts["waiting"] + 30
