"""Who is alone on all that is published, against a slow count with plain dictionaries."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError
from shoal.risk import TOO_MANY, measure_exposure, measure_singling_out
from shoal.risk._singling import RowOwners, few_people, keys_of
from shoal.table import Roles, read_table

NAMES = ("age", "sex", "ward", "visit", "score", "illness")


def slow_share(frame, names, crowds, persons):
    """Share of people with a row that reads like no other person's."""
    rows = [row for row in range(frame.height) if crowds[row] >= 0]
    readers = defaultdict(set)
    for row in rows:
        read = tuple(frame[name][row] for name in names)
        readers[read, crowds[row]].add(persons[row])
    alone = set().union(*(people for people in readers.values() if len(people) == 1), set())
    return len(alone) / max(1, len({persons[row] for row in rows}))


@st.composite
def tables(draw):
    rows = draw(st.integers(2, 25))
    cells = {
        name: draw(st.lists(st.integers(0, size), min_size=rows, max_size=rows))
        for name, size in zip(NAMES, (3, 1, 2, 20, 3, 2), strict=True)
    }
    several = draw(st.booleans())
    persons = draw(st.lists(st.integers(0, 9), min_size=rows, max_size=rows))
    persons = persons if several else list(range(rows))
    crowds = draw(st.lists(st.integers(-1, 2), min_size=rows, max_size=rows))
    return pl.DataFrame({**cells, "who": persons}), np.array(crowds), several


@given(tables())
def test_everybody_is_counted_as_a_slow_reader_would(drawn):
    frame, crowds, several = drawn
    roles = Roles(
        identifiers=[] if several else "who",
        quasi_identifiers=["age", "sex"],
        sensitive="illness",
        person="who" if several else None,
    )
    found = measure_singling_out(read_table(frame, roles=roles), crowds=crowds)
    persons = frame["who"].to_list()
    plain = ["ward", "visit", "score"]

    def share(names, around=crowds):
        return pytest.approx(slow_share(frame, names, around, persons))

    assert found.share_unique_plain == share(plain)
    assert found.share_unique == share([*plain, "illness"])
    nowhere = np.where(crowds < 0, -1, 0)
    for column in found.columns:
        assert column.with_crowds == share([column.name])
        assert column.alone == share([column.name], nowhere)
    without = {n: slow_share(frame, [m for m in plain if m != n], crowds, persons) for n in plain}
    assert found.freed == pytest.approx(found.share_unique_plain - min(without.values()))
    assert (found.helps_most is None) == (found.freed == 0)
    if found.helps_most is not None:
        assert without[found.helps_most] == pytest.approx(min(without.values()))


@given(tables())
def test_the_sets_are_the_smallest_and_all_of_them(drawn):
    frame, _, several = drawn
    roles = Roles(person="who") if several else Roles(identifiers="who")
    found = measure_singling_out(read_table(frame, roles=roles))
    persons, everywhere = frame["who"].to_list(), np.zeros(frame.height, dtype=int)
    expected = {}
    for size in range(1, 5):
        for names in combinations(sorted(NAMES), size):
            share = slow_share(frame, names, everywhere, persons)
            if share > TOO_MANY and not any(set(small) <= set(names) for small in expected):
                expected[names] = share
    assert found.exhaustive
    assert {tuple(sorted(one.columns)): pytest.approx(one.share) for one in found.sets} == expected


def test_a_large_table_is_sampled_and_its_sets_are_counted_in_all_rows():
    random = np.random.default_rng(3)
    rows = 12_000
    frame = pl.DataFrame(
        {"day": random.integers(0, 300, rows), "hour": random.integers(0, 200, rows)}
        | {f"answer{n}": random.integers(0, 4, rows) for n in range(14)}
    )
    found = measure_singling_out(read_table(frame))
    assert found.singling == ()
    assert found.sets[0].columns == ("day", "hour")
    counts = frame.group_by("day", "hour").len()["len"]
    assert found.sets[0].share == pytest.approx((counts == 1).sum() / rows)
    assert all("hour" in one.columns or "day" in one.columns for one in found.sets)


def test_without_columns_or_rows_nobody_is_alone():
    frame = pl.DataFrame({"age": [1, 1, 2, 2]})
    table = read_table(frame, roles=Roles(quasi_identifiers="age"))
    found = measure_singling_out(table)
    assert (found.share_unique, found.columns, found.sets, found.helps_most) == (0, (), (), None)
    nobody = measure_singling_out(table, crowds=np.full(4, -1))
    assert (nobody.people, nobody.share_unique) == (0, 0)


def test_crowds_must_be_those_of_the_table():
    with pytest.raises(InvalidParameterError, match="3 crowds for 2 rows"):
        measure_singling_out(read_table(pl.DataFrame({"a": [1, 2]})), crowds=np.zeros(3, dtype=int))


@pytest.mark.parametrize("several", [False, True])
def test_the_order_of_rows_plays_no_part_in_whom_a_sample_shows(several):
    random = np.random.default_rng(8)
    rows = 6_000
    frame = pl.DataFrame({f"c{n}": random.integers(0, 9 + n, rows) for n in range(4)})
    frame = frame.with_columns(who=pl.Series(np.arange(rows) // 2 if several else np.arange(rows)))
    roles = Roles(person="who") if several else Roles(identifiers="who")
    drawn = []
    for shuffled in (frame, frame.sample(rows, shuffle=True, seed=1)):
        table = read_table(shuffled, roles=roles)
        keys, people = few_people(keys_of(table, ["c0", "c1", "c2", "c3"]), RowOwners.of(table))
        assert people.count == 2_000
        drawn.append(sorted(zip(*(key.tolist() for key in keys.values()), strict=True)))
    assert drawn[0] == drawn[1]


def test_cells_differ_as_their_reader_sees_them():
    """What is declared to mean missing stands in the release as it stood in the table."""
    frame = pl.DataFrame(
        {
            "age": ["30"] * 8,
            "note": ["NA", "none", "", None, "x", "x", "x", "x"],
            "pay": [0.0, -0.0, float("nan"), None, 1.5, 1.0, 1.0, 1.0],
        }
    )
    table = read_table(frame, roles=Roles(quasi_identifiers="age"), missing=["NA", "none", ""])
    found = measure_singling_out(table, crowds=np.zeros(8, dtype=int))
    assert {column.name: column.alone for column in found.columns} == {"note": 0.25, "pay": 0.125}


def test_columns_that_single_out_only_together_are_all_named():
    draw = np.random.default_rng(3)
    answers = {f"q{i}": draw.integers(0, 4, 600) for i in range(8)}
    frame = pl.DataFrame({"age": draw.integers(20, 60, 600), **answers})
    table = read_table(frame, roles=Roles(quasi_identifiers="age"))
    found = measure_exposure(table, np.arange(600) // 60)
    assert found.unaccepted > 0.9
    assert len(found.open) == 8
    assert "columns nobody accepted, all 8 together with the crowds: 'q0'" in found.warning
