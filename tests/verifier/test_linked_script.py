"""verify.py of linked tables: what it counts, and every story that does not agree with itself."""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections import Counter
from contextlib import suppress
from copy import deepcopy

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from linked_story import HIDDEN, MANIFEST, PEOPLE, STAYS, l_of

from shoal.exceptions import EmptyTableError, UnknownColumnError
from shoal.verifier import Claim, LinkedFiles, LinkedRecount, recount_linked
from shoal.verifier import _linked_script as script


def described(content):
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


@pytest.fixture
def found(tmp_path):
    """Write a release and its manifest, changed by a function; return what verify.py yields."""

    def write(change=lambda manifest: None, people=PEOPLE, stays=STAYS, parquet=False):
        manifest = deepcopy(MANIFEST)
        for part, rows in zip(manifest["tables"], (people, stays), strict=True):
            if parquet:
                part["file"] = f"{part['name']}.parquet"
                columns = [
                    [cell or None for cell in column] for column in zip(*rows[1:], strict=True)
                ]
                table = pa.table(dict(zip(rows[0], columns, strict=True)))
                pq.write_table(table, tmp_path / part["file"])
            else:
                with (tmp_path / part["file"]).open("w", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows(rows)
        names = [part["file"] for part in manifest["tables"]]
        manifest["files"] = {name: described((tmp_path / name).read_bytes()) for name in names}
        change(manifest)
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        return [*script.check(json.loads((tmp_path / "manifest.json").read_text()), tmp_path)]

    return write


@pytest.mark.parametrize("parquet", [False, True])
def test_an_honest_release_holds_and_its_numbers_are_said(found, capsys, parquet, tmp_path):
    assert found(parquet=parquet) == []
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "l: in people, every cell shows 3 or more of blood.",
        "l: in stays, every cell shows 2 or more of ill.",
        "9 people in 2 crowds; joined, 3 people share the rarest row.",
        "Every combination of 2 rows of a person is shared by 3 or more.",
    ]
    assert script.main(tmp_path) == 0
    assert capsys.readouterr().out.splitlines() == [*said, "Everything recounted here holds."]


def test_a_table_may_have_every_role(found):
    """Told by people's table: nobody is more unique by columns that are the same in all rows."""

    def change(manifest):
        (people, _) = manifest["tables"]
        people["columns"] += [
            {"name": role, "role": role} for role in ("target", "publish-as-is", "other")
        ]

    wide = [(*row, *("target", "publish-as-is", "other")) for row in PEOPLE[:1]]
    assert found(change, people=[*wide, *((*row, "x", "x", "x") for row in PEOPLE[1:])]) == []


@pytest.mark.parametrize("place", ["people", "crowds"])
def test_one_number_that_is_no_count_is_noticed_beside_those_that_are(found, place):
    said = found(at(place, value=float(MANIFEST[place])))
    assert "a number of the manifest is none that can be counted." in said


def at(*path, value):
    """Change one thing of a manifest."""

    def change(manifest):
        place = manifest
        for step in path[:-1]:
            place = place[step]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value

    return change


WRONG_NUMBERS = {
    ("people",): (8, 10, 9.5, "9", True, -1),
    ("crowds",): (1, 3, 2.5, -2),
    ("k", "asked"): (4, 1, 0, 3.0, float("nan"), "3", True),
    ("k", "recounted"): (2, 4, float("nan")),
    ("km", "asked"): (2, 4),
    ("km", "recounted"): (2, 4, 3.5),
    ("km", "m"): (0, 2.5),
    ("tables", 0, "k_joined"): (3, 5, -4),
    ("tables", 1, "k_joined"): (2, 4, 3.5),
    ("tables", 1, "rows"): (11, 13, 12.5),
    ("tables", 0, "rows"): (-1, 9.5),
    ("tables", 0, "holds", 0, "recounted"): (2, 4, 3.5),
    ("tables", 0, "holds", 0, "asked"): (4, float("nan"), "2"),
    ("tables", 0, "holds", 0, "holds"): (False, 1),
    ("tables", 1, "holds", 0, "recounted"): (1, 3),
}
CASES = [(path, value) for path, values in WRONG_NUMBERS.items() for value in values]


