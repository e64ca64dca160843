"""Every attack with its positive control: it must succeed on what is bad, or it is broken."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scenes import (
    QUASI,
    SECRET,
    K,
    aligned,
    anonymizer,
    hidden,
    pushed_back,
    raw,
    scene,
    town,
    trees,
    written,
)

from shoal.anonymizer import Anonymizer
from shoal.exceptions import EmptyTableError, InvalidParameterError, UnknownColumnError
from shoal.grouping import Mondrian
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.risk import (
    ATTACKS,
    AttackReport,
    AttackResult,
    AttackScene,
    Relinking,
    find_threshold,
    run_attacks,
)
from shoal.risk.attacks import (
    Downcoding,
    FileMetadata,
    Homogeneity,
    IntervalEnds,
    Membership,
    Minimality,
    RowOrder,
    Skewness,
    Suppression,
    minimality_posterior,
)
from shoal.table import Roles, read_table
from shoal.testing import check_attack

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "privacy_cases.json").read_text())
CASES = {case["id"]: case for case in GOLDEN["cases"]}
ON_THE_RAW_TABLE = (
    *("exact_linkage", "nearest_linkage", "relinking", "singling_out"),
    *("attribute_inference", "model_inference", "homogeneity", "background_knowledge"),
    *("skewness", "membership"),
)


@pytest.mark.parametrize("name", ON_THE_RAW_TABLE)
def test_attacks_succeed_on_the_raw_table(name):
    broken, held = check_attack(ATTACKS[name], raw(), hidden())
    assert held.risk < max(0.25, 2 / K)
    assert broken.people == held.people or name in ("singling_out",)


def test_every_attack_has_its_positive_control_here():
    with_their_own = {
        "interval_ends",
        "downcoding",
        "minimality",
        "suppression",
        "row_order",
        "known_columns",
        "known_rows",
        "date_gaps",
        "pseudonym_linkage",
        "public_papers",
    }
    assert {*ATTACKS} == {*ON_THE_RAW_TABLE, *with_their_own, "file_metadata"}


def grouped(k: int, grid: bool) -> AttackScene:
    """Crowds of k whose ages end at people, or on a grid; rows in the order of the original."""
    original = town()[0]
    recoding = Generalize(trees(), grid={"age": 10} if grid else None)
    made = Anonymizer(Mondrian(), recoding, KAnonymity(k), bound=False).fit(original)
    return scene(made.recoded_.aligned_frame(original), truth=np.arange(original.n_rows), k=k)


def test_interval_ends_are_people_unless_they_lie_on_a_grid():
    broken, held = check_attack(IntervalEnds(), grouped(3, False), grouped(3, True))
    assert broken.rate > 0.5
    assert held.rate <= held.baseline + 0.1


def test_crowds_of_two_are_written_back_whole():
    people = read_table(pl.DataFrame({"age": [20, 29, 50, 58]}), roles=Roles([], ["age"]))
    tight = pl.DataFrame({"age": ["[20, 29]"] * 2 + ["[50, 58]"] * 2})
    wide = pl.DataFrame({"age": ["[15, 34]"] * 2 + ["[45, 64]"] * 2})
    roles = Roles(quasi_identifiers="age")
    scenes = [AttackScene(read_table(frame, roles=roles), people) for frame in (tight, wide)]
    broken, held = check_attack(Downcoding(), *scenes, gain=0.0001)
    assert (broken.rate, held.rate) == (1.0, 0.0)


def test_a_crowd_wider_than_needed_tells_why():
    """Wong et al.: q1 are all ill, so l forced them into a crowd with some of q2."""
    roles = Roles(quasi_identifiers="q", sensitive="d")
    people = pl.DataFrame({"q": [1] * 10 + [2] * 90, "d": ["hiv"] * 10 + ["none"] * 90})
    told = people.with_columns(q=pl.Series(["[1, 2]"] * 20 + ["2"] * 80))
    alone = people.with_columns(q=pl.Series(["[1, 2]"] * 100))
    original = read_table(people, roles=roles)
    scenes = [
        AttackScene(read_table(frame, roles=roles), original, k=10) for frame in (told, alone)
    ]
    broken, _ = check_attack(Minimality(), *scenes)
    assert (broken.rate, broken.baseline) == (1.0, pytest.approx(0.95))


def test_the_golden_minimality_case():
    expected = CASES["G20"]["expected"]
    rows = [tuple(row) for row in expected["input_rows"]]
    released = [tuple(row) for row in CASES["G20"]["table"]["rows"]]
    wide = next(q for q, d in released if d == "HIV")
    n_joined = sum(q == wide for q, _ in released) - sum(q == "q1" for q, _ in rows)

    def publish(people):
        """Join q1 with as many of q2 as were joined, if more than half of q1 is ill."""
        ill = [d for q, d in people if q == "q1"]
        if ill.count("HIV") * 2 <= len(ill):
            return sorted(people)
        others = sorted(d for q, d in people if q == "q2")
        joined, left = others[:0], others
        while len(joined) < n_joined and "none" in left:
            left.remove("none")
            joined.append("none")
        return sorted([(wide, d) for d in (*ill, *joined)] + [("q2", d) for d in left])

    seen = publish(rows)
    assert sorted(seen) == sorted(released)
    beliefs = minimality_posterior([q for q, _ in rows], [d for _, d in rows], publish, seen)
    certain = Fraction(expected["posterior_q1_HIV_with_algorithm_knowledge"])
    assert beliefs[0]["HIV"] == beliefs[1]["HIV"] == certain
    assert expected["naive_posterior_q1_HIV"]["float"] == 0.5


def test_rows_of_stars_are_a_crowd_too():
    case = CASES["G12"]
    columns, rows = case["table"]["columns"], case["table"]["rows"]
    quasi, secret = case["roles"]["quasi_identifiers"], case["roles"]["sensitive"]
    released = pl.DataFrame(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))
    released = released.with_columns(pl.col(quasi).cast(pl.String))
    roles = Roles(quasi_identifiers=quasi, sensitive=secret)
    starred = (released.select(quasi) == "*").select(pl.all_horizontal(pl.all())).to_series()
    known = released.filter(~starred)
    people = pl.concat(
        [known, released.filter(starred).with_columns(pl.lit(f"gone {n}").alias(n) for n in quasi)]
    )
    original = read_table(people, roles=roles, kinds=dict.fromkeys(quasi, "nominal"))
    kept, dropped = (
        AttackScene(read_table(frame, roles=roles), original) for frame in (released, known)
    )
    broken, held = check_attack(Suppression(), kept, dropped)
    assert broken.rate == case["expected"]["records_in_homogeneous_classes"] / len(rows)
    assert held.details["fit_no_row"] == 2 / 8


def test_rows_that_stand_where_they_stood():
    broken, held = check_attack(RowOrder(), scene(aligned()), hidden(), gain=0.9)
    assert broken.rate == 1.0
    assert held.rate == held.baseline


def test_originals_in_the_dictionary_of_a_column(tmp_path):
    (tmp_path / "bad").mkdir()
    kept = town()[0].frame["zip"].cast(pl.Categorical)
    masked = pl.DataFrame({"zip": pl.Series(["*"] * len(kept))})
    index = masked.to_pandas().set_index(kept.to_numpy())
    index.to_parquet(tmp_path / "bad" / "data.parquet")
    bad = scene(town()[0].frame, folder=tmp_path / "bad")
    bad = AttackScene(hidden().released, bad.original, folder=tmp_path / "bad", k=K)
    broken, held = check_attack(FileMetadata(), bad, written(tmp_path / "good"))
    assert "zip" in broken.note
    assert held.rate == 0.0


def test_values_found_in_the_report(tmp_path):
    found = written(tmp_path / "release")
    rare = town()[0].frame["zip"].value_counts().filter(pl.col("count") < K)["zip"][0]
    assert FileMetadata().run(found).rate == 0.0
    page = tmp_path / "release" / "report.html"
    page.write_text(page.read_text() + f"<p>{rare}</p>")
    assert FileMetadata().run(found).rate > 0.0


def test_pushed_back_people_are_found_by_what_was_left_alone():
    """Moving one value is no protection (reliability 1.16): the positive control of re-linking."""
    attacked, moved = pushed_back()
    result = Relinking().run(attacked)
    assert result.people == moved.size
    assert result.rate > 0.5


@pytest.mark.parametrize(("case", "share"), [("G01", 4 / 12), ("G02", 0.0)])
def test_golden_homogeneity(case, share):
    found = golden_scene(case)
    assert Homogeneity().run(found).rate == pytest.approx(share)


def test_golden_skewness_makes_a_rare_value_likely():
    """G05: 2 % of all, half of one crowd."""
    found = golden_scene("G05")
    result = Skewness().run(found)
    assert result.rate > result.baseline


@pytest.mark.parametrize("k", [3, 10])
def test_interval_ends_are_found_without_a_map_from_rows_to_people(k):
    """The rate of the truth, within a hundredth; shares of sizes alone read a tenth too low."""
    frame = anonymizer(k).recoded_.aligned_frame(town()[0])
    true = IntervalEnds().run(scene(frame, truth=np.arange(1000))).rate
    found = IntervalEnds().run(scene(frame)).rate
    assert true - 0.015 < found <= true + 0.015


def test_balanced_weights_fill_every_crowd():
    """Every round brings them nearer; without any, some crowds lack a tenth of their rows."""
    matching = hidden().matching
    values = hidden().values_of_original(np.arange(1000))
    gaps = []
    for rounds in (0, 8, 100):
        shares = matching.fits(values) * matching.balanced(values, rounds)
        filled = (shares / shares.sum(axis=1, keepdims=True)).sum(axis=0)
        gaps.append(float(np.abs(filled / matching.sizes - 1).max()))
    assert gaps[0] > 0.1
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.05


def test_golden_interval_ends():
    expected = CASES["G22"]["expected"]
    roles = Roles(quasi_identifiers="age")
    people = read_table(pl.DataFrame({"age": expected["input_ages"]}), roles=roles)
    ages = [row[0] for row in CASES["G22"]["table"]["rows"]]
    tight = [age.replace("-", ", ") for age in ages]
    for published, name in ((tight, "tight"), (expected["grid_20_intervals"], "grid")):
        released = read_table(pl.DataFrame({"age": published}), roles=roles)
        rate = IntervalEnds().run(AttackScene(released, people)).rate
        assert rate == pytest.approx(expected[f"endpoint_hit_rate_{name}"]["float"])


def golden_scene(name: str) -> AttackScene:
    """A golden table against itself: every crowd fits exactly its own rows."""
    case = CASES[name]
    columns = zip(*case["table"]["rows"], strict=True)
    frame = pl.DataFrame(dict(zip(case["table"]["columns"], map(list, columns), strict=True)))
    roles = Roles([], case["roles"]["quasi_identifiers"], case["roles"]["sensitive"])
    kinds = dict.fromkeys(roles.quasi_identifiers, "nominal")
    return AttackScene(
        read_table(frame, roles=roles, kinds=kinds), read_table(frame, roles=roles, kinds=kinds)
    )


def test_membership_needs_people_held_out():
    result = Membership().run(scene(aligned(), control=None))
    assert not result.applies
    assert "control" in result.note


def test_a_report_names_what_gains_too_much():
    report = run_attacks(raw(), ["exact_linkage", "interval_ends"])
    assert report.exceeding == ("exact_linkage",)
    assert not report.holds
    assert report.to_dict()["attacks"][0]["exceeds"] is True
    safe = run_attacks(hidden(), ["exact_linkage"], preset="public")
    assert safe.holds
    assert safe.to_dict()["threshold"] == pytest.approx(1 / 11)


def test_forms_count_only_where_the_preset_asks_for_a_grid():
    bad = AttackResult("interval_ends", rate=0.9, baseline=0.1, people=100)
    assert AttackReport((bad,), find_threshold("partner")).holds
    assert not AttackReport((bad,), find_threshold("public")).holds


def test_wrong_names_are_explained():
    with pytest.raises(InvalidParameterError, match="no attack named 'magic'"):
        run_attacks(hidden(), ["magic"])
    with pytest.raises(InvalidParameterError, match="no threshold"):
        run_attacks(hidden(), ["row_order"], preset="strict")
    lacking = town()[0].frame.drop(QUASI[0])
    with pytest.raises(UnknownColumnError):
        AttackScene(hidden().released, read_table(lacking))
    with pytest.raises(EmptyTableError):
        AttackScene(
            read_table(anonymizer().release_.frame[:0], roles=hidden().released.roles), town()[0]
        )
    with pytest.raises(InvalidParameterError, match="truth"):
        scene(aligned(), truth=np.arange(3))


def test_no_result_shows_a_cell():
    words = {*town()[0].frame[SECRET], *town()[0].frame["education"]}
    for result in run_attacks(hidden()).results:
        told = f"{result} {result.to_dict()}"
        assert not any(word in told for word in words)
