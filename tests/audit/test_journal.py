"""The chain: what was written is found as it was, and whoever touched it is found out."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import COLUMNS, KEY, swap, tamper, verified, write

from shoal.audit import Journal, Witness, find_journals, is_journal
from shoal.audit._chain import Link
from shoal.exceptions import InputError, InvalidParameterError, OutputError

CANARY = "Kanarie7731"


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "audit.journal")


def test_what_was_written_is_read_back(path):
    with Journal.open(path, KEY, create=False) as journal:
        entries = list(journal.entries())
        assert [entry.body for entry in entries] == [{"number": n} for n in range(1, 9)]
        assert [entry.number for entry in journal.entries(after=6)] == [7, 8]
        assert {entry.actor for entry in entries} == {"ada"}
        assert len(journal) == 8
        assert journal.head == entries[-1].mac
        assert [e.previous for e in entries[1:]] == [e.mac for e in entries[:-1]]
        found = journal.verify()
    assert found.holds
    assert (found.entries, found.head) == (8, entries[-1].mac)


def test_an_empty_journal_holds(tmp_path):
    path = write(tmp_path / "empty", 0)
    assert verified(path).holds
    assert verified(path).entries == 0


def test_the_file_is_readable_by_its_owner_only(path):
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("column", COLUMNS.split(", "))
@pytest.mark.parametrize("entry", [1, 5, 8])
def test_a_changed_entry_is_named(path, column, entry):
    tamper(path, f"UPDATE entries SET {column} = replace({column}, substr({column}, 1, 1), 'z') "
                 f"WHERE number = {entry}")  # fmt: skip
    found = verified(path)
    assert (found.holds, found.entry) == (False, entry)
    assert "changed" in found.reason


@pytest.mark.parametrize("entry", [1, 4, 7])
def test_a_removed_entry_is_named(path, entry):
    tamper(path, f"DELETE FROM entries WHERE number = {entry}")
    found = verified(path)
    assert (found.holds, found.entry, found.reason) == (False, entry, "was removed")


@pytest.mark.parametrize("entry", [1, 4, 7])
def test_numbering_anew_does_not_hide_a_removed_entry(path, entry):
    tamper(
        path,
        f"DELETE FROM entries WHERE number = {entry}",
        f"UPDATE entries SET number = -number WHERE number > {entry}",
        "UPDATE entries SET number = -number - 1 WHERE number < 0",
    )
    found = verified(path)
    assert (found.holds, found.entry, found.reason) == (False, entry, "was removed")


@pytest.mark.parametrize(("first", "second"), [(1, 2), (3, 6), (7, 8)])
def test_reordered_entries_are_named(path, first, second):
    tamper(path, *swap(first, second))
    found = verified(path)
    assert (found.holds, found.entry) == (False, first)
    assert "order" in found.reason


def test_an_entry_copied_to_the_end_is_named(path):
    tamper(path, f"INSERT INTO entries SELECT 9, {COLUMNS} FROM entries WHERE number = 3")
    assert verified(path).entry == 9


def test_an_entry_forged_without_the_key_is_named(path):
    tamper(
        path,
        "INSERT INTO entries SELECT 9, time, actor, kind, body, salt, digest, mac,"
        " replace(mac, 'a', 'b') FROM entries WHERE number = 8",
    )
    assert (verified(path).holds, verified(path).entry) == (False, 9)


@pytest.mark.parametrize("value", ["NULL", "3", "x'ff00'", "CAST(x'ff00' AS TEXT)"])
def test_values_of_another_type_are_changes_too(path, value):
    tamper(
        path,
        f"CREATE TABLE other (number INTEGER PRIMARY KEY, {COLUMNS})",
        "INSERT INTO other SELECT * FROM entries",
        "DROP TABLE entries",
        "ALTER TABLE other RENAME TO entries",
        f"UPDATE entries SET body = {value} WHERE number = 2",
    )
    assert (verified(path).holds, verified(path).entry) == (False, 2)


def test_a_cut_tail_is_noticed_by_a_witness_only(path, tmp_path):
    witness = tmp_path / "witness.json"
    with Journal.open(path, KEY) as journal:
        seen = journal.write_witness(witness)
    assert (seen.entries, verified(path, witness).holds) == (8, True)
    tamper(path, "DELETE FROM entries WHERE number > 6")
    assert verified(path).holds
    found = verified(path, witness)
    assert (found.holds, found.entry) == (False, 7)
    assert "8 entries" in found.reason


def test_a_tail_written_again_is_noticed_by_a_witness(path, tmp_path):
    witness = tmp_path / "witness.json"
    with Journal.open(path, KEY) as journal:
        journal.write_witness(witness)
    tamper(path, "DELETE FROM entries WHERE number = 8")
    with Journal.open(path, KEY) as journal:  # somebody with the key
        journal.append("step", {"number": 8}, actor="ada")
        journal.append("step", {"number": 9}, actor="ada")
    assert verified(path).holds
    assert (verified(path, witness).holds, verified(path, witness).entry) == (False, 8)


def test_more_entries_after_the_witness_are_no_offence(path, tmp_path):
    with Journal.open(path, KEY) as journal:
        journal.write_witness(tmp_path / "witness.json")
        journal.append("step", {"number": 9})
    assert verified(path, tmp_path / "witness.json").holds


def test_the_witness_of_another_journal_is_none(path, tmp_path):
    other = write(tmp_path / "other.journal")
    with Journal.open(other, KEY) as journal:
        journal.write_witness(tmp_path / "witness.json")
    found = verified(path, tmp_path / "witness.json")
    assert not found.holds
    assert "another journal" in found.reason


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"journal": "a", "entries": "8", "head": ""}'])
def test_a_broken_witness_is_told(path, tmp_path, text):
    (tmp_path / "witness.json").write_text(text)
    with pytest.raises(InputError, match="not a witness"):
        verified(path, tmp_path / "witness.json")


def test_the_whole_of_another_journal_cannot_take_its_place(path, tmp_path):
    other = write(tmp_path / "other.journal", 3)
    tamper(
        path,
        "DELETE FROM entries",
        f"ATTACH '{other}' AS other",
        "INSERT INTO entries SELECT * FROM other.entries",
    )
    assert (verified(path).holds, verified(path).entry) == (False, 1)


def test_another_key_opens_nothing(path):
    with pytest.raises(InputError, match="not written with this key"):
        Journal.open(path, b"another key")


@pytest.mark.parametrize("content", [b"name,age\n", b"SQLite format 3\0" + b"\0" * 200])
def test_another_file_is_no_journal(tmp_path, content):
    (tmp_path / "data").write_bytes(content)
    with pytest.raises(InputError, match="not a journal"):
        Journal.open(tmp_path / "data", KEY)
    assert (tmp_path / "data").read_bytes() == content


def test_a_journal_that_is_not_there_is_not_made_unasked(tmp_path):
    with pytest.raises(InputError, match="There is no journal"):
        Journal.open(tmp_path / "none", KEY, create=False)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OutputError):
        Journal.open(tmp_path / "no" / "folder", KEY)


def test_journals_are_found_by_their_mark(path, tmp_path):
    (tmp_path / "other").write_bytes(b"SQLite format 3\0" + b"\0" * 100)
    (tmp_path / "deep").mkdir()
    deep = write(tmp_path / "deep" / "j.db", 1)
    assert find_journals(tmp_path) == sorted([path, deep])
    assert not is_journal(tmp_path)


def test_threads_append_in_turn(tmp_path):
    with Journal.open(tmp_path / "many", KEY) as journal:
        work = [
            threading.Thread(target=lambda: [journal.append("x", {}) for _ in range(20)])
            for _ in range(4)
        ]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        assert journal.verify().holds
        assert len(journal) == 80


WRITER = """
import sys
from shoal.audit import Journal
with Journal.open(sys.argv[1], sys.argv[2].encode()) as journal:
    for number in range(10_000):
        print(journal.append("step", {"number": number}).number, flush=True)
