"""Clusters, push-back, flattening and stirring: Eq. 2 to 10 worked by hand, and promises kept."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import quantize_twin as twin
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from shoal.exceptions import ImpossibleError, InvalidParameterError, UnknownColumnError
from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.quantize import EpsilonClusters, Flatten, PullIn, PushBack, Quantize, Stir, default_steps
from shoal.recoding import Centroid
from shoal.spaces import build_spaces
from shoal.spaces.metrics import Custom, build_metrics, centroids_of
from shoal.table import Grouping, Roles, read_table
from shoal.testing import check_grouper, check_steps, random_hierarchies, random_table

SLOW = settings(
    max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def table_of(roles=None, **columns):
    return read_table(pl.DataFrame(columns), roles=roles or Roles([], list(columns)))


def recode(table, clusters, steps, seed=1, trees=None):
    recoder = Quantize(steps, trees, random_state=seed)
    return recoder, recoder.recode(table, clusters.grouping_, None, clusters)


# Eq. 2 and 4 ------------------------------------------------------------------------------------

AGES = [20, 21, 22, 23, 60, 61, 62, 63, 45]
SEXES = ["f"] * 4 + ["m"] * 4 + ["f"]


def test_clusters_and_outliers_by_hand():
    found = EpsilonClusters(m=2, radii={"age": 5, "sex": 0}).fit_table(
        table_of(age=AGES, sex=SEXES)
    )
    assert sorted(found.clusters_.sizes.tolist()) == [1, 4, 4]
    assert found.outliers_.tolist() == [False] * 8 + [True]
    assert found.core_.tolist() == [True] * 8 + [False]


@pytest.mark.parametrize(("weights", "host"), [(None, 0), ({"age": 1, "sex": 0.05}, 4)])
def test_an_outlier_goes_to_the_nearest_centroid_and_weights_decide(weights, host):
    """Eq. 4: 45 is nearer to 61 than to 21, but its sex is that of the younger ones."""
    found = EpsilonClusters(m=2, radii={"age": 5, "sex": 0}, weights=weights).fit_table(
        table_of(age=AGES, sex=SEXES)
    )
    assert found.grouping_.labels[8] == found.grouping_.labels[host]


def test_two_small_clusters_that_exceed_m_together_merge():
    """The pairs at 20 and 25 are nearer to each other than to the crowd at 90."""
    table = table_of(age=[20, 21, 25, 26, 90, 90, 91, 91])
    found = EpsilonClusters(m=3, radii={"age": 2}, split=False).fit_table(table)
    assert found.outliers_.tolist() == [True] * 4 + [False] * 4
    assert found.core_.all()  # nobody is pushed: they are a crowd of their own
    assert len({*found.grouping_.labels[:4].tolist()}) == 1
    assert found.grouping_.n_groups == 2


def test_a_large_cluster_is_cut_on_only_if_both_parts_are_crowds():
    table = table_of(age=[20, 20, 20, 24, 24, 24, 24])
    whole = EpsilonClusters(m=2, radii={"age": 5}, split=False).fit_table(table)
    parts = EpsilonClusters(m=2, radii={"age": 5}).fit_table(table)
    tight = EpsilonClusters(m=3, radii={"age": 5}).fit_table(table)
    assert [g.grouping_.n_groups for g in (whole, parts, tight)] == [1, 2, 1]


def test_as_many_clusters_as_wanted():
    table = table_of(age=list(range(100)))
    for wanted in (1, 3, 10):
        found = EpsilonClusters(m=2, clusters=wanted, split=False).fit_table(table)
        assert found.clusters_.n_groups == wanted


# Eq. 3 ------------------------------------------------------------------------------------------


def test_centroids_by_hand():
    table = table_of(age=[20, 21, 25, 60, 61], sex=["f", "m", "m", "f", "f"])
    recoded = Centroid().recode(table, Grouping(np.array([0, 0, 0, 1, 1])))
    assert recoded.columns["age"].to_list() == [21, 21, 21, 60, 60]
    assert recoded.columns["sex"].to_list() == ["m", "m", "m", "f", "f"]
    assert recoded.grouping.sizes.tolist() == [3, 2]


def test_a_centroid_may_be_a_value_of_the_domain_that_no_member_has():
    """Three members two apart from each other, and a hub that is one away from each."""
    table = table_of(word=["a", "b", "c", "hub"])
    hub = Custom(lambda x, y: 0 if x == y else 1 if "hub" in (x, y) else 2)
    recoded = Centroid(metrics={"word": hub}).recode(table, Grouping(np.array([0, 0, 0, 1])))
    assert recoded.columns["word"].to_list() == ["hub"] * 4


# Eq. 5 to 8 -------------------------------------------------------------------------------------


def crowd_and_outlier():
    """A crowd of 20 to 30 around 25; the outlier sticks out by age, not by sex."""
    table = table_of(age=[20, 22, 25, 27, 30, 90], sex=["f", "m", "f", "m", "f", "m"])
    return table, EpsilonClusters(m=2, radii={"age": 10, "sex": 1}, split=False).fit_table(table)


def test_only_what_sticks_out_moves_and_to_the_centroid():
    table, clusters = crowd_and_outlier()
    recoder, recoded = recode(table, clusters, [PushBack("centroid")])
    assert recoded.columns["age"].to_list() == [20, 22, 25, 27, 30, 25]
    assert recoded.columns["sex"].to_list() == table.frame["sex"].to_list()
    assert recoder.moved_.pushed_cells == 1
    assert recoder.moved_.outliers == 1


@pytest.mark.parametrize("way", ["noise", "member"])
def test_noise_and_members_stay_within_the_crowd(way):
    table, clusters = crowd_and_outlier()
    seen = set()
    for seed in range(30):
        _, recoded = recode(table, clusters, [PushBack(way, max_divergence=5)], seed)
        assert recoded.columns["age"].to_list()[:5] == [20, 22, 25, 27, 30]
        seen.add(recoded.columns["age"][5])
    assert seen <= {20, 22, 25, 27, 30}
    assert len(seen) > 2


def test_an_outlier_as_near_as_the_furthest_member_stays():
    table = table_of(age=[20, 25, 30, 40, 60], pay=[1, 2, 3, 9, 2])
    labels = Grouping(np.zeros(5, dtype=np.int64))
    clusters = EpsilonClusters(m=1)
    clusters.grouping_ = clusters.clusters_ = labels
    clusters.core_ = np.array([True, True, True, True, False])
    clusters.outliers_ = ~clusters.core_
    _, recoded = recode(table, clusters, [PushBack("centroid")])
    assert recoded.columns["pay"][4] == 2  # inside the crowd
    assert recoded.columns["age"][4] == 25  # 35 from the centroid, others at most 15


# Eq. 9 ------------------------------------------------------------------------------------------


def test_flattening_by_hand():
    table = table_of(Roles([], ["age"], "illness"), age=[20, 21, 25, 60, 61, 66],
                     illness=["flu", "flu", "gout", "cold", "gout", "gout"])  # fmt: skip
    clusters = EpsilonClusters(m=2, radii={"age": 10}).fit_table(table)
    _, flat = recode(table, clusters, [Flatten(["illness"])])
    assert flat.columns["illness"].to_list() == ["flu"] * 3 + ["gout"] * 3
    assert flat.columns["age"].to_list() == [20, 21, 25, 60, 61, 66]
    _, blank = recode(table, clusters, [Flatten(["illness"], to="blank"), Stir()])
    assert blank.columns["illness"].null_count() == 6


def test_all_columns_flattened_are_k_anonymous():
    table = table_of(age=[20, 21, 25, 60, 61, 66], sex=list("fmffmm"))
    clusters = EpsilonClusters(m=2).fit_table(table)
    _, recoded = recode(table, clusters, [PushBack("centroid"), Flatten()])
    assert recoded.grouping.smallest >= 3


# Eq. 10 -----------------------------------------------------------------------------------------


def before_and_after(table, clusters, stir, seed, trees=None):
    """Distances of every row to its cluster's centroid before stirring and after it."""
    first, last = ([PullIn(2), PushBack()], [PullIn(2), PushBack(), stir])
    _, start = recode(table, clusters, first, seed, trees)
    recoder, end = recode(table, clusters, last, seed, trees)
    metrics = build_metrics(table, hierarchies=trees)
    sides = []
    centre = None
    for recoded in (start, end):
        codes = np.column_stack(
            [published_codes(table, recoded, measured) for measured in metrics.measured]
        )
        if centre is None:
            core = Grouping(np.where(clusters.core_, clusters.grouping_.labels, -1))
            ones = np.ones(table.n_rows, dtype=np.int64)
            centre = centroids_of(codes.astype(np.int32), ones, metrics.yardsticks(), core)
        sides.append(
            [
                twin.mapped(metrics, row, centre[g])
                for row, g in zip(codes, clusters.grouping_.labels, strict=True)
            ]
        )
    return recoder, np.array(sides)


