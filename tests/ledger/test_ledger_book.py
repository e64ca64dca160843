"""The ledger's book itself: what is entered, refused, taken out and forgotten."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from shoal.exceptions import LedgerDamagedError, ReleaseRefusedError
from shoal.ledger import (
    Ledger,
    Subject,
    Trace,
    forget_people,
)
from shoal.ledger._composition import crowds_that_left
from shoal.ledger._recognition import Meeting, _Match
from shoal.ledger._tracing import person_hash, person_hashes
from shoal.table import Grouping, Roles, read_table

KEY = b"k" * 32


def table_of(people, ill="abc"):
    frame = pl.DataFrame(
        {
            "id": [f"p{i}" for i in people],
            "age": [i // 4 for i in people],
            "ill": [ill[i % len(ill)] for i in people],
        }
    )
    return read_table(frame, roles=Roles(quasi_identifiers="age", sensitive="ill", person="id"))


def fours(n):
    return Grouping(np.arange(n) // 4)


def test_the_journal_tells_numbers_of_what_was_entered_and_refused(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        with book.releasing(
            table_of(range(40), "abcdefgh"), fours(40), k=4, name="first", folder="out"
        ) as one:
            assert (one.release, one.compared) == ("first", 0)
            assert book.releases()[0].status == "writing"
        mixed = Grouping(np.argsort(np.random.default_rng(1).permutation(40)) // 4)
        with (
            pytest.raises(ReleaseRefusedError),
            book.releasing(table_of(range(40), "abcdefgh"), mixed, k=4, name="second"),
        ):
            pytest.fail("it was let through")
        said = [(entry.kind, dict(entry.body)) for entry in book.journal.entries()]
        kinds = [kind for kind, _ in said]
        assert kinds == ["releasing", "released", "refused"]
        begun_with = said[0][1]
        assert {"release": "first", "rows": 40, "groups": 10, "k": 4, "table_rows": 40}.items() <= (
            begun_with.items()
        )
        assert begun_with["folder"] == "out"
        assert begun_with["compared"] == begun_with["people"] == begun_with["disclosed"] == 0
        numbers = said[2][1]
        assert {*numbers} == {"compared", "people", "single", "changed", "disclosed"}
        assert (numbers["compared"], numbers["people"]) == (1, 40)
        assert numbers["disclosed"] > 0
        assert [r.id for r in book.releases()] == ["first"]
        with book.releasing(table_of(range(40), "abcdefgh"), mixed, k=4, refuse=False) as other:
            assert not other.holds
        assert len(other.release) == 16
        assert [r.status for r in book.releases()] == ["released"] * 2


def test_what_is_too_large_to_be_traced_is_noted_and_counted(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        table = table_of(range(8))
        subject = book.subject(table, folder="out")
        for unscored in (0, 1):
            with book.noting(subject, rows=8, groups=2, k=4) as found:
                assert (found.unscored, len(found.release)) == (unscored, 16)
        first, second = book.releases()
        assert (first.rows, first.groups, first.k, first.traced) == (8, 2, 4, False)
        assert first.status == second.status == "released"
        with book.releasing(table, fours(8), k=4, name="traced") as found:
            assert (found.unscored, found.compared, found.resembling) == (2, 0, 0)
        other = book.subject_elsewhere("content", ["x", "y"], "spark", rows=5)
        assert (other.engine, other.table_rows, len(other.names)) == ("spark", 5, 2)
        with book.noting(other, rows=5, groups=1, name="third") as found:
            assert (found.unscored, found.release) == (0, "third")
        assert book.releases()[-1].k == 0
        with pytest.raises(RuntimeError), book.noting(other, rows=5, groups=1, name="fourth"):
            raise RuntimeError
        assert [r.id for r in book.releases()][2:] == ["traced", "third"]


def test_releases_cut_off_are_taken_out_and_no_other(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        for name in ("done", "cut"):
            context = book.releasing(table_of(range(8)), fours(8), k=4, name=name)
            context.__enter__()
            if name == "done":
                context.__exit__(None, None, None)
        assert [(r.id, r.status) for r in book.releases()] == [
            ("done", "released"),
            ("cut", "writing"),
        ]
        book.abandon(["done", "cut", "never"])
        assert [r.id for r in book.releases()] == ["done"]
        assert [*book.traces()] == [*book.sound_traces()] == ["done"]
        book.withdraw("done")
        assert book.standing() == []
        assert [r.status for r in book.releases()] == ["withdrawn"]
        assert book.sound_traces() == {}
        assert book.verify().holds


def test_forgetting_that_was_cut_off_is_noticed_and_goes_on(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        with book.releasing(table_of(range(8)), fours(8), k=4, name="r"):
            pass
        with pytest.raises(RuntimeError), book.forgetting("id", ["p1", "p2"]):
            raise RuntimeError
        found = book.verify()
        assert (found.holds, found.entry) == (False, None)
        assert "forgetting 2 people was cut off" in found.reason
        with pytest.raises(LedgerDamagedError, match="cut off"):
            book.check()
        with book.forgetting("id", ["p1", "p2"]):
            assert book.forget(table_of(range(8)), "id", ["p1", "p2"]) == {"r": 2}
        assert book.verify().holds
        assert book.forget(table_of(range(8)), "id", ["p1"]) == {}
        (said,) = [dict(e.body) for e in book.journal.entries() if e.kind == "forgotten"]
        assert (said["people"], said["forgotten"]) == (2, 2)
        assert book.traces()["r"].people.size == 6


def test_records_over_several_lines_leave_whole_whatever_divides_their_cells(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "house"))
    (tmp_path / "house").mkdir()
    packed = tmp_path / "table.parquet"
    pl.DataFrame({"id": ["p1", "p2"], "note": ["x", None]}).write_parquet(packed)
    with Ledger.open(tmp_path / "house", KEY) as book:
        for mark in ";,\t|":
            path = tmp_path / "table.csv"
            rows = ['p1|"two\nlines"', 'p2|"and, more; of\nthem"', "p3|x"]
            text = "\n".join(row.replace("|", mark) for row in ("id|note", *rows)) + "\n"
            path.write_text(text)
            assert forget_people(path, "id", ["p1"], book).rows == 1
            assert path.read_text() == text.replace(f'p1{mark}"two\nlines"\n', "")
        assert forget_people(packed, "id", ["p2"], book).rows == 1
    assert pl.read_parquet(packed).rows() == [("p1", "x")]


def test_one_row_resembles_one_row_and_no_row_resembles_none(tmp_path):
    people = [np.array([n], dtype=np.uint64) for n in (1, 2)]
    for rows, resembling in ((1, 1), (0, 0)):
        place = tmp_path / str(rows)
        place.mkdir()
        with Ledger.open(place, KEY) as book:
            for number, who in enumerate(people):
                subject = Subject(f"t{number}", "c", names=("n",), table_rows=rows)
                trace = Trace(who, who, np.zeros(1, dtype=np.int32))
                with book.entering(subject, trace, refuse=False) as found:
                    assert found.resembling == (resembling if number else 0)


def test_without_a_k_one_person_who_left_is_enough():
    people = np.arange(7, dtype=np.uint64)
    old = Trace(people, people, np.array([0, 1, 1, 1, 2, 2, 2], dtype=np.int32))
    now = Meeting(old, people[1:], people, {})
    assert not crowds_that_left(now).any()  # the crowd of one left whole, and no other goes
    nobody = Meeting(replace(old, people=people[:0], groups=old.groups[:0]), people, people[:0], {})
    assert nobody.crowds.tolist() == [-1] * 7


def test_nineteen_of_twenty_are_nearly_all():
    ours, theirs = np.arange(20, dtype=np.uint64), np.arange(1, 41, dtype=np.uint64)
    assert _Match(ours, theirs).nearly_all
    assert not _Match(ours[:19], theirs[1:]).nearly_all


@pytest.mark.parametrize("width", [1, 2])
def test_many_people_are_hashed_as_few_are(width):
    rng = np.random.default_rng(width)
    columns = [
        pl.Series([f"näme {i}" * (i % 9) for i in rng.integers(0, 999, 6_000)])
        for _ in range(width)
    ]
    sliced = [column[1:] for column in columns]
    many = person_hashes(sliced, b"key").tolist()
    assert many == [person_hash(row, b"key") for row in zip(*sliced, strict=True)]
