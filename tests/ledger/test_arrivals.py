"""Arrivals: the difference of two releases is whoever came, so they come in crowds."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.ledger import Trace, compose, trace_release
from shoal.table import Grouping, Roles, read_table

KEY = b"k" * 32
K = 5


def town(n):
    frame = pl.DataFrame(
        {
            "id": [f"p{i:03}" for i in range(n)],
            "age": np.arange(n) % 70,
            "ill": np.array(["flu", "gout", "cold"])[np.arange(n) % 3],
        }
    )
    return read_table(frame, roles=Roles(quasi_identifiers="age", sensitive="ill", person="id"))


def traced(labels):
    return trace_release(town(len(labels)), Grouping(np.array(labels)), KEY, k=K)


BEFORE = [i // 5 for i in range(30)]


@pytest.mark.parametrize("came", [1, 4])
def test_fewer_than_k_who_come_to_a_crowd_are_refused(came):
    many = [*BEFORE, *[6 + i // 5 for i in range(20)], *[0] * came]  # enough in all, few in one
    found = compose(traced(many), [traced(BEFORE)])
    assert found.exposed == came
    assert "joined" in found.reason
    assert not found.holds


def test_k_who_come_to_a_crowd_or_found_one_are_let_through():
    for crowd in (0, 6):
        found = compose(traced([*BEFORE, *[crowd] * K]), [traced(BEFORE)])
        assert (found.changed, found.needed, found.exposed) == (K, K, 0)
        assert found.holds


def test_k_who_come_are_too_few_where_crowds_are_made_anew():
    anew = [i // 5 for i in range(35)][::-1]
    mixed = [anew[i] for i in np.random.default_rng(3).permutation(35)]
    found = compose(traced(mixed), [traced(BEFORE)])
    assert (found.changed, found.needed) == (5, 20)
    assert not found.holds


def test_whole_crowds_may_leave_while_others_come():
    labels = np.array([*BEFORE, *[6] * K])
    everybody = town(35)
    table = everybody.take(labels != 2)
    packed = np.unique(labels[labels != 2], return_inverse=True)[1]
    found = compose(trace_release(table, Grouping(packed), KEY, k=K), [traced(BEFORE)])
    assert (found.changed, found.needed) == (K, K)
    assert found.holds


def visits(rows, labels, older=0):
    """A release of (person, which visit) in crowds."""
    frame = pl.DataFrame(
        {
            "id": [f"p{i:03}" for i, _ in rows],
            "age": [i % 70 + older for i, _ in rows],
            "day": [day for _, day in rows],
            "ill": [["flu", "gout", "cold"][(i + day) % 3] for i, day in rows],
        }
    )
    roles = Roles(quasi_identifiers="age", sensitive="ill", person="id")
    return trace_release(read_table(frame, roles=roles), Grouping(np.array(labels)), KEY, k=K)


ONE_EACH = [(i, 0) for i in range(30)]


def test_one_person_with_twenty_rows_who_leaves_is_one_person():
    often = [(30, day) for day in range(20)]
    before = visits([*ONE_EACH, *often], [*BEFORE, *[5] * 20])
    found = compose(visits(ONE_EACH, BEFORE), [before])
    assert (found.changed, found.exposed) == (1, 1)
    assert not found.holds


def test_one_person_with_many_rows_who_comes_to_a_crowd_is_one_person():
    others = [(i, 0) for i in range(40, 60)]  # enough in all
    often = [(30, day) for day in range(K)]
    labels = [*BEFORE, *[6 + i // 5 for i in range(20)], *[0] * K]
    found = compose(visits([*ONE_EACH, *others, *often], labels), [visits(ONE_EACH, BEFORE)])
    assert (found.changed, found.exposed) == (21, 1)
    assert not found.holds


def test_another_visit_of_k_people_may_join_their_crowd_and_one_of_fewer_may_not():
    for n, holds in ((K, True), (K - 1, False)):
        again = [(i, 1) for i in range(n)]
        new = visits([*ONE_EACH, *again], [*BEFORE, *[0] * n])
        found = compose(new, [visits(ONE_EACH, BEFORE)])
        assert found.holds == holds
        assert found.exposed == (0 if holds else n)


def test_people_with_several_rows_are_known_again_when_they_are_older():
    stays = [(i, day) for i in range(30) for day in (0, 3)]
    before = visits(stays, [i // 5 for i, _ in stays])  # all three values in each crowd
    mixed = visits(stays, [i % 6 for i, _ in stays], older=1)
    found = compose(mixed, [before])
    assert (found.compared, found.people) == (1, 30)
    alone = visits(stays, [i % 3 for i, _ in stays], older=1)  # one value in each
    assert compose(alone, [before]).disclosed == 30
    forgotten = before.without(before.people[:2], before.rows[:0])
    assert compose(mixed, [forgotten]).people == 29
    kept = Trace.from_bytes(before.to_bytes())
    assert compose(mixed, [kept]).people == 30
