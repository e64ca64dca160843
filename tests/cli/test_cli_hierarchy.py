"""``shoal hierarchy``: ladders out, gaps told in counts, values in private files alone."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.exceptions import HierarchyGapError, HierarchyShapeError, InvalidParameterError
from shoal.hierarchies import check_hierarchy, read_hierarchy, scaffold
from shoal.table import Roles, read_table

CANARY = "Kanarie7731"


def towns(rows=200):
    rng = np.random.default_rng(7)
    places = [
        ("Springfield", "Sangamon", "IL"),
        ("Springfield", "Clark", "OH"),
        ("Joliet", "Will", "IL"),
        ("Crest Hill", "Will", "IL"),
        ("Tipp City", "Miami", "OH"),
        ("Peru", "Miami", "IN"),
        ("Centralia", "Marion", "IL"),
        ("Centralia", "Clinton", "IL"),
    ]
    chosen = rng.integers(0, len(places), rows)
    return pl.DataFrame(
        {
            "town": [places[i][0] for i in chosen],
            "county": [places[i][1] for i in chosen],
            "state": [places[i][2] for i in chosen],
            "age": 20 + chosen * 5 + rng.integers(0, 5, rows),
            "dx": rng.choice(["E11.9", "E10", "J45.0", "J45.1", "I10", "I11"], rows),
        }
    )


@pytest.fixture
def table(here: Path) -> Path:
    towns().write_csv(here / "towns.csv")
    return here / "towns.csv"


def is_private(path: str | Path) -> bool:
    return stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_a_scaffold_is_a_ladder_that_holds_every_value(shoal, table):
    for way in ("spelling", "similarity"):
        found = shoal(
            f"hierarchy scaffold towns.csv town --by {way} --quasi age,state --force --json"
        )
        assert found.code == 0, found.err
        facts = found.json
        assert (facts["by"], facts["uncovered"], facts["uncovered_file"]) == (way, 0, None)
        assert facts["hierarchy"] == str(Path("hierarchies/town.csv"))
        assert is_private(facts["hierarchy"])
        again = shoal("hierarchy check towns.csv town --hierarchy hierarchies/town.csv --json")
        assert (again.code, again.json["holds"]) == (0, True)
        assert again.json["values"] == 6


def test_what_fits_nowhere_is_in_a_private_file_and_nowhere_else(shoal, here):
    codes = [f"E{i}" for i in range(10, 40)]
    pl.DataFrame({"dx": [*codes, CANARY, "odd"]}).write_csv("t.csv")
    told = shoal("hierarchy scaffold t.csv dx")
    assert told.code == 0
    assert "joined by icd10" in told.out
    assert "2 of them fit nowhere and stand under 'other'" in told.out
    assert CANARY not in told.out + told.err
    listed = Path("hierarchies/dx.uncovered.txt")
    assert is_private(listed)
    assert sorted(listed.read_text().split()) == [CANARY, "odd"]
    assert read_hierarchy("hierarchies/dx.csv").n_leaves == 32
    refused = shoal("hierarchy scaffold t.csv dx")
    assert refused.code == 2
    assert "already" in refused.err


def test_check_counts_gaps_and_lists_them_privately(shoal, table):
    Path("town.csv").write_text("Joliet;Will;*\nPeru;Miami;*\nSpringfield;Clark;*\n")
    told = shoal("hierarchy check towns.csv town --hierarchy town.csv")
    assert told.code == 1
    assert "3 of 6 values of 'town' are covered" in told.out
    assert "Centralia" not in told.out + told.err
    listed = Path("town.uncovered.txt")
    assert is_private(listed)
    assert sorted(listed.read_text().splitlines()) == ["Centralia", "Crest Hill", "Tipp City"]
    assert str(listed) in told.out
    assert shoal("hierarchy check towns.csv dx --hierarchy icd10").code == 0
    facts = shoal("hierarchy check towns.csv town --hierarchy icd10 --uncovered x.txt --json")
    assert (facts.code, facts.json["uncovered"], is_private("x.txt")) == (1, 6, True)


def test_two_parents_are_told_by_level_and_resolved_by_columns(shoal, table):
    rows = towns().select("town", "county", "state").unique().sort(pl.all())
    ladder = "".join(";".join([*row, "*"]) + "\n" for row in rows.rows())
    Path("torn.csv").write_text(ladder)
    told = shoal("hierarchy check towns.csv town --hierarchy torn.csv")
    assert told.code == 1
    assert "2 values with two parents; 2 values affected" in told.out
    assert "1 label of level 1 with two parents; 2 values affected" in told.out
    assert "--above" in told.out
    assert "Springfield" not in told.out
    with pytest.raises(HierarchyShapeError, match="values with two parents") as error:
        read_hierarchy("torn.csv")
    assert "scaffold" in str(error.value.hint)
    told = shoal("hierarchy scaffold towns.csv town --above county,state -o town.csv")
    assert told.code == 0
    assert "2 of them have several parents" in told.out
    tree = {row[0]: row[1:] for row in read_hierarchy("town.csv").to_ladder_rows()}
    assert tree["Joliet"] == ("Will", "IL", "*")
    assert tree["Tipp City"] == ("Miami, OH", "OH", "*")
    assert tree["Centralia"] == ("several of IL", "IL", "*")
    assert tree["Springfield"] == ("several", "several", "*")
    asked = "anonymize towns.csv --quasi town,age -k 5 --hierarchy town=town.csv -o out"
    assert shoal(asked).code == 0


def test_a_gap_says_how_to_see_which(here):
    Path("sex.csv").write_text("f;*\n")
    with pytest.raises(HierarchyGapError, match="1 of 2") as error:
        read_hierarchy("sex.csv").arrange(["f", CANARY], column="sex")
    assert "shoal hierarchy check" in str(error.value.hint)
    assert CANARY not in f"{error.value} {error.value.hint}"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("hierarchy check towns.csv town", "Which hierarchy?"),
        ("hierarchy check towns.csv twon --hierarchy mask", "twon"),
        ("hierarchy check towns.csv town --hierarchy icd8", "icd8"),
        ("hierarchy check towns.csv town --hierarchy none.csv", "none.csv"),
        ("hierarchy scaffold towns.csv town --by magic", "magic"),
        ("hierarchy scaffold towns.csv town --above cuonty", "cuonty"),
        ("hierarchy scaffold nothing.csv town", "nothing.csv"),
        ("hierarchy scaffold towns.csv town -o no/such/folder/x.csv", "could not be written"),
    ],
)
def test_what_is_typed_wrong_is_said(shoal, table, line, says):
    answer = shoal(line)
    assert answer.code == 2
    assert says in answer.err


def test_python_says_the_same():
    table = read_table(towns(), roles=Roles(quasi_identifiers=["town", "age"]))
    assert scaffold(table, "dx").by == "icd10"
    assert scaffold(table, "town").by == "similarity"
    assert scaffold(table.with_roles(Roles()), "town").by == "spelling"
    assert "Joliet" not in repr(scaffold(table, "town"))
    with pytest.raises(InvalidParameterError, match="no way 'ages'"):
        scaffold(table, "town", by="ages")
    found = check_hierarchy(
        read_hierarchy_of(scaffold(table, "town").rows), table.column("town").labels
    )
    assert found.holds


def read_hierarchy_of(rows):
    from shoal.hierarchies import Taxonomy

    return Taxonomy.from_ladder(rows)
