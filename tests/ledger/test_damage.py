"""A ledger that was touched: no release passes it in silence, and each damage is a sentence."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import suppress
from hashlib import sha256

import numpy as np
import polars as pl
import pytest
from house_gate import entered

from shoal._home import home, secret
from shoal.audit import Witness
from shoal.exceptions import LedgerDamagedError, OutputError, ReleaseRefusedError, ShoalError
from shoal.ledger import Ledger, _trace, reset_ledger, trace_release
from shoal.table import Grouping, Roles, Table, read_table


def town(seed: int = 0, n: int = 60) -> Table:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "id": [f"p{seed}-{i:03}" for i in range(n)],
            "age": rng.integers(20, 90, n),
            "ill": rng.choice(["flu", "gout", "cold"], n),
        }
    )
    return read_table(frame, roles=Roles(quasi_identifiers="age", sensitive="ill", person="id"))


def crowds(seed: int) -> Grouping:
    labels = np.empty(60, dtype=np.int64)
    labels[np.random.default_rng(seed).permutation(60)] = np.arange(60) // 5
    return Grouping(labels)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A house with three releases of two tables, closed."""
    folder = tmp_path_factory.mktemp("built") / "house"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOAL_HOME", str(folder))
        for table, seed in ((town(), 1), (town(), 1), (town(7), 3)):
            with Ledger.open() as ledger, ledger.releasing(table, crowds(seed), k=5):
                pass
    return folder


@pytest.fixture
def house(built, tmp_path, monkeypatch):
    """A copy of that house, to be damaged."""
    shutil.copytree(built, tmp_path / "house")
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "house"))
    return home()


def next_release(mode: str):
    """The release that would be refused if the ledger were whole."""
    with entered(town(), crowds(2), k=5, mode=mode) as entry:
        return entry


def sql(name: str, *statements: str):
    def harm(folder):
        with sqlite3.connect(folder / name) as file:
            for statement in statements:
                file.execute(statement)
        file.close()

    return harm


def write(name: str, content: bytes):
    return lambda folder: (folder / name).write_bytes(content)


def cut(name: str, share: float):
    def harm(folder):
        data = settled(folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(len(data) * share)])

    return harm


def flip(name: str, share: float):
    def harm(folder):
        data = bytearray(settled(folder / name).read_bytes())
        begin = int((len(data) - 1) * share)
        for place in range(begin, min(begin + 64, len(data))):
            data[place] ^= 0xFF
        (folder / name).write_bytes(bytes(data))

    return harm


def settled(path):
    """Bring what is in a write-ahead log into the file."""
    if path.suffix == ".journal":
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    return path


def remove(*names: str):
    def harm(folder):
        for name in names:
            (folder / name).unlink()

    return harm


def as_folder(name: str):
    def harm(folder):
        (folder / name).unlink()
        (folder / name).mkdir()

    return harm


def swap_traces(folder):
    with sqlite3.connect(folder / "ledger.traces") as file:
        one, other = file.execute("SELECT id, trace FROM traces LIMIT 2 OFFSET 1").fetchall()
        for (name, _), (_, trace) in ((one, other), (other, one)):
            file.execute("UPDATE traces SET trace = ? WHERE id = ?", (trace, name))
    file.close()


def foreign_trace(folder):
    packed = trace_release(town(9), crowds(5), b"x" * 32).to_bytes()
    with sqlite3.connect(folder / "ledger.traces") as file:
        file.execute("UPDATE traces SET trace = ?", (packed,))
    file.close()


def another_journal(folder):
    (folder / "ledger.journal").unlink()
    with Ledger.open(folder / "..", (folder / "keys" / "ledger").read_bytes()):
        pass
    shutil.move(folder / ".." / "ledger.journal", folder / "ledger.journal")


