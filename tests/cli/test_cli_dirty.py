"""Dirty tables as a user meets them: ``init`` proposes, ``anonymize`` says what it costs."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal as shoal_package
from shoal.plan import Plan
from shoal.table import Roles

CANARY = "Kanarie7731"


@pytest.fixture
def clinic(here: Path) -> Path:
    """Sixty-one patients; one age is a slip, two birth dates are not known."""
    rows = [
        f"{20 + i},{1940 + i}-05-{1 + i % 28:02},{150 + i % 40} cm,{'Graz' if i % 3 else 'graz '}"
        for i in range(58)
    ]
    rows += ["45,unbekannt,170 cm,Linz", "46,unbekannt,171 cm,Linz", f"{CANARY},1990-01-01,180,?"]
    path = here / "clinic.csv"
    path.write_text("age,birth_date,height,town\n" + "\n".join(rows) + "\n")
    return path


def test_init_proposes_how_to_read_them_and_the_plan_runs(shoal, here, clinic) -> None:
    told = shoal("init clinic.csv")
    assert told.code == 0, told.err
    assert "Proposed for 'age': Its cells are numbers; 1 cell with something else" in told.out
    plan = Plan.read("plan.toml")
    assert plan.missing_in == {"birth_date": ("unbekannt",), "town": ("?",)}
    assert plan.formats == {"age": {"odd": "missing"}, "height": {"unit": "cm"}}
    assert plan.clean == {"town": ("trim", "case")}
    assert (plan.kinds["age"], plan.kinds["birth_date"]) == ("numeric", "date")
    assert CANARY not in (here / "plan.toml").read_text() + told.out
    done = shoal("anonymize --plan plan.toml -k 5 -o release")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "Read as missing: cells of 'age' (1), 'birth_date' (2) and 'town' (1)." in said
    assert CANARY not in done.out


def test_without_a_plan_it_is_said_what_text_costs(shoal, here, clinic) -> None:
    done = shoal("anonymize clinic.csv --quasi age,birth_date -k 5 -o release")
    assert done.code == 0, done.err
    told = " ".join(done.out.split())
    assert "Column 'age': 1 of 61 cells is not a number, so it is read as text" in told
    assert "Column 'birth_date': 2 of 61 cells are not dates, so it is read as text" in told
    assert CANARY not in told


def test_missing_texts_of_one_column_are_typed(shoal, here, clinic) -> None:
    asked = "anonymize clinic.csv --quasi birth_date -k 5 --missing birth_date=unbekannt"
    facts = shoal(f"{asked} -o release --json").json
    assert not [warning for warning in facts["warnings"] if "is read as text" in warning]
    assert "Read as missing: cells of 'birth_date' (2)." in facts["warnings"]


def test_missing_texts_are_laid_over_a_plan(shoal, here, clinic) -> None:
    roles = Roles(quasi_identifiers=["age", "birth_date"])
    Plan(source="clinic.csv", roles=roles, missing_in={"age": (CANARY,)}, k=5).write("p.toml")
    facts = shoal("anonymize --plan p.toml --missing birth_date=unbekannt -o r --json").json
    assert "Read as missing: cells of 'age' (1) and 'birth_date' (2)." in facts["warnings"]
    assert Plan.read("p.toml").missing == ("",)


def test_a_release_is_attacked_with_the_table_as_its_plan_reads_it(shoal, here, clinic) -> None:
    roles = Roles(quasi_identifiers=["age", "height"], drop=["birth_date", "town"])
    Plan(
        source="clinic.csv",
        roles=roles,
        kinds={"age": "numeric"},
        formats={"age": {"odd": "missing"}, "height": {"unit": "cm"}},
        k=5,
    ).write("p.toml")
    assert shoal("anonymize --plan p.toml -o release").code == 0
    told = shoal("attack release --plan p.toml --attacks exact_linkage --json")
    assert told.code in (0, 1), told.err
    assert told.json["attacks"]
    twice = shoal("attack release --plan p.toml --missing age=x --attacks exact_linkage")
    assert (twice.code, "--plan says what --missing would" in twice.err) == (2, True)


def test_parquet_and_brackets_on_the_command_line(shoal, here) -> None:
    rows = [f"{('18-29', '30-64', '65+')[i % 3]},{i % 7},{i / 4}" for i in range(60)]
    (here / "t.csv").write_text("band,visits,pay\n" + "\n".join(rows) + "\n")
    done = shoal("anonymize t.csv --quasi band,visits -k 15 --format parquet -o out")
    assert done.code == 0, done.err
    frame = pl.read_parquet("out/data.parquet")
    assert dict(frame.schema) == {"band": pl.String, "visits": pl.String, "pay": pl.Float64}
    assert set(frame["band"]) <= {"18-29", "30-64", "65+", "18-64", "30+", "18+"}


def test_a_database_is_called_what_it_is(shoal, here) -> None:
    import duckdb

    with duckdb.connect("people.csv") as database:
        database.execute("CREATE TABLE people (age INTEGER)")
    told = shoal("init people.csv")
    assert told.code == 2
    assert "'people.csv' is a DuckDB database, not CSV." in told.err


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("[missing]\nage = 9\n", "missing of 'age' must be a list of texts"),
        ('[missing]\nagee = ["?"]\n', "There is no column named 'agee'"),
        ('[clean]\nage = ["wash"]\n', "cannot be 'wash'"),
        ('[formats]\nage = "cm"\n', "format of 'age' must be written as"),
        ("[formats]\nage = { unit = 3 }\n", "unit of format of 'age' must be text"),
    ],
)
def test_what_is_wrong_in_a_plan_is_told(shoal, here, clinic, section, said) -> None:
    text = f'[table]\nsource = "clinic.csv"\n\n[roles]\nquasi_identifiers = ["age"]\n\n{section}'
    (here / "p.toml").write_text(text)
    told = shoal("anonymize --plan p.toml -k 5 -o release")
    assert told.code == 2
    assert said in " ".join(told.err.split())


def test_plans_with_formats_are_written_and_read_back(here) -> None:
    plan = Plan(
        missing_in={"age": ["?"]},
        clean={"*": ["trim"]},
        formats={"pay": {"decimal": ",", "unit": "€"}, "born": {"date": "%d.%m.%Y"}},
    )
    plan.write("p.toml")
    assert Plan.read("p.toml") == plan


def test_in_python_proposals_and_releases_take_the_same_words(clinic) -> None:
    proposal = shoal_package.propose(clinic, missing={"birth_date": ["unbekannt"]})
    assert proposal.plan.missing_in["birth_date"] == ("unbekannt",)
    assert proposal.plan.formats["age"] == {"odd": "missing"}
    release = shoal_package.anonymize(
        clinic,
        quasi_identifiers=["age", "height"],
        drop=["birth_date", "town"],
        kinds={"age": "numeric"},
        formats={"age": {"odd": "missing"}, "height": {"unit": "cm"}},
        clean=["trim"],
        k=5,
    )
    assert CANARY not in release.frame.write_csv()
    assert "cm" not in release.frame.write_csv()