def core_rows(clusters, group):
    return np.flatnonzero(clusters.core_ & (clusters.grouping_.labels == group))


def published_codes(table, recoded, measured):
    column = table.column(measured.name)
    text = table.text(measured.name)
    of_text = dict(zip(text.to_list(), column.codes.tolist(), strict=True))
    shown = recoded.columns[measured.name].cast(pl.String).to_list()
    place = np.argsort(measured.column_codes)
    return place[[of_text.get(cell, column.missing_code) for cell in shown]]


@given(
    seed=st.integers(0, 2**32 - 1),
    bound=st.sampled_from([0.0, 0.05, 0.25]),
    mode=st.sampled_from(["permute", "redraw"]),
)
@settings(SLOW, max_examples=15)
def test_the_bound_holds_on_recount_from_what_is_published(seed, bound, mode):
    rng = np.random.default_rng(seed)
    table = random_table(rng, n_rows=36, n_quasi=3, kinds=["numeric", "date"], missing=0.0)
    clusters = EpsilonClusters(m=4).fit_table(table)
    stir = Stir(mode=mode, max_divergence=bound)
    recoder, (before, after) = before_and_after(table, clusters, stir, seed % 1000)
    for group in range(clusters.grouping_.n_groups):
        rows = clusters.grouping_.members(group)
        change = twin.shape_change(before[rows].tolist(), after[rows].tolist(), 1e-5)
        assert change <= bound + 1e-9
    assert recoder.moved_.divergence_max <= max(bound, 0.25) + 1e-9


