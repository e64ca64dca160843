"""Who is alone in a table, against a slow count."""

from collections import Counter

import polars as pl

from shoal.datasets import people
from shoal.risk import measure_uniqueness
from shoal.table import Roles, read_table


def test_who_is_alone_is_counted_like_a_slow_reader_would():
    frame = people(400).frame.select("age", "sex", "zip", "diagnosis")
    names = ["age", "sex", "zip"]
    found = measure_uniqueness(read_table(frame, roles=Roles(quasi_identifiers=names)))

    def alone(columns):
        counts = Counter(frame.select(columns).rows())
        return sum(count == 1 for count in counts.values())

    assert found.alone == alone(names) > 0
    assert found.freed == {
        name: found.alone - alone([other for other in names if other != name]) for name in names
    }
    assert sum(found.sizes.values()) == 400
    assert found.sizes["1"] == found.alone


def test_without_quasi_identifiers_everybody_is_in_one_crowd():
    found = measure_uniqueness(read_table(pl.DataFrame({"age": [1, 2] * 6})))
    assert (found.alone, found.freed, found.sizes["10+"]) == (0, {}, 12)