@pytest.mark.parametrize(("path", "value"), CASES, ids=str)
def test_a_number_that_is_not_what_was_counted_is_caught(found, path, value):
    assert found(at(*path, value=value)) != []


STORIES = {
    "a quasi-identifier fewer": at("tables", 0, "quasi_identifiers", value=["age"]),
    "one twice": at("tables", 0, "quasi_identifiers", value=["age", "age"]),
    "a fact fewer": at("tables", 1, "person_facts", value=[]),
    "people leave facts to others": lambda m: m["tables"][0].update(
        quasi_identifiers=["age"], person_facts=["sex"]
    ),
    "another role": at("tables", 1, "columns", 1, "role", value="other"),
    "a column fewer": at("tables", 1, "columns", 3, value=None),
    "columns in another order": lambda m: m["tables"][1]["columns"].reverse(),
    "no pseudonym": at("tables", 1, "columns", 0, "role", value="other"),
    "two pseudonyms": at("tables", 1, "columns", 3, "role", value="pseudonym"),
    "another person": at("tables", 1, "person", value="ill"),
    "a claim of another column": at("tables", 1, "holds", 0, "column", value="day"),
    "two tables of one name": at("tables", 1, "name", value="people"),
    "two tables in one file": at("tables", 1, "file", value="people.csv"),
    "a table is not listed": lambda m: m["files"].pop("stays.csv"),
    "a file that is none": lambda m: m["files"].update({"../people.csv": {}}),
    "a file that is not there": lambda m: m["files"].update({"more.csv": {}}),
    "another digest": at("files", "stays.csv", "sha256", value="0" * 64),
}


@pytest.mark.parametrize("story", STORIES)
def test_a_manifest_that_contradicts_itself_or_its_tables_is_caught(found, story):
    assert found(STORIES[story]) != []


def moved(rows, place, **cells):
    """Change cells of one row."""
    header, changed = rows[0], [list(row) for row in rows]
    for name, value in cells.items():
        changed[place][header.index(name)] = value
    return changed


@pytest.mark.parametrize(
    "tables",
    [
        {"people": moved(PEOPLE, 1, age="[40, 49]")},  # in the wrong crowd
        {"people": moved(PEOPLE, 1, person="P1")},  # somebody is there twice
        {"people": moved(PEOPLE, 1, person="")},  # or nobody
        {"stays": moved(STAYS, 1, day="3")},  # alone in a cell
        {"stays": moved(STAYS, 1, person="Q")},  # of nobody
        {"stays": moved(STAYS, 1, person="P9")},
        {"stays": STAYS[:-1]},  # a row fewer
        {"stays": [*STAYS, STAYS[-1]]},  # a row more
        {"stays": moved(moved(STAYS, 1, ill="flu"), 3, ill="flu")},  # a cell of one illness
        {"people": moved(moved(PEOPLE, 3, blood="A"), 2, blood="A")},
    ],
)
def test_rows_that_do_not_keep_what_is_claimed_are_caught(found, tables):
    assert found(**tables) != []


@pytest.mark.parametrize("pseudonym", ["P1", ""])
def test_whoever_is_there_twice_or_without_a_pseudonym_is_said(found, pseudonym):
    failures = found(people=moved(PEOPLE, 1, person=pseudonym))
    assert "somebody is in the table of people twice, or has no pseudonym." in failures


def test_single_rows_are_counted_alone_where_nothing_else_was_asked_for(found, capsys):
    def single(manifest, told=3):
        manifest["km"] = {"m": 1, "asked": 3, "recounted": told}

    assert found(single) == []
    assert "combination" not in capsys.readouterr().out
    assert found(lambda manifest: single(manifest, 4)) != []
    triple = {"m": 3, "asked": 3, "recounted": 3}
    assert found(at("km", value=triple)) == []  # nobody has three rows


