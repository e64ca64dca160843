"""Small print of journals: empty ones, witnesses that lie, entries of before, folders."""

from __future__ import annotations

import sqlite3

import pytest
from journals import KEY

from shoal.audit import Journal, Witness
from shoal.exceptions import InputError


def test_a_journal_of_no_entries_has_a_witness_too(tmp_path):
    with Journal.open(tmp_path / "j", KEY) as journal:
        seen = journal.write_witness(tmp_path / "w")
        assert (seen.entries, seen.head) == (0, journal.head)
        assert Witness.read(tmp_path / "w") == seen
        entry = journal.append("opened", {})
        assert entry.redacted is False
        assert journal.verify(tmp_path / "w").holds


def test_the_entry_that_is_not_what_a_witness_saw_is_named(tmp_path):
    with Journal.open(tmp_path / "j", KEY) as journal:
        forged = Witness(journal.id, 0, "another beginning")
        assert (journal.verify(forged).holds, journal.verify(forged).entry) == (False, 1)
        journal.append("opened", {})
        journal.append("closed", {})
        assert journal.verify(Witness(journal.id, 1, "another")).entry == 1
        assert journal.verify(Witness(journal.id, 2, "another")).entry == 2


def test_an_entry_of_before_digests_cannot_be_redacted_beside_others(tmp_path):
    with Journal.open(tmp_path / "j", KEY) as journal:
        for _ in range(3):
            journal.append("step", {})
    with sqlite3.connect(tmp_path / "j") as file:
        file.execute("UPDATE entries SET digest = '', salt = '' WHERE number = 1")
    file.close()
    with Journal.open(tmp_path / "j", KEY) as journal:
        with pytest.raises(InputError, match="before entries could be redacted"):
            journal.redact([1, 2], "asked for")
        assert journal.redact([2, 3], "asked for").kind == "redacted"


def test_a_folder_is_no_journal(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        Journal.open(tmp_path, KEY)
