"""Kinds of columns: each says itself how it is recognized, coded, ordered and published."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.hierarchies import Flat, Mask, infer_hierarchy
from shoal.table import COLUMN_KINDS, ColumnKind, Roles, number_texts, read_table, refuse_texts
from shoal.typing import KINDS

SOME = {
    "numeric": ["1", "2"],
    "date": ["2020-01-01", "2020-01-02"],
    "ordinal": ["low", "high"],
    "code": ["0801", "0802"],
    "nominal": ["Ann", "Bo"],
}


def test_every_kind_is_named_once_and_described_once():
    assert sorted(KINDS) == sorted(COLUMN_KINDS) == sorted(SOME)
    assert all(kind.name == name for name, kind in COLUMN_KINDS.items())


@pytest.mark.parametrize("name", SOME)
def test_a_kind_recognizes_its_values_and_keeps_what_it_says(name):
    orders = {"x": ["low", "high"]} if name == "ordinal" else None
    table = read_table(pl.DataFrame({"x": SOME[name]}), orders=orders)
    column, kind = table.column("x"), COLUMN_KINDS[table.kinds["x"]]
    assert column.kind == kind.name == name
    assert kind.ordered == (column.numbers is not None)
    tree = infer_hierarchy(column)
    assert type(tree) is (type(None) if kind.ordered else Mask if kind.prefixed else Flat)


def code_times(name, distinct, order):
    texts = distinct.texts
    refuse_texts(
        name, "time", distinct, ~texts.str.contains(CLOCK).to_numpy(), "are not times of day"
    )
    minutes = texts.str.head(2).cast(pl.Int64) * 60 + texts.str.tail(2).cast(pl.Int64)
    places = minutes.arg_sort().to_numpy()
    column = number_texts(name, "time", distinct, places, np.arange(places.size))
    return replace(column, numbers=minutes.to_numpy()[places].astype(np.float64))


CLOCK = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]$"
TIME = ColumnKind(
    "time",
    lambda values: "Its values are times of day." if values.all_match(CLOCK) else None,
    code_times,
    ordered=True,
    measured=True,
)


@pytest.fixture
def with_times(monkeypatch):
    known = {**COLUMN_KINDS}
    for name in known:
        monkeypatch.delitem(COLUMN_KINDS, name)
    for name, kind in {"time": TIME, **known}.items():
        monkeypatch.setitem(COLUMN_KINDS, name, kind)


@pytest.mark.usefixtures("with_times")
def test_another_kind_is_one_value_that_everything_else_asks():
    frame = pl.DataFrame(
        {"seen": ["09:30", "08:00", "17:15", "16:45"], "ill": ["a", "b", "a", "b"]}
    )
    table = read_table(frame, roles=Roles(quasi_identifiers="seen", sensitive="ill"))
    assert table.kinds["seen"] == "time"
    assert table.column("seen").labels == ("08:00", "09:30", "16:45", "17:15")
    release = shoal.anonymize(frame, quasi_identifiers="seen", sensitive="ill", k=2)
    assert sorted({*release.frame["seen"]}) == ["[08:00, 09:30]", "[16:45, 17:15]"]


@pytest.mark.usefixtures("with_times")
def test_values_that_do_not_fit_another_kind_are_counted_and_not_shown():
    frame = pl.DataFrame({"seen": ["09:30", "25:00"]})
    with pytest.raises(shoal.exceptions.ValueKindError, match="are not times of day: 1") as caught:
        read_table(frame, kinds={"seen": "time"})
    assert "25:00" not in str(caught.value)
