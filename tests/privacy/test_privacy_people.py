"""Where one person has several rows: k, l and risk count people. All cases worked by hand."""

from __future__ import annotations

import pytest
from small_tables import table_with

from shoal.exceptions import ImpossibleError
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    KMap,
    RecursiveCLDiversity,
    TCloseness,
    measure_privacy,
)
from shoal.risk import measure_risk
from shoal.table import Grouping

# Visits: Ann three times, Bob once in group 0; Cy and Dee once each in group 1.
PEOPLE = ["ann", "ann", "ann", "bob", "cy", "dee"]
VISITS = ["flu", "flu", "gout", "flu", "flu", "gout"]
TABLE = table_with(VISITS, people=PEOPLE, quasi=["x"] * 4 + ["y"] * 2)
GROUPS = Grouping([0, 0, 0, 0, 1, 1])


def test_k_counts_people():
    assert KAnonymity(2).measure(TABLE, GROUPS).tolist() == [2, 2]
    assert KAnonymity(2).judge(TABLE, GROUPS).holds
    assert not KAnonymity(3).judge(TABLE, GROUPS).holds


def test_one_person_with_many_rows_is_one_person():
    table = table_with(["a", "b", "c"], people=["ann"] * 3)
    together = Grouping([0, 0, 0])
    assert KAnonymity(2).measure(table, together).tolist() == [1]
    with pytest.raises(ImpossibleError, match="exceeds the 1 people"):
        KAnonymity(2).check_possible(table)


def test_rows_without_a_person_add_nobody():
    table = table_with(list("abcd"), people=["ann", None, None, None])
    assert KAnonymity(2).measure(table, Grouping([0, 0, 0, 0])).tolist() == [1]
    assert KAnonymity(2).measure(table, Grouping([0, 1, 1, 1])).tolist() == [1, 1]


def test_a_value_counts_once_for_each_person():
    """Group 0: flu twice (Ann, Bob), gout once (Ann). Group 1: flu once, gout once."""
    assert DistinctLDiversity(2, "s").measure(TABLE, GROUPS).tolist() == [2, 2]
    assert EntropyLDiversity(2, "s").measure(TABLE, GROUPS) == pytest.approx([1.8898815748, 2])
    assert RecursiveCLDiversity(3, 2, "s").measure(TABLE, GROUPS).tolist() == [2.0, 1.0]


def test_the_whole_table_is_counted_the_same_way():
    """All people: flu three times (Ann, Bob, Cy), gout twice (Ann, Dee)."""
    # group 0: 2/3 flu against 3/5; group 1: 1/2 against 3/5
    assert TCloseness(1, "s").measure(TABLE, GROUPS) == pytest.approx([1 / 15, 1 / 10])
    # gains: flu 2/3 over 3/5 is 1/9; gout 1/2 over 2/5 is 1/4
    assert BasicBetaLikeness(1, "s").measure(TABLE, GROUPS) == pytest.approx([1 / 9, 1 / 4])


def test_a_share_is_a_share_of_people():
    """In group 0 both people have the flu: whoever is known to be in it has it."""
    assert AlphaK(1, 2, "s").measure(TABLE, GROUPS).tolist() == [1.0, 0.5]
    assert not AlphaK(0.9, 2, "s").judge(TABLE, GROUPS).holds


def test_groupers_tell_people_apart_or_leave_it_to_python():
    constraint = KAnonymity(2).constraint(TABLE)
    assert (constraint.rule, constraint.bound, constraint.n_codes) == ("distinct", 2.0, 4)
    assert constraint.codes.tolist() == TABLE.codes("p").tolist()
    assert DistinctLDiversity(2, "s").constraint(TABLE).rule == "distinct"
    assert EntropyLDiversity(2, "s").constraint(TABLE) is None
    assert AlphaK(0.5, 2, "s").constraint(TABLE) is None
    nameless = table_with(["a", "b"], people=["ann", None])
    assert KAnonymity(2).constraint(nameless).missing == 1


def test_measures_count_people():
    measures = measure_privacy(TABLE)
    assert (measures.rows, measures.people, measures.groups, measures.k) == (6, 4, 2, 2)
    assert measures.prosecutor_max_risk == 0.5
    assert measures.avg_risk_per_record == 0.5
    assert measures.sample_unique_fraction == 0
    assert measures.k_wildcard is None
    assert measures.sensitive["s"].alpha == 1.0


def test_a_person_alone_is_unique_however_many_rows():
    table = table_with(["a"] * 5, people=["ann"] * 3 + ["bob", "cy"], quasi=["x"] * 3 + ["y"] * 2)
    risk = measure_risk(table)
    assert risk.prosecutor_max == 1.0
    assert risk.average == pytest.approx(2 / 3)
    assert risk.sample_unique_fraction == pytest.approx(1 / 3)


def test_a_population_counts_people_too():
    population = table_with(
        ["-"] * 8,
        people=["ann", "ann", "bob", "eve", "cy", "dee", "dee", "fay"],
        quasi=["x"] * 4 + ["y"] * 4,
    )
    assert KMap(3, population).measure(TABLE, GROUPS).tolist() == [3, 3]
    risk = measure_risk(TABLE, population=population)
    assert (risk.k_map, risk.journalist_max) == (3, 1 / 3)
    assert risk.marketer == pytest.approx(1 / 3)


def test_a_person_column_with_one_row_each_changes_nothing():
    values, quasi = ["a", "b", "a", "c"], ["x", "x", "y", "y"]
    rows = measure_privacy(table_with(values, quasi=quasi)).to_dict()
    people = measure_privacy(table_with(values, quasi=quasi, people=list("1234"))).to_dict()
    assert people.pop("people") == 4
    assert rows.pop("k_wildcard") == 2
    assert rows == people
