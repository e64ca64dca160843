"""Each model by hand: parameters, thresholds met exactly, missing values, what it says."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from small_tables import HIERARCHY, table_with

from shoal.exceptions import (
    EmptyTableError,
    HierarchyGapError,
    ImpossibleError,
    InputError,
    InvalidParameterError,
    UnknownColumnError,
)
from shoal.hierarchies import Flat
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    KMap,
    RecursiveCLDiversity,
    TCloseness,
)
from shoal.privacy._entropy import LARGEST_PROOF, entropy_reaches
from shoal.privacy._ratios import Ratios, as_fraction
from shoal.table import Grouping, Roles, read_table

TABLE = table_with(["a", "a", "b", "c"])
ONE = Grouping([0, 0, 0, 0])
POPULATION = table_with(["a"], quasi=["x"])


@pytest.mark.parametrize(
    "make",
    [
        lambda: KAnonymity(1),
        lambda: KAnonymity(0),
        lambda: KAnonymity(-3),
        lambda: KAnonymity(2.5),
        lambda: KAnonymity(True),
        lambda: KAnonymity("3"),
        lambda: KMap(1, POPULATION),
        lambda: DistinctLDiversity(0, "s"),
        lambda: EntropyLDiversity(1, "s"),
        lambda: EntropyLDiversity(math.nan, "s"),
        lambda: EntropyLDiversity(math.inf, "s"),
        lambda: RecursiveCLDiversity(0, 2, "s"),
        lambda: RecursiveCLDiversity(2, 1, "s"),
        lambda: AlphaK(0, 2, "s"),
        lambda: AlphaK(1.01, 2, "s"),
        lambda: AlphaK(0.5, 1, "s"),
        lambda: TCloseness(-0.1, "s"),
        lambda: TCloseness(1.1, "s"),
        lambda: TCloseness("0.1", "s"),
        lambda: TCloseness(0.1, "s", "euclidean"),
        lambda: TCloseness(0.1, "s", "hierarchical"),
        lambda: TCloseness(0.1, "s", "equal", HIERARCHY),
        lambda: BasicBetaLikeness(0, "s"),
        lambda: EnhancedBetaLikeness(-1, "s"),
        lambda: DeltaDisclosure(0, "s"),
        lambda: DeltaPresence(-0.1, 1, POPULATION),
        lambda: DeltaPresence(0, 1.1, POPULATION),
        lambda: DeltaPresence(0.6, 0.5, POPULATION),
    ],
)
def test_parameters_outside_their_meaning_are_refused_at_birth(make):
    with pytest.raises(InvalidParameterError):
        make()


@pytest.mark.parametrize(
    ("model", "text", "parameter"),
    [
        (KAnonymity(10), "10-anonymity", 10),
        (KMap(3, POPULATION), "3-map", 3),
        (DeltaPresence(0, 0.5, POPULATION), "(0, 0.5)-presence", (0, 0.5)),
        (DistinctLDiversity(3, "s"), "distinct 3-diversity of 's'", 3),
        (EntropyLDiversity(2.5, "s"), "entropy 2.5-diversity of 's'", 2.5),
        (RecursiveCLDiversity(2, 3, "s"), "recursive (2, 3)-diversity of 's'", (2, 3)),
        (AlphaK(0.5, 3, "s"), "(0.5, 3)-anonymity of 's'", (0.5, 3)),
        (TCloseness(0.2, "s"), "0.2-closeness of 's'", 0.2),
        (
            TCloseness(Fraction(1, 5), "s", "ordered"),
            "0.2-closeness of 's' (ordered)",
            Fraction(1, 5),
        ),
        (BasicBetaLikeness(2, "s"), "basic 2-likeness of 's'", 2),
        (EnhancedBetaLikeness(2, "s"), "enhanced 2-likeness of 's'", 2),
        (DeltaDisclosure(1, "s"), "1-disclosure privacy of 's'", 1),
        (DeltaDisclosure(1, "s", strict=False), "1-disclosure privacy of 's' (values present)", 1),
    ],
)
def test_models_describe_themselves(model, text, parameter):
    assert str(model) == text
    assert model.parameter == parameter
    assert len(model.citation) > 40
    assert isinstance(model.monotone, bool)
    assert model.sensitive in (None, "s")
    with pytest.raises((AttributeError, TypeError)):
        model.k = 7


def test_models_are_values():
    assert KAnonymity(3) == KAnonymity(3) != KAnonymity(4)
    assert len({TCloseness(0.2, "s"), TCloseness(0.2, "s"), TCloseness(0.3, "s")}) == 2
    assert pickle.loads(pickle.dumps(AlphaK(0.5, 3, "s"))) == AlphaK(0.5, 3, "s")
    assert "a" not in repr(KMap(3, POPULATION)).replace("KMap", "")


@pytest.mark.parametrize(
    ("passing", "failing"),
    [
        (KAnonymity(4), KAnonymity(5)),
        (DistinctLDiversity(3, "s"), DistinctLDiversity(4, "s")),
        (EntropyLDiversity(2.82842, "s"), EntropyLDiversity(2.82843, "s")),
        (RecursiveCLDiversity(1.01, 2, "s"), RecursiveCLDiversity(1, 2, "s")),
        (RecursiveCLDiversity(2.01, 3, "s"), RecursiveCLDiversity(2, 3, "s")),
        (AlphaK(0.5, 4, "s"), AlphaK(0.4999999, 4, "s")),
        (AlphaK(0.5, 4, "s"), AlphaK(0.5, 5, "s")),
    ],
)
def test_thresholds_on_one_group(passing, failing):
    """Counts 2, 1, 1: entropy l is 2 sqrt(2), c must be above 1 (l = 2) and 2 (l = 3)."""
    assert passing.judge(TABLE, ONE).holds
    assert not failing.judge(TABLE, ONE).holds


HALVES = table_with(["a", "a", "b", "a", "b", "b"])
APART = Grouping([0, 0, 0, 1, 1, 1])


@pytest.mark.parametrize(
    ("passing", "failing"),
    [
        (TCloseness(1 / 6, "s"), TCloseness(Fraction(1, 6) - Fraction(1, 10**12), "s")),
        (TCloseness(Fraction(1, 6), "s"), TCloseness(0.1666666666, "s")),
        (BasicBetaLikeness(1 / 3, "s"), BasicBetaLikeness(0.3333333, "s")),
        (EnhancedBetaLikeness(1 / 3, "s"), EnhancedBetaLikeness(0.3333333, "s")),
        (DeltaDisclosure(0.41, "s"), DeltaDisclosure(0.4054, "s")),
        (DeltaDisclosure(0.41, "s"), DeltaDisclosure(math.log(3 / 2), "s")),
    ],
)
def test_thresholds_on_two_groups(passing, failing):
    """Shares 2/3 and 1/3 against 1/2 and 1/2; disclosure at exactly delta is refused."""
    assert passing.judge(HALVES, APART).holds
    assert not failing.judge(HALVES, APART).holds


def test_uniform_and_tied_entropies_are_exact():
    for values in (2, 3, 5, 6, 7, 49):
        table = table_with([str(v) for v in range(values)] * 3)
        everyone = Grouping(np.zeros(3 * values, dtype=int))
        model = EntropyLDiversity(values, "s")
        assert model.measure(table, everyone).tolist() == [values]
        assert model.judge(table, everyone).holds
    tied = table_with(list("aaaabcde"))  # 1/2 and four times 1/8: two bits, so exactly 4
    everyone = Grouping(np.zeros(8, dtype=int))
    assert EntropyLDiversity(4, "s").judge(tied, everyone).holds
    assert EntropyLDiversity(4, "s").measure(tied, everyone).tolist() == [4.0]
    assert not EntropyLDiversity(4 + 1e-9, "s").judge(tied, everyone).holds


@pytest.mark.parametrize("copies", [2, 5, 8, 11])
def test_entropies_that_floats_miss_by_a_hair_are_decided_exactly(copies):
    """``copies`` distributions of 4, 1, 1, 1, 1 side by side: exactly 4 * copies."""
    counts = [4] * copies + [1] * 4 * copies
    table = table_with([str(v) for v, count in enumerate(counts) for _ in range(count)])
    everyone = Grouping(np.zeros(8 * copies, dtype=int))
    model = EntropyLDiversity(4 * copies, "s")
    assert model.measure(table, everyone).tolist() == [4 * copies]
    assert model.judge(table, everyone).holds
    above = EntropyLDiversity(Fraction(4 * copies) + Fraction(1, 10**15), "s")
    assert not above.judge(table, everyone).holds


def test_an_entropy_too_large_to_prove_is_refused():
    assert entropy_reaches([LARGEST_PROOF // 2] * 2, Fraction(2))
    assert entropy_reaches([LARGEST_PROOF * 5] * 2, Fraction(2))  # cancels to 1, 1
    assert entropy_reaches([LARGEST_PROOF - 1, 1], Fraction(1))
    assert not entropy_reaches([LARGEST_PROOF, 1], Fraction(1))


def test_a_bound_is_the_simplest_fraction_that_rounds_to_it():
    assert as_fraction(0.1) == Fraction(1, 10)
    assert as_fraction(2 / 7) == Fraction(2, 7)
    assert float(as_fraction(math.pi)) == math.pi
    assert as_fraction(Fraction(1, 10**12)) == Fraction(1, 10**12)
    nearly = Fraction(10**20 + 1, 10**20)
    assert as_fraction(nearly) == nearly
    assert as_fraction(1e-300) == Fraction(1e-300)


def test_ratios_beyond_what_floats_hold_are_divided_rightly():
    large = 10**30
    tops = np.array([large + 1, large, large - 1, 5], dtype=object)
    ratios = Ratios(tops, np.array([large, large, large, 0], dtype=object))
    assert ratios.floats().tolist() == [1.0, 1.0, 1.0, math.inf]
    settled = ratios.settled(1)
    assert settled.tolist()[:3] == [math.nextafter(1, 2), 1.0, math.nextafter(1, 0)]


def test_a_missing_value_is_no_distinct_value_but_a_value_elsewhere():
    table = table_with(["a", "a", None, None])
    assert DistinctLDiversity(2, "s").measure(table, ONE).tolist() == [1]
    assert EntropyLDiversity(2, "s").measure(table, ONE).tolist() == [2.0]
    assert RecursiveCLDiversity(2, 2, "s").measure(table, ONE).tolist() == [1.0]
    assert AlphaK(0.5, 2, "s").measure(table, ONE).tolist() == [0.5]
    split = Grouping([0, 0, 1, 1])
    assert DistinctLDiversity(2, "s").measure(table, split).tolist() == [1, 0]
    assert TCloseness(1, "s").measure(table, split).tolist() == [0.5, 0.5]
    assert BasicBetaLikeness(1, "s").measure(table, split).tolist() == [1.0, 1.0]


def test_a_missing_value_ranks_last_and_hangs_at_the_root():
    table = table_with(["1", "2", None, None], kind="numeric")
    split = Grouping([0, 1, 2, 2])
    # ranks 0, 1, 2 with shares 1/4, 1/4, 1/2: group 0 moves 1/4 one step and 1/2 two steps
    measured = TCloseness(1, "s", "ordered").measure(table, split)
    assert measured.tolist() == [0.625, 0.375, 0.375]
    nominal = table_with(["0", "1", None, None])
    measured = TCloseness(1, "s", "hierarchical", HIERARCHY).measure(nominal, split)
    assert measured == pytest.approx([1 / 4 * 1 / 3 + 1 / 2, 1 / 4 * 1 / 3 + 1 / 2, 1 / 2])


def test_all_values_missing():
    table = table_with([None, None, None, None])
    for model in (TCloseness(0, "s"), TCloseness(0, "s", "hierarchical", Flat())):
        assert model.measure(table, Grouping([0, 0, 1, 1])).tolist() == [0.0, 0.0]
    assert DistinctLDiversity(2, "s").measure(table, ONE).tolist() == [0]
    assert EntropyLDiversity(2, "s").measure(table, ONE).tolist() == [1.0]


def test_a_constant_column_is_close_but_not_diverse():
    table = table_with(["7"] * 4, kind="numeric")
    split = Grouping([0, 0, 1, 1])
    for distance in ("equal", "ordered"):
        assert TCloseness(0, "s", distance).judge(table, split).holds
    assert DeltaDisclosure(0.1, "s").measure(table, split).tolist() == [0.0, 0.0]
    assert EnhancedBetaLikeness(0.1, "s").measure(table, split).tolist() == [0.0, 0.0]
    assert not DistinctLDiversity(2, "s").judge(table, split).holds


def test_numbers_are_ordered_by_value():
    table = table_with(["9", "10", "100"], kind="numeric")
    measured = TCloseness(1, "s", "ordered").measure(table, Grouping([0, 1, 2]))
    assert measured == pytest.approx([1 / 2, 1 / 3, 1 / 2])


def test_ordinal_text_follows_the_order_given():
    frame = pl.DataFrame({"s": ["low", "mid", "high"]})
    table = read_table(frame, orders={"s": ["low", "mid", "high"]})
    measured = TCloseness(1, "s", "ordered").measure(table, Grouping([0, 1, 2]))
    assert measured == pytest.approx([1 / 2, 1 / 3, 1 / 2])


def test_text_without_order_has_no_ordered_distance():
    with pytest.raises(InvalidParameterError, match="'s' have no order"):
        TCloseness(0.1, "s", "ordered").judge(TABLE, ONE)
    with pytest.raises(InvalidParameterError):
        TCloseness(0.1, "s", "ordered").constraint(TABLE)


def test_values_that_the_hierarchy_lacks_are_counted_not_shown():
    with pytest.raises(HierarchyGapError) as caught:
        TCloseness(0.1, "s", "hierarchical", HIERARCHY).judge(TABLE, ONE)
    assert "3" in str(caught.value)


def test_suppressed_rows_change_the_reference_and_the_larger_distance_counts():
    """Released: half a, half b in each group, t = 0. All rows: a fifth is c."""
    table = table_with(["a", "b", "a", "b", "c"])
    grouping = Grouping([0, 0, 1, 1, -1])
    model = TCloseness(0.1, "s")
    assert model.measure(table, grouping) == pytest.approx([0.2, 0.2])
    result = model.judge(table, grouping).results[0]
    assert not result.holds
    assert result.details == {"t_from_all_rows": 0.2, "t_from_released_rows": 0.0}
    assert result.to_dict()["t_from_released_rows"] == 0.0
    assert not DeltaDisclosure(5, "s").judge(table, grouping).holds
    assert BasicBetaLikeness(0.25, "s").judge(table, grouping).results[0].worst == 0.25


def test_suppression_may_also_hide_what_the_released_rows_show():
    """Against all rows every group is close; against the released rows they are not."""
    table = table_with(["a", "b", "b", "b", "a", "a"])
    grouping = Grouping([0, 0, 1, 1, -1, -1])
    distances = TCloseness(1, "s").judge(table, grouping).results[0].details
    assert distances == {"t_from_all_rows": 0.5, "t_from_released_rows": 0.25}


def test_unknown_columns_are_named():
    for model in (DistinctLDiversity(2, "salary"), TCloseness(0.2, "salary", "ordered")):
        with pytest.raises(UnknownColumnError, match="salary"):
            model.judge(TABLE, ONE)
        with pytest.raises(UnknownColumnError):
            model.constraint(TABLE)


def test_nothing_is_claimed_of_nothing():
    for model in (KAnonymity(2), TCloseness(0.1, "s"), AlphaK(0.5, 2, "s"), KMap(2, POPULATION)):
        with pytest.raises(EmptyTableError):
            model.judge(TABLE, Grouping([-1] * 4))
    with pytest.raises(EmptyTableError):
        DistinctLDiversity(2, "s").measure(TABLE, Grouping([-1] * 4))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (KAnonymity(5), "k = 5 exceeds the 4 rows"),
        (DistinctLDiversity(4, "s"), "4 values of 's', which has 3"),
        (EntropyLDiversity(3.5, "s"), "3.5 values of 's', which has 3"),
        (RecursiveCLDiversity(2, 4, "s"), "4 values of 's'"),
        (AlphaK(0.3, 2, "s"), "share above 0.3"),
        (AlphaK(0.5, 5, "s"), "exceeds"),
    ],
)
def test_what_no_grouping_can_satisfy_is_said_beforehand(model, words):
    with pytest.raises(ImpossibleError, match=words):
        model.check_possible(TABLE)


def test_of_a_secret_that_all_share_it_is_said_what_can_be_done():
    frame = pl.DataFrame({"q": [1, 2, 3, 4], "s": ["flu"] * 4})
    table = read_table(frame, roles=Roles(quasi_identifiers="q", sensitive="s"))
    with pytest.raises(ImpossibleError, match="2 values of 's', which has 1") as caught:
        DistinctLDiversity(2, "s").check_possible(table)
    assert "All people share one value of 's'" in caught.value.hint
    assert all(word in caught.value.hint for word in ("--drop", "publish_as_is"))
    assert "flu" not in caught.value.hint


@pytest.mark.parametrize(
    "model",
    [
        KAnonymity(4),
        DistinctLDiversity(3, "s"),
        EntropyLDiversity(3, "s"),
        RecursiveCLDiversity(0.1, 3, "s"),
        AlphaK(1 / 3, 4, "s"),
        TCloseness(0, "s"),
        DeltaDisclosure(0.1, "s"),
    ],
)
def test_what_may_be_possible_is_let_through(model):
    model.check_possible(TABLE)


def test_missing_values_make_distinct_diversity_no_easier():
    table = table_with(["a", "b", None])
    with pytest.raises(ImpossibleError):
        DistinctLDiversity(3, "s").check_possible(table)
    EntropyLDiversity(3, "s").check_possible(table)


def test_constraints_name_their_rule():
    models = {
        DistinctLDiversity(2, "s"): ("distinct", 2.0, 0),
        EntropyLDiversity(2, "s"): ("entropy", 2.0, 0),
        RecursiveCLDiversity(3, 2, "s"): ("recursive", 3.0, 2),
        TCloseness(0.2, "s"): ("t_equal", 0.2, 0),
        BasicBetaLikeness(2, "s"): ("basic_beta", 2.0, 0),
        EnhancedBetaLikeness(2, "s"): ("enhanced_beta", 2.0, 0),
        DeltaDisclosure(2, "s"): ("delta_disclosure", 2.0, 0),
        AlphaK(0.5, 2, "s"): ("alpha", 0.5, 0),
    }
    for model, expected in models.items():
        constraint = model.constraint(TABLE)
        assert (constraint.rule, constraint.bound, constraint.l) == expected
        assert constraint.n_codes == 3
        assert constraint.missing == -1
    numeric = table_with(["1", "2"], kind="numeric")
    assert TCloseness(0.2, "s", "ordered").constraint(numeric).rule == "t_ordered"
    without = [
        KAnonymity(2),
        TCloseness(0.2, "s", "hierarchical", HIERARCHY),
        DeltaDisclosure(1, "s", strict=False),
        KMap(2, POPULATION),
    ]
    assert [model.constraint(TABLE) for model in without] == [None] * 4


POPULOUS = table_with(["-"] * 9, quasi=["A"] * 4 + ["B"] * 3 + ["C"] * 2)
RELEASED = table_with(["-"] * 4, quasi=["A", "A", "A", "B"])


def test_presence_and_map_by_hand():
    groups = Grouping([0, 0, 0, 1])
    assert KMap(3, POPULOUS).measure(RELEASED, groups).tolist() == [4, 3]
    assert KMap(3, POPULOUS).judge(RELEASED, groups).holds
    assert not KMap(4, POPULOUS).judge(RELEASED, groups).holds
    assert DeltaPresence(0, 0.75, POPULOUS).judge(RELEASED, groups).holds
    assert not DeltaPresence(0, 0.7499, POPULOUS).judge(RELEASED, groups).holds
    chances = DeltaPresence(1 / 3, 0.75, POPULOUS).measure(RELEASED, groups)
    assert chances.tolist() == [0.75, 1 / 3]


def test_a_class_nobody_is_released_of_is_surely_absent():
    groups = Grouping([0, 0, 0, 1])
    result = DeltaPresence(1 / 3, 0.75, POPULOUS).judge(RELEASED, groups).results[0]
    assert not result.holds
    assert (result.groups, result.groups_failing) == (3, 1)
    assert result.details == {"smallest_chance": 0.0}
    without = table_with(["-"] * 7, quasi=["A"] * 4 + ["B"] * 3)
    assert DeltaPresence(1 / 3, 0.75, without).judge(RELEASED, groups).holds


def test_a_population_must_contain_the_release():
    too_few = table_with(["-"] * 5, quasi=["A"] * 2 + ["B"] * 3)
    elsewhere = table_with(["-"] * 5, quasi=["A"] * 5)
    for population in (too_few, elsewhere):
        with pytest.raises(InputError, match="1 groups of the table hold more people"):
            KMap(2, population).judge(RELEASED, Grouping([0, 0, 0, 1]))


def test_a_population_must_have_the_columns():
    other = read_table(pl.DataFrame({"zip": ["A", "B"]}))
    with pytest.raises(UnknownColumnError, match="population column"):
        KMap(2, other).judge(RELEASED, Grouping([0, 0, 0, 1]))


def test_groups_must_read_alike_to_be_compared_with_a_population():
    with pytest.raises(InputError, match="1 groups do not read the same"):
        KMap(2, POPULOUS).judge(RELEASED, Grouping([0, 0, 0, 0]))
    with pytest.raises(InputError, match="Several groups read the same"):
        KMap(2, POPULOUS).judge(RELEASED, Grouping([0, 0, 2, 1]))


def test_suppressed_rows_are_not_released():
    groups = Grouping([0, 0, -1, 1])
    assert DeltaPresence(0, 0.5, POPULOUS).judge(RELEASED, groups).holds


def test_without_quasi_identifiers_the_population_is_one_class():
    roles = Roles(sensitive="s")
    release, population = TABLE.with_roles(roles), POPULOUS.with_roles(roles)
    assert KMap(9, population).measure(release, ONE).tolist() == [9]


def test_what_is_typed_and_is_no_number_is_refused_by_the_name_of_its_option():
    setting = BasicBetaLikeness.setting
    with pytest.raises(InvalidParameterError, match=r"^--basic-beta cannot be 'much'\.") as refused:
        setting.typed("much")
    assert refused.value.hint.startswith("--basic-beta ")


def test_nothing_is_possible_without_rows():
    empty = table_with([])
    with pytest.raises(EmptyTableError, match="no rows"):
        BasicBetaLikeness(1.0, "s").check_possible(empty)


def test_a_model_that_asks_for_no_number_of_people_is_content_with_one():
    assert BasicBetaLikeness(1.0, "s").least_people == 1
    assert TCloseness(0.5, "s").least_people == 1
