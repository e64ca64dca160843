"""No golden value is left out, and none is met only roughly."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from test_privacy_golden import (
    BY_ID,
    MEASURED,
    OUT_OF_SCOPE,
    PER_COLUMN,
    TOP,
    WITH_SENSITIVE,
    hierarchies_of,
    number,
    table_of,
)

import shoal
from shoal.privacy import DistinctLDiversity, KAnonymity, TCloseness, group_by_text, measure_privacy
from shoal.privacy._wildcard import wildcard_matches
from shoal.risk import measure_risk
from shoal.spark._rows import FragmentRows
from shoal.table import Grouping, Roles, read_table

UNIFORM = "t_hierarchical_per_class_if_table_distribution_were_uniform_over_the_6_distinct_diseases"
#: What is tried where; whatever a case expects must be among these.
HERE = {
    *("class_sizes", "wildcard_frequencies", "highest_risk_wildcard", "average_risk_wildcard"),
    *("k_excluding_suppressed", "distinct_l_excluding_suppressed", "suppressed_rows", UNIFORM),
    *("n_classes_nfc", "n_classes_nfkc_strip_casefold", "global_min_exposed_tight"),
    *("global_max_exposed_tight", "exact_value_multiset_per_cluster_preserved", "cluster_size"),
    *("input_rows", "values_that_are_real_people_values", "property"),
}
GOLDEN_TESTS = {
    *("recursive_c_infimum_by_l", "enhanced_beta_satisfiable", "t_ordered_per_class", "k_map"),
    *("t_hierarchical_per_class", "population_table", "population_generalized", "prosecutor_max"),
    *("delta_presence_min", "delta_presence_max", "journalist_max", "marketer_known_population"),
    *("marketer_population_release", "k_each", "distinct_l_each", "second_release", "request"),
}
ELSEWHERE = {  # tests/risk, tests/release, tests/grouping, tests/cli
    *("published_rule", "naive_posterior_q1_HIV", "posterior_q1_HIV_with_algorithm_knowledge"),
    *("input_ages", "endpoint_hit_rate_tight", "grid_20_intervals", "endpoint_hit_rate_grid"),
    *("population_uniqueness_pitman", "target", "candidates_first", "candidates_second"),
    *("intersection", "expected_behaviour"),
}


def test_nothing_that_is_expected_is_left_out():
    tried = [case for case in BY_ID.values() if case["id"] not in OUT_OF_SCOPE]
    expected = {name for case in tried for name in case["expected"]}
    assert expected == {*TOP, *PER_COLUMN, *HERE, *GOLDEN_TESTS, *ELSEWHERE}


@pytest.mark.parametrize("name", MEASURED)
def test_classes_and_their_sizes(name):
    sizes = group_by_text(table_of(BY_ID[name])).sizes
    assert sorted(sizes.tolist()) == BY_ID[name]["expected"]["class_sizes"]


@pytest.mark.parametrize("name", MEASURED)
def test_fractions_are_exact(name):
    """To the last bit that a float can hold, not to nine digits."""
    case = BY_ID[name]
    measures = measure_privacy(table_of(case), hierarchies=hierarchies_of(case))
    found = {golden: getattr(measures, ours) for golden, ours in TOP.items()}
    if name in WITH_SENSITIVE:
        column = measures.sensitive[case["roles"]["sensitive"][0]]
        found |= {golden: getattr(column, ours) for golden, ours in PER_COLUMN.items()}
        bounds = case["expected"]["recursive_c_infimum_by_l"]
        _compare({str(l): bound for l, bound in column.recursive_c.items()}, bounds)
    _compare(found, case["expected"])
    risk = measure_risk(table_of(case))
    assert risk.prosecutor_max == number(case["expected"]["prosecutor_max_risk"])


def _compare(found, expected):
    for name, value in found.items():
        exact = expected.get(name)
        if isinstance(exact, dict):
            assert Fraction(value).limit_denominator(10_000) == Fraction(exact["exact"]), name
            assert math.isclose(value, exact["float"], rel_tol=4e-16), name


@pytest.mark.parametrize("name", ["G07", "G08"])
def test_missing_cells_as_wildcards(name):
    expected = BY_ID[name]["expected"]
    table = table_of(BY_ID[name])
    classes = group_by_text(table)
    matches = wildcard_matches(table, classes)[classes.labels]
    assert matches.tolist() == expected["wildcard_frequencies"]
    assert 1 / matches.min() == expected["highest_risk_wildcard"]["float"]
    average = sum(Fraction(1, int(n)) for n in matches) / matches.size
    assert average == Fraction(expected["average_risk_wildcard"]["exact"])


def test_suppressed_rows_left_out_of_the_count():
    expected = BY_ID["G12"]["expected"]
    table = table_of(BY_ID["G12"])
    labels = [{"A": 0, "B": 1}.get(text, -1) for text in table.text("zip").to_list()]
    assert labels.count(-1) == expected["suppressed_rows"]
    kept = Grouping(labels)
    smallest = min(KAnonymity(2).measure(table, kept).tolist())
    assert smallest == expected["k_excluding_suppressed"]
    distinct = min(DistinctLDiversity(2, "s").measure(table, kept).tolist())
    assert distinct == expected["distinct_l_excluding_suppressed"]


def test_hierarchical_distance_from_a_table_where_all_diseases_are_as_common():
    case = BY_ID["G04b"]
    table = table_of(case)
    part = FragmentRows(  # rows of a larger table, in which each disease is as common
        {"disease": table.column("disease")},
        hashes=table.row_hash(),
        references={"disease": np.ones(6, dtype=np.int64)},
    )
    model = TCloseness(1, "disease", "hierarchical", hierarchies_of(case)["disease"])
    found = model.measure(part, group_by_text(table)).tolist()
    assert found == pytest.approx([number(each) for each in case["expected"][UNIFORM]], abs=1e-15)


def test_texts_that_only_look_alike():
    expected = BY_ID["G19"]["expected"]
    city = table_of(BY_ID["G19"]).frame["city"]
    composed = city.str.normalize("NFC")
    folded = city.str.normalize("NFKC").str.strip_chars().str.to_lowercase()
    for texts, name in ((composed, "n_classes_nfc"), (folded, "n_classes_nfkc_strip_casefold")):
        table = read_table(pl.DataFrame({"city": texts}), roles=Roles([], ["city"]))
        assert measure_privacy(table).groups == expected[name]


def test_shuffled_values_are_real_and_the_size_of_a_cluster_is_not_k():
    case = BY_ID["G21"]
    rows, before = case["table"]["rows"], case["expected"]["input_rows"]
    size = case["expected"]["cluster_size"]
    for begin in range(0, len(rows), size):
        for column in (0, 1):
            released, original = (
                Counter(row[column] for row in table[begin : begin + size])
                for table in (rows, before)
            )
            assert released == original
    assert measure_privacy(table_of(case)).k == 1 < size


def test_tight_intervals_show_the_youngest_and_the_oldest():
    case = BY_ID["G22"]
    ends = [int(end) for (text,) in case["table"]["rows"] for end in text.strip("[]").split("-")]
    expected, ages = case["expected"], case["expected"]["input_ages"]
    assert min(ends) == min(ages) == expected["global_min_exposed_tight"]
    assert max(ends) == max(ages) == expected["global_max_exposed_tight"]


def test_a_quasi_identifier_of_weight_0_still_counts():
    case = BY_ID["G26"]
    asked = case["expected"]["request"]
    names = case["roles"]["quasi_identifiers"]
    frame = pl.DataFrame(case["table"]["rows"], schema=case["table"]["columns"], orient="row")
    release = shoal.anonymize(frame, quasi_identifiers=names, **asked)
    assert release.data.group_by(names).len()["len"].min() >= asked["k"]
    raw = release.data.with_columns(zip=frame["zip"], age=pl.lit("[1, 2]"))
    half = raw.with_columns(age=frame["age"].cast(str))  # zip as it was, grouped by age alone
    for published, k in ((raw, 2), (half, 1)):
        table = read_table(published, roles=Roles([], names))
        assert measure_privacy(table).k == k
        assert KAnonymity(asked["k"]).judge(table, group_by_text(table)).holds == (k == 2)