"""


def test_two_processes_append_and_a_killed_one_loses_nothing_it_said(tmp_path):
    """What a process reported as written is there after kill -9; the chain holds throughout."""
    path = tmp_path / "shared.journal"
    command = [sys.executable, "-c", WRITER, str(path), KEY.decode()]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    reported = []
    for writer in writers:
        reported += [int(writer.stdout.readline()) for _ in range(25)]
    for writer in writers:
        writer.kill()
        reported += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
        writer.wait()
        writer.stdout.close()
    with Journal.open(path, KEY, create=False) as journal:
        assert journal.verify().holds
        assert {entry.number for entry in journal.entries()} >= {*reported}
        assert len(reported) == len({*reported})


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.text(max_size=5), st.dictionaries(st.text(max_size=3), st.integers())),
        min_size=2,
        max_size=6,
    ),
    st.data(),
)
def test_any_single_change_is_found(tmp_path_factory, entries, data):
    """A positive control for every entry and every column of a journal of anything."""
    path = tmp_path_factory.mktemp("any") / "journal"
    with Journal.open(path, KEY) as journal:
        for actor, body in entries:
            journal.append("step", body, actor)
        assert journal.verify().holds
    place = data.draw(st.integers(1, len(entries)))
    column = data.draw(st.sampled_from(COLUMNS.split(", ")))
    connection = sqlite3.connect(path)
    (before,) = connection.execute(
        f"SELECT {column} FROM entries WHERE number = ?", (place,)
    ).fetchone()
    connection.execute(f"UPDATE entries SET {column} = ? WHERE number = ?", (before + "!", place))
    connection.commit()
    connection.close()
    assert verified(path).entry == place


def test_a_body_that_is_not_json_is_refused(path):
    with Journal.open(path, KEY) as journal:
        for body in ({"x": float("nan")}, {"x": object()}):
            with pytest.raises((TypeError, ValueError)):
                journal.append("step", body)
        assert len(journal) == 8


def test_witness_round_trip(tmp_path):
    witness = Witness("id", 3, "head")
    witness.write(tmp_path / "w")
    assert Witness.read(tmp_path / "w") == witness
    with pytest.raises(InputError, match="cannot be read"):
        Witness.read(tmp_path / "none")


def test_a_disk_that_cannot_be_written_is_told(path):
    with Journal.open(path, KEY) as journal:
        journal._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(OutputError):
            journal.append("step", {})
    assert verified(path).entries == 8


def redacted(path, *numbers):
    with Journal.open(path, KEY) as journal:
        journal.redact(numbers, "asked for")
    return path


def test_a_redacted_entry_says_nothing_and_the_chain_holds(path, tmp_path):
    with Journal.open(path, KEY) as journal:
        journal.append("step", {"said": CANARY})
        journal.write_witness(tmp_path / "witness")
        assert CANARY.encode() in everything(tmp_path)  # the positive control
        entry = journal.redact([9, 2], "asked for", actor="ada")
        assert (entry.number, entry.kind) == (10, "redacted")
        assert entry.body == {"entries": [2, 9], "why": "asked for"}
        assert journal.verify(tmp_path / "witness").holds
        gone = [entry for entry in journal.entries() if entry.redacted]
        assert [(e.number, e.kind, e.body) for e in gone] == [(2, "step", {}), (9, "step", {})]
        journal.append("step", {})
        assert CANARY.encode() not in everything(tmp_path)
    assert verified(path).holds
    assert verified(path, tmp_path / "witness").holds


def everything(folder):
    return b"".join(file.read_bytes() for file in folder.iterdir())


@pytest.mark.parametrize("entry", [1, 5, 8])
def test_a_body_taken_out_behind_its_back_is_named(path, entry):
    tamper(path, f"UPDATE entries SET body = '', salt = '' WHERE number = {entry}")
    found = verified(path)
    assert (found.holds, found.entry) == (False, entry)
    assert "no later entry tells why" in found.reason


def test_a_digest_cannot_pass_for_a_body(path):
    """Entries of old journals are sealed over their bodies: no new one may be passed off as old."""
    tamper(path, "UPDATE entries SET body = digest, digest = '', salt = '' WHERE number = 3")
    assert verified(path).entry == 3


def test_one_redaction_does_not_excuse_another(path):
    redacted(path, 3)
    tamper(path, "UPDATE entries SET body = '', salt = '' WHERE number = 4")
    assert (verified(path).holds, verified(path).entry) == (False, 4)


def test_what_was_redacted_cannot_come_back(path, tmp_path):
    connection = sqlite3.connect(path)
    kept = connection.execute("SELECT body, salt FROM entries WHERE number = 3").fetchone()
    connection.close()
    redacted(path, 3)
    tamper(path, "UPDATE entries SET body = '{}' WHERE number = 3")
    assert (verified(path).holds, verified(path).entry) == (False, 3)
    tamper(path, f"UPDATE entries SET body = '{kept[0]}', salt = '{kept[1]}' WHERE number = 3")
    assert "says again" in verified(path).reason


@pytest.mark.parametrize("column", COLUMNS.split(", "))
def test_a_redacted_entry_is_still_guarded(path, column):
    redacted(path, 3)
    tamper(path, f"UPDATE entries SET {column} = {column} || 'z' WHERE number = 3")
    assert (verified(path).holds, verified(path).entry) == (False, 3)


def test_an_entry_that_redacts_stays(path):
    redacted(path, 3)
    with Journal.open(path, KEY) as journal:
        for wrong in ([9], [77], [3, 9]):
            with pytest.raises(InvalidParameterError):
                journal.redact(wrong, "to hide it")
    tamper(path, "UPDATE entries SET body = '', salt = '' WHERE number = 9")
    assert not verified(path).holds
    tamper(path, "DELETE FROM entries WHERE number = 9")
    assert (verified(path).holds, verified(path).entry) == (False, 3)


def test_a_journal_of_before_there_were_digests_still_opens(tmp_path):
    """Sealed over the bodies themselves, in a table without the new columns."""
    path = write(tmp_path / "old", 0)
    with Journal.open(path, KEY) as journal:
        previous = journal._genesis
    tamper(path, "ALTER TABLE entries DROP COLUMN salt", "ALTER TABLE entries DROP COLUMN digest")
    link = Link(1, "then", "ada", "step", "{}", "", "", previous, "")
    values = (1, "then", "ada", "step", "{}", previous, link.seal(KEY, previous))
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("INSERT INTO entries VALUES (?,?,?,?,?,?,?)", values)
    connection.close()
    with Journal.open(path, KEY) as journal:
        journal.append("step", {"number": 2})
        assert [entry.body for entry in journal.entries()] == [{}, {"number": 2}]
        assert journal.verify().holds
        with pytest.raises(InputError, match="before entries could be redacted"):
            journal.redact([1], "too late")
        journal.redact([2], "in time")
        assert journal.verify().holds
    tamper(path, "UPDATE entries SET body = '[]' WHERE number = 1")
    assert verified(path).entry == 1
