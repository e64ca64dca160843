"""GeneralizedEncoder: raw and published values meet in one feature space."""

from __future__ import annotations

import datetime as dt
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published_tables import publish
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from shoal.datasets import people
from shoal.exceptions import InvalidParameterError, ShoalError, UnknownColumnError, ValueKindError
from shoal.hierarchies import Calendar, Flat, Hierarchy, Intervals, Mask, Taxonomy
from shoal.table import Roles, read_table
from shoal.utility import GeneralizedEncoder

WORK = Taxonomy.from_json({"*": {"State": ["Federal", "Local"], "Free": {"Self": ["Inc", "Not"]}}})
CANARY = "zanzibar-canary"


def encode(fitted_on, rows, **settings):
    encoder = GeneralizedEncoder(**settings).fit(pl.DataFrame(fitted_on))
    names = encoder.get_feature_names_out().tolist()
    return [
        {name: value for name, value in zip(names, row, strict=True) if value}
        for row in encoder.transform(pl.DataFrame(rows)).tolist()
    ]


def test_a_node_is_spread_over_its_leaves() -> None:
    release = {"work": ["State", "Self", "Free", "*", "Inc", None]}
    state, own, free, star, inc, missing = encode(release, release, hierarchies={"work": WORK})
    assert state == {"work=Federal": 0.5, "work=Local": 0.5}
    assert own == free == {"work=Inc": 0.5, "work=Not": 0.5}
    assert star == dict.fromkeys(["work=Federal", "work=Local", "work=Inc", "work=Not"], 0.25)
    assert inc == {"work=Inc": 1}
    assert missing == {"work (missing)": 1}


def test_an_interval_is_its_midpoint() -> None:
    release = {"age": ["[17, 25]", "[20, 25)", "40", "*", None]}
    rows = encode(release, release)
    assert rows[:4] == [{"age (midpoint)": middle} for middle in (21, 22.5, 40, 28.5)]
    assert rows[4] == {"age (midpoint)": 28.5, "age (missing)": 1}


def test_an_interval_says_how_wide_it_is_if_wanted() -> None:
    release = {"age": ["[17, 25]", "[20, 25)", "40", "*", None]}
    rows = encode(release, release, widths=True)
    assert rows[0] == {"age (midpoint)": 21, "age (width)": 8}
    assert rows[1] == {"age (midpoint)": 22.5, "age (width)": 5}
    assert rows[2] == {"age (midpoint)": 40}
    assert rows[3] == {"age (midpoint)": 28.5, "age (width)": 23}
    assert rows[4] == {**rows[3], "age (missing)": 1}


def test_dates_in_any_form_lie_on_one_line() -> None:
    release = {"born": ["1970-Q1", "[1970-01-01, 1970-01-11]", "1970-01-06", "*"]}
    rows = encode(release, release, widths=True)
    assert rows[0] == {"born (midpoint)": 44.5, "born (width)": 89}
    assert rows[1] == {"born (midpoint)": 5, "born (width)": 10}
    assert rows[2] == {"born (midpoint)": 5}
    assert rows[3] == rows[0]
    raw = {"born": [dt.date(1970, 1, 6)]}
    assert encode(release, raw, hierarchies={"born": Calendar()}, widths=True) == [rows[2]]


def test_dates_that_are_not_iso() -> None:
    release = {"born": ["[01.01.1970, 31.01.1970]", "05.01.1970"]}
    rows = encode(release, release, kinds={"born": "date"}, widths=True)
    assert rows == [{"born (midpoint)": 15, "born (width)": 30}, {"born (midpoint)": 4}]
    with pytest.raises(ValueKindError, match="more than one way"):
        GeneralizedEncoder(kinds={"born": "date"}).fit(pl.DataFrame({"born": ["01/02/2003"]}))


def test_ordinals_are_ranks() -> None:
    orders = {"pain": ["none", "low", "high"]}
    release = {"pain": ["[low, high]", "low", "*"]}
    rows = encode(release, release, orders=orders, widths=True)
    assert rows[0] == {"pain (midpoint)": 1.5, "pain (width)": 1}
    assert rows[1] == {"pain (midpoint)": 1}
    assert rows[2] == {"pain (midpoint)": 1, "pain (width)": 2}
    size = pl.Series("size", ["S", "L"], dtype=pl.Enum(["S", "M", "L"]))
    assert GeneralizedEncoder().fit(size.to_frame()).transform(size.to_frame())[1, 0] == 2


