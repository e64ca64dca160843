"""Columns that tell a generalized one: those that do, those that only seem to, and a slow twin."""

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.risk import find_twins
from shoal.table import Roles, read_table

ROWS = 600


def crowds_of(values, k=10):
    """Put rows that are near each other into crowds of k."""
    order = np.argsort(values, kind="stable")
    crowds = np.empty(len(values), dtype=int)
    crowds[order] = np.arange(len(values)) // k
    return crowds


def twins_of(frame, told, crowds):
    table = read_table(frame, roles=Roles(quasi_identifiers=told))
    return {(twin.telling, twin.told): twin.share for twin in find_twins(table, crowds)}


def test_ethnicity_is_told_by_the_question_it_was_made_from():
    random = np.random.default_rng(1)
    question = random.choice(
        ["White", "Black", "Asian", "Other", "Mixed"], ROWS, p=[0.5, 0.2, 0.1, 0.1, 0.1]
    )
    frame = pl.DataFrame(
        {
            "ethnicity": ["Other" if q in ("Mixed", "Other", "Asian") else q for q in question],
            "q28": question,
            "q29": random.integers(1, 6, ROWS),
            "weight": random.random(ROWS).round(6),
        }
    )
    twins = twins_of(frame, "ethnicity", random.permutation(ROWS) // 10)
    assert twins == {("q28", "ethnicity"): 1.0}
    assert twins_of(frame, "ethnicity", None) == {("q28", "ethnicity"): 1.0}


def test_a_term_of_congress_tells_the_year():
    random = np.random.default_rng(2)
    year = random.integers(1935, 2020, ROWS)
    frame = pl.DataFrame(
        {"year": year, "congress": (year - 1789) // 2 + 1, "votes": random.integers(0, 900, ROWS)}
    )
    twins = twins_of(frame, "year", crowds_of(random.permutation(ROWS), 50))
    assert twins == {("congress", "year"): pytest.approx(1.0, abs=0.02)}
    assert set(twins_of(frame, "year", None)) == {("congress", "year")}


def test_birth_dates_tell_ages_and_zips_tell_counties_though_hardly_two_are_alike():
    random = np.random.default_rng(3)
    days = random.integers(0, 20_000, ROWS)
    zips = random.integers(10_000, 20_000, ROWS)
    frame = pl.DataFrame(
        {
            "age": (20_000 - days) // 365,
            "county": [f"county {z // 1000}" for z in zips],
            "born": (np.datetime64("1950-01-01") + days).astype("datetime64[D]"),
            "zip": zips.astype(str),
            "income": random.integers(0, 1_000_000, ROWS),
        }
    )
    by_chance = random.permutation(ROWS) // 10
    assert set(twins_of(frame, "age", by_chance)) == {("born", "age")}
    assert set(twins_of(frame, "county", by_chance)) == {("zip", "county")}


def test_a_key_singles_out_but_is_no_twin():
    random = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "sex": random.choice(["f", "m"], ROWS),
            "age": random.integers(18, 90, ROWS),
            "key": random.permutation(ROWS),
            "pair": random.permutation(ROWS) // 2,
            "name": [f"{letter}{n}" for n, letter in enumerate(random.choice([*"abcdefgh"], ROWS))],
        }
    )
    for told in ("sex", "age"):
        assert twins_of(frame, told, random.permutation(ROWS) // 10) == {}
        assert twins_of(frame, told, None) == {}


def test_a_value_nearly_everybody_has_is_told_by_nothing():
    random = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "country": random.choice(["AT", "DE"], ROWS, p=[0.97, 0.03]),
            "ward": random.integers(0, 30, ROWS),
        }
    )
    assert twins_of(frame, "country", random.permutation(ROWS) // 10) == {}
    assert twins_of(frame, "country", None) == {}


def test_what_no_crowd_hides_needs_no_telling():
    frame = pl.DataFrame({"sex": ["f", "m"] * 50, "title": ["Mrs", "Mr"] * 50})
    assert twins_of(frame, "sex", np.tile([0, 1], 50)) == {}
    assert twins_of(frame, "sex", np.full(100, -1)) == {}


@given(
    st.lists(st.integers(0, 2), min_size=40, max_size=40),
    st.lists(st.integers(0, 3), min_size=40, max_size=40),
    st.booleans(),
)
def test_shares_are_those_of_a_slow_reader(told, noise, tells):
    """Words have no order, so that only exact telling counts."""
    telling = [t if tells or n else n for t, n in zip(told, noise, strict=True)]
    frame = pl.DataFrame({"told": [f"t{t}" for t in told], "telling": [f"x{t}" for t in telling]})
    crowds = np.arange(40) // 10
    found = twins_of(frame, "told", crowds).get(("telling", "told"))
    slow = slow_share(told, telling, crowds)
    assert found is None or found == pytest.approx(slow)
    if tells and len(set(told)) > 1 and min(Counter(telling).values()) >= 15:
        assert found == pytest.approx(slow)


def slow_share(told, telling, crowds):
    seen = defaultdict(list)
    for value, crowd in zip(told, crowds, strict=True):
        seen[crowd].append(value)
    hidden = [row for row, crowd in enumerate(crowds) if len(set(seen[crowd])) > 1]
    counts = Counter(telling[row] for row in hidden)
    if any(count < 5 for count in counts.values()):  # judged with their neighbours
        rare = [v for v in counts if counts[v] < 5]
        group = {v: v for v in counts} | {
            v: ("rare", sum(counts[w] for w in rare if w < v) // 5) for v in rare
        }
    else:
        group = {v: v for v in counts}
    beside = defaultdict(list)
    for row in hidden:
        beside[group[telling[row]]].append(told[row])
    common = Counter(told[row] for row in hidden)
    right = wrong = unsure = 0
    for row in hidden:
        top, count = min(
            Counter(beside[group[telling[row]]]).items(), key=lambda it: (-it[1], it[0])
        )
        luck = (common[top] / len(hidden)) ** count
        if count < 0.95 * len(beside[group[telling[row]]]) or luck > 0.01:
            continue
        guess = min(Counter(seen[crowds[row]]).items(), key=lambda it: (-it[1], it[0]))[0]
        right += told[row] == top
        wrong += told[row] != top
        unsure += told[row] != guess
    return right / max(1, len(hidden)) if wrong <= unsure / 2 else 0.0


def test_the_order_of_rows_plays_no_part():
    rng = np.random.default_rng(3)
    county = rng.integers(0, 12, 4_000)
    town = np.where(rng.random(4_000) < 0.9, county * 3, rng.integers(0, 36, 4_000))
    crowds = county // 4
    frame = pl.DataFrame({"county": county.astype(str), "town": town.astype(str)})
    roles = Roles(quasi_identifiers="county")
    first = find_twins(read_table(frame, roles=roles), crowds)
    mixed = rng.permutation(4_000)
    assert first
    assert find_twins(read_table(frame[mixed], roles=roles), crowds[mixed]) == first


def test_a_handful_of_rows_told_by_chance_is_no_twin():
    """Ten of two thousand rows are hidden, and forty answers are tried on them."""
    random = np.random.default_rng(4)
    n = 2_000
    crowds = np.arange(n) // 10
    level = np.where(crowds == 0, np.arange(n) % 2, crowds % 5)
    answers = {f"a{i}": random.integers(0, 6, n) for i in range(40)}
    table = read_table(
        pl.DataFrame({"level": level, **answers}), roles=Roles(quasi_identifiers="level")
    )
    assert find_twins(table, crowds) == ()
    again = table.frame.with_columns(same=pl.col("level"))
    twin = read_table(again, roles=Roles(quasi_identifiers="level"))
    assert [(t.telling, t.share) for t in find_twins(twin, crowds)] == [("same", 1.0)]


def test_people_who_are_told_are_counted_once_however_many_rows_they_have():
    frame = pl.DataFrame(
        {"who": [0] * 30 + [*range(1, 11)], "county": ["A", "B"] * 20, "town": ["a", "b"] * 20}
    )
    for person, people in ((None, 40), ("who", 11)):
        table = read_table(frame, roles=Roles(quasi_identifiers="county", person=person))
        (found,) = find_twins(table, np.repeat([0, 1], 20), columns=["town"])
        assert (found.share, found.people) == (1.0, people)