HARM = {
    "a trace deleted": sql(
        "ledger.traces", "DELETE FROM traces WHERE rowid = (SELECT min(rowid) FROM traces)"
    ),
    "all traces deleted": sql("ledger.traces", "DELETE FROM traces"),
    "the table of traces dropped": sql("ledger.traces", "DROP TABLE traces"),
    "a trace emptied": sql("ledger.traces", "UPDATE traces SET trace = x''"),
    "a trace is text": sql("ledger.traces", "UPDATE traces SET trace = 'text'"),
    "traces swapped": swap_traces,
    "traces of another key": foreign_trace,
    "ids exchanged": sql("ledger.traces", "UPDATE traces SET id = id || 'x'"),
    "the file of traces removed": remove("ledger.traces"),
    "the file of traces emptied": write("ledger.traces", b""),
    "the file of traces is another": write("ledger.traces", b"age,ill\n1,flu\n" * 100),
    "the file of traces cut": cut("ledger.traces", 0.5),
    "bits of the traces flipped": flip("ledger.traces", 0.6),
    "the head of the traces flipped": flip("ledger.traces", 0.0),
    "the file of traces is a folder": as_folder("ledger.traces"),
    "an entry changed": sql("ledger.journal", "UPDATE entries SET body = '{}' WHERE number = 1"),
    "a number changed": sql(
        "ledger.journal", "UPDATE entries SET body = replace(body, '5', '6') WHERE number = 1"
    ),
    "an entry removed": sql("ledger.journal", "DELETE FROM entries WHERE number = 1"),
    "the end cut off": sql("ledger.journal", "DELETE FROM entries WHERE number > 2"),
    "all entries removed": sql("ledger.journal", "DELETE FROM entries"),
    "the entries dropped": sql("ledger.journal", "DROP TABLE entries"),
    "a withdrawal forged": sql(
        "ledger.journal", "UPDATE entries SET kind = 'withdrawn' WHERE kind = 'released'"
    ),
    "the journal removed": remove("ledger.journal"),
    "the journal emptied": write("ledger.journal", b""),
    "the journal is another file": write("ledger.journal", b"age,ill\n1,flu\n" * 100),
    "the journal cut": cut("ledger.journal", 0.5),
    "bits of the journal flipped": flip("ledger.journal", 0.9),
    "the journal is a folder": as_folder("ledger.journal"),
    "another journal": another_journal,
    "journal and one witness removed": remove("ledger.journal", "ledger.witness"),
    "journal, traces and a witness removed": remove(
        "ledger.journal", "ledger.traces", "ledger.witness"
    ),
    "both witnesses removed": remove("ledger.witness", "keys/ledger.witness"),
    "both witnesses forged": lambda folder: [
        write(name, b'{"journal": "a", "entries": 0, "head": "", "seal": ""}')(folder)
        for name in ("ledger.witness", "keys/ledger.witness")
    ],
    "another key": write("keys/ledger", b"x" * 32),
    "half a key": write("keys/ledger", b"x" * 16),
    "the key removed": remove("keys/ledger"),
}


def test_the_house_as_it_is_refuses_for_another_reason(house):
    """The positive control: the same release, and a ledger that is whole."""
    with pytest.raises(ReleaseRefusedError, match="one possible sensitive value") as told:
        next_release("refuse")
    assert not isinstance(told.value, LedgerDamagedError)
    with Ledger.open() as ledger:
        assert ledger.verify().holds


@pytest.mark.parametrize("harm", HARM)
def test_no_release_passes_a_damaged_ledger_in_silence(house, harm):
    HARM[harm](house)
    with pytest.raises(ShoalError) as told:
        next_release("refuse")
    assert told.value.hint
    assert "one possible" not in str(told.value)
    entry = next_release("warn")
    assert entry.composition is None
    assert "not recorded" in entry.warnings[0]
    with pytest.raises(ShoalError):  # warning did not mend it
        next_release("refuse")


@pytest.mark.parametrize("harm", HARM)
def test_whoever_starts_anew_is_not_stuck(house, harm):
    HARM[harm](house)
    found = reset_ledger()
    with Ledger.open() as ledger:
        first = ledger.journal.entries()[0]
        assert (first.kind, dict(first.body)) == ("reset", found.to_dict())
        assert len(ledger.releases()) == found.carried
        assert ledger.verify().holds
    with suppress(ReleaseRefusedError):  # by what was carried over
        assert next_release("refuse").composition is not None