def test_codes_meet_in_their_prefixes() -> None:
    release = {"zip": ["80**", "8010", "9020", "9020", "7***"]}
    rows = encode(release, {"zip": ["80**", "8045", "8010", "7123", "****", "801", None]})
    assert rows[0] == rows[1] == rows[2] == {"zip=8010": 1}
    assert rows[3] == {"zip=7***": 1}
    assert rows[4] == rows[5] == pytest.approx(dict.fromkeys(rows[4], 1 / 3))
    assert rows[6] == {"zip (missing)": 1}


def test_many_codes_are_pooled_at_their_prefixes() -> None:
    codes = [f"{i:05d}" for i in range(10_000, 99_999, 37)]
    encoder = GeneralizedEncoder(max_leaves=100).fit(pl.DataFrame({"zip": codes}))
    names = encoder.get_feature_names_out()
    assert 10 <= names.size <= 101
    encoded = encoder.transform(pl.DataFrame({"zip": ["1****", "12***", *codes]}))
    assert np.allclose(encoded.sum(axis=1), 1)
    assert (encoded[2:].max(axis=1) == 1).all()
    in_ten_to_nineteen = np.array([name.startswith("zip=1") for name in names])
    assert encoded[0, in_ten_to_nineteen].sum() == pytest.approx(1)


def test_many_names_keep_the_common_ones() -> None:
    jobs = [f"job {i}" for i in range(100) for _ in range(i + 1)]
    encoder = GeneralizedEncoder(max_leaves=10).fit(pl.DataFrame({"job": jobs}))
    names = encoder.get_feature_names_out().tolist()
    assert names == [*(f"job=job {i}" for i in range(91, 100)), "job=other", "job (missing)"]
    rows = encoder.transform(pl.DataFrame({"job": ["job 3", "job 99", "*"]}))
    assert rows[0].tolist() == [0] * 9 + [1, 0]
    assert rows[1].tolist() == [0] * 8 + [1, 0, 0]
    assert rows[2] == pytest.approx([0.01] * 9 + [0.91, 0])


def test_a_taxonomy_over_numbers_lies_on_a_line() -> None:
    ladder = [(str(age), f"{age // 5 * 5}-{age // 5 * 5 + 4}", "*") for age in range(10, 30)]
    tree = Taxonomy.from_ladder(ladder)
    settings = {"hierarchies": {"age": tree}, "kinds": {"age": "numeric"}, "widths": True}
    rows = encode({"age": ["10-14", "23"]}, {"age": ["20-24", "23", "*", "55"]}, **settings)
    assert rows[0] == {"age (midpoint)": 22, "age (width)": 4}
    assert rows[1] == {"age (midpoint)": 23}
    assert rows[2] == {"age (midpoint)": 19.5, "age (width)": 19}
    assert rows[3] == {"age (midpoint)": 55}
    as_tree = encode({"age": ["10-14"]}, {"age": ["10-14"]}, hierarchies={"age": tree})
    assert as_tree == [pytest.approx({f"age={age}": 0.2 for age in range(10, 15)})]
    interval = encode({"age": ["[20, 24]"]}, {"age": [21]}, hierarchies={"age": Intervals([5])})
    assert interval == [{"age (midpoint)": 21}]


def test_paths_spell_out_their_tree() -> None:
    places = {"place": ["Europe/Graz", "Europe/Linz", "Asia/Kyoto", "Asia/Osaka", "Asia/*"]}
    assert encode(places, {"place": ["Asia/*"]}) == [
        {"place=Asia/Kyoto": 0.5, "place=Asia/Osaka": 0.5}
    ]


def test_a_hierarchy_of_ones_own() -> None:
    class Initials(Hierarchy):
        def arrange(self, labels, *, column=None):
            rows = [(label, label[0], "*") for label in labels]
            return Taxonomy.from_ladder(rows).arrange(labels, column=column)

    names = {"name": ["Ada", "Alan", "Grace"]}
    rows = encode(names, {"name": ["A", "Grace"]}, hierarchies={"name": Initials()})
    assert rows == [{"name=Ada": 0.5, "name=Alan": 0.5}, {"name=Grace": 1}]


def test_a_label_on_two_nodes_is_all_their_leaves() -> None:
    ladder = [("a", "Other", "*"), ("b", "Other", "*"), ("c", "C", "*"), ("d", "D", "*")]
    twice = Taxonomy(
        ["*", "Other", "a", "C", "Other", "c"],
        np.array([-1, 0, 1, 0, 3, 4]),
        ["", "", "a", "", "", "c"],
    )
    assert encode(
        {"x": ["a"]}, {"x": ["Other"]}, hierarchies={"x": Taxonomy.from_ladder(ladder)}
    ) == [{"x=a": 0.5, "x=b": 0.5}]
    assert encode({"x": ["a"]}, {"x": ["Other"]}, hierarchies={"x": twice}) == [
        {"x=a": 0.5, "x=c": 0.5}
    ]


