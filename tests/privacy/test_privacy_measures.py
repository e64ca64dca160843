"""Measuring and checking tables from anyone's tool."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from privacy_twin import wildcard_matches
from small_tables import HIERARCHY, table_with

from shoal.exceptions import EmptyTableError
from shoal.privacy import (
    KAnonymity,
    ModelResult,
    TCloseness,
    Verdict,
    check,
    group_by_text,
    measure_privacy,
)
from shoal.privacy._distances import ordered_ratios
from shoal.privacy._histograms import Histograms
from shoal.privacy._wildcard import wildcard_k
from shoal.risk import ReidentificationRisk, measure_risk
from shoal.table import Roles, Table, read_table
from shoal.table._cells import Cells

CONTRACT = {
    "rows",
    "groups",
    "k",
    "prosecutor_max_risk",
    "avg_risk_per_record",
    "sample_unique_fraction",
    "sensitive",
}
PER_COLUMN = {
    "distinct_l",
    "entropy_l",
    "recursive_c",
    "t_equal",
    "basic_beta",
    "enhanced_beta",
    "delta_disclosure",
    "delta_disclosure_present",
    "alpha",
}
WITH_POPULATION = {
    "k_map",
    "delta_presence_min",
    "delta_presence_max",
    "journalist_max_risk",
    "marketer_risk",
}


def read(columns, **roles):
    frame = pl.DataFrame(columns)
    return read_table(frame, roles=Roles(**roles))


def test_the_dictionary_keeps_the_contract():
    table = table_with(["1", "2"], kind="numeric")
    content = check(table, population=table, hierarchies={"s": HIERARCHY}).to_dict()
    assert set(content) >= CONTRACT | WITH_POPULATION | {"holds", "models", "warnings"}
    assert set(content["sensitive"]["s"]) >= PER_COLUMN | {"t_ordered", "t_hierarchical"}
    assert content == json.loads(json.dumps(content))


def test_what_is_not_defined_is_left_out():
    content = measure_privacy(table_with(["a", "b"])).to_dict()
    assert not set(content) & WITH_POPULATION
    assert "people" not in content
    found = content["sensitive"]["s"]
    assert not {"t_ordered", "t_hierarchical", "distinct_l_together"} & set(found)


def test_cells_are_compared_as_text():
    for cells in (["1", "1.0", "01"], ["a", "A", "a "], ["caf\u00e9", "cafe\u0301", "cafe"]):
        assert measure_privacy(read({"q": cells}, quasi_identifiers="q")).groups == 3
    assert measure_privacy(read({"q": ["*", "*", None, None]}, quasi_identifiers="q")).groups == 2
    numbers = read({"q": [1.0, 1.0, 2.5]}, quasi_identifiers="q")
    assert group_by_text(numbers).sizes.tolist() == [2, 1]


def test_columns_are_not_glued_together():
    table = read({"a": ["x", "xy"], "b": ["yz", "z"]}, quasi_identifiers=["a", "b"])
    assert measure_privacy(table).groups == 2


@pytest.mark.parametrize("name", ["row", "0", "len", "*", "a b"])
def test_any_column_name_will_do(name):
    table = read({name: ["a", "a", "b"], "other": [1, 2, 3]}, quasi_identifiers=[name])
    assert group_by_text(table).sizes.tolist() == [2, 1]


def test_sensitive_numbers_that_are_equal_are_one_value():
    table = read({"q": ["x", "x"], "s": ["1", "1.0"]}, quasi_identifiers="q", sensitive="s")
    assert measure_privacy(table).sensitive["s"].distinct_l == 1


def test_two_sensitive_columns_alone_and_together():
    """Each shows two values, but whoever knows one knows the other."""
    columns = {"q": ["x"] * 4, "s": ["a", "b", "a", "b"], "u": ["1", "2", "1", "2"]}
    table = read(columns, quasi_identifiers="q", sensitive=["s", "u"])
    found = measure_privacy(table).sensitive
    assert [found[name].distinct_l for name in "su"] == [2, 2]
    assert [found[name].distinct_l_together for name in "su"] == [1, 1]


def test_homogeneous_classes_are_united_over_columns():
    columns = {
        "q": ["x", "x", "y", "y", "z", "z"],
        "s": ["a", "a", "a", "b", "a", "b"],
        "u": ["1", "2", "3", "3", "1", "2"],
    }
    table = read(columns, quasi_identifiers="q", sensitive=["s", "u"])
    measures = measure_privacy(table)
    assert measures.records_in_homogeneous_classes == 4
    assert [measures.sensitive[n].records_in_homogeneous_classes for n in "su"] == [2, 2]


def test_missing_values_are_counted_and_warned_about():
    table = table_with(["a", "b", None])
    measures = measure_privacy(table)
    assert measures.sensitive["s"].missing == 1
    assert measures.sensitive["s"].distinct_l == 2
    assert list(measures.sensitive["s"].recursive_c) == [1, 2, 3]
    assert "1 values of 's' are missing" in measures.warnings[0]


def test_a_long_profile_is_cut_and_says_so():
    table = table_with([str(i) for i in range(60)], kind="numeric")
    measures = measure_privacy(table)
    assert list(measures.sensitive["s"].recursive_c) == list(range(1, 51))
    assert measures.sensitive["s"].recursive_c[50] == pytest.approx(1 / 11)
    assert measures.warnings == ("recursive_c of 's' stops at l = 50 of 60.",)
    exactly = measure_privacy(table_with([str(i) for i in range(50)], kind="numeric"))
    assert exactly.warnings == ()
    assert len(exactly.sensitive["s"].recursive_c) == 50


def test_no_number_is_without_bound_in_json():
    text = check(table_with(["a", "b"], quasi=["x", "y"])).to_json()
    content = json.loads(text)
    assert content["sensitive"]["s"]["delta_disclosure"] == "inf"
    assert content["sensitive"]["s"]["recursive_c"] == {"1": 1.0, "2": "inf"}
    assert "Infinity" not in text


def test_a_verdict_says_what_holds():
    table = table_with(["a", "b", "a"], quasi=["x", "x", "y"])
    verdict = check(table, [KAnonymity(2), TCloseness(0.5, "s")])
    assert not verdict.holds
    assert str(verdict) == (
        "2-anonymity does not hold (smallest group: 1; 1 of 2 groups fail)\n"
        "0.5-closeness of 's' holds (largest distance: 0.333333)"
    )
    first = verdict.to_dict()["models"][0]
    assert first == {
        "model": "2-anonymity",
        "parameter": 2,
        "holds": False,
        "worst": 1,
        "groups": 2,
        "groups_failing": 1,
    }


def test_nothing_asked_holds_and_prints_the_measures():
    verdict = check(table_with(["a", "b"]))
    assert verdict.holds
    assert "smallest group k = 2" in str(verdict)
    assert "s: 2 distinct values or more" in str(verdict)
    assert str(Verdict(())) == ""
    assert Verdict(()).to_dict() == {"holds": True, "models": []}


def test_results_with_fractions_and_infinities_are_plain():
    result = ModelResult("m", (0.5, 2), False, math.inf, "worst", 1, 1, {"low": -math.inf})
    content = result.to_dict()
    assert (content["worst"], content["low"], content["parameter"]) == ("inf", "-inf", [0.5, 2])
    assert str(result) == "m does not hold (worst: inf; low: -inf; 1 of 1 groups fail)"


def test_an_empty_table_is_refused():
    frame = pl.DataFrame(schema={"q": pl.String})
    table = Table(Cells(frame), Roles([], "q"), {"q": "nominal"})
    for measure in (measure_privacy, measure_risk, check):
        with pytest.raises(EmptyTableError):
            measure(table)


def test_no_value_is_shown():
    """A canary in every cell: it must not appear in what is printed or written."""
    canary = "zebra-7391"
    table = table_with([canary, "b", canary, None], quasi=[canary, canary, "y", None])
    verdict = check(table, [KAnonymity(3), TCloseness(0.1, "s")], population=table)
    for text in (str(verdict), verdict.to_json(), repr(verdict), str(verdict.measures)):
        assert canary not in text


def patterns(rows):
    return len({tuple(cell is None for cell in row) for row in rows})


CELLS = st.sampled_from(["x", "y", None])


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=25))
@settings(deadline=None, max_examples=300)
def test_wildcard_k_against_the_twin(rows):
    columns = dict(zip("abc", zip(*rows, strict=True), strict=True))
    frame = pl.DataFrame(columns, schema=dict.fromkeys("abc", pl.String))
    table = Table(Cells(frame), Roles([], list("abc")), dict.fromkeys("abc", "nominal"))
    classes = group_by_text(table)
    assert wildcard_k(table, classes) == min(wildcard_matches(rows))
    assert wildcard_k(table, classes, most=0) == (None if patterns(rows) > 1 else classes.smallest)
    assert measure_privacy(table).k <= min(wildcard_matches(rows))


@pytest.mark.parametrize("seed", range(40))
def test_population_numbers_against_counting(seed):
    draw = random.Random(seed)
    people = [draw.choice("ABCD") for _ in range(30)]
    sample = draw.sample(people, 12)
    release, everybody = table_with(["-"] * 12, quasi=sample), table_with(["-"] * 30, quasi=people)
    measures = measure_privacy(release, population=everybody)
    chances = [sample.count(kind) / people.count(kind) for kind in set(people)]
    behind = [people.count(kind) for kind in set(sample)]
    assert measures.k_map == min(behind)
    assert measures.delta_presence_min == min(chances)
    assert measures.delta_presence_max == max(chances)
    assert measures.journalist_max_risk == 1 / min(behind)
    expected = sum(sample.count(kind) / people.count(kind) for kind in set(sample)) / 12
    assert measures.marketer_risk == pytest.approx(expected)
    risk = measure_risk(release, population=everybody)
    assert risk.prosecutor_max >= risk.journalist_max >= risk.marketer
    assert risk.k_map == measures.k_map


def test_risk_as_text_and_dictionary():
    alone = ReidentificationRisk(0.5, 0.4, 0.0)
    assert str(alone) == "highest risk 0.5, average 0.4"
    assert set(alone.to_dict()) == {"prosecutor_max", "average", "sample_unique_fraction"}


def ordered_by_definition(counts, reference):
    """One group against the table, in Python integers."""
    size, rows, below, table_below, total = sum(counts), sum(reference), 0, 0, 0
    for count, usual in zip(counts, reference, strict=True):
        below, table_below = below + count, table_below + usual
        total += abs(Fraction(below, size) - Fraction(table_below, rows))
    return total / (len(reference) - 1)


def test_ordered_distances_beyond_64_bits_are_exact():
    """One small group, and one so large that its sum needs more than 62 bits."""
    reference = [1] + [2**30] * 199
    small, large = [1] + [0] * 199, [2**23 - 1] + [0] * 198 + [1]
    counted = Histograms(
        starts=np.array([0, 1, 3]),
        codes=np.array([0, 0, 199]),
        counts=np.array([1, 2**23 - 1, 1]),
        totals=np.array([1, 2**23]),
        members=np.array([1, 2**23]),
        n_codes=200,
        missing=-1,
    )
    ratios = ordered_ratios(counted, np.array(reference))
    for group, counts in enumerate([small, large]):
        exact = ordered_by_definition(counts, reference)
        found = Fraction(int(ratios.numerators[group]), int(ratios.denominators[group]))
        assert found == exact
        assert ratios.floats()[group] == float(exact)