def test_a_second_row_that_reads_the_same_is_another_one(found):
    """Three people of a cell have two such rows: pairs of them are shared by three."""
    again = [*STAYS, *STAYS[1:4]]
    change = at("tables", 1, "rows", value=15)
    assert found(change, stays=again) == []
    fewer = [*STAYS, *STAYS[1:3]]
    (failure,) = found(at("tables", 1, "rows", value=14), stays=fewer)
    assert failure == "some 2 rows of a person are shared by 2 people only."


def test_a_table_without_rows_is_shared_by_everybody(found):
    def empty(manifest):
        manifest["tables"][1].update(rows=0, k_joined=9, holds=[l_of("ill", 2, 2)])
        manifest["tables"][1]["share_unique"] = 0.0
        manifest["k"]["recounted"] = 4
        manifest["km"] = {"m": 1, "asked": 3, "recounted": 4}

    assert found(empty, stays=STAYS[:1]) == []


def test_what_it_cannot_count_is_said(found, capsys):
    claim = {"model": "0.5-closeness", "measure": "t", "column": "ill", "asked": 0.5}
    claim |= {"recounted": 0.1, "holds": True}
    crowd = {"model": "3-anonymity", "measure": "k", "asked": 3, "recounted": 3, "holds": True}
    assert found(lambda m: m["tables"][1]["holds"].extend([claim, crowd])) == []
    said = capsys.readouterr().out
    assert "Not recounted by this script: stays, 0.5-closeness." in said
    assert "Not recounted by this script: stays, 3-anonymity." in said


def test_codes_tell_what_happened(found, tmp_path, capsys):
    found(at("draft", value=True))
    assert script.main(tmp_path) == 0
    assert "This is a DRAFT, not a release: do not pass it on." in capsys.readouterr().out
    found(at("people", value=8))
    assert script.main(tmp_path) == 1
    said = capsys.readouterr().out
    assert "FAILED: the manifest speaks of other people or crowds than there are." in said
    assert said.endswith("This release does NOT hold.\n")
    (tmp_path / "manifest.json").write_text("{}")
    assert script.main(tmp_path) == 2
    assert "KeyError" in capsys.readouterr().out
    ragged = [*STAYS, ("P1", "1")]
    with pytest.raises(script.UncountableError, match="more or fewer cells"):
        found(stays=ragged)
    assert script.main(tmp_path) == 2
    with pytest.raises(ValueError, match="not in list"):
        [*script.read(tmp_path / "people.csv", ["nothing"])]


def recounted(
    found, tmp_path, *m, claim=Claim("distinct_l", 2, "ill"), facts=None, others=(), **tables
):
    with suppress(ValueError):  # of a table of nobody it can tell nothing
        found(**tables)
    names = ("people", "stays")
    told = LinkedFiles(
        {name: tmp_path / f"{name}.csv" for name in names},
        "people",
        dict.fromkeys(names, "person"),
        {"people": ["age", "sex"], "stays": ["day"]},
        {"stays": [claim]} if claim else {},
        {"stays": [facts]} if facts else {},
        dict(others),
    )
    return recount_linked(told, *m)