def test_unseen_values_are_counted_and_say_nothing() -> None:
    train = pl.DataFrame({"age": ["17", "[20, 30]"], "job": ["nurse", "clerk"]})
    test = pl.DataFrame({"age": ["18", CANARY, "*"], "job": ["pilot", "nurse", CANARY]})
    encoder = GeneralizedEncoder().fit(train)
    rows = encoder.transform(test)
    assert encoder.n_unseen_ == {"age": 1, "job": 2}
    assert rows[1, :1].tolist() == rows[2, :1].tolist()
    assert rows[0, 2:].tolist() == [0.5, 0.5, 0]
    encoder.transform(train)
    assert encoder.n_unseen_ == {"age": 0, "job": 0}


def test_columns_that_say_nothing() -> None:
    frame = pl.DataFrame(
        {"zip": ["*", "*"], "job": [None, None], "age": [None, None]},
        schema={"zip": pl.String, "job": pl.String, "age": pl.Int64},
    )
    encoder = GeneralizedEncoder(kinds={"age": "numeric"}).fit(frame)
    assert encoder.transform(frame).tolist() == [[1, 0, 0, 1, 0, 1]] * 2


texts = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=6)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(-99, 99), texts), min_size=1, max_size=12), st.data())
def test_a_value_and_the_same_value_published_alone_are_encoded_alike(rows, data) -> None:
    frame = pl.DataFrame(rows, schema={"age": pl.Int64, "job": pl.String}, orient="row")
    encoder = GeneralizedEncoder(kinds={"age": "numeric", "job": "nominal"}, widths=True).fit(frame)
    alone = frame.select(pl.col("age").cast(pl.String), "job")
    encoded = encoder.transform(frame)
    assert np.array_equal(encoded, encoder.transform(alone))
    assert np.allclose(encoded[:, 3:].sum(axis=1), 1)
    low, high = sorted(data.draw(st.tuples(st.integers(-99, 99), st.integers(-99, 99))))
    span = encoder.transform(pl.DataFrame({"age": [f"[{low}, {high}]"], "job": ["*"]}))
    assert low <= span[0, 0] <= high
    assert span[0, 1] == high - low
    assert span[0, 3:].sum() == pytest.approx(1)


@pytest.fixture(scope="module")
def town():
    data = people(600)
    table = data.table()
    return data, table, publish(table, 12, hierarchies=data.hierarchies)


def test_a_release_of_people_is_read_in_full(town) -> None:
    data, table, release = town
    encoder = GeneralizedEncoder(data.hierarchies, data.kinds, data.roles.quasi_identifiers)
    for fitted_on in (table, release):
        encoder.fit(fitted_on)
        raw, published = encoder.transform(table), encoder.transform(release)
        assert raw.dtype == np.float32
        assert raw.shape == published.shape == (600, encoder.get_feature_names_out().size)
        assert np.isfinite(published).all()
    encoder.fit(table).transform(release)
    assert not any(encoder.n_unseen_.values())


def test_published_shares_cover_the_raw_value(town) -> None:
    data, table, release = town
    # the ladder of workclass has a value and a label of one name: the text is read as the value
    names = [name for name in data.roles.quasi_identifiers if name != "workclass"]
    encoder = GeneralizedEncoder(data.hierarchies, data.kinds, names).fit(table)
    raw, published = encoder.transform(table), encoder.transform(release)
    shares = np.array(["=" in name for name in encoder.get_feature_names_out()])
    missing = np.array([name.endswith("(missing)") for name in encoder.get_feature_names_out()])
    everywhere = published[:, missing].sum(axis=1) == 0
    covered = (published >= 1e-6) | (raw == 0)
    assert covered[everywhere][:, shares].all()


def test_every_frame_gives_the_same_numbers(town) -> None:
    _, table, release = town
    encoder = GeneralizedEncoder().fit(table)
    expected = encoder.transform(release)
    assert np.array_equal(expected, encoder.transform(release.to_pandas()))
    assert np.array_equal(expected, encoder.transform(release.to_arrow()))
    assert np.array_equal(expected, encoder.transform(read_table(release)))
    shuffled = release.select(reversed(release.columns))
    assert np.array_equal(expected, encoder.transform(shuffled))


