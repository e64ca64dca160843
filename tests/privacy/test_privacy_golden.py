"""The golden cases: worked examples of the papers and traps, with exact answers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import polars as pl
import pytest

from shoal.exceptions import EmptyTableError, ImpossibleError
from shoal.hierarchies import Taxonomy
from shoal.privacy import KAnonymity, TCloseness, check, group_by_text, measure_privacy
from shoal.risk import measure_risk
from shoal.table import Grouping, Roles, Table, read_table

CASES = json.loads((Path(__file__).parents[1] / "golden" / "privacy_cases.json").read_text())
BY_ID = {case["id"]: case for case in CASES["cases"]}
MEASURED = [name for name, case in BY_ID.items() if case.get("table", {}).get("rows")]
WITH_SENSITIVE = [name for name in MEASURED if BY_ID[name]["roles"]["sensitive"]]
OUT_OF_SCOPE = {"G25"}

TOP = {
    "n": "rows",
    "n_classes": "groups",
    "k": "k",
    "prosecutor_max_risk": "prosecutor_max_risk",
    "avg_risk_per_record": "avg_risk_per_record",
    "sample_unique_fraction": "sample_unique_fraction",
    "records_in_homogeneous_classes": "records_in_homogeneous_classes",
    "k_wildcard": "k_wildcard",
    "k_strict": "k",
    "k_raw": "k",
    "n_classes_raw": "groups",
}
PER_COLUMN = {
    "distinct_l": "distinct_l",
    "distinct_l_strict": "distinct_l",
    "entropy_l": "entropy_l",
    "alpha": "alpha",
    "t_equal": "t_equal",
    "t_ordered": "t_ordered",
    "t_hierarchical": "t_hierarchical",
    "basic_beta": "basic_beta",
    "enhanced_beta": "enhanced_beta",
    "delta_disclosure_ln_strict": "delta_disclosure",
    "delta_disclosure_ln_present_only": "delta_disclosure_present",
}


def table_of(case: dict) -> Table:
    content, roles = case["table"], case["roles"]
    columns = zip(*content["rows"], strict=True)
    frame = pl.DataFrame(dict(zip(content["columns"], columns, strict=True)))
    return read_table(frame, roles=Roles([], roles["quasi_identifiers"], roles["sensitive"]))


def hierarchies_of(case: dict) -> dict[str, Taxonomy]:
    paths = case["roles"].get("sensitive_hierarchy_leaf_to_root")
    if paths is None:
        return {}
    rows = [(leaf, *above) for leaf, above in paths.items()]
    return {case["roles"]["sensitive"][0]: Taxonomy.from_ladder(rows)}


def number(expected):
    if isinstance(expected, dict):
        expected = expected["float"]
    return math.inf if expected == "inf" else expected


def test_every_case_is_tried():
    elsewhere = {"G23c", "G28"}
    assert set(BY_ID) == {*MEASURED, *elsewhere, *OUT_OF_SCOPE}


@pytest.mark.parametrize("name", MEASURED)
def test_measures(name):
    case = BY_ID[name]
    expected = case["expected"]
    measures = measure_privacy(table_of(case), hierarchies=hierarchies_of(case))
    for golden, ours in TOP.items():
        if golden in expected:
            found = getattr(measures, ours)
            assert found == pytest.approx(number(expected[golden]), abs=1e-9), golden
    assert group_by_text(table_of(case)).smallest == expected["k"]


@pytest.mark.parametrize("name", WITH_SENSITIVE)
def test_sensitive_measures(name):
    case = BY_ID[name]
    expected = case["expected"]
    measures = measure_privacy(table_of(case), hierarchies=hierarchies_of(case))
    found = measures.sensitive[case["roles"]["sensitive"][0]]
    for golden, ours in PER_COLUMN.items():
        if golden in expected:
            assert getattr(found, ours) == pytest.approx(number(expected[golden]), abs=1e-9), golden
    recursive = {int(l): number(c) for l, c in expected["recursive_c_infimum_by_l"].items()}
    assert found.recursive_c == pytest.approx(recursive, abs=1e-9)
    assert (found.enhanced_beta < math.inf) == expected["enhanced_beta_satisfiable"]


@pytest.mark.parametrize("name", WITH_SENSITIVE)
def test_json_holds_the_string_inf(name):
    case = BY_ID[name]
    content = json.loads(check(table_of(case)).to_json())
    found = content["sensitive"][case["roles"]["sensitive"][0]]
    expected = case["expected"]
    for golden in ("enhanced_beta", "delta_disclosure_ln_strict"):
        if expected[golden] == "inf":
            assert found[PER_COLUMN[golden]] == "inf"
    for l, c in expected["recursive_c_infimum_by_l"].items():
        assert (found["recursive_c"][l] == "inf") == (c == "inf")


@pytest.mark.parametrize(
    ("name", "key", "distance"),
    [
        ("G03a", "t_ordered_per_class", "ordered"),
        ("G15", "t_ordered_per_class", "ordered"),
        ("G04b", "t_hierarchical_per_class", "hierarchical"),
    ],
)
def test_distance_of_each_class(name, key, distance):
    case = BY_ID[name]
    table, column = table_of(case), case["roles"]["sensitive"][0]
    model = TCloseness(1, column, distance, hierarchies_of(case).get(column))
    found = sorted(model.measure(table, group_by_text(table)).tolist())
    assert found == pytest.approx(sorted(map(number, case["expected"][key])), abs=1e-12)


def test_population():
    case = BY_ID["G17"]
    expected = case["expected"]
    table, names = table_of(case), case["roles"]["quasi_identifiers"]
    population = read_table(
        pl.DataFrame(expected["population_generalized"], schema=names, orient="row")
    )
    measures = measure_privacy(table, population=population)
    assert measures.k_map == expected["k_map"]
    assert measures.delta_presence_min == number(expected["delta_presence_min"])
    assert measures.delta_presence_max == number(expected["delta_presence_max"])
    risk = measure_risk(table, population=population)
    assert risk.prosecutor_max == number(expected["prosecutor_max"])
    assert risk.journalist_max == measures.journalist_max_risk == number(expected["journalist_max"])
    assert risk.marketer == pytest.approx(number(expected["marketer_known_population"]), abs=1e-12)
    itself = measure_risk(table, population=table)
    assert itself.marketer == number(expected["marketer_population_release"])
    assert risk.prosecutor_max >= risk.journalist_max >= risk.marketer


def test_suppressed_rows_count_unless_they_leave():
    case = BY_ID["G12"]
    table = table_of(case)
    dropped = Grouping([0, 0, 0, 1, 1, 1, -1, -1])
    assert KAnonymity(3).judge(table, dropped).holds
    assert not KAnonymity(3).judge(table, group_by_text(table)).holds


def test_k_above_the_number_of_rows():
    case = BY_ID["G23a"]
    k = case["expected"]["request"]["k"]
    with pytest.raises(ImpossibleError, match="k = 4 exceeds the 3 rows"):
        KAnonymity(k).check_possible(table_of(case))
    assert not check(table_of(case), [KAnonymity(k)]).holds


def test_no_quasi_identifier_is_warned_about():
    measures = measure_privacy(table_of(BY_ID["G23b"]))
    assert any("No quasi-identifier" in warning for warning in measures.warnings)


def test_an_empty_table_has_no_k():
    columns = BY_ID["G23c"]["table"]["columns"]
    full = read_table(pl.DataFrame({name: ["x"] for name in columns}), roles=Roles([], "zip", "s"))
    empty = full.cells.frame.clear()
    with pytest.raises(EmptyTableError):
        read_table(empty, roles=Roles([], "zip", "s"))
    with pytest.raises(EmptyTableError):
        KAnonymity(2).judge(full, Grouping([-1]))


def test_composition_of_two_releases():
    expected = BY_ID["G24"]["expected"]
    second = read_table(
        pl.DataFrame(
            expected["second_release"]["rows"],
            schema=expected["second_release"]["columns"],
            orient="row",
        ),
        roles=Roles([], ["age", "zip"], ["d"]),
    )
    found = [measure_privacy(table) for table in (table_of(BY_ID["G24"]), second)]
    assert [m.k for m in found] == expected["k_each"]
    assert [m.sensitive["d"].distinct_l for m in found] == expected["distinct_l_each"]


@pytest.fixture(scope="module")
def adult(data_dir: Path) -> Table:
    """The complete rows of Adult, as ARX ships them."""
    places = {"age": 0, "workclass": 1, "education": 3, "marital-status": 5, "occupation": 6}
    places |= {"race": 8, "sex": 9, "native-country": 13, "salary-class": 14}
    lines = (data_dir / "adult" / "adult.data").read_text().splitlines()
    rows = [line.split(", ") for line in lines if line and "?" not in line]
    quasi = BY_ID["G28"]["dataset"]["quasi_identifiers"]
    frame = pl.DataFrame({name: [row[places[name]] for row in rows] for name in quasi})
    return read_table(frame, roles=Roles([], quasi))


def test_adult(adult):
    expected = BY_ID["G28"]["expected"]
    measures = measure_privacy(adult)
    assert (measures.rows, measures.groups, measures.k) == (30162, 19502, expected["k"])
    assert measures.avg_risk_per_record == pytest.approx(expected["avg_risk_per_record"], abs=1e-12)
    unique = expected["sample_unique_fraction"]
    assert measures.sample_unique_fraction == pytest.approx(unique, abs=1e-12)
