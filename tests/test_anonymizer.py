"""The whole walk: from a table to a written release that an independent recount confirms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import shoal
from shoal._progress import Silent
from shoal.exceptions import (
    CancelledError,
    ImpossibleError,
    InvalidParameterError,
    ShoalError,
    UnknownColumnError,
)
from shoal.grouping import Mondrian, SaNGreeA
from shoal.privacy import (
    DistinctLDiversity,
    KAnonymity,
    KMap,
    TCloseness,
    build_models,
    group_by_text,
)
from shoal.recipe import grid_for
from shoal.recoding import Generalize
from shoal.table import Roles, read_table
from shoal.testing import random_case, random_table, uncovered_rows
from shoal.verifier import recount


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


def anonymizer_of(case, grouping="auto"):
    return shoal.Anonymizer(
        grouping=grouping,
        recoding=case.recoder,
        privacy=case.models,
        suppression_limit=case.suppression_limit,
    )


@given(seed=st.integers(0, 2**32 - 1))
@quick(12)
def test_a_recount_of_the_written_file_agrees(tmp_path_factory, seed):
    case = random_case(np.random.default_rng(seed))
    table = case.table
    try:
        anonymizer = anonymizer_of(case).fit(table)
    except ImpossibleError:
        return
    release = anonymizer.release_
    written = release.write(tmp_path_factory.mktemp("release") / "out", ledger="off")
    found = recount(
        written.folder / "data.csv",
        quasi_identifiers=table.roles.quasi_identifiers,
        sensitive=table.roles.sensitive,
        people=None if release.people is None else release.people.tolist(),
    )
    assert found.rows == table.n_rows - anonymizer.grouping_.n_suppressed
    assert found.groups == anonymizer.grouping_.n_groups
    assert found.k >= case.models[0].k
    assert release.verdict.holds
    assert written.verification.holds
    assert release.verdict.results[0].worst == found.k


@given(seed=st.integers(0, 2**32 - 1))
@quick(12)
def test_shuffled_rows_are_released_as_the_same_bytes(tmp_path_factory, seed):
    rng = np.random.default_rng(seed)
    case = random_case(rng, limits=False)
    moved = case.with_frame(case.table.frame[rng.permutation(case.table.n_rows)])
    files = []
    for each in (case, moved):
        folder = tmp_path_factory.mktemp("release") / "out"
        try:
            release = anonymizer_of(each).fit(each.table).release_
            files.append(release.write(folder, ledger="off").folder)
        except ImpossibleError:
            files.append(None)
    if None in files:
        assert files == [None, None]
    else:
        one, other = ((file / "data.csv").read_bytes() for file in files)
        assert one == other


@given(seed=st.integers(0, 2**32 - 1))
@quick(15)
def test_every_person_lies_inside_what_is_published(seed):
    case = random_case(np.random.default_rng(seed))
    try:
        anonymizer = anonymizer_of(case, Mondrian()).fit(case.table)
    except ImpossibleError:
        return
    for name in case.table.roles.quasi_identifiers:
        tree = (case.recoder.hierarchies or {}).get(name)
        if tree is not None or case.table.kinds[name] not in ("nominal",):
            assert not uncovered_rows(case.table, name, anonymizer.recoded_.columns[name], tree)
    loss = anonymizer.loss_
    assert 0 <= anonymizer.loss_bound_ <= loss.formed_loss + 1e-9
    assert anonymizer.ngil_bound_ is None or anonymizer.ngil_bound_ <= loss.ngil + 1e-9
    assert anonymizer.grouping_.n_suppressed <= case.problem.budget


def town(n=60, seed=3, **options):
    return random_table(np.random.default_rng(seed), n_rows=n, n_quasi=3, **options)


def test_releases_look_like_what_came_in():
    frame = town().frame
    asked = {"quasi_identifiers": ["q0", "q1", "q2"], "identifiers": "name", "k": 4}
    plain = shoal.anonymize(frame, **asked).data
    assert isinstance(plain, pl.DataFrame)
    assert plain.columns == ["q0", "q1", "q2", "illness", "salary", "note"]
    as_pandas = shoal.anonymize(frame.to_pandas(), **asked).data
    assert isinstance(as_pandas, pd.DataFrame)
    as_arrow = shoal.anonymize(frame.to_arrow(), **asked).data
    assert isinstance(as_arrow, pa.Table)
    assert as_arrow.column_names == list(as_pandas.columns) == plain.columns


def test_the_input_is_left_alone():
    frame = town().frame.to_pandas()
    before = frame.copy(deep=True)
    shoal.anonymize(frame, quasi_identifiers=["q0", "q1"], identifiers="name", k=3)
    pd.testing.assert_frame_equal(frame, before)


def test_the_index_of_a_pandas_frame_means_nothing():
    frame = town().frame.to_pandas()
    odd = frame.set_index(np.arange(len(frame))[::-1])
    asked = {"quasi_identifiers": ["q0", "q1"], "identifiers": "name", "k": 3}
    one, other = (shoal.anonymize(f, **asked).data for f in (frame, odd))
    pd.testing.assert_frame_equal(one, other)


def test_runs_in_threads_equal_runs_in_a_row():
    tables = [town(seed=seed) for seed in range(6)]

    def run(table):
        return shoal.Anonymizer(privacy=KAnonymity(3)).fit(table).release_.frame

    alone = [run(table) for table in tables]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(run, tables))
    assert all(one.equals(other) for one, other in zip(alone, together, strict=True))


def test_anonymizers_can_be_cloned_and_reached_into():
    anonymizer = shoal.Anonymizer(
        grouping=SaNGreeA(order="common"), recoding=Generalize(), privacy=[KAnonymity(4)]
    )
    twin = clone(anonymizer)
    assert repr(twin) == repr(anonymizer)
    assert twin.grouping is not anonymizer.grouping
    twin.set_params(grouping__order="content", recoding__grid=True)
    assert (twin.grouping.order, twin.recoding.grid) == ("content", True)
    assert anonymizer.grouping.order == "common"
    table = town()
    twin.set_params(grouping__order="common", recoding__grid=None)
    assert twin.fit(table).release_.frame.equals(anonymizer.fit(table).release_.frame)


def test_weight_zero_is_still_generalized_and_counted():
    rng = np.random.default_rng(8)
    frame = pl.DataFrame({"age": rng.integers(90, size=80), "zip": rng.integers(9, size=80)})
    release = shoal.anonymize(
        frame, quasi_identifiers=["age", "zip"], k=5, weights={"age": 0, "zip": 1}
    )
    assert group_by_text(read_table(release.data), ["age", "zip"]).smallest >= 5
    kept = shoal.anonymize(frame, quasi_identifiers="zip", k=5).data
    assert release.data["zip"].str.contains(",").sum() <= kept["zip"].str.contains(",").sum()


def test_heavier_columns_keep_more():
    rng = np.random.default_rng(9)
    frame = pl.DataFrame({"a": rng.integers(90, size=200), "b": rng.integers(90, size=200)})
    losses = {
        weight: shoal.Anonymizer(grouping=SaNGreeA({"a": weight}), privacy=KAnonymity(5))
        .fit(read_table(frame, roles=Roles(quasi_identifiers=["a", "b"])))
        .loss_.loss_by_attribute
        for weight in (0.1, 1.0, 10.0)
    }
    assert losses[0.1]["a"] > losses[1.0]["a"] > losses[10.0]["a"]
    assert losses[0.1]["b"] < losses[1.0]["b"] < losses[10.0]["b"]


def test_limits_are_kept_and_what_fits_nowhere_is_left_out():
    ages = [20, 21, 22, 23, 50, 51, 52, 99]
    frame = pl.DataFrame({"age": ages})
    release = shoal.anonymize(
        frame, quasi_identifiers="age", k=2, limits={"age": 3}, suppression_limit=0.2
    )
    assert release.data.height == 7
    ends = [text.strip("[]").split(", ") for text in release.data["age"]]
    assert max(int(high) - int(low) for low, high in ends) <= 3
    with pytest.raises(ImpossibleError, match="1 of 8 rows fit into no group"):
        shoal.anonymize(frame, quasi_identifiers="age", k=2, limits={"age": 3})


def test_no_more_is_suppressed_than_permitted():
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"age": np.append(rng.integers(9, size=95), rng.integers(10**6, size=5))})
    kept = [
        shoal.anonymize(frame, quasi_identifiers="age", k=5, suppression_limit=s).data.height
        for s in (0.0, 0.03, 0.05)
    ]
    assert kept[0] == 100
    assert 97 <= kept[1] <= 100
    assert 95 <= kept[2] <= kept[1]


def test_k_counts_people_where_people_are_known(tmp_path):
    table = town(80, person=True)
    anonymizer = shoal.Anonymizer(privacy=KAnonymity(4)).fit(table)
    people = table.frame["person"].to_numpy()
    for group in range(anonymizer.grouping_.n_groups):
        assert len(set(people[anonymizer.grouping_.members(group)])) >= 4
    release = anonymizer.release_
    assert "person" not in release.frame.columns
    found = recount(
        release.write(tmp_path / "out").folder / "data.csv",
        quasi_identifiers=table.roles.quasi_identifiers,
        people=release.people.tolist(),
    )
    assert found.k >= 4


def test_ends_of_intervals_lie_on_the_grid():
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"age": rng.integers(17, 91, size=300)})
    release = shoal.anonymize(frame, quasi_identifiers="age", k=5, grid={"age": 5})
    for text in release.data["age"].unique():
        low, high = (int(end) for end in text.strip("[]").split(", "))
        assert low % 5 == 0
        assert high % 5 == 4


def test_presets_are_floors():
    table = town(200, missing=0.0)
    assert [str(m) for m in build_models(table, preset="internal")] == ["10-anonymity"]
    assert [str(m) for m in build_models(table, k=5, preset="partner")][:2] == [
        "5-anonymity",
        "distinct 2-diversity of 'illness'",
    ]
    assert build_models(table, preset="public")[0] == KAnonymity(11)
    assert grid_for(table, preset="partner") is None
    numeric = {n for n in table.roles.quasi_identifiers if table.kinds[n] == "numeric"}
    assert set(grid_for(table, preset="public")) == numeric
    for options, message in [
        ({"k": 4, "preset": "partner"}, "k of at least 5"),
        ({"l": 2, "preset": "public"}, "l of at least 3"),
        ({"preset": "friends"}, "no preset named 'friends'"),
    ]:
        with pytest.raises(InvalidParameterError, match=message):
            build_models(table, **options)


def test_plain_numbers_become_models():
    table = town(50)
    models = build_models(table, k=3, l=2, t=0.5)
    assert models == [
        KAnonymity(3),
        DistinctLDiversity(2, "illness"),
        TCloseness(0.5, "illness"),
        DistinctLDiversity(2, "salary"),
        TCloseness(0.5, "salary", "ordered"),
    ]
    with pytest.raises(InvalidParameterError, match="none is named"):
        build_models(table.with_roles(Roles(quasi_identifiers="q0")), l=2)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"k": 61}, ImpossibleError),
        ({"k": 0}, InvalidParameterError),
        ({"k": 2.5}, InvalidParameterError),
        ({"k": True}, InvalidParameterError),
        ({"l": 9, "sensitive": "illness"}, ImpossibleError),
        ({"method": "magic"}, InvalidParameterError),
        ({"suppression_limit": 2}, InvalidParameterError),
        ({"weights": {"q9": 1}}, UnknownColumnError),
        ({"limits": {"q9": 1}}, UnknownColumnError),
        ({"preset": "nobody"}, InvalidParameterError),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_without_a_cell_value(options, error):
    frame = town(60).frame
    asked = {"quasi_identifiers": ["q0", "q1"], "identifiers": "name", "k": 3} | options
    with pytest.raises(error) as caught:
        shoal.anonymize(frame, **asked)
    told = f"{caught.value} {caught.value.hint}"
    cells = {str(cell) for name in ("name", "q0", "q1", "illness") for cell in frame[name]}
    assert not [cell for cell in cells - {"None"} if len(cell) > 3 and cell in told]


def test_models_of_a_population_ask_for_a_released_table():
    table = town()
    with pytest.raises(ShoalError):
        shoal.Anonymizer(privacy=[KAnonymity(2), KMap(2, table)]).fit(table)


class Watching(Silent):
    """Writes down the phases; wants to stop once one of them begins."""

    def __init__(self, until=None):
        self.phases, self.until = [], until

    def phase(self, name, total=None):
        self.phases.append(name)

    @property
    def cancelled(self):
        return self.until in self.phases


def test_progress_tells_the_phases_and_is_asked_whether_to_go_on():
    watching = Watching()
    shoal.Anonymizer(privacy=KAnonymity(3)).fit(town(), watching)
    assert {"grouping", "refining", "recoding", "summing up"} <= set(watching.phases)
    for phase in ("grouping", "refining"):
        with pytest.raises(CancelledError):
            shoal.Anonymizer(privacy=KAnonymity(3)).fit(town(), Watching(until=phase))


def test_what_was_learned_has_names_that_end_in_an_underscore():
    anonymizer = shoal.Anonymizer(privacy=KAnonymity(3)).fit(town())
    phases = ["coding", "grouping", "recoding", "measuring", "bound", "summing up"]
    assert list(anonymizer.seconds_) == phases
    assert anonymizer.loss_.ngil == pytest.approx(
        np.mean(list(anonymizer.loss_.loss_by_attribute.values()))
    )
    assert anonymizer.release_.verdict.holds
    assert shoal.Anonymizer(privacy=KAnonymity(3), bound=False).fit(town()).ngil_bound_ is None


def test_other_columns_are_released_as_they_were():
    table = town(70)
    released = shoal.Anonymizer(privacy=KAnonymity(3)).fit(table).release_.frame
    kept = ["illness", "salary", "note"]
    assert sorted(released.select(kept).rows(), key=str) == sorted(
        table.frame.select(kept).rows(), key=str
    )


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Int8, pl.Float64, pl.String, pl.Categorical])
def test_the_type_of_a_column_does_not_matter(dtype):
    ages = pl.Series("age", np.random.default_rng(6).integers(90, size=60))
    cells = ages.cast(pl.String).cast(dtype) if dtype == pl.Categorical else ages.cast(dtype)
    asked = {"quasi_identifiers": "age", "k": 4, "kinds": {"age": "numeric"}}
    plain, typed = (shoal.anonymize(pl.DataFrame([c]), **asked).data for c in (ages, cells))
    assert typed.rows() == plain.rows()


def test_units_of_measure_do_not_matter():
    rng = np.random.default_rng(12)
    table = pl.DataFrame({"a": rng.integers(200, size=80), "b": rng.integers(9, size=80)})
    celsius, fahrenheit = (
        shoal.Anonymizer(privacy=KAnonymity(4)).fit(
            read_table(frame, roles=Roles(quasi_identifiers=["a", "b"]))
        )
        for frame in (table, table.with_columns(pl.col("a") * 4 + 32))
    )
    assert celsius.loss_ == fahrenheit.loss_
    assert sorted(celsius.grouping_.sizes) == sorted(fahrenheit.grouping_.sizes)


def test_what_was_anonymized_may_be_anonymized_again():
    asked = {"quasi_identifiers": ["q0", "q1"], "identifiers": (), "k": 4}
    first = shoal.anonymize(town(60).frame.drop("name"), **asked).data
    kinds = dict.fromkeys(["q0", "q1"], "nominal")
    again = shoal.anonymize(first, kinds=kinds, **asked).data
    assert again.equals(first)


def test_the_default_is_ten():
    release = shoal.Anonymizer().fit(town()).release_
    assert str(release.verdict).startswith("10-anonymity holds")


def test_one_call_drops_and_accepts_columns_by_name():
    frame = pl.DataFrame({"age": [30, 31, 50, 52], "ward": ["a", "b"] * 2, "row": [1, 2, 3, 4]})
    release = shoal.anonymize(
        frame, quasi_identifiers="age", publish_as_is="ward", drop=["row"], k=2
    )
    assert list(release.frame.columns) == ["age", "ward"]
