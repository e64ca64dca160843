"""Metric spaces: every distance is one, remapping is monotone, and radii are in known units."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.hierarchies import Taxonomy
from shoal.spaces.metrics import (
    CoOccurrence,
    Custom,
    Difference,
    EditDistance,
    Equality,
    Height,
    Path,
    SharedPrefix,
    build_metrics,
    default_metric,
    remap,
)
from shoal.table import Roles, read_table
from shoal.testing import check_metric, random_table

ORDERED = ("numeric", "date", "ordinal")


@pytest.mark.parametrize("seed", range(12))
def test_every_default_metric_passes_the_battery(seed):
    table = random_table(np.random.default_rng(seed), n_rows=40, n_quasi=5)
    for name in table.roles.quasi_identifiers:
        check_metric(default_metric(table.column(name)), table, name)


@pytest.mark.parametrize("metric", [CoOccurrence(), EditDistance(), Equality()], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_metrics_of_names_pass_the_battery_on_any_kind(metric, seed):
    table = random_table(np.random.default_rng(seed), n_rows=40, n_quasi=5)
    for name in table.roles.quasi_identifiers:
        check_metric(metric, table, name)


def names_table(values, kind="nominal"):
    return read_table(pl.DataFrame({"q": values}), roles=Roles([], "q"), kinds={"q": kind})


TREE = Taxonomy.from_json({"*": {"A": {"A1": ["a", "b"], "A2": ["c"]}, "B": ["d"]}})


@pytest.mark.parametrize("metric", [Height(TREE), Path(TREE)], ids=["height", "path"])
def test_tree_metrics_pass_the_battery(metric):
    check_metric(metric, names_table(["a", "b", "c", "d", None]), "q")


def between(metric, table, first, second):
    measured = metric.measure(table.column("q"), table)
    labels = table.column("q").labels
    code = {labels[c]: i for i, c in enumerate(measured.column_codes.tolist()) if c < len(labels)}
    return float(measured.between(np.array([code[first]]), np.array([code[second]]))[0])


@pytest.mark.parametrize(
    ("metric", "first", "second", "distance"),
    [
        (Height(TREE), "a", "b", 1),
        (Height(TREE), "a", "c", 2),
        (Height(TREE), "a", "d", 3),
        (Path(TREE), "a", "b", 2),
        (Path(TREE), "a", "c", 4),
        (Path(TREE), "a", "d", 5),  # three steps up, two down: d is less deep
        (Equality(), "a", "d", 1),
        (EditDistance(), "a", "d", 1),
        (Custom(lambda x, y: abs(ord(x) - ord(y))), "a", "d", 3),
    ],
)
def test_distances_by_hand(metric, first, second, distance):
    assert between(metric, names_table(list("abcd")), first, second) == pytest.approx(distance)


def test_codes_differ_by_what_follows_their_shared_prefix():
    table = names_table(["13053", "13068", "14853"], "code")
    assert between(SharedPrefix(), table, "13053", "13068") == 2
    assert between(SharedPrefix(), table, "13053", "14853") == 4


def test_days_years_and_ranks_are_the_units_of_difference():
    days = names_table(["2020-01-01", "2020-03-01"], "date")
    assert between(Difference(), days, "2020-01-01", "2020-03-01") == 60
    ranks = read_table(
        pl.DataFrame({"q": ["low", "high"]}),
        kinds={"q": "ordinal"},
        orders={"q": ["low", "mid", "high"]},
    )
    assert between(Difference(), ranks, "low", "high") == 2


def test_company_makes_names_alike():
    frame = pl.DataFrame({"q": ["cook", "chef", "vet"] * 30, "place": ["a", "a", "b"] * 30})
    table = read_table(frame, roles=Roles([], ["q", "place"]))
    assert between(CoOccurrence(), table, "cook", "chef") == pytest.approx(0, abs=1e-6)
    assert between(CoOccurrence(), table, "cook", "vet") > 0.8


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: -1.0,
        lambda a, b: float(a < b),
        lambda a, b: 1.0,
        lambda a, b: float("nan"),
    ],
    ids=["negative", "one way", "not 0 between equals", "not a number"],
)
def test_a_function_that_is_no_distance_is_refused_without_a_value(function):
    table = names_table(["secret-1", "secret-2"])
    with pytest.raises(InvalidParameterError, match="is none") as caught:
        Custom(function).measure(table.column("q"), table)
    assert "secret" not in str(caught.value)


def test_too_many_values_for_all_pairs_are_refused_with_a_hint():
    table = names_table([f"n{i}" for i in range(5000)])
    for metric in (EditDistance(), CoOccurrence(), Custom(lambda a, b: 0.0)):
        with pytest.raises(InvalidParameterError) as caught:
            metric.measure(table.column("q"), table)
        assert caught.value.hint


def test_differences_need_an_order():
    table = names_table(["a", "b"])
    with pytest.raises(InvalidParameterError, match="no order"):
        Difference().measure(table.column("q"), table)


class TooNarrow(Equality):
    """Claims that everything is equal, though some spans are wide."""

    def measure(self, column, table):
        honest = super().measure(column, table)
        wide = np.full((column.n_codes, column.n_codes), 2.0)
        np.fill_diagonal(wide, 0)
        return type(honest)(honest.space, honest.reach, False, wide, honest.column_codes)


def test_the_battery_catches_metrics_that_lie():
    with pytest.raises(AssertionError, match="larger than the largest"):
        check_metric(TooNarrow(), names_table(["a", "b", "c"]), "q")


def test_uniform_numbers_are_euclidean_already():
    table = names_table(list(range(400)), "numeric")
    mapped = remap(Difference().measure(table.column("q"), table))
    assert mapped.wasserstein < 0.01
    assert mapped.wasserstein_before < 0.01
    assert mapped(np.array([0.25, 0.5, 1.0])) == pytest.approx([0.25, 0.5, 1.0], abs=0.02)


def test_remapping_brings_skewed_distances_nearer_to_euclidean():
    table = names_table([2.0**i for i in range(40)], "numeric")
    mapped = remap(Difference().measure(table.column("q"), table))
    assert mapped.wasserstein < mapped.wasserstein_before / 5


def test_two_names_by_hand():
    """Half of all pairs are equal; the others get the mean of the upper half of quantiles."""
    mapped = remap(Equality().measure((table := names_table(["f", "m"])).column("q"), table))
    upper = (1 - (0.5 + (2 / 3) * 0.5**1.5)) / 0.5
    assert mapped(np.array([1.0]))[0] == pytest.approx(upper, abs=1e-4)
    assert mapped.wasserstein == pytest.approx(0.1389, abs=1e-3)


def test_pairs_may_come_from_the_data():
    frame = pl.DataFrame({"q": ["f"] * 99 + ["m"]})
    table = read_table(frame, roles=Roles([], "q"))
    domain, data = (
        build_metrics(table, pairs=p).maps[0](np.array([1.0])) for p in ("domain", "data")
    )
    assert data > domain  # a rare difference is a large one


def test_radii_are_in_the_unit_of_the_metric():
    table = read_table(pl.DataFrame({"age": [20, 30, 60]}), roles=Roles([], "age"))
    metrics = build_metrics(table)
    assert metrics.radii({"age": 10}).tolist() == [0.25]
    assert metrics.radii(None).tolist() == [-1.0]
    with pytest.raises(UnknownColumnError):
        metrics.radii({"wage": 1})
    with pytest.raises(InvalidParameterError):
        metrics.radii({"age": -1})


def test_metrics_are_named_by_known_columns():
    table = read_table(pl.DataFrame({"age": [20, 30]}), roles=Roles([], "age"))
    with pytest.raises(UnknownColumnError):
        build_metrics(table, metrics={"wage": Equality()})
