"""A plan is a checked value that builds what it describes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import polars as pl
import pytest

import shoal
from shoal.exceptions import (
    InvalidParameterError,
    MissingExtraError,
    RoleConflictError,
    UnknownColumnError,
)
from shoal.hierarchies import Calendar, Flat, Intervals, Mask, Taxonomy
from shoal.plan import Plan, run
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from shoal.table import Roles, Table, read_table

ROLES = Roles("name", ["age", "zip", "born"], ["disease", "pay"])
PLAN = Plan(roles=ROLES)


@pytest.fixture(scope="module")
def table() -> Table:
    n = 24
    frame = pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": [20 + i % 6 for i in range(n)],
            "zip": [f"{8010 + i % 4}" for i in range(n)],
            "born": [f"2020-0{1 + i % 3}-01" for i in range(n)],
            "disease": ["flu", "gout", "cold", "none"] * 6,
            "pay": [i % 5 for i in range(n)],
        }
    )
    return read_table(frame, roles=ROLES)


def test_is_frozen_and_replaced() -> None:
    with pytest.raises(FrozenInstanceError):
        PLAN.k = 5  # type: ignore[misc]
    assert replace(PLAN, k=5).k == 5
    with pytest.raises(InvalidParameterError, match="k must be"):
        replace(PLAN, k=1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"k": True}, "k must be a whole number"),
        ({"k": 2.0}, "k must be a whole number"),
        ({"l": 0}, "l must be"),
        ({"t": 2}, "t must be"),
        ({"t": {"disease": -1}}, "t of 'disease'"),
        ({"entropy_l": 1}, "entropy_l must be"),
        ({"recursive": [2]}, "pair"),
        ({"recursive": [0, 2]}, "c of recursive"),
        ({"recursive": {"pay": [1, 1]}}, "l of recursive of 'pay'"),
        ({"alpha": 0}, "alpha"),
        ({"weights": {"age": float("nan")}}, "weight of 'age'"),
        ({"weights": {"age": 10**400}}, "weight of 'age'"),
        ({"weights": [1]}, "weights must name columns"),
        ({"grid": {"age": 0}}, "grid of 'age'"),
        ({"hierarchies": {"zip": "maks"}}, "hierarchy of 'zip'"),
        ({"hierarchies": {"zip": 1}}, "hierarchy of 'zip'"),
        ({"hierarchies": {"age": "intervals:a"}}, "finite number"),
        ({"refine": 1}, "refine must be"),
        ({"method": "mondrian", "refine": True}, "mondrian has no order"),
        ({"missing": 5}, "missing"),
        ({"source": ""}, "source"),
        ({"preset": "public", "k": 10}, "k of at least 11"),
        ({"preset": "public", "l": {"pay": 2}}, "l of at least 3"),
        ({"preset": "nobody"}, "no preset"),
        ({"roles": {"target": "a"}}, "Roles"),
    ],
)
def test_is_checked_at_birth(settings, says) -> None:
    with pytest.raises(InvalidParameterError, match=says):
        replace(PLAN, **settings)


def test_speaks_of_sensitive_columns_only() -> None:
    with pytest.raises(UnknownColumnError, match="'age'"):
        replace(PLAN, l={"age": 2})
    with pytest.raises(InvalidParameterError, match="none is named"):
        Plan(l=2)
    with pytest.raises(RoleConflictError):
        replace(PLAN, roles=Roles("a", "a"))


def test_builds_every_model(table: Table) -> None:
    plan = replace(
        PLAN,
        k=4,
        l={"disease": 3},
        t=0.5,
        entropy_l={"disease": 2},
        recursive={"disease": (3, 2)},
        basic_beta={"pay": 2},
        enhanced_beta={"pay": 3},
        delta_disclosure={"pay": 4},
        alpha={"pay": 0.5},
    )
    assert list(plan.anonymizer(table).privacy) == [
        KAnonymity(4),
        DistinctLDiversity(3, "disease"),
        EntropyLDiversity(2, "disease"),
        RecursiveCLDiversity(3, 2, "disease"),
        TCloseness(0.5, "disease"),
        TCloseness(0.5, "pay", "ordered"),
        BasicBetaLikeness(2, "pay"),
        EnhancedBetaLikeness(3, "pay"),
        DeltaDisclosure(4, "pay"),
        AlphaK(0.5, 4, "pay"),
    ]


def test_presets_raise_what_is_not_said(table: Table) -> None:
    public = replace(PLAN, preset="public").anonymizer(table)
    assert list(public.privacy) == [
        KAnonymity(11),
        DistinctLDiversity(3, "disease"),
        DistinctLDiversity(3, "pay"),
    ]
    assert set(public.recoding.grid) == {"age", "born"}
    assert public.preset == "public"
    assert list(PLAN.anonymizer(table).privacy) == [KAnonymity(10)]


def test_builds_hierarchies(table: Table, tmp_path) -> None:
    (tmp_path / "zip.csv").write_text("8010;80**;*\n")
    words = {"zip": "mask", "born": "calendar", "disease": "flat", "age": "intervals:5, 10"}
    built = replace(PLAN, hierarchies=words).anonymizer(table).recoding.hierarchies
    assert built == {
        "zip": Mask(),
        "born": Calendar(),
        "disease": Flat(),
        "age": Intervals([5, 10]),
    }
    folder = replace(PLAN, hierarchy_folder=str(tmp_path), hierarchies={"born": "calendar"})
    built = folder.anonymizer(table).recoding.hierarchies
    assert isinstance(built["zip"], Taxonomy)
    assert set(built) == {"zip", "born"}
    with pytest.raises(UnknownColumnError, match="'zipp'"):
        replace(PLAN, hierarchies={"zipp": "mask"}).anonymizer(table)


@pytest.mark.parametrize(
    ("settings", "grouper"),
    [
        ({}, "Auto()"),
        ({"refine": False}, "Auto(refine=False)"),
        ({"method": "sangreea"}, "SaNGreeA()"),
        ({"order": "common"}, "SaNGreeA(order='common')"),
        ({"method": "sangreea", "refine": False}, "SaNGreeA(refine=False)"),
        ({"method": "mondrian", "weights": {"age": 2}}, "Mondrian(weights={'age': 2})"),
    ],
)
def test_builds_the_grouper(settings, grouper, table: Table) -> None:
    assert repr(replace(PLAN, **settings).anonymizer(table).grouping) == grouper


def test_runs_from_its_file(tmp_path) -> None:
    rows = "\n".join(f"{20 + i},{'fm'[i % 2]},{'xyz'[i % 3]}" for i in range(30))
    (tmp_path / "t.csv").write_text(f"age,sex,ill\n{rows}\n")
    roles = Roles(quasi_identifiers=["age", "sex"], sensitive="ill")
    plan = Plan(source=str(tmp_path / "t.csv"), roles=roles, k=5, l=2)
    plan.write(tmp_path / "plan.toml")
    release = shoal.run(tmp_path / "plan.toml")
    assert release.verdict.holds
    assert release.data.height == 30
    assert release.data.equals(run(plan).data)


def test_needs_a_table_and_an_engine() -> None:
    with pytest.raises(InvalidParameterError, match="names no table"):
        run(Plan())
    with pytest.raises(InvalidParameterError, match="no engine"):
        run(Plan(), engine="steam")
    with pytest.raises((MissingExtraError, InvalidParameterError), match=r"spark|names no table"):
        run(Plan(), engine="spark")
