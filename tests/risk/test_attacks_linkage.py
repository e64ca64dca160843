"""Linkage: an attacker points at a row; on raw rows that must succeed, or the attack is broken."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies import Taxonomy
from shoal.risk import AttackScene, ExactLinkage, NearestLinkage, Relinking
from shoal.risk.attacks import KnownColumns, mean_over_people, wilson
from shoal.table import Roles, read_table
from shoal.testing import check_attack

ROLES = Roles(quasi_identifiers=["age", "job"])
WORK = Taxonomy.from_json({"*": {"State": ["Federal", "Local"], "Own": ["Shop", "Farm"]}})
PEOPLE = pl.DataFrame(
    {
        "age": [20, 22, 24, 40, 42, 47],
        "job": ["Federal", "Local", "Local", "Shop", "Farm", "Farm"],
    }
)
GENERALIZED = pl.DataFrame(
    {"age": ["[20, 24]"] * 3 + ["[40, 47]"] * 3, "job": ["State"] * 3 + ["Own"] * 3}
)
LINKAGES = [ExactLinkage(), NearestLinkage(), Relinking()]


def scene(released: pl.DataFrame, original: pl.DataFrame = PEOPLE, **more) -> AttackScene:
    return AttackScene(
        read_table(released, roles=ROLES),
        read_table(original, roles=ROLES),
        hierarchies={"job": WORK},
        **more,
    )


@pytest.mark.parametrize("attack", LINKAGES, ids=lambda attack: attack.name)
def test_everybody_is_linked_on_the_raw_table_and_one_in_three_in_threes(attack):
    raw = attack.run(scene(PEOPLE))
    assert (raw.rate, raw.people) == (1.0, 6)
    hidden = attack.run(scene(GENERALIZED))
    assert hidden.rate == pytest.approx(1 / 3)
    assert hidden.baseline == pytest.approx(1 / 6)
    assert hidden.interval[0] < 1 / 3 < hidden.interval[1]


@pytest.mark.parametrize("attack", LINKAGES, ids=lambda attack: attack.name)
def test_the_truth_is_used_where_it_is_known(attack):
    """Cells of the original's kind, rows shuffled: only the own row is a right answer."""
    order = np.array([3, 1, 4, 0, 5, 2])  # released row i is original row order[i]
    truth = np.argsort(order)
    assert attack.run(scene(PEOPLE[order], truth=truth)).rate == 1.0
    wrong = np.roll(truth, 1)
    assert attack.run(scene(PEOPLE[order], truth=wrong)).rate == 0.0
    nobody = np.full(6, -1)
    assert attack.run(scene(PEOPLE[order], truth=nobody)).rate == 0.0


def test_moved_values_are_found_by_the_nearest_and_by_cells_left_alone():
    """Push-back: one age moved; the exact attack misses, the others do not."""
    pushed = PEOPLE.with_columns(age=pl.Series([20, 22, 24, 40, 42, 45]))
    outlier = scene(pushed, truth=np.arange(6), targets=np.array([5]))
    assert ExactLinkage().run(outlier).rate == 0.0
    assert NearestLinkage().run(outlier).rate == 1.0
    assert Relinking().run(outlier).rate == 0.5  # two farmers are left
    blind = scene(pushed, targets=np.array([5]))
    assert NearestLinkage().run(blind).rate == 1.0  # nobody is nearer to that row


def test_people_held_out_show_how_often_the_attack_points_at_nobody():
    others = pl.DataFrame({"age": [21, 90], "job": ["Local", "Shop"]})
    found = ExactLinkage().run(scene(GENERALIZED, control=read_table(others, roles=ROLES)))
    assert found.control == pytest.approx((1 / 3 + 0) / 2)
    assert found.risk == pytest.approx((1 / 3 - 1 / 6) / (5 / 6))  # no excuse for being linked


def test_a_label_without_its_tree_says_nothing_and_the_result_says_so():
    alone = AttackScene(
        read_table(GENERALIZED.drop("age"), roles=Roles(quasi_identifiers="job")),
        read_table(PEOPLE, roles=Roles(quasi_identifiers="job")),
    )
    found = ExactLinkage().run(alone)
    assert found.rate == pytest.approx(1 / 6)
    assert "job" in found.note


def test_a_missing_cell_is_a_value_and_a_star_is_anything():
    roles = Roles(quasi_identifiers="zip")
    people = read_table(pl.DataFrame({"zip": ["8010", "8045", "9020", None]}), roles=roles)
    released = read_table(pl.DataFrame({"zip": ["80**", "80**", "*", None]}), roles=roles)
    chances = [
        ExactLinkage().run(AttackScene(released, people, targets=np.array([row]))).rate
        for row in range(4)
    ]
    assert chances == pytest.approx([1 / 3, 1 / 3, 1, 1 / 2])


def test_a_person_with_many_rows_counts_once():
    roles = Roles(quasi_identifiers="age", person="id")
    people = pl.DataFrame({"id": ["a", "a", "a", "b"], "age": [1, 1, 1, 9]})
    released = read_table(people.select("age"), roles=Roles(quasi_identifiers="age"))
    found = ExactLinkage().run(AttackScene(released, read_table(people, roles=roles)))
    assert found.people == 2
    assert found.rate == pytest.approx((1 / 3 + 1) / 2)