@given(seed=st.integers(0, 2**32 - 1), way=st.sampled_from(["noise", "centroid", "member"]))
@SLOW
def test_former_outliers_lie_within_the_extent_of_their_cluster(seed, way):
    rng = np.random.default_rng(seed)
    table = random_table(rng, n_rows=50, n_quasi=3)
    trees = random_hierarchies(rng, table)
    clusters = EpsilonClusters(m=3).fit_table(table, trees)
    _, recoded = recode(table, clusters, [PushBack(way)], seed % 1000, trees)
    metrics = build_metrics(table, hierarchies=trees)
    for j, measured in enumerate(metrics.measured):
        codes = published_codes(table, recoded, measured)
        for group in range(clusters.grouping_.n_groups):
            core = core_rows(clusters, group)
            assert np.array_equal(codes[core], metrics.codes[core, j])
            least, _ = twin.centroid(measured, codes[core], range(measured.space.n_codes))
            ties = [v for v in range(measured.space.n_codes)
                    if twin.cost(measured, codes[core], v) <= least + 1e-5]  # fmt: skip
            rows = clusters.grouping_.members(group)
            assert any(
                measured.shares(codes[rows], np.array([centre])).max()
                <= measured.shares(codes[core], np.array([centre])).max() + 1e-5
                for centre in ties
            )


def test_stirring_moves_as_much_as_chance_does():
    rng = np.random.default_rng(3)
    table = table_of(age=rng.permutation(2000), pay=rng.permutation(2000))
    clusters = EpsilonClusters(m=10).fit_table(table)
    recoder, _ = recode(table, clusters, [Stir()])
    moved = recoder.moved_
    sigma = np.sqrt(moved.unchanged_chance / (2 * table.n_rows))
    assert moved.unchanged_share == pytest.approx(moved.unchanged_chance, abs=4 * sigma)
    assert moved.same_value_share == moved.unchanged_share  # all values differ


def test_stirring_keeps_the_values_of_every_cluster():
    rng = np.random.default_rng(4)
    table = table_of(age=rng.integers(20, 90, 300), pay=rng.integers(1, 9, 300))
    clusters = EpsilonClusters(m=5).fit_table(table)
    _, recoded = recode(table, clusters, [Stir()])
    for group in range(clusters.grouping_.n_groups):
        rows = clusters.grouping_.members(group)
        for name in ("age", "pay"):
            had, shown = table.frame[name].gather(rows), recoded.columns[name].gather(rows)
            assert sorted(had) == sorted(shown)


def test_rows_change_places_beside_flattened_columns_too():
    """With a bound of 0 all values return to their row; only whole rows still move."""
    table = table_of(age=list(range(40)), pay=[i * i for i in range(40)])
    clusters = EpsilonClusters(m=30).fit_table(table)
    still, _ = recode(table, clusters, [Stir(["age"], max_divergence=0)])
    moving, _ = recode(table, clusters, [Flatten(["pay"]), Stir(["age"], max_divergence=0)])
    assert still.moved_.unchanged_share > 0.5
    assert moving.moved_.unchanged_share < 0.25


def test_extremes_are_pulled_in_to_the_kth():
    table = table_of(age=[1, 2, 3, 50, 51, 52, 97, 98, 99])
    clusters = EpsilonClusters(m=8).fit_table(table)
    _, recoded = recode(table, clusters, [PullIn(3)])
    assert recoded.columns["age"].to_list() == [3, 3, 3, 50, 51, 52, 97, 97, 97]
    _, few = recode(table, clusters, [PullIn(40)])
    assert set(few.columns["age"].to_list()) == {51}