def test_the_recount_in_sql_finds_the_same(found, tmp_path):
    whole = recounted(found, tmp_path, 2)
    assert (whole.people, whole.crowds, whole.k, whole.combined, whole.strangers) == (9, 2, 3, 3, 0)
    assert (whole.rows, whole.joined) == ({"people": 9, "stays": 12}, {"people": 4, "stays": 3})
    (outcome,) = whole.outcomes["stays"]
    assert (outcome.recounted, outcome.holds, whole.outcomes["people"]) == (2, True, ())
    twice = recounted(found, tmp_path, 2, stays=[*STAYS, *STAYS[1:3]])
    assert (twice.combined, twice.joined["stays"], twice.rows["stays"]) == (2, 3, 14)
    assert recounted(found, tmp_path, 1, stays=[*STAYS, *STAYS[1:3]]).combined == 3
    of_nobody = recounted(
        found, tmp_path, 1, stays=[*STAYS, ("Q", "1", "", ""), ("R", "1", "", "")]
    )
    assert of_nobody.strangers == 2
    double = recounted(found, tmp_path, 1, people=[*PEOPLE, PEOPLE[1], PEOPLE[2]])
    assert (double.strangers, double.people, double.joined["people"]) == (2, 11, 4)
    alone = recounted(found, tmp_path, 1, stays=moved(STAYS, 1, day="3"))
    assert (alone.k, alone.joined["people"]) == (1, 4)
    empty = recounted(found, tmp_path, 1, stays=STAYS[:1])
    assert (empty.joined, empty.combined) == ({"people": 4, "stays": 9}, 4)
    flat = recounted(found, tmp_path, 1, stays=moved(moved(STAYS, 1, ill="flu"), 3, ill="flu"))
    assert [(o.recounted, o.holds) for o in flat.outcomes["stays"]] == [(1, False)]
    with pytest.raises(EmptyTableError):
        recounted(found, tmp_path, 1, people=PEOPLE[:1])


def test_pairs_are_of_one_person_and_single_rows_count_too(found, tmp_path):
    """Two cells of three people each, whom two have in common; then a row of one person alone."""
    cells = [("P0", "1"), ("P1", "1"), ("P2", "1"), ("P1", "2"), ("P2", "2"), ("P3", "2")]
    stays = [STAYS[0], *((who, day, "[30, 39]", "flu") for who, day in cells)]
    assert recounted(found, tmp_path, 2, stays=stays).combined == 2
    assert recounted(found, tmp_path, stays=stays).combined == 3  # one row is known, if not said
    more = [*stays, ("P3", "9", "[30, 39]", "flu")]
    assert recounted(found, tmp_path, 2, stays=more).combined == 1
    alone = [*STAYS, ("P8", "9", "[40, 49]", "flu")]
    assert recounted(found, tmp_path, 1, stays=alone).combined == 1
    single = [*STAYS[:8], ("P8", "9", "[40, 49]", "flu")]  # nobody who has it has another
    assert recounted(found, tmp_path, 2, stays=single).combined == 1
    three = [*STAYS, *[(f"P{i}", "7", "[30, 39]", "flu") for i in (0, 1, 3)]]
    assert recounted(found, tmp_path, 2, stays=three).combined == 2
    every = [*STAYS, *[(f"P{i}", "7", "[30, 39]", "flu") for i in (0, 1, 2, 3)]]
    every += [("P3", "2", "[30, 39]", "flu"), *[("P0", d, "[30, 39]", "flu") for d in "127"]]
    assert recounted(found, tmp_path, 2, stays=every).combined == 1
    nobody = recounted(found, tmp_path, 2, stays=STAYS[:1])
    assert (nobody.combined, nobody.joined["stays"]) == (0, 9)
    strangers = recounted(found, tmp_path, stays=[STAYS[0], ("Q", "1", "", "flu")], claim=None)
    assert (strangers.joined["stays"], strangers.strangers) == (0, 1)


def test_no_more_rows_are_combined_than_are_known(found, tmp_path):
    """Pairs are shared by two, the three rows of one person by nobody else."""
    held = [*("12 0", "12 1", "17 0", "17 2", "27 0", "27 3")]
    stays = [STAYS[0]]
    stays += [(f"P{who[3]}", day, "[30, 39]", "flu") for who in held for day in who[:2]]
    stays = [*dict.fromkeys(stays)]
    assert recounted(found, tmp_path, 2, stays=stays).combined == 2
    assert recounted(found, tmp_path, 3, stays=stays).combined == 1


