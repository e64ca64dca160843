"""Attackers who join rows: both find everybody where nothing hides them, and nobody joins alone."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.risk import AttackScene, run_attacks
from shoal.risk._row_tokens import RowTokens
from shoal.table import Roles, read_table

KNOWN = Roles(quasi_identifiers="cell", person="who")


def scene(people, cells, beside=None):
    frames = [pl.DataFrame({"who": list(map(str, people)), "cell": list(map(str, cells))})]
    table = read_table(frames[0], roles=KNOWN)
    other = None if beside is None else scene(*beside).released
    return AttackScene(table, table, beside=other)


def result(name, *told, **more):
    return run_attacks(scene(*told, **more), [name]).results[0]


def test_known_rows_find_everybody_whose_rows_nobody_shares():
    """Positive control: rows in crowds of two, that no two people have in common twice."""
    people = [0, 0, 1, 1, 2, 2]
    cells = ["a", "b", "b", "c", "c", "a"]
    found = result("known_rows", people, cells)
    assert found.details["m1"] == found.control == 0.5
    assert found.details["m2"] == found.rate == 1.0
    assert found.risk == 1.0


def test_known_rows_find_nobody_among_people_with_the_same_rows():
    found = result("known_rows", [0, 0, 1, 1, 2, 2], ["a", "b"] * 3)
    assert found.rate == found.control == 1 / 3
    assert found.risk == 0
    assert "Nobody has more than one row" in result("known_rows", [0, 1], ["a", "a"]).note


def test_how_many_rows_a_person_has_is_known_too():
    found = result("known_rows", [0, 0, 0, 1, 1, 2], ["a"] * 6)
    assert found.details["m1"] == 1 / 3  # everybody has a row there
    assert found.details["m2"] == (1 / 2 + 1 / 2 + 1 / 3) / 3
    assert found.details["m3"] == (1 + 1 / 2 + 1 / 3) / 3


def test_pseudonyms_of_two_releases_find_who_shares_no_pair_of_crowds():
    people = [0, 1, 2, 3]
    found = result("pseudonym_linkage", people, list("aabb"), beside=(people, list("xyxy")))
    assert found.rate == 1.0
    assert found.control == 0.5
    same = result("pseudonym_linkage", people, list("aabb"), beside=(people, list("xxyy")))
    assert same.rate == same.control == 0.5
    grown = result(
        "pseudonym_linkage", [*people, 8, 9], list("aabbaa"), beside=(people, list("aabb"))
    )
    assert grown.rate == grown.control == (4 / 2 + 2 / 4) / 6  # the earlier crowds
    assert grown.details["newcomers"] == 1 / 2  # those of a crowd whom the other one lacks
    other = result("pseudonym_linkage", people, list("aabb"), beside=([7, 8, 9, 6], list("xyxy")))
    assert other.rate == other.control == 0.5
    assert "share no pseudonym" in other.note


def test_without_pseudonyms_there_is_nothing_to_join():
    table = read_table(pl.DataFrame({"cell": ["a"]}), roles=Roles(quasi_identifiers="cell"))
    report = run_attacks(AttackScene(table, table), ["known_rows", "pseudonym_linkage"])
    assert [found.applies for found in report.results] == [False, False]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=25))
def test_tokens_agree_with_a_slow_twin(rows):
    people = np.unique([who for who, _ in rows], return_inverse=True)[1]
    cells = np.array([cell for _, cell in rows])
    made = RowTokens.of(people, cells)
    own = {p: sorted(cells[people == p].tolist()) for p in range(made.n_people)}
    for person, held in own.items():
        mine = made.tokens[made.starts[person] : made.starts[person + 1]]
        assert mine.size == len(held)
        sharing = {
            other
            for other, theirs in own.items()
            if all(theirs.count(cell) >= held.count(cell) for cell in set(held))
        }
        assert set(made.sharing(mine).tolist()) == sharing
