"""Small print of the ledger: what counts when a release ends badly, who is told what, and when."""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import asdict

import numpy as np
import polars as pl
import pytest

from shoal.audit import Journal
from shoal.exceptions import InputError, LedgerDamagedError, ReleaseRefusedError
from shoal.ledger import Composition, Ledger, Trace, compose, forget_people, trace_release
from shoal.ledger._composition import crowds_that_left
from shoal.ledger._entry import _warnings
from shoal.ledger._forgetting import Forgotten
from shoal.ledger._recognition import Meeting
from shoal.ledger._records import WITNESSES, Recorded, Subject, Witnesses
from shoal.ledger._session_journals import Gone, forget_in_journal
from shoal.ledger._trace import MARK, TraceStore, _hidden, seal, unseal
from shoal.ledger._tracing import trace_crowds
from shoal.table import Grouping, Roles, read_table

KEY = b"k" * 32
ROLES = Roles(quasi_identifiers="age", sensitive="ill", person="id")


def town(people, seed=0):
    rng = np.random.default_rng(seed)
    n = max(people) + 1
    frame = pl.DataFrame(
        {
            "id": [f"p{i:03}" for i in range(n)],
            "age": np.arange(n) // 4 + 20,
            "ill": rng.choice(["a", "b", "c", "d"], n),
        }
    )
    return read_table(frame[list(people)], roles=ROLES)


def trace(people, labels, k=4):
    return trace_release(town(people), Grouping(labels), KEY, k=k)


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        yield book


