"""Steps of writing back by themselves: what the database counted, and how it confirms."""

from __future__ import annotations

from types import SimpleNamespace

import polars as pl
import pytest

from shoal.anonymizer import anonymize
from shoal.exceptions import OutputError, ReleaseRefusedError
from shoal.release import _write_back
from shoal.release._write_back import _commit, _compare, _sql
from shoal.release.targets import TableCount
from shoal.release.targets._recount import CountingQueries
from shoal.verifier import Claim
from shoal.verifier._recount import Recount

FRAME = pl.DataFrame({"age": ["*"] * 6, "ill": ["flu", "gout", None] * 2})
FILLED = {"age": 6, "ill": 4}


def compare(counted, file, *, people=False, told=None):
    claim = Claim("distinct_l", 2, "ill")
    outcomes = [SimpleNamespace(claim=claim, recounted=2)]
    verification = SimpleNamespace(recount=file, outcomes=outcomes)
    measures = ((claim, told or 2.0),)
    _compare(
        TableCount(*counted, FILLED, measures),  # type: ignore[arg-type]
        verification,  # type: ignore[arg-type]
        FRAME,
        people=people,
    )


def file(k, people=False):
    return Recount(6, 2, k, people, {})


@pytest.mark.parametrize(
    ("counted", "people_in_file", "people_seen", "wrong"),
    [
        ((6, 2, 3), False, False, None),
        ((5, 2, 3), False, False, "rows and groups"),
        ((6, 3, 3), False, False, "rows and groups"),
        ((6, 2, 2), False, False, "k"),
        ((6, 2, 4), False, False, "k"),
        ((6, 2, 4), True, False, None),  # rows, where the file counted people: not fewer
        ((6, 2, 2), True, False, "k"),
        ((6, 2, 4), True, True, "k"),
        ((6, 2, 3), True, True, None),
    ],
)
def test_a_database_counts_what_the_file_had(counted, people_in_file, people_seen, wrong):
    if wrong is None:
        compare(counted, file(3, people_in_file), people=people_seen)
        return
    with pytest.raises(ReleaseRefusedError, match=f"counts other {wrong} than"):
        compare(counted, file(3, people_in_file), people=people_seen)


def test_a_measure_that_differs_is_named():
    with pytest.raises(ReleaseRefusedError, match="counts other distinct_l of"):
        compare((6, 2, 3), file(3), told=3.0)


class Place:
    """Where papers are put, and taken back from."""

    def __init__(self):
        self.done = []

    def place(self):
        self.done.append("placed")

    def withdraw(self):
        self.done.append("withdrawn")


class Table:
    def __init__(self, error=None):
        self.error = error

    def commit(self):
        if self.error is not None:
            raise self.error


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyboardInterrupt(), KeyboardInterrupt),
        (OutputError("The database is locked."), OutputError),
        (RuntimeError("Kanarie7731"), OutputError),
        (SystemExit(3), OutputError),
    ],
)
def test_papers_are_taken_back_where_a_database_does_not_confirm(error, told):
    stage = Place()
    with pytest.raises(told) as found:
        _commit(Table(error), stage)  # type: ignore[arg-type]
    assert stage.done == ["placed", "withdrawn"]
    assert "Kanarie" not in str(found.value)
    assert (found.value is error) == (type(error) in (KeyboardInterrupt, OutputError))


def test_papers_stay_where_a_database_confirms():
    stage = Place()
    _commit(Table(), stage)  # type: ignore[arg-type]
    assert stage.done == ["placed"]


@pytest.mark.parametrize(
    ("order", "said"), [((), False), ("numeric", False), (("low", "high"), True)]
)
def test_queries_say_what_they_need_of_an_order(order, said):
    claim = Claim("t_ordered", 0.5, "ill", order=order)
    counted = TableCount(6, 2, 3, FILLED, ((claim, 0.25),))
    text = _sql(CountingQueries('"t"', ("age",), None), counted)
    assert ("-- places has each value" in text) == said
    assert ("ORDER BY o.place NULLS LAST" in text and "LEFT JOIN places AS o" in text) == said
    assert ("CAST(t." in text) == (order == "numeric")
    assert ": 0.25.\n" in text
    assert text.endswith(";\n")


def test_who_has_two_rows_is_one_person_whom_a_database_cannot_see(tmp_path, monkeypatch):
    """Rows are counted there, and may be more than the people that the file counted."""
    moments = iter([40.0, 41.5, *[50.0] * 99])
    monkeypatch.setattr(_write_back, "perf_counter", lambda: next(moments))
    frame = pl.DataFrame(
        {"who": [f"P{i // 2}" for i in range(40)], "age": [20 + i // 20 for i in range(40)]}
    )
    release = anonymize(frame, quasi_identifiers="age", person="who", k=5, bound=False)
    written = release.write_back(f"sqlite:///{tmp_path}/out.db", "t", papers=tmp_path / "p")
    assert written.verification.recount.people
    assert written.seconds == 1.5
