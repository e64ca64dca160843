"""``shoal anonymize`` as a user types it: what it writes, prints and answers."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

QUASI = ("age", "sex", "zip", "education")
ASKED = f"-k 5 --quasi {','.join(QUASI)} --sensitive diagnosis --identifier name,person_id"
CONTRACT = {
    *("rows_in", "rows_out", "suppressed", "groups", "k", "k_asked", "ngil", "ngil_bound"),
    *("loss_by_attribute", "seconds", "method", "refined", "output", "why", "warnings", "models"),
}


def released(folder: Path | str = "out") -> list[dict[str, str]]:
    with (Path(folder) / "data.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def crowds(rows: list[dict[str, str]], *names: str) -> Counter[tuple[str, ...]]:
    return Counter(tuple(row[name] for name in names) for row in rows)


def written(here: Path, text: str, name: str = "t.csv") -> Path:
    (here / name).write_text(text, encoding="utf-8")
    return here / name


def test_json_holds_the_contract(shoal, here, town) -> None:
    answer = shoal(
        f"anonymize {town}/data.csv {ASKED} --hierarchies {town}/hierarchies -o out --json"
    )
    assert (answer.code, answer.err) == (0, "")
    facts = answer.json
    assert facts.keys() >= CONTRACT
    assert facts["rows_in"] == facts["rows_out"] + facts["suppressed"] == 300
    assert facts["k"] >= facts["k_asked"] == 5
    assert 0 < facts["ngil_bound"] <= facts["ngil"] < 1
    assert facts["loss_by_attribute"].keys() == set(QUASI)
    assert facts["seconds"].keys() >= {"reading", "grouping", "writing", "total"}
    assert (facts["method"], facts["refined"], facts["output"]) == ("sangreea", True, "out")
    assert min(crowds(released(), *QUASI).values()) == facts["k"]
    assert len(crowds(released(), *QUASI)) == facts["groups"]


def test_writes_a_release_and_keeps_the_other_columns(shoal, here, patients) -> None:
    answer = shoal(f"anonymize {patients} {ASKED} -o out")
    assert answer.code == 0
    files = {"data.csv", "manifest.json", "report.html", "verify.py"}
    assert {path.name for path in (here / "out").iterdir()} == files
    original = pl.read_csv(patients, infer_schema=False)
    names = [name for name in original.columns if name not in ("name", "person_id")]
    assert list(released()[0]) == names
    kept = Counter(row["diagnosis"] for row in released())
    assert kept == Counter(original["diagnosis"].to_list())


def test_tells_the_story_in_words(shoal, here, patients) -> None:
    answer = shoal(f"anonymize {patients} {ASKED} -o out")
    assert "hides in a crowd of at least 5" in answer.out
    assert "5-anonymity holds" in answer.out
    assert "times the best possible" in " ".join(answer.out.split())
    assert "recounted" in answer.out
    assert str(Path("out", "report.html")) in answer.out
    assert answer.err == ""


def test_gives_the_same_bytes_again(shoal, here, patients) -> None:
    for folder in ("one", "two"):
        assert shoal(f"anonymize {patients} {ASKED} -o {folder}").code == 0
    for name in ("data.csv", "manifest.json", "report.html"):
        assert (here / "one" / name).read_bytes() == (here / "two" / name).read_bytes()


@pytest.mark.parametrize(
    ("options", "method", "order", "refined"),
    [
        ("--method mondrian", "mondrian", None, False),
        ("--method sangreea --order common --no-refine", "sangreea", "common", False),
        ("--order content", "sangreea", "content", True),
        ("--no-refine", "sangreea", "best-first", False),
    ],
)
def test_methods(shoal, here, patients, options, method, order, refined) -> None:
    facts = shoal(f"anonymize {patients} {ASKED} {options} -o out --json").json
    assert (facts["method"], facts["order"], facts["refined"]) == (method, order, refined)
    assert facts["k"] >= 5


def test_models_are_recounted(shoal, here, patients) -> None:
    facts = shoal(f"anonymize {patients} {ASKED} --l 3 --t 0.6 -o out --json").json
    asked = {model["measure"]: model for model in facts["models"]}
    assert asked["distinct_l"]["recounted"] >= 3
    assert asked["t_equal"]["recounted"] <= 0.6
    assert all(model["holds"] for model in facts["models"])


def test_a_limit_that_cannot_be_met_is_refused(shoal, here, patients) -> None:
    answer = shoal(f"anonymize {patients} {ASKED} --limit age=0 -o out")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("Error: ")
    assert "Hint: " in answer.err
    assert list(here.iterdir()) == []


def test_rows_may_be_left_out_where_allowed(shoal, here, patients) -> None:
    line = f"anonymize {patients} -k 5 --quasi age,sex --limit age=5 --max-suppression 0.9"
    facts = shoal(f"{line} -o out --json").json
    assert facts["suppressed"] == 300 - len(released())
    assert 0 < facts["suppressed"] <= 270


def test_a_release_without_a_row_is_refused(shoal, here) -> None:
    written(here, "age,ill\n" + "".join(f"{3 * i},flu\n" for i in range(30)))
    line = "anonymize t.csv -k 5 --quasi age --limit age=0 --max-suppression 1 -o out"
    answer = shoal(line)
    assert (answer.code, answer.out) == (1, "")
    assert "all 30 rows would be suppressed" in answer.err
    assert "Hint: " in answer.err
    assert [path.name for path in here.iterdir()] == ["t.csv"]


def test_columns_may_be_repeated_and_quoted(shoal, here) -> None:
    rows = "\n".join(f"{20 + i % 3},{'fm'[i % 2]},{i % 4}" for i in range(40))
    written(here, f'"age, in years",sex,"a=b"\n{rows}\n')
    quasi = ["--quasi", '"age, in years"', "--quasi", 'sex,"a=b"']
    weights = ["--weights", '"age, in years"=2,"a=b"=0.5', "--kind", '"a=b"=nominal']
    facts = shoal("anonymize t.csv -k 4 -o out --json", *quasi, *weights).json
    assert set(facts["loss_by_attribute"]) == {"age, in years", "sex", "a=b"}


def test_text_stays_text(shoal, here) -> None:
    rows = ["01234,NA,x"] * 5 + ["1234,null,y"] * 5 + ["12345,,x"] * 5
    written(here, "\n".join(["zip,country,disease", *rows]))
    assert shoal("anonymize t.csv -k 5 --quasi zip,country -o out").code == 0
    found = crowds(released(), "zip", "country")
    assert found == {("01234", "NA"): 5, ("1234", "null"): 5, ("12345", ""): 5}


def test_missing_is_what_was_declared(shoal, here) -> None:
    written(here, "\n".join(["country,x", *["NA,1"] * 5, *[",1"] * 5]))
    assert shoal("anonymize t.csv -k 5 --quasi country --missing NA -o out").code == 0
    assert crowds(released(), "country") == {("",): 10}


def test_people_are_counted_not_rows(shoal, here) -> None:
    rows = [f"p{i // 2},{20 + i // 4},f" for i in range(40)]
    written(here, "\n".join(["id,age,sex", *rows]))
    line = "anonymize t.csv -k 4 --quasi age,sex"
    facts = shoal(f"{line} --person id -o out --json").json
    assert (facts["counts"], facts["k_asked"]) == ("people", 4)
    assert min(crowds(released(), "age", "sex").values()) >= 8
    assert "id" not in released()[0]


def test_other_delimiters_and_encodings(shoal, here) -> None:
    rows = "\n".join(["größe;ort", *["170;Köln"] * 4, *["180;Graz"] * 4])
    (here / "t.csv").write_bytes(rows.encode("latin-1"))
    answer = shoal("anonymize t.csv -k 2 --quasi größe,ort -o out --json --encoding latin-1")
    assert answer.code == 0
    assert crowds(released(), "größe", "ort") == {("170", "Köln"): 4, ("180", "Graz"): 4}


def test_preset_raises_the_floors(shoal, here, patients) -> None:
    line = f"anonymize {patients} --quasi age,sex --sensitive diagnosis --identifier name,person_id"
    others = "zip,birth_country,education,marital_status,occupation,workclass,readmitted"
    line = f"{line} --publish-as-is {others} --drop admitted,visits"
    facts = shoal(f"{line} --preset public -o out --json").json
    assert facts["k_asked"] == 11
    assert {m["measure"]: m["asked"] for m in facts["models"]}["distinct_l"] == 3
    ends = {row["age"] for row in released()}
    assert all(age == "*" or age.startswith("[") for age in ends)


def test_parquet_provenance_and_safe_cells(shoal, here) -> None:
    written(here, "\n".join(["age,note", *["30,=1+1"] * 4, *["40,-5"] * 4]))
    line = "anonymize t.csv -k 2 --quasi age --format parquet --provenance --spreadsheet-safe"
    assert shoal(f"{line} --weights age=2 -o out").code == 0
    data = pl.read_parquet(here / "out" / "data.parquet")
    assert set(data["note"]) == {"'=1+1", "-5"}
    assert data["age"].dtype == pl.String
    private = json.loads((here / "out" / "provenance.json").read_text("utf-8"))
    assert private["weights"] == {"age": 2}
    assert "[weights]\nage = 2" in private["plan"]


def test_the_report_speaks_german_where_asked(shoal, here, patients) -> None:
    assert shoal(f"anonymize {patients} {ASKED} -o out --language de").code == 0
    assert '<html lang="de">' in (here / "out" / "report.html").read_text("utf-8")
    refused = shoal(f"anonymize {patients} {ASKED} -o other --language xx")
    assert refused.code == 2
    assert not (here / "other").exists()


def test_force_replaces_a_release(shoal, here, patients) -> None:
    line = f"anonymize {patients} {ASKED} -o out"
    assert shoal(line).code == 0
    assert shoal(line).code == 2
    assert shoal(f"{line} -k 7 --force").code == 0
    assert min(crowds(released(), *QUASI).values()) >= 7


def test_a_seed_changes_nothing_and_says_so(shoal, here, patients) -> None:
    facts = shoal(f"anonymize {patients} {ASKED} --seed 7 -o out --json").json
    assert any("--seed" in warning for warning in facts["warnings"])


def test_options_go_over_the_plan(shoal, here, patients) -> None:
    plan = f"""
        [table]
        source = {str(patients)!r}
        [roles]
        identifiers = ["name", "person_id"]
        quasi_identifiers = ["age", "sex"]
        sensitive = ["diagnosis"]
        [weights]
        age = 3
        sex = 2
        [privacy]
        k = 4
        l = {{ diagnosis = 2 }}
        [method]
        name = "mondrian"
    """
    written(here, plan, "plan.toml")
    line = "anonymize --plan plan.toml --provenance --json"
    as_planned = shoal(f"{line} -o one").json
    assert (as_planned["k_asked"], as_planned["method"]) == (4, "mondrian")
    changed = shoal(
        f"{line} -k 6 --l 3 --method auto --weights sex=1 --quasi age,sex,zip -o two"
    ).json
    assert (changed["k_asked"], changed["method"]) == (6, "sangreea")
    assert set(changed["loss_by_attribute"]) == {"age", "sex", "zip"}
    private = json.loads((here / "two" / "provenance.json").read_text("utf-8"))
    assert private["weights"] == {"age": 3, "sex": 1}


def test_a_weight_may_not_outlive_its_column(shoal, here, patients) -> None:
    written(here, f"[table]\nsource = {str(patients)!r}\n[weights]\nsex = 2\n", "plan.toml")
    answer = shoal("anonymize --plan plan.toml --quasi age -o out")
    assert answer.code == 2
    assert "'sex'" in answer.err


def test_what_is_odd_in_the_table_is_told(shoal, here) -> None:
    rows = "\n".join(f"n{i},{20 + i % 4}" for i in range(40))
    written(here, f"name;age\n{rows}\n".replace(",", ";"))
    answer = shoal("anonymize t.csv -k 4 --quasi age -o out")
    assert answer.code == 0
    assert "semicolon" in answer.out
    assert "is it an identifier" in answer.out


def test_columns_are_dropped_or_accepted_by_name(shoal, here) -> None:
    lines = [f"{30 + i % 4},w{i % 2},same,{i}" for i in range(20)]
    written(here, "age,ward,hours,row\n" + "\n".join(lines) + "\n")
    answer = shoal("anonymize t.csv -k 5 --quasi age --publish-as-is ward --drop hours,row -o out")
    assert (answer.code, answer.err) == (0, "")
    assert list(released()[0]) == ["age", "ward"]
    assert "hours" not in answer.out
    manifest = json.loads((here / "out" / "manifest.json").read_text("utf-8"))
    roles = {column["name"]: column["role"] for column in manifest["columns"]}
    assert roles == {"age": "quasi-identifier", "ward": "publish-as-is"}
    planned = '[table]\nsource = "t.csv"\n[roles]\nquasi_identifiers = ["age"]\n'
    planned += 'publish_as_is = ["ward"]\ndrop = ["hours", "row"]\n[privacy]\nk = 5\n'
    written(here, planned, "plan.toml")
    assert shoal("anonymize --plan plan.toml -o again").code == 0
    assert list(released("again")[0]) == ["age", "ward"]
    assert shoal("anonymize --plan plan.toml --drop ward -o third").code == 2  # two roles
    written(here, planned.replace('publish_as_is = ["ward"]\n', ""), "plan.toml")
    assert shoal("anonymize --plan plan.toml --drop ward -o fourth").code == 0
    assert list(released("fourth")[0]) == ["age"]  # the plan's are still dropped


def test_the_least_loss_is_proven_better_if_asked_for(shoal, here, patients) -> None:
    few = "".join(patients.read_text("utf-8").splitlines(keepends=True)[:101])
    patients = written(here, few, "few.csv")
    line = f"anonymize {patients} --quasi age,sex,zip -k 5 --json"
    quick = shoal(f"{line} -o one").json
    proved = shoal(f"{line} --prove -o two").json
    assert (quick["proved"], proved["proved"]) == (False, True)
    assert quick["ngil_bound"] < proved["ngil_bound"] <= proved["ngil"] == quick["ngil"]
    roles = '[roles]\nquasi_identifiers = ["age", "sex", "zip"]\n[method]\nprove = true\n'
    written(here, f"[table]\nsource = {str(patients)!r}\n{roles}[privacy]\nk = 5\n", "plan.toml")
    planned = shoal("anonymize --plan plan.toml -o three --json").json
    assert planned["ngil_bound"] == proved["ngil_bound"]
    assert not shoal("anonymize --plan plan.toml --no-prove -o four --json").json["proved"]
    unbound = shoal("anonymize --plan plan.toml --no-bound -o five --json").json
    assert (unbound["ngil_bound"], unbound["proved"]) == (None, False)


def test_effort_is_counted_in_steps(shoal, here, patients) -> None:
    line = f"anonymize {patients} --quasi age,sex,zip -k 5 --json --no-bound"
    quick = shoal(f"{line} --effort quick -o one").json
    usual = shoal(f"{line} --effort default -o two").json
    longer = shoal(f"{line} --steps 2000 -o three").json
    assert (quick["refined"], usual["refined"]) == (False, True)
    assert longer["ngil"] <= usual["ngil"] <= quick["ngil"]
    assert shoal(f"{line} --steps 2000 -o four").json["ngil"] == longer["ngil"]
    assert (here / "three/data.csv").read_bytes() == (here / "four/data.csv").read_bytes()
    wrong = shoal(f"{line} --effort heroic -o five")
    assert wrong.code == 2
    assert "thorough" in wrong.err
