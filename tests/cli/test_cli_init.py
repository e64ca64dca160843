"""``shoal init`` proposes a plan with its reasons, and the plan runs as it is."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.plan import Plan


def test_the_plan_runs_as_it_is(shoal, here, town) -> None:
    told = shoal(f"init {town}/data.csv")
    assert (told.code, told.err) == (0, "")
    assert "guesses" in told.out
    text = (here / "plan.toml").read_text("utf-8")
    assert "# Its name is that of something others may know about a person." in text
    assert "# Its name is that of a value to predict." in text
    answer = shoal("anonymize --plan plan.toml -o release --json")
    assert answer.code == 0, answer.err
    assert answer.json["k"] >= 10


def test_proposes_kinds_roles_and_hierarchies(shoal, here, town) -> None:
    facts = shoal(f"init {town}/data.csv -o my.toml --json").json
    assert facts["plan"] == "my.toml"
    assert facts["columns"]["zip"]["kind"] == "code"
    assert facts["columns"]["zip"]["hierarchy"].endswith("zip.csv")
    assert facts["columns"]["diagnosis"]["role"] == "sensitive"
    plan = Plan.read("my.toml")
    assert plan.roles.identifiers == ("name", "person_id")
    assert plan.roles.target == "readmitted"
    assert (plan.k, plan.l) == (10, {"diagnosis": 3})


def test_without_files_beside_it(shoal, here, patients) -> None:
    (here / "data.csv").write_bytes(patients.read_bytes())
    facts = shoal("init data.csv --json").json["columns"]
    assert facts["zip"]["hierarchy"] == "postal:us"
    assert facts["sex"]["hierarchy"] == "flat"
    assert facts["age"]["hierarchy"] is None
    assert '# admitted: Published as spans; admitted = "calendar"' in Path("plan.toml").read_text()


def test_a_hierarchy_that_does_not_fit_is_said(shoal, here) -> None:
    (here / "t.csv").write_text("\n".join(["sex,age", *["f,3", "m,4"] * 20]))
    (here / "hierarchies").mkdir()
    (here / "hierarchies" / "sex.csv").write_text("f;*\n")
    facts = shoal("init t.csv --json").json
    assert facts["columns"]["sex"]["hierarchy"] == "flat"
    assert "does not fit" in facts["columns"]["sex"]["hierarchy_reason"]
    assert shoal("anonymize --plan plan.toml -o out").code == 0


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"x": [1, 2, 3, 4] * 5, "y": list("abcd") * 5}),
        pl.DataFrame({"age": [3, 4], "income": [1, 1]}),
        pl.DataFrame({"age": [None, None, 3], "born": ["2020-01-01", None, "2021-05-05"]}),
        pl.DataFrame({"city": [f"{c}/{i}" for c in "ab" for i in range(9)], "sex": ["f"] * 18}),
        pl.DataFrame({"patient_id": [1, 1, 2, 2, 3, 3, 4, 4], "age": [1, 2, 3, 4] * 2}),
        pl.DataFrame({"a, b": ["f"] * 9, 'q"=': [1, 2, 3] * 3, "zip": ["01", "1", "2"] * 3}),
        pl.DataFrame({"name": ["ann", "bo", "cy"]}),
    ],
    ids=["no known names", "two rows", "missing", "paths", "people", "odd names", "only names"],
)
def test_any_plan_runs_as_it_is(shoal, here, frame) -> None:
    frame.write_csv(here / "t.csv")
    assert shoal("init t.csv").code == 0
    answer = shoal("anonymize --plan plan.toml -o out")
    only_names = frame.columns == ["name"]
    assert answer.code == (2 if only_names else 0), answer.err


def test_reads_again_as_it_was_read(shoal, here) -> None:
    (here / "t.csv").write_text("\n".join(["age|plz", *["?|01", "3|02"] * 10]))
    line = "init t.csv --missing ? --delimiter | --kind plz=nominal"
    assert shoal(line).code == 0
    plan = Plan.read("plan.toml")
    assert (plan.missing, plan.delimiter, plan.kinds["plz"]) == (("", "?"), "|", "nominal")
    assert plan.kinds["age"] == "numeric"


def test_is_written_beside_another_folder(shoal, here, town) -> None:
    (here / "plans").mkdir()
    (here / "t.csv").write_bytes((town / "data.csv").read_bytes())
    assert shoal("init t.csv -o plans/plan.toml").code == 0
    assert 'source = "../t.csv"' in (here / "plans" / "plan.toml").read_text("utf-8")
    assert shoal("anonymize --plan plans/plan.toml -o out").code == 0


def test_replaces_a_plan_only_if_told(shoal, here, patients) -> None:
    (here / "plan.toml").write_text("mine")
    assert shoal(f"init {patients}").code == 2
    assert (here / "plan.toml").read_text() == "mine"
    assert shoal(f"init {patients} --force").code == 0
    assert Plan.read("plan.toml").k == 10


def test_what_is_alike_in_many_columns_is_said_once(shoal, here) -> None:
    """A hundred answers with -9 in them, and one column of its own."""
    names = [f"Q{n}" for n in range(30)]
    lines = [",".join([*names, "age", "note"])]
    for i in range(60):
        answers = [
            "-9" if (i + n) % 30 == 0 and i < 29 + n else str((i * n) % 5) for n in range(30)
        ]
        lines.append(",".join([*answers, "unknown" if i % 20 == 0 else str(20 + i), " x"]))
    (here / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = shoal("init t.csv")
    assert told.code == 0, told.err
    text = " ".join(told.out.split())
    assert text.count("Proposed for") == 2
    assert "columns, 'Q0', 'Q1'" in text
    assert "1 to 2 cells with codes far outside of all other numbers" in text


def test_what_tells_most_of_a_crowd_apart_is_generalized(shoal, here) -> None:
    """The way to work: hardly anybody is alone in the town, nearly everybody in a crowd of ten."""
    lines = ["age,sex,distance,shelf"]
    lines += [f"{20 + i % 60},{'fm'[i % 2]},{90 + i * 7919 % 89},{i % 5}" for i in range(3000)]
    (here / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = shoal("init t.csv --json").json["columns"]
    assert found["distance"]["role"] == "quasi_identifier"
    assert "of people from all others in a crowd of 10" in found["distance"]["role_reason"]
    assert found["shelf"]["role"] == "other"


def test_questions_as_names_do_not_push_the_roles_out_of_sight(shoal, here) -> None:
    name = "Have you ever been told by a doctor or a nurse that you have a chronic disease?"
    rows = "".join(f"{20 + i % 40},{'yes' if i % 3 else 'no'}\n" for i in range(80))
    (here / "q.csv").write_text(f"age,{name}\n{rows}", encoding="utf-8")
    lines = shoal("init q.csv -o q.toml").out.splitlines()
    (line,) = [line for line in lines if line.startswith("Have you ever")]
    assert line.split("  ")[0] == f"{name[:39]}…"
    assert "sensitive" in line[:60]
    assert name in (here / "q.toml").read_text("utf-8")
