"""``shoal check`` measures any table, and answers by its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

CONTRACT = {
    *("rows", "groups", "k", "prosecutor_max_risk", "avg_risk_per_record"),
    *("sample_unique_fraction", "sensitive", "holds", "models", "warnings"),
}
OF_SENSITIVE = {
    *("distinct_l", "entropy_l", "recursive_c", "t_equal", "basic_beta", "enhanced_beta"),
    *("delta_disclosure", "delta_disclosure_present", "alpha"),
}
TABLE = "\n".join(
    [
        "zip,pay,pain,id",
        *("47677,3000,low,a", "47677,4000,low,a", "47677,5000,mid,b"),
        *("47905,6000,high,c", "47905,11000,low,d", "47905,8000,high,e"),
        *("47605,7000,mid,f", "47605,9000,high,g", "47605,10000,low,h"),
    ]
)


@pytest.fixture
def table(here: Path) -> Path:
    (here / "t.csv").write_text(TABLE)
    return here


def test_json_holds_the_contract(shoal, table) -> None:
    answer = shoal("check t.csv --quasi zip --sensitive pay,pain --json")
    assert (answer.code, answer.err) == (0, "")
    facts = answer.json
    assert facts.keys() >= CONTRACT
    assert (facts["rows"], facts["groups"], facts["k"]) == (9, 3, 3)
    assert facts["sensitive"].keys() == {"pay", "pain"}
    pay = facts["sensitive"]["pay"]
    assert pay.keys() >= OF_SENSITIVE | {"t_ordered"}
    assert pay["t_ordered"] == pytest.approx(0.375)  # Li et al. 2007, section 4.2
    assert pay["delta_disclosure"] == "inf"
    assert pay["recursive_c"]["3"] == 1


def test_order_makes_text_ordered(shoal, table) -> None:
    line = "check t.csv --quasi zip --sensitive pain --json"
    assert "t_ordered" not in shoal(line).json["sensitive"]["pain"]
    ordered = shoal(f"{line} --ordered pain --order pain=low,mid,high").json
    assert 0 < ordered["sensitive"]["pain"]["t_ordered"] < 1
    assert shoal(f"{line} --ordered pain --kind pain=nominal").code == 2


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("-k 3", 0),
        ("-k 4", 1),
        ("-k 99", 1),
        ("--l 3 --sensitive pay", 0),
        ("--l 1 --sensitive pay", 0),
        ("--l 4 --sensitive pay", 1),
        ("--t 0.375 --sensitive pay", 0),
        ("--t 0.374 --sensitive pay", 1),
        ("-k 3 --l 3 --t 0.1 --sensitive pay", 1),
    ],
)
def test_exits_1_only_if_asked_and_not_met(shoal, table, asked, code) -> None:
    answer = shoal(f"check t.csv --quasi zip {asked} --json")
    assert answer.code == code
    if "--l" in asked:
        assert any("diversity" in model["model"] for model in answer.json["models"])
    assert answer.json["holds"] == (code == 0)


def test_reads_like_a_table(shoal, table) -> None:
    answer = shoal("check t.csv --quasi zip --sensitive pay,pain -k 4")
    assert answer.code == 1
    assert "9 rows in 3 groups on zip" in answer.out
    assert "rows in the smallest group" in answer.out
    assert "4-anonymity does not hold (smallest group: 3; 3 of 3 groups fail)" in answer.out
    assert answer.err == ""


def test_counts_people(shoal, table) -> None:
    facts = shoal("check t.csv --quasi zip --person id --json").json
    assert (facts["k"], facts["people"]) == (2, 8)
    assert "8 people" in shoal("check t.csv --quasi zip --person id").out


def test_no_quasi_identifier_is_one_group(shoal, table) -> None:
    facts = shoal("check t.csv --sensitive pay --json").json
    assert (facts["k"], facts["groups"]) == (9, 1)
    assert any("quasi-identifier" in warning for warning in facts["warnings"])


def test_measures_against_a_population(shoal, table) -> None:
    rows = [line.split(",")[0] for line in TABLE.splitlines()[1:]]
    (table / "p.csv").write_text("\n".join(["zip", *rows, *rows]))
    facts = shoal("check t.csv --quasi zip --population p.csv --json").json
    assert (facts["k_map"], facts["delta_presence_max"]) == (6, 0.5)
    assert "journalist" in shoal("check t.csv --quasi zip --population p.csv").out


def test_measures_along_a_hierarchy(shoal, table) -> None:
    (table / "h").mkdir()
    (table / "h" / "pain.csv").write_text("low;some;*\nmid;some;*\nhigh;high;*\n")
    facts = shoal("check t.csv --quasi zip --sensitive pain --hierarchies h --json").json
    assert 0 < facts["sensitive"]["pain"]["t_hierarchical"] < 1


def test_agrees_with_what_anonymize_said(shoal, here, patients) -> None:
    line = f"anonymize {patients} -k 5 --quasi age,sex --sensitive diagnosis --l 3"
    made = shoal(f"{line} -o out --format parquet --json").json
    line = "check out/data.parquet --quasi age,sex --sensitive diagnosis -k 5 --l 3 --json"
    checked = shoal(line)
    assert checked.code == 0
    assert (checked.json["k"], checked.json["groups"]) == (made["k"], made["groups"])


def test_check_tells_the_risk_in_the_terms_of_regulators(shoal, patients):
    ask = f"check {patients} --quasi age,sex,zip --sensitive diagnosis"
    told = shoal(f"{ask} --sampling-fraction 0.1 --by-column --json").json["risk"]
    assert told["share_above"]["public"] >= told["share_above"]["partner"]
    assert {"share", "converged", "reason"} <= {*told["population"]}
    assert [column["name"] for column in told["columns"]] == ["age", "sex", "zip"]
    assert all(combination["rows"] for combination in told["smallest"])
    words = shoal(f"{ask} --sampling-fraction 0.1 --by-column").out
    assert "Rows at more risk than is accepted" in words
    assert "the public (1/11)" in words
    assert shoal(f"{ask} --sampling-fraction 2").code == 2