def test_one_witness_is_enough_and_the_other_comes_back(house):
    (house / "ledger.witness").unlink()
    (house / "keys" / "ledger.witness").write_text("{}")
    with Ledger.open() as ledger:
        assert not ledger.verify().holds
    shutil.rmtree(house)


def test_a_lost_witness_is_written_again(house):
    (house / "ledger.witness").unlink()
    with Ledger.open() as ledger, ledger.releasing(town(), crowds(1), k=5):
        pass
    seen = (house / "ledger.witness").read_text()
    assert seen == (house / "keys" / "ledger.witness").read_text()


def test_what_is_whole_is_carried_over(house):
    with Ledger.open() as ledger:
        before = ledger.releases()
    HARM["a trace deleted"](house)
    found = reset_ledger()
    assert (found.carried, found.lost) == (2, 1)
    with Ledger.open() as ledger:
        after = ledger.releases()
    assert {(r.id, r.time, r.k) for r in after} < {(r.id, r.time, r.k) for r in before}
    with pytest.raises(ReleaseRefusedError, match="one possible sensitive value"):
        next_release("refuse")
    kept = house / found.kept_in
    assert (kept / "ledger.journal").is_file()
    assert not (kept / "ledger.traces").exists()  # nobody could be forgotten in it


def test_a_trace_of_another_version_is_counted_and_said(house):
    """Written before people were known by canonical values: unscored, and told."""
    packed = b"\x93NUMPY of the first version"
    with Ledger.open() as ledger:
        name = ledger.releases()[0].id
        ledger._traces.put(name, packed)
        ledger.say("forgotten", {"release": name, "people": 0, "trace": sha256(packed).hexdigest()})
    entry = next_release("warn")
    assert entry.composition.unscored == 1
    assert any("another version of Shoal" in text for text in entry.warnings)


def test_a_table_that_looks_like_an_earlier_one_is_told(house):
    frame = town(11).frame.with_columns(pl.col("id") + "z")
    other = read_table(frame, roles=town().roles)
    with entered(other, crowds(4), k=5, mode="refuse") as entry:
        assert entry.composition.resembling == 3
        assert any("as many rows" in text for text in entry.warnings)


WITNESSES = ("ledger.witness", "keys/ledger.witness")


def aged(folder):
    """Let the key be as old as it is in a house that was lived in."""
    os.utime(folder / "keys" / "ledger", (0, 0))


@pytest.mark.parametrize("traces", [(), ("ledger.traces",)], ids=["journal", "journal and traces"])
def test_what_is_left_tells_that_a_journal_and_its_witnesses_are_gone(house, traces):
    settled(house / "ledger.journal")
    remove("ledger.journal", *WITNESSES, *traces)(house)
    aged(house)
    for _ in range(2):  # nor does the journal that was begun then hide it
        with pytest.raises(LedgerDamagedError, match="the journal they belong to is gone"):
            next_release("refuse")
        assert "not recorded" in next_release("warn").warnings[0]
    reset_ledger()
    assert next_release("refuse").composition.compared == 0  # knowingly
    with Ledger.open() as ledger:
        assert ledger.verify().holds


def test_a_new_house_misses_nothing(tmp_path, monkeypatch):
    """Not even if whoever drew the key was stopped before there was a journal."""
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "new"))
    secret("ledger")
    assert next_release("refuse").composition.compared == 0
    aged(tmp_path / "new")
    assert next_release("refuse").composition.compared == 1


def test_a_trace_of_an_unknown_format_says_so(monkeypatch):
    packed = trace_release(town(), crowds(1), b"k" * 32).to_bytes()
    monkeypatch.setattr(_trace, "FORMAT", _trace.FORMAT + 1)
    with pytest.raises(_trace.OldTraceError, match="another version"):
        _trace.Trace.from_bytes(packed)


def test_a_witness_that_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(OutputError, match="could not be written"):
        Witness("a journal", 3, "head").write(tmp_path / "nowhere" / "witness.json")