def test_a_value_counts_once_for_each_person(found, tmp_path):
    claim = Claim("alpha", 0.6, "ill")
    again = [*STAYS, *[STAYS[1]] * 5]  # six rows of one person, who has one illness: 7 of 9 rows
    (outcome,) = recounted(found, tmp_path, stays=again, claim=claim).outcomes["stays"]
    assert float(outcome.recounted) == pytest.approx(2 / 3)
    plain = LinkedRecount(1, 1, {}, {"people": 1}, 1)
    assert (plain.strangers, plain.unlike, plain.unique) == (0, 0, {})


def test_tables_whose_cells_read_alike_are_not_mixed(found, tmp_path):
    """Four people have a stay on the first day, three of them a test: they are three there."""
    labs = [STAYS[0], *[(f"P{i}", "1", "[30, 39]", "flu") for i in (0, 1, 2)]]
    with (tmp_path / "labs.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(labs)

    def three(manifest):
        content = (tmp_path / "labs.csv").read_bytes()
        manifest["files"]["labs.csv"] = described(content)
        part = {"name": "labs", "file": "labs.csv", "rows": 3, "k_joined": 3, "holds": []}
        part["share_unique"] = 0.0
        manifest["tables"].append(manifest["tables"][1] | part)

    assert found(three) == []
    labs = [STAYS[0], *[(f"P{i}", "1", "[30, 39]", "flu") for i in range(4)]]
    with (tmp_path / "labs.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(labs)

    def four(manifest):
        three(manifest)
        manifest["tables"][2].update(rows=4, k_joined=4)

    assert found(four) == []  # though a stay of the second day is shared by three


def test_a_missing_value_is_no_value(found):
    """Who is in the second crowd has the flu, or nothing that is known."""
    stays = [row if row[2] != "[40, 49]" else (*row[:3], "flu" if row[3] else "") for row in STAYS]
    change = at("tables", 1, "share_unique", value=0.11)
    assert found(change, stays=stays) == ["distinct l of ill in stays is 1, joined."]


def test_single_rows_and_no_more_than_m_are_combined(found):
    rare = moved(STAYS, len(STAYS) - 1, day="9")  # the only row of that person
    assert "some 2 rows of a person are shared by 1 people only." in found(stays=rare)
    held = {who: Counter({("t", (cell,)): 1 for cell in cells}) for who, cells in HELD.items()}
    assert [*script.combined(held, {"m": 2, "asked": 2, "recounted": 2})] == []
    assert [*script.combined(held, {"m": 3, "asked": 2, "recounted": 2})] != []
    assert [*script.combined({}, {"m": 2, "asked": 1, "recounted": 1})] != []


HELD = {"a": "123", "b": "12", "c": "13", "d": "23"}


def test_a_crowd_of_two_may_be_promised_and_names_are_plain(found):
    def two(manifest):
        manifest["k"]["asked"] = manifest["km"]["asked"] = 2

    assert found(two) == []
    strange = found(lambda manifest: manifest["files"].update({"../people.csv": {}}))
    assert strange == ["the manifest lists something that is no file of a release."]


def test_who_is_unique_is_counted_again(found):
    said = "of stays, joined, 0.22 are unique and not 0.0."
    assert found(at("tables", 1, "share_unique", value=0.0)) == [said]
    said = "of people, joined, 0.33 are unique and not 0.34."
    assert found(at("tables", 0, "share_unique", value=0.34)) == [said]


def test_facts_of_a_person_read_as_in_the_table_of_people(found, tmp_path):
    """A year of birth in a table of stays would pass for a fact that everybody shares."""
    exact = moved(STAYS, 1, age="33")
    assert "a row of stays says otherwise of its person than people." in found(stays=exact)
    assert [recounted(found, tmp_path, stays=s, facts="age").unlike for s in (exact, STAYS)] == [
        1,
        0,
    ]
    empty = [(*row[:2], "" if row[2] == "[40, 49]" else row[2], row[3]) for row in STAYS]
    assert recounted(found, tmp_path, stays=empty, facts="age").unlike == 5
    with pytest.raises(UnknownColumnError):
        recounted(found, tmp_path, facts="ill")


def test_unique_people_in_sql_are_those_of_the_script(found, tmp_path):
    """P1 and P6 by their illness; without it nobody; of people with the same group three."""
    whole = recounted(found, tmp_path, others={"people": ["blood"], "stays": ["ill"]})
    assert whole.unique == {"people": 3 / 9, "stays": 2 / 9}
    assert recounted(found, tmp_path).unique == {"people": 0.0, "stays": 0.0}
    empty = recounted(found, tmp_path, stays=STAYS[:1], others={"stays": ["ill"]})
    assert empty.unique["stays"] == 0.0
    alone = recounted(found, tmp_path, stays=moved(STAYS, 1, day="3"))
    assert alone.unique["stays"] == 1 / 9


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (at("files", "stays.csv", "bytes", value=1), "stays.csv is not as long as"),
        (at("tables", 0, "rows", value=8), "people has 9 rows and not 8."),
        (at("tables", 1, "columns", 3, "role", value="harmless"), "without a known role"),
    ],
)
def test_what_the_manifest_tells_beside_is_held_against_the_files(found, change, said):
    (failure,) = (failure for failure in found(change) if said in failure)
    assert failure


