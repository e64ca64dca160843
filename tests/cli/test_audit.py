"""``shoal audit``: verify, witness and show, as a user types them."""

from __future__ import annotations

import sqlite3

import pytest

from shoal._home import home, secret
from shoal.audit import Journal


@pytest.fixture(autouse=True)
def private(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))


@pytest.fixture
def journal():
    path = home() / "ward.journal"
    with Journal.open(path, secret("audit")) as opened:
        for number in range(1, 6):
            opened.append("answer", {"number": number}, actor="ada")
    return path


def run_sql(path, statement):
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_whole_journal_holds(shoal, journal):
    answer = shoal("audit verify", journal)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "ward.journal: 5 entries, all as they were written\n"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE entries SET actor = 'eve' WHERE number = 3", "entry 3: was changed"),
        ("DELETE FROM entries WHERE number = 2", "entry 2: was removed"),
        ("UPDATE about SET value = 'x' WHERE name = 'journal'", "not written with this key"),
        ("DROP TABLE entries", "cannot be read"),
    ],
)
def test_a_touched_journal_is_told_with_the_entry(shoal, journal, statement, words):
    run_sql(journal, statement)
    answer = shoal("audit verify", journal)
    assert answer.code == 1
    assert words in answer.out


def test_json_has_the_entry(shoal, journal):
    run_sql(journal, "UPDATE entries SET body = '{}' WHERE number = 4")
    answer = shoal("audit verify --json", journal)
    assert answer.code == 1
    (found,) = answer.json["journals"]
    assert answer.json["holds"] is found["holds"] is False
    assert (found["entry"], found["journal"]) == (4, "ward.journal")
    assert answer.json["entry"] == 4
    assert "changed" in answer.json["reason"]


def test_without_a_name_all_journals_of_this_user_are_verified(shoal, journal):
    with Journal.open(home() / "ledger.db", secret("ledger")) as other:
        other.append("released", {})
    answer = shoal("audit verify --json")
    assert answer.code == 0
    assert [j["journal"] for j in answer.json["journals"]] == ["ledger.db", "ward.journal"]
    run_sql(journal, "DELETE FROM entries WHERE number = 1")
    assert shoal("audit verify").code == 1


def test_no_journal_at_all_is_no_offence(shoal):
    answer = shoal("audit verify")
    assert (answer.code, answer.out) == (0, "There is no journal yet.\n")


def test_a_witness_tells_of_a_cut_tail(shoal, journal, tmp_path):
    witness = tmp_path / "witness.json"
    assert "5 entries seen" in shoal("audit witness", journal, witness).out
    assert shoal("audit verify", journal, "--witness", witness).code == 0
    run_sql(journal, "DELETE FROM entries WHERE number > 3")
    assert shoal("audit verify", journal).code == 0
    answer = shoal("audit verify", journal, "--witness", witness)
    assert answer.code == 1
    assert "entry 4: was removed: the witness saw 5 entries" in answer.out


def test_show_lists_what_happened(shoal, journal):
    lines = shoal("audit show", journal).out.splitlines()
    assert len(lines) == 5
    assert lines[0].split()[0] == "1"
    assert lines[0].endswith("ada  answer")
    entries = shoal("audit show --json", journal).json["entries"]
    assert [e["body"]["number"] for e in entries] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "line",
    [
        "audit verify nothing.journal",
        "audit verify --witness w.json",
        "audit show nothing.journal",
        "audit",
        "audit burn",
    ],
)
def test_wrong_usage_is_one_sentence(shoal, here, line):
    answer = shoal(line)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("Error: ")
    assert "Traceback" not in answer.err


def test_another_file_is_wrong_usage(shoal, here):
    (here / "data.csv").write_text("name,age\nKanarie7731,3\n")
    answer = shoal("audit verify data.csv")
    assert (answer.code, answer.out) == (2, "")
    assert "not a journal" in answer.err
    assert "Kanarie" not in answer.err
