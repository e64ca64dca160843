"""Loss measures: small tables by hand, random tables against a slow twin that reads the release."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError
from shoal.grouping import group_boxes
from shoal.hierarchies import Taxonomy
from shoal.spaces import build_spaces
from shoal.table import Grouping, Roles, read_table
from shoal.utility import measure_loss

WORK = Taxonomy.from_json({"*": {"State": ["Federal", "Local"], "Free": {"Self": ["Inc", "Not"]}}})


def spaces_of(frame, **settings):
    roles = Roles(quasi_identifiers=frame.columns)
    kinds = {"zip": "code"} if "zip" in frame.columns else {}
    return build_spaces(read_table(frame, roles=roles, kinds=kinds), **settings)


def four_people():
    frame = pl.DataFrame({"age": [20, 30, 40, 60], "work": ["Federal", "Local", "Inc", "Not"]})
    return spaces_of(frame, hierarchies={"work": WORK}, weights={"age": 7.0})


def test_gil_of_four_rows_by_hand() -> None:
    report = measure_loss(four_people(), Grouping(np.array([0, 0, 1, 1])))
    # widths 10 and 20 of 40; the tree is 3 high, State and Self are both 1 high
    assert report.gil == pytest.approx(2 * (10 / 40 + 1 / 3) + 2 * (20 / 40 + 1 / 3))
    assert report.ngil == pytest.approx(report.gil / 8)
    assert report.loss_by_attribute == pytest.approx({"age": 0.375, "work": 1 / 3})
    assert (report.groups, report.suppressed, report.discernibility) == (2, 0, 8)
    assert (report.average_group_size, report.c_avg) == (2.0, 1.0)


def test_a_suppressed_row_loses_everything() -> None:
    report = measure_loss(four_people(), Grouping(np.array([0, 0, -1, -1])), k=2)
    assert report.loss_by_attribute == pytest.approx({"age": 0.625, "work": (2 / 3 + 2) / 4})
    assert report.ngil == pytest.approx(np.mean(list(report.loss_by_attribute.values())))
    assert (report.suppressed, report.discernibility) == (2, 2**2 + 2 * 4)
    assert (report.average_group_size, report.c_avg) == (2.0, 1.0)
    nobody = measure_loss(four_people(), Grouping(np.full(4, -1)))
    assert (nobody.ngil, nobody.non_uniform_entropy, nobody.average_group_size) == (1, 1, 0)


def test_entropy_counts_all_rows_below_the_published_label() -> None:
    frame = pl.DataFrame({"work": ["Federal", "Federal", "Local", "Inc"]})
    grouping = Grouping(np.array([0, 1, 1, 0]))  # publishes *, State, State, *
    hidden = math.log2(4 / 2) + math.log2(3 / 2) + math.log2(3 / 1) + math.log2(4 / 1)
    everything = 2 * math.log2(4 / 2) + 2 * math.log2(4 / 1)
    report = measure_loss(spaces_of(frame, hierarchies={"work": WORK}), grouping)
    assert report.non_uniform_entropy == pytest.approx(hidden / everything)


def test_c_avg_is_relative_to_the_k_asked_for() -> None:
    spaces, grouping = four_people(), Grouping(np.zeros(4, dtype=int))
    assert measure_loss(spaces, grouping, k=2).c_avg == 2.0
    assert measure_loss(spaces, grouping).c_avg == 1.0
    with pytest.raises(InvalidParameterError):
        measure_loss(spaces, grouping, k=0)


def test_nothing_to_lose() -> None:
    alone = measure_loss(four_people(), Grouping(np.arange(4)))
    assert (alone.gil, alone.ngil, alone.non_uniform_entropy) == (0, 0, 0)
    constant = spaces_of(pl.DataFrame({"age": [5, 5], "sex": ["f", "f"]}))
    same = measure_loss(constant, Grouping(np.array([0, 0])))
    assert (same.ngil, same.non_uniform_entropy) == (0, 0)
    no_attributes = build_spaces(read_table(pl.DataFrame({"age": [5, 5]})))
    assert measure_loss(no_attributes, Grouping(np.array([0, 0]))).ngil == 0


def test_missing_beside_a_value_loses_everything() -> None:
    spaces = spaces_of(pl.DataFrame({"age": [5, None, None, 9]}))
    report = measure_loss(spaces, Grouping(np.array([0, 0, 1, 2])))
    assert report.ngil == 0.5
    bits = math.log2(4) + math.log2(2)  # *: one value of age 5, and one of two missing ones
    assert report.non_uniform_entropy == pytest.approx(bits / (2 * 2 + 2 * 1))


def test_rows_must_match_and_numbers_are_plain() -> None:
    with pytest.raises(InvalidParameterError, match="has 3 rows, column 'age' has 4"):
        measure_loss(four_people(), Grouping(np.array([0, 0, 0])))
    report = measure_loss(four_people(), Grouping(np.array([0, 0, 1, 1])))
    assert json.loads(json.dumps(report.to_dict()))["ngil"] == report.ngil


def may_be(published: str | None, value: str | None) -> bool:
    """Tell whether a published text may stand for a value, as a reader of the release would."""
    if published is None or value is None:
        return published == value or published == "*"
    if published.startswith("["):
        low, high = published[1:-1].split(", ")
        return float(low) <= float(value) <= float(high)
    kept = published.rstrip("*")
    if kept == published:
        return published == value
    return not kept or (len(published) == len(value) and value.startswith(kept))


rows = st.tuples(
    st.one_of(st.none(), st.integers(0, 12).map(str)),
    st.one_of(st.none(), st.sampled_from(["110", "111", "120", "200", "201", "45"])),
    st.integers(-1, 3),
)


@settings(deadline=None)
@given(st.lists(rows, min_size=1, max_size=24))
def test_entropy_agrees_with_a_reader_of_the_release(table: list[tuple[str, str, int]]) -> None:
    frame = pl.DataFrame(
        [row[:2] for row in table], schema={"age": pl.String, "zip": pl.String}, orient="row"
    )
    used = sorted({row[2] for row in table} - {-1})
    labels = np.array([-1 if row[2] < 0 else used.index(row[2]) for row in table])
    grouping = Grouping(labels)
    spaces = build_spaces(
        read_table(
            frame,
            roles=Roles(quasi_identifiers=["age", "zip"]),
            kinds={"age": "numeric", "zip": "code"},
        )
    )
    lo, hi = group_boxes(spaces.codes, grouping)
    shares = []
    for j, space in enumerate(spaces.spaces):
        texts = space.publish(lo[:, j], hi[:, j])
        values = frame[space.name].to_list()
        hidden = everything = 0.0
        for value, label in zip(values, labels.tolist(), strict=True):
            published = "*" if label < 0 else texts[label]
            possible = sum(may_be(published, other) for other in values)
            hidden += math.log2(possible / values.count(value))
            everything += math.log2(len(values) / values.count(value))
        shares.append(hidden / everything if everything else 0.0)
    report = measure_loss(spaces, grouping)
    assert report.non_uniform_entropy == pytest.approx(np.mean(shares))
    assert 0 <= report.ngil <= 1
    assert report.ngil == pytest.approx(np.mean(list(report.loss_by_attribute.values())))