# Promises of the whole --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "steps",
    [
        default_steps(3),
        [PushBack("member"), Stir(mode="redraw", max_divergence=0.1)],
        [PushBack("centroid"), Flatten(["q0"]), Flatten(["illness"], to="blank")],
        [Stir(["illness", "q0"])],
    ],
    ids=["default", "redraw", "flatten", "some"],
)
def test_every_recipe_passes_the_battery(steps):
    check_steps(steps, tables=12)


@pytest.mark.parametrize("grouper", [EpsilonClusters(), EpsilonClusters(split=False)], ids=repr)
def test_clusters_pass_the_battery_of_groupers(grouper):
    check_grouper(grouper, tables=8)


def test_steps_can_be_cloned_and_print_themselves():
    for step in (PushBack("member"), Stir(["age"], "redraw"), Flatten(["age"]), EpsilonClusters(3)):
        assert repr(clone(step)) == repr(step)
    assert repr(PushBack("member")) == "PushBack(way='member')"


def test_without_a_seed_chance_is_fresh():
    table = table_of(age=list(range(200)))
    clusters = EpsilonClusters(m=20).fit_table(table)
    one, other = (recode(table, clusters, [Stir()], seed=None)[1] for _ in range(2))
    assert not one.columns["age"].equals(other.columns["age"])


def test_steps_work_on_groups_of_the_core():
    table = table_of(age=list(range(40)), pay=list(range(40)))
    groups = SaNGreeA().fit(Problem(table, build_spaces(table), (KAnonymity(5),))).grouping_
    recoder = Quantize([PushBack(), Stir()], random_state=1)
    recoded = recoder.recode(table, groups)
    assert recoder.moved_.outliers == 0
    assert sorted(recoded.columns["age"]) == list(range(40))


@pytest.mark.parametrize(
    "columns",
    [
        {"age": [5] * 12},
        {"age": [None] * 12},
        {"age": list(range(12)), "name": [f"n{i}" for i in range(12)]},
        {"sex": ["f", None] * 6},
    ],
    ids=["constant", "all missing", "all distinct", "half missing"],
)
def test_extreme_tables_end_in_a_release(columns):
    frame = pl.DataFrame(columns, schema_overrides={"age": pl.Int64} if "age" in columns else {})
    table = read_table(frame, roles=Roles([], list(columns)))
    clusters = EpsilonClusters(m=3).fit_table(table)
    _, recoded = recode(table, clusters, default_steps(2))
    assert recoded.aligned_frame(table).height == 12
    assert clusters.grouping_.smallest > 3


def test_too_few_rows_are_refused():
    with pytest.raises(ImpossibleError, match="1 rows"):
        EpsilonClusters(m=1).fit_table(table_of(age=[5]))


def test_radii_that_leave_everybody_alone_are_refused():
    with pytest.raises(ImpossibleError, match="no cluster to go to") as caught:
        EpsilonClusters(m=2, radii={"age": 0}).fit_table(table_of(age=[1, 5, 9, 13]))
    assert "Widen" in caught.value.hint


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: EpsilonClusters(m=-1), InvalidParameterError),
        (lambda: EpsilonClusters(m=True), InvalidParameterError),
        (lambda: EpsilonClusters(m=1, clusters=0), InvalidParameterError),
        (lambda: EpsilonClusters(m=1, radii={"wage": 1}), UnknownColumnError),
        (lambda: EpsilonClusters(m=1, weights={"wage": 1}), UnknownColumnError),
    ],
)
def test_wrong_clusters_are_refused(make, error):
    with pytest.raises(error):
        make().fit_table(table_of(age=[1, 2, 3, 4]))


@pytest.mark.parametrize(
    ("steps", "error"),
    [
        ([PushBack("away")], InvalidParameterError),
        ([Stir(mode="shake")], InvalidParameterError),
        ([Stir(max_divergence=-1)], InvalidParameterError),
        ([Stir(["wage"])], UnknownColumnError),
        ([Flatten(["age"], to="zero")], InvalidParameterError),
        ([PullIn(0)], InvalidParameterError),
        (["stir"], InvalidParameterError),
    ],
)
def test_wrong_steps_are_refused(steps, error):
    table = table_of(age=[1, 2, 3, 4])
    with pytest.raises(error):
        recode(table, EpsilonClusters(m=1).fit_table(table), steps)


def test_clusters_need_a_quasi_identifier():
    with pytest.raises(InvalidParameterError, match="quasi-identifier"):
        EpsilonClusters(m=1).fit_table(table_of(Roles(), age=[1, 2, 3]))