def test_it_is_a_transformer_of_scikit_learn() -> None:
    frame = pd.DataFrame({"age": ["[20, 30]", "41", "60"], "job": ["a", "*", "b"]}, index=[5, 6, 7])
    encoder = GeneralizedEncoder(kinds={"age": "numeric"}, max_leaves=8)
    copied = clone(encoder)
    assert copied.get_params() == encoder.get_params()
    assert set(copied.get_params()) >= {"hierarchies", "kinds", "quasi_identifiers", "max_leaves"}
    with pytest.raises(NotFittedError):
        encoder.transform(frame)
    fitted = encoder.set_output(transform="pandas").fit_transform(frame)
    assert fitted.columns.tolist() == encoder.get_feature_names_out().tolist()
    assert fitted.index.tolist() == [5, 6, 7]
    again = pickle.loads(pickle.dumps(encoder)).set_output(transform="default")
    assert np.array_equal(again.transform(frame), fitted.to_numpy())


def test_it_works_in_a_pipeline() -> None:
    release = pl.DataFrame({"age": ["[20, 29]"] * 5 + ["[60, 69]"] * 5, "id": range(10)})
    answers = ["no"] * 5 + ["yes"] * 5
    encoder = GeneralizedEncoder(quasi_identifiers=["age"])
    model = make_pipeline(encoder, LogisticRegression()).fit(release, answers)
    assert model.predict(pl.DataFrame({"age": [23, 67]})).tolist() == ["no", "yes"]
    assert model[:-1].get_feature_names_out().tolist() == [
        "age (midpoint)",
        "age (missing)",
    ]


def test_columns_are_chosen_by_role() -> None:
    frame = pl.DataFrame({"name": ["x", "y"], "age": [1, 2], "ill": ["n", "y"]})
    by_role = read_table(frame, roles=Roles(quasi_identifiers="age", target="ill"))
    assert list(GeneralizedEncoder().fit(by_role).features_) == ["age"]
    others = read_table(frame, roles=Roles(identifiers="name", target="ill"))
    assert list(GeneralizedEncoder().fit(others).features_) == ["age"]
    assert list(GeneralizedEncoder().fit(frame).features_) == ["name", "age", "ill"]


def test_feature_names_never_repeat() -> None:
    frame = pl.DataFrame({"a": ["b=c"], "a=b": ["c"]})
    encoder = GeneralizedEncoder(hierarchies={"a": Flat(), "a=b": Flat()}).fit(frame)
    assert encoder.get_feature_names_out().tolist()[::2] == ["a=b=c", "a=b=c (2)"]


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"max_leaves": 1}, InvalidParameterError),
        ({"max_leaves": "many"}, InvalidParameterError),
        ({"kinds": {"age": "number"}}, InvalidParameterError),
        ({"kinds": {"age": "ordinal"}}, InvalidParameterError),
        ({"kinds": {"age": "numeric"}}, ValueKindError),
        ({"kinds": {"age": "date"}}, ValueKindError),
        ({"hierarchies": {"age": "ages.csv"}}, InvalidParameterError),
        ({"quasi_identifiers": []}, InvalidParameterError),
        ({"quasi_identifiers": ["age", "age"]}, InvalidParameterError),
        ({"quasi_identifiers": ["aeg"]}, UnknownColumnError),
    ],
)
def test_wrong_parameters_are_told_without_cell_values(parameters, error) -> None:
    with pytest.raises(error) as told:
        GeneralizedEncoder(**parameters).fit(pl.DataFrame({"age": [CANARY]}))
    assert CANARY not in f"{told.value} {told.value.hint}"


@pytest.mark.parametrize("rows", [[[1, 2]], np.zeros((2, 2)), pl.DataFrame({"age": []})])
def test_what_is_no_table_is_refused(rows) -> None:
    with pytest.raises(ShoalError):
        GeneralizedEncoder().fit(rows)
    with pytest.raises(ShoalError):
        GeneralizedEncoder().fit(pl.DataFrame({"age": [1]})).transform(rows)


def test_mask_hierarchy_and_code_kind_agree() -> None:
    release = {"zip": ["80**", "8010", "9020"]}
    by_mask = encode(release, release, hierarchies={"zip": Mask()})
    assert by_mask == encode(release, release, kinds={"zip": "code"})


def test_scikit_learn_is_imported_only_when_needed() -> None:
    code = "import sys, shoal.utility; sys.exit('sklearn' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