@pytest.mark.parametrize(
    "text",
    [
        '{"k": 1, "k": 2}',
        '{"k": NaN}',
        '{"k": 1e999}',
        "[]",
        "[" * 100_000,
        '{"files": {"a.csv": 1}, "tables": []}',
        '{"files": [], "tables": ["a"]}',
        '{"files": {}, "tables": [], "k": 3, "km": {}}',
        '{"files": {}, "tables": [{"file": []}]}',
    ],
)
def test_no_manifest_makes_it_stumble(text, tmp_path, capsys):
    (tmp_path / "manifest.json").write_text(text)
    (tmp_path / "a.csv").write_text("a\n")
    assert script.main(tmp_path) == 2
    assert "does not hold a readable release" in capsys.readouterr().out


@pytest.mark.parametrize("text", ['{"k": 1, "k": 2}', '{"k": NaN}', '{"k": -1e999}', "[]"])
def test_a_manifest_is_one_object_with_names_once_and_numbers(text, tmp_path):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises((ValueError, TypeError)):
        script.read_manifest(tmp_path)


def test_without_pyarrow_parquet_cannot_be_told(found, tmp_path, monkeypatch, capsys):
    assert found(parquet=True) == []
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert script.main(tmp_path) == 2
    assert "Parquet needs pyarrow" in capsys.readouterr().out


def test_all_that_is_known_of_a_person_may_be_said_again(found):
    """Sex as well as age; but nothing that the table of people does not say."""
    stays = [("person", "day", "age", "sex", "ill")]
    stays += [(*row[:3], "f" if row[2] == "[30, 39]" else "", row[3]) for row in STAYS[1:]]

    def again(manifest, fact="sex"):
        part = manifest["tables"][1]
        part["columns"].insert(3, {"name": "sex", "role": HIDDEN})
        part["person_facts"] = ["age", fact]

    assert found(again, stays=stays) == []
    said = "stays tells facts of a person that the table of people does not."
    assert said in found(lambda manifest: again(manifest, "day"), stays=stays)
    own = at("tables", 0, "person_facts", value=["age"])
    assert said.replace("stays", "people") in found(own)


def test_a_manifest_keeps_its_numbers(tmp_path):
    (tmp_path / "manifest.json").write_text('{"k": 0.25, "l": {"k": 2}}')
    assert script.read_manifest(tmp_path) == {"k": 0.25, "l": {"k": 2}}


def test_no_two_tables_have_one_name_or_file(found):
    assert "two tables have one name." in found(at("tables", 1, "name", value="people"))
    assert "two tables have one file." in found(at("tables", 1, "file", value="people.csv"))