def in_fours(people):
    return Grouping(np.arange(len(people)) // 4)


def shuffled(people):
    order = np.random.default_rng(5).permutation(len(people))
    return Grouping(np.argsort(order) // 4)


# ------------------------------------------------------------------ how a release ends


def test_a_release_that_stands_is_held_against_the_next_whatever_failed_after_it(ledger):
    table = town(range(40))
    with (
        pytest.raises(KeyboardInterrupt),
        ledger.releasing(table, in_fours(range(40)), k=4, stands=lambda: True),
    ):
        raise KeyboardInterrupt
    assert [r.status for r in ledger.releases()] == ["released"]
    assert ledger.verify().holds  # its trace is there
    with (
        pytest.raises(ReleaseRefusedError, match="one possible sensitive value"),
        ledger.releasing(table, shuffled(range(40)), k=4),
    ):
        pass


def test_an_abandoned_one_leaves_no_trace(ledger):
    with (
        pytest.raises(KeyboardInterrupt),
        ledger.releasing(town(range(40)), in_fours(range(40)), k=4),
    ):
        raise KeyboardInterrupt
    assert ledger.sound_traces() == ledger._traces.read()[0] == {}


# ------------------------------------------------------------------ numbers that are told


def test_nothing_is_told_of_a_release_that_meets_nobody():
    alone = compose(trace(range(8), [0] * 4 + [1] * 4), [])
    assert (
        alone == Composition() == compose(trace(range(8), [0] * 8), [trace(range(8, 16), [0] * 8)])
    )
    told = alone.to_dict()
    assert (told.pop("holds"), told.pop("invariant")) == (True, 1.0)
    assert not any(told.values())
    assert {"single", "alone", "disclosed", "shrunk", "changed", "exposed", "reason"} <= {*told}


def test_of_two_earlier_releases_the_one_that_differs_too_little_counts():
    """Ten left the crowds of the first, eight whole crowds of the second: ten are too few."""
    new = trace(range(40), np.arange(40) // 4)
    first = trace(range(50), np.arange(50) % 10)
    second = trace(range(48), np.arange(48) // 4)
    for earlier in ([first, second], [second, first]):
        found = compose(new, earlier)
        assert (found.changed, found.needed, found.differs_too_little) == (10, 20, True)
    found = compose(new, [second])
    assert (found.changed, found.needed, found.differs_too_little) == (8, 4, False)


def test_values_that_are_written_otherwise_are_told():
    (told,) = _warnings(Composition(recoded=("ill",)))
    assert told.startswith("The values of 'ill' are written otherwise")
    assert _warnings(Composition()) == ()


def test_without_a_k_none_is_promised(ledger):
    table, crowds = town(range(8)), Grouping([0] * 8)
    assert ledger.trace(table, crowds).k == trace_release(table, crowds, KEY).k == 0
    with ledger.releasing(town(range(40)), in_fours(range(40)), k=4):
        pass
    assert ledger.releases()[0].groups == 10
    later = shuffled(range(40))
    shrunk = ledger.score(town(range(40)), later, k=4).shrunk
    assert ledger.score(town(range(40)), later).shrunk == shrunk > 0  # by the k of the earlier one
    assert trace_crowds(np.arange(3, dtype=np.uint64), np.zeros(3, dtype=int), {}, KEY).k == 0


# ------------------------------------------------------------------ crowds that go with people


def meeting(old, now):
    """Somebody's table against an earlier release, by the numbers of people."""
    return Meeting(old, np.array(now, dtype=np.uint64), old.people, {})


def earlier(sizes, k):
    people = np.arange(sum(sizes), dtype=np.uint64)
    return Trace(people, people, np.repeat(np.arange(len(sizes)), sizes).astype(np.int32), k=k)


def test_if_nobody_left_nobody_goes():
    old = earlier([4, 4, 4], k=4)
    assert not crowds_that_left(meeting(old, range(12))).any()
    assert not crowds_that_left(meeting(old, [90, 91])).any()  # nor of those who were never there


def test_further_crowds_go_until_there_are_k():
    old, now = earlier([3] * 9, k=7), range(1, 27)
    going = crowds_that_left(meeting(old, now))
    assert going[:2].all()  # the crowd that somebody left
    assert going.sum() == 2 + 3 + 3  # and two more, whole
    drawn = {tuple(crowds_that_left(meeting(old, now))) for _ in range(20)}
    assert len(drawn) > 1  # nobody can tell which would go


def test_no_crowd_of_the_last_release_stays_in_part(ledger):
    """Somebody left since the first release; who was with them then is in crowd 0 now."""
    everybody, later = range(40), [i for i in range(40) if i != 20]
    with ledger.releasing(town(everybody), in_fours(everybody), k=4):
        pass
    labels = np.arange(39) // 4
    labels[[0, 20]] = labels[[20, 0]]  # one of the first crowd's people changes places
    with ledger.releasing(town(later), Grouping(labels), k=4, refuse=False):
        pass
    kept = ledger.kept_crowds(town(later))
    with_them = [21 - 1, 22 - 1, 23 - 1]  # of the crowd that person 20 left, as rows of now
    assert (kept[with_them] == -1).all()
    for crowd in np.unique(labels):
        assert len({*(kept[labels == crowd] < 0).tolist()}) == 1  # whole, or not at all
    assert (kept[labels == 0] == -1).all()


# ------------------------------------------------------------------ which tables look alike


def named(*names):
    return {"names": names, "columns": ",".join(names)}


@pytest.mark.parametrize(
    ("ours", "theirs", "alike"),
    [
        ("abc", "abc", True),
        ("abc", "ab", True),  # two of three
        ("abc", "bcd", False),  # exactly half
        ("ab", "cd", False),
        ("abcdefgh", "abcdef", True),
    ],
)
def test_tables_that_share_most_of_their_columns_look_alike(ours, theirs, alike):
    record = Recorded("id", "", "t", 4, 1, 4, "released", **named(*theirs))
    assert record.may_be(Subject("another", **named(*ours))) is alike


# ------------------------------------------------------------------ who touched it


def test_the_witness_that_saw_most_is_believed(tmp_path):
    """Journal, traces and one witness are brought back from a copy: the other one tells."""
    house, copy = tmp_path / "house", tmp_path / "copy"
    house.mkdir()
    everybody = range(40)
    with Ledger.open(house, KEY) as book, book.releasing(town(everybody), in_fours(everybody), k=4):
        pass
    shutil.copytree(house, copy)
    with (
        Ledger.open(house, KEY) as book,
        book.releasing(town(range(40, 80)), in_fours(everybody), k=4),
    ):
        pass
    for kept in ("ledger.witness", "keys/ledger.witness"):
        forged = tmp_path / kept.replace("/", "-")
        shutil.copytree(copy, forged)
        shutil.copy(house / kept, forged / kept)
        with Ledger.open(forged, KEY) as book, pytest.raises(LedgerDamagedError, match="removed"):
            book.check()


def test_a_witness_that_was_written_without_the_key_is_none(tmp_path):
    """The end of the journal is cut off, and both witnesses say that it was never longer."""
    everybody = range(40)
    with Ledger.open(tmp_path, KEY) as book:
        with book.releasing(town(everybody), in_fours(everybody), k=4):
            pass
        then = book.journal.seen()
        with book.releasing(town(range(40, 80)), in_fours(everybody), k=4):
            pass
        second = book.releases()[1].id
    with sqlite3.connect(tmp_path / "ledger.journal") as journal:
        journal.execute("DELETE FROM entries WHERE number > ?", (then.entries,))
    journal.close()
    with sqlite3.connect(tmp_path / "ledger.traces") as traces:
        traces.execute("DELETE FROM traces WHERE id = ?", (second,))
    traces.close()
    for path in map(tmp_path.joinpath, WITNESSES):
        path.write_text(json.dumps(json.loads(path.read_text()) | asdict(then)))
    with Ledger.open(tmp_path, KEY) as book, pytest.raises(LedgerDamagedError):
        book.check()


def test_witnesses_are_removed_though_one_is_gone_already(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        book.check()
    witnesses = Witnesses(tmp_path, KEY)
    (tmp_path / WITNESSES[0]).unlink()
    witnesses.remove()
    assert witnesses.last() is None
    assert not witnesses.forged


def test_another_journal_in_its_place_is_told_with_the_length_of_the_old(tmp_path):
    with (
        Ledger.open(tmp_path, KEY) as book,
        book.releasing(town(range(8)), Grouping([0] * 8), k=8),
    ):
        pass
    for part in tmp_path.glob("ledger.journal*"):
        part.unlink()
    with Ledger.open(tmp_path, KEY) as book:
        assert "the journal of 2 entries is gone" in book.verify().reason


def test_a_witness_kept_elsewhere_is_asked_too(tmp_path):
    everybody = range(40)
    (tmp_path / "a").mkdir()
    with Ledger.open(tmp_path / "a", KEY) as book:
        with book.releasing(town(everybody), in_fours(everybody), k=4):
            pass
        book.journal.write_witness(tmp_path / "mine")
        assert book.verify(tmp_path / "mine").holds
    (tmp_path / "b").mkdir()
    with Ledger.open(tmp_path / "b", KEY) as other:
        assert not other.verify(tmp_path / "mine").holds


def test_only_what_was_sealed_with_this_key_is_unsealed():
    sealed = b"".join(seal([b"who was where"], KEY).pieces())
    assert unseal(sealed, KEY) == b"who was where"
    for forged in (
        sealed[:-1] + bytes([sealed[-1] ^ 1]),
        b"x" * len(MARK) + sealed[len(MARK) :],
        b"".join(seal([b"who was where"], b"another").pieces()),
        MARK,
    ):
        with pytest.raises(InputError, match="damaged"):
            unseal(forged, KEY)


def test_what_was_sealed_in_one_stream_is_unsealed_too():
    content = bytes(range(256)) * 20_000  # more than a block
    tag, mark = seal([content], KEY).tag, b"shoal trace 2\0\0\0"
    before = b"".join([mark, tag, *_hidden([content[:99], content[99:]], tag, KEY, mark)])
    now = b"".join(seal([content[:7], content[7:]], KEY).pieces())
    assert now != before
    assert unseal(before, KEY) == unseal(now, KEY) == content


def test_traces_are_readable_by_their_owner_only(tmp_path):
    path = tmp_path / "traces"
    TraceStore.open(path).connection.close()
    assert path.stat().st_mode & 0o777 == 0o600


# ------------------------------------------------------------------ who is forgotten


def test_what_was_forgotten_is_told_in_numbers():
    told = Forgotten(asked=3, people=2, rows=5, releases={"r": 1}).to_dict()
    assert told == {
        "asked": 3,
        "people": 2,
        "rows": 5,
        "not_found": 1,
        "releases": [{"release": "r", "people": 1}],
        **dict.fromkeys(("copies", "copies_left", "sessions", "entries", "unreadable"), 0),
        "only_read": False,
    }


def test_whoever_has_no_name_is_not_forgotten_with_others(ledger):
    frame = town(range(8)).frame.with_columns(
        id=pl.when(pl.int_range(8) < 3).then(None).otherwise("id")
    )
    table = read_table(frame, roles=ROLES)
    with ledger.releasing(table, Grouping([0] * 8), k=4):
        pass
    (release,) = ledger.releases()
    assert ledger.forget(table, "id", ["p005"]) == {release.id: 1}
    assert ledger.forget(table, "id", ["p006", "p007"]) == {release.id: 2}  # beside the first
    assert ledger.releases()[0].forgotten == 3
    assert ledger.forget(table, "id", ["nobody"]) == {}


def test_files_without_the_column_are_no_copies_and_missing_cells_stay(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "house"))
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "other.csv").write_text("name,age\np1,30\n")
    table = tmp_path / "table.csv"
    table.write_text("id,age,note\np1,30,\np2,31,x\np3,,\n")
    with Ledger.open(tmp_path / "house", KEY) as book:
        found = forget_people(table, "id", ["p1"], book)
    assert (found.people, found.rows, found.copies) == (1, 1, 0)
    assert table.read_text() == "id,age,note\np2,31,x\np3,,\n"


def test_a_journal_of_another_table_is_not_told_of_this_one(tmp_path):
    one, other = town(range(8)), town(range(8), seed=3)
    gone = np.arange(8) == 2
    with Journal.open(tmp_path / "session", KEY) as journal:
        seen = one.fingerprint(journal.key_for("table"))
        journal.append("session", {"table": seen, "rows": 8})
        forget_in_journal(journal, [Gone(other, other.take(~gone), gone)])
        assert [entry.kind for entry in journal.entries()] == ["session"]
        forget_in_journal(journal, [Gone(one, one.take(~gone), gone)])
        (told,) = [entry.body for entry in journal.entries() if entry.kind == "forgotten"]
        after = one.take(~gone).fingerprint(journal.key_for("table"))
        assert told == {"table": after, "rows": 7}