@given(st.integers(0, 50), st.integers(1, 50))
def test_an_interval_holds_its_rate(successes, tries):
    successes = min(successes, tries)
    low, high = wilson(successes, tries)
    assert 0 <= low <= successes / tries <= high <= 1
    assert low < high


def test_nobody_attacked_is_no_rate_at_all():
    assert mean_over_people(np.zeros(0)) == (0.0, 0)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 2**32 - 1))
def test_matching_agrees_with_looking_at_every_row(seed):
    """The packed bits against the definition, person by person and row by row."""
    rng = np.random.default_rng(seed)
    n, m = (int(x) for x in rng.integers(1, 12, 2))
    original = pl.DataFrame({"age": rng.integers(0, 9, n), "job": rng.choice(["a", "b"], n)})
    lows = rng.integers(0, 9, m)
    highs = lows + rng.integers(0, 4, m)
    jobs = rng.choice([*original["job"].unique().sort(), "*"], m)
    ages = [f"[{a}, {b}]" if a < b else str(a) for a, b in zip(lows, highs, strict=True)]
    released = pl.DataFrame({"age": ages, "job": jobs})
    attacked = AttackScene(
        read_table(released, roles=ROLES),
        read_table(original, roles=ROLES, kinds={"age": "numeric"}),
    )
    counted = attacked.matching.count(attacked.everybody)
    for row, (age, job) in enumerate(original.rows()):
        slow = sum(
            a <= age <= b and j in (job, "*") for a, b, j in zip(lows, highs, jobs, strict=True)
        )
        assert counted[row] == slow


# Known columns ------------------------------------------------------------------------------------


def contacts(n=200):
    """People in crowds of ten whose phone, time and mail are nobody's quasi-identifier."""
    return pl.DataFrame(
        {
            "age": [f"[{20 + i // 10}, {25 + i // 10}]" for i in range(n)],
            "phone": [f"0664{7_000_000 + 7 * i}" for i in range(n)],
            "seen": [f"2024-03-01 {i // 60:02d}:{i % 60:02d}:07" for i in range(n)],
            "mail": [f"p{min(i, n - 2)}@example.org" for i in range(n)],
            "ward": [f"ward {i % 4}" for i in range(n)],
            "illness": [f"illness {i % 7}" for i in range(n)],
        }
    )


@pytest.mark.parametrize("column", ["phone", "seen", "mail"])
def test_a_column_nobody_declared_finds_people(column):
    roles = Roles(quasi_identifiers="age", sensitive="illness")
    people = contacts()
    released = people.with_columns(age=pl.lit("*"))
    with_it = read_table(released.select("age", column, "ward", "illness"), roles=roles)
    without = read_table(released.select("age", "ward", "illness"), roles=roles)
    original = read_table(people, roles=roles)
    broken, held = check_attack(
        KnownColumns(), AttackScene(with_it, original), AttackScene(without, original)
    )
    assert broken.rate > 0.9
    assert column in broken.note
    assert held.rate == pytest.approx(4 / 200)


def test_two_columns_together_find_whom_neither_finds_alone():
    cells = [divmod(i, 10) for i in range(100)]
    pairs = pl.DataFrame({"a": [str(a) for a, _ in cells], "b": [str(b) for _, b in cells]})
    table = read_table(pairs)
    found = KnownColumns().run(AttackScene(table, table))
    assert found.details == {"a": 0.1, "b": 0.1}
    assert found.rate == 1.0


def test_a_column_as_it_is_finds_people_beside_one_that_was_generalized():
    """Crowds of ten on the age, ten days: neither finds anybody, both find everybody."""
    n = 100
    roles = Roles(quasi_identifiers=["age", "sex"])
    frame = pl.DataFrame(
        {
            "age": [20 + i // 10 for i in range(n)],
            "sex": ["fm"[i % 2] for i in range(n)],
            "day": [f"day {i % 10}" for i in range(n)],
        }
    )
    original = read_table(frame, roles=roles)
    spans = frame.with_columns(
        age=pl.Series([f"[{20 + i // 20 * 2}, {21 + i // 20 * 2}]" for i in range(n)]),
        sex=pl.lit("*"),
    )
    release = read_table(spans, roles=roles)
    found = KnownColumns().run(AttackScene(release, original, original))
    assert found.note == "Known: day and age."
    assert found.rate == pytest.approx(1 / 2)  # two of each day are in a span of twenty
    assert found.control == pytest.approx(1 / 2)
    assert found.details == {"day": 0.1}
    moved = KnownColumns().run(AttackScene(release, original, moved=True))
    assert moved.note == "Known: day."


def test_secrets_and_quasi_identifiers_are_not_what_it_looks_up():
    roles = Roles(quasi_identifiers="age", sensitive="illness")
    table = read_table(contacts().select("age", "illness"), roles=roles)
    assert not KnownColumns().run(AttackScene(table, table)).applies
