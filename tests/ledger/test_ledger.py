"""The ledger: releases that are safe alone and not together, and a record that stays true."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from house_gate import entered

from shoal._words import plural
from shoal.audit import Journal
from shoal.exceptions import InputError, InvalidParameterError, OutputError, ReleaseRefusedError
from shoal.ledger import (
    FEWEST_CHANGES,
    Composition,
    Ledger,
    Trace,
    _composition,
    _ledger,
    compose,
    ledger_mode,
    trace_release,
)
from shoal.ledger._trace import unseal
from shoal.privacy import group_by_text
from shoal.table import Grouping, Roles, Table, read_table

KEY = b"k" * 32
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "privacy_cases.json").read_text())
CANARY = "Kanarie7731"


def town(n: int = 60, seed: int = 0, **roles) -> Table:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "id": [f"p{i:03}" for i in range(n)],
            "age": rng.integers(20, 90, n),
            "ill": rng.choice(["flu", "gout", CANARY], n),
        }
    )
    return read_table(frame, roles=Roles(quasi_identifiers="age", sensitive="ill", **roles))


def grouped(table: Table, size: int, seed: int | None = None) -> Grouping:
    order = np.arange(table.n_rows)
    if seed is not None:
        order = np.random.default_rng(seed).permutation(table.n_rows)
    labels = np.empty(table.n_rows, dtype=np.int64)
    labels[order] = np.minimum(np.arange(table.n_rows) // size, table.n_rows // size - 1)
    return Grouping(labels)


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path, KEY) as book:
        yield book


def test_the_golden_case_of_two_releases():
    """G24: 3-anonymous and diverse each, one value together."""
    case = next(case for case in GOLDEN["cases"] if case["id"] == "G24")
    expected = case["expected"]
    first = {row[2] for row in case["table"]["rows"] if row[0] == "20-29"}
    second = {row[2] for row in expected["second_release"]["rows"]}
    assert first == {*expected["candidates_first"]}
    people = pl.DataFrame({"q": ["t", "u", "v"], "d": ["aids", "flu", "flu"]})
    others = pl.DataFrame({"q": ["t", "x", "y"], "d": ["aids", "cold", "ulcer"]})
    roles = Roles(quasi_identifiers="q", sensitive="d")
    traces = [
        trace_release(read_table(frame, roles=roles), Grouping([0, 0, 0]), KEY, k=3)
        for frame in (people, others)
    ]
    found = compose(traces[1], traces[:1])
    assert second == {*expected["candidates_second"]}
    assert len(expected["intersection"]) == 1
    assert (found.people, found.single, found.single_before) == (1, 1, 0)
    assert not found.holds


def test_the_same_release_again_adds_nothing(ledger):
    table = town()
    for _ in range(3):
        with ledger.releasing(table, grouped(table, 5), k=5) as found:
            assert found.holds
    assert found.compared == 2
    assert found.invariant == 1.0
    assert len(ledger.releases()) == 3


def test_the_same_release_again_is_told_by_its_bytes_and_nobody_is_looked_for(ledger, monkeypatch):
    table, fewer = town(), town().take(np.arange(57))
    crowds = grouped(table, 3)
    with ledger.releasing(table, crowds, k=4):  # some crowds have one value, and all are below k
        pass
    by_arithmetic = ledger.score(table, crowds, k=4)
    assert by_arithmetic.single > 0
    assert by_arithmetic.shrunk == table.n_rows
    asked: list[int] = []
    look = _composition.meet
    monkeypatch.setattr(_composition, "meet", lambda *two: asked.append(1) or look(*two))
    with ledger.releasing(table, crowds, k=4) as again:
        assert replace(again, release="") == by_arithmetic
        assert asked == []
    with ledger.releasing(fewer, grouped(fewer, 3), k=4, refuse=False):  # one crowd left
        assert asked == [1, 1]
    with ledger.releasing(table, crowds, k=4, refuse=False) as after_others:
        assert len(asked) == 5
    assert after_others.changed == 3


def test_one_cell_that_differs_is_another_release(ledger, monkeypatch):
    table = town()
    with ledger.releasing(table, grouped(table, 5), k=5):
        pass
    frame = table.cells.frame.with_columns(
        ill=pl.when(pl.col("id") == "p000").then(pl.lit("new")).otherwise("ill")
    )
    monkeypatch.setattr(_ledger, "repeat_of", None)
    other = read_table(frame, roles=table.roles)
    with ledger.releasing(other, grouped(other, 5), k=5, refuse=False) as found:
        assert found.compared == 1
        assert not found.holds


def test_another_grouping_of_the_same_people_is_refused_with_their_number(ledger):
    table = town()
    with ledger.releasing(table, grouped(table, 3), k=3):
        pass
    worse = ledger.score(table, grouped(table, 3, seed=1), k=3)
    assert worse.single > worse.single_before
    with (
        pytest.raises(ReleaseRefusedError, match=f"{worse.disclosed} people") as refused,
        ledger.releasing(table, grouped(table, 3, seed=1), k=3),
    ):
        pytest.fail("The block must not run.")
    assert "earlier" in (refused.value.hint or "")
    assert [r.status for r in ledger.releases()] == ["released"]
    assert [entry.kind for entry in ledger.journal.entries()][-1] == "refused"


def test_with_the_ledger_no_more_people_have_one_candidate_than_after_the_first(ledger):
    table = town(300)
    written = []
    for seed in range(6):
        grouping = grouped(table, 4, seed=seed)
        try:
            with ledger.releasing(table, grouping, k=4):
                written.append(trace_release(table, grouping, KEY, k=4))
        except ReleaseRefusedError:
            continue
    alone = compose(written[0], written[:1])
    assert compose(written[-1], written).single <= alone.single
    all_of_them = [trace_release(table, grouped(table, 4, seed=s), KEY, k=4) for s in range(6)]
    assert compose(all_of_them[-1], all_of_them[:-1]).single > 5 * max(1, alone.single)


def test_people_are_recognized_by_who_they_are_when_their_row_changed():
    before = town(person="id")
    older = before.frame.with_columns(pl.col("age") + 1)
    after = read_table(older, roles=before.roles)
    grouping = grouped(before, 5)
    found = compose(
        trace_release(after, grouping, KEY, k=5), [trace_release(before, grouping, KEY, k=5)]
    )
    assert (found.people, found.changed) == (60, 0)


def test_other_people_are_not_compared(ledger):
    with ledger.releasing(town(seed=1, person="id"), grouped(town(), 5), k=5):
        pass
    strangers = town(seed=2).frame.with_columns(pl.col("id") + "x")
    table = read_table(strangers, roles=town(person="id").roles)
    assert ledger.score(table, grouped(table, 5), k=5) == Composition()


@pytest.mark.parametrize("fewer", [1, FEWEST_CHANGES - 1])
def test_a_difference_of_few_people_is_refused(ledger, fewer):
    table = town(200, person="id")
    with ledger.releasing(table, grouped(table, 100), k=5):
        pass
    left = read_table(table.frame[fewer:], roles=table.roles)
    found = ledger.score(left, grouped(left, 90), k=5)
    assert (found.changed, found.differs_too_little) == (fewer, True)
    assert f"by {plural(fewer, 'person')}" in found.reason
    enough = read_table(table.frame[FEWEST_CHANGES:], roles=table.roles)
    assert not ledger.score(enough, grouped(enough, 90), k=5).differs_too_little


def test_a_block_that_fails_is_no_release(ledger):
    table = town()
    with pytest.raises(OutputError), ledger.releasing(table, grouped(table, 5), k=5):
        raise OutputError("The disk is full.")
    assert ledger.releases() == []
    assert [entry.kind for entry in ledger.journal.entries()] == ["releasing", "abandoned"]
    assert ledger.verify().holds


def test_a_release_that_was_never_confirmed_counts(tmp_path, monkeypatch):
    """The disk is full between the file and the confirmation: it may be out there."""
    table, append = town(), Journal.append

    def full(journal, kind, body, actor=""):
        if kind == "released":
            raise OutputError("The disk is full.")
        return append(journal, kind, body, actor)

    with Ledger.open(tmp_path, KEY) as ledger, monkeypatch.context() as disk:
        disk.setattr(Journal, "append", full)
        with pytest.raises(OutputError), ledger.releasing(table, grouped(table, 5), k=5):
            pass
    with Ledger.open(tmp_path, KEY) as again:
        assert [r.status for r in again.releases()] == ["writing"]
        assert again.score(table, grouped(table, 5), k=5).compared == 1


def test_withdrawn_releases_are_not_held_against_others(ledger):
    table = town()
    with ledger.releasing(table, grouped(table, 3), k=3):
        pass
    ledger.withdraw(ledger.releases()[0].id)
    assert ledger.score(table, grouped(table, 3, seed=1), k=3) == Composition()
    assert ledger.releases()[0].status == "withdrawn"
    assert ledger.verify().holds
    with pytest.raises(InvalidParameterError):
        ledger.withdraw("no such release")


def test_forgetting_removes_the_person_and_keeps_the_chain(ledger):
    table = town(person="id")
    with ledger.releasing(table, grouped(table, 5), k=5):
        pass
    assert ledger.forget(table, "id", ["p007", "p008", "nobody"]) == {ledger.releases()[0].id: 2}
    assert ledger.releases()[0].forgotten == 2
    assert ledger.verify().holds
    left = read_table(table.frame.filter(~pl.col("id").is_in(["p007", "p008"])), roles=table.roles)
    found = ledger.score(left, grouped(left, 5), k=5)
    assert (found.people, found.changed) == (58, 2)
    assert not found.holds


def test_people_are_forgotten_by_their_rows_where_releases_did_not_name_them(ledger):
    table = town()  # no person column when it was released
    with ledger.releasing(table, grouped(table, 5), k=5):
        pass
    assert sum(ledger.forget(table, "id", ["p000"]).values()) == 1


def test_nothing_of_a_person_is_on_the_disk(tmp_path):
    table = town(person="id")
    with Ledger.open(tmp_path, KEY) as ledger:
        with ledger.releasing(table, grouped(table, 5), k=5):
            pass
        mark = trace_release(table, grouped(table, 5), KEY).people[7].tobytes()
        name = ledger.releases()[0].id
        assert mark in unseal(ledger.sound_traces()[name], KEY)  # the positive control
        ledger.forget(table, "id", ["p007"])
        assert mark not in unseal(ledger.sound_traces()[name], KEY)
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for text in (CANARY, CANARY.lower(), "p007", "p008", "gout"):
        assert text.encode() not in stored
    others = trace_release(table, grouped(table, 5), KEY)
    for hashes in (others.people, others.rows, others.known, others.shown["ill"].values):
        assert not any(one.tobytes() in stored for one in hashes[:20])  # sealed


def test_a_trace_survives_packing():
    trace = trace_release(town(person="id"), grouped(town(), 5), KEY, k=5)
    again = Trace.from_bytes(trace.to_bytes())
    assert again.to_bytes() == trace.to_bytes()
    assert (again.k, again.identity) == (5, "id")
    with pytest.raises(InputError):
        Trace.from_bytes(trace.to_bytes()[:-9])


def test_traces_of_other_keys_have_nothing_in_common():
    table = town(person="id")
    ours, theirs = (trace_release(table, grouped(table, 5), key, k=5) for key in (KEY, b"x" * 32))
    assert compose(ours, [theirs]) == Composition()


@pytest.mark.parametrize("harm", ["change", "remove"])
def test_a_trace_that_was_touched_is_found(tmp_path, harm):
    table = town()
    with Ledger.open(tmp_path, KEY) as ledger:
        for _ in range(2):
            with ledger.releasing(table, grouped(table, 5), k=5):
                pass
    with sqlite3.connect(tmp_path / "ledger.traces") as traces:
        first = Ledger.open(tmp_path, KEY).releases()[0].id
        if harm == "change":
            fewer = trace_release(table, grouped(table, 6), KEY).to_bytes()
            traces.execute("UPDATE traces SET trace = ? WHERE id = ?", (fewer, first))
        else:
            traces.execute("DELETE FROM traces WHERE id = ?", (first,))
    with Ledger.open(tmp_path, KEY) as ledger:
        found = ledger.verify()
    assert (found.holds, found.entry) == (False, 1)


def test_an_entry_that_was_touched_is_found(tmp_path):
    table = town()
    with Ledger.open(tmp_path, KEY) as ledger:
        with ledger.releasing(table, grouped(table, 5), k=5):
            pass
        ledger.journal.write_witness(tmp_path / "witness")
    with sqlite3.connect(tmp_path / "ledger.journal") as journal:
        journal.execute("DELETE FROM entries WHERE number = 2")
    with Ledger.open(tmp_path, KEY) as ledger:
        assert ledger.journal.verify().holds  # a tail that is gone is only seen by a witness
        assert not ledger.journal.verify(tmp_path / "witness").holds
        assert not ledger.verify().holds


def test_modes(monkeypatch, tmp_path):
    monkeypatch.delenv("SHOAL_HOME", raising=False)
    assert ledger_mode() == "warn"
    assert ledger_mode(preset="public") == ledger_mode("refuse") == "refuse"
    assert ledger_mode(preset="partner") == "refuse"
    assert ledger_mode(preset="internal") == "warn"
    assert ledger_mode("off", "public") == "off"  # what is said goes over the preset
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path))  # says where it lies, and nothing else
    assert ledger_mode() == "warn"
    with pytest.raises(InvalidParameterError, match="no mode"):
        ledger_mode("maybe")


def test_a_house_that_cannot_keep_a_ledger(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "file" / "house"))
    table = town()
    with entered(table, grouped(table, 5), k=5, mode="warn") as entry:
        assert "not recorded" in entry.warnings[0]
    with (
        pytest.raises(OutputError),
        entered(table, grouped(table, 5), k=5, mode="refuse"),
    ):
        pytest.fail("The block must not run.")
    with entered(table, grouped(table, 5), k=5, mode="off") as entry:
        assert entry.to_dict() == {"mode": "off", "recorded": False}


def test_groups_are_those_an_attacker_sees():
    """Crowds that read the same are one crowd in the trace."""
    table = town(12)
    reading = pl.DataFrame({"age": ["a"] * 6 + ["b"] * 6})
    alike = group_by_text(read_table(reading, roles=Roles(quasi_identifiers="age")))
    assert trace_release(table, alike, KEY).n_groups == 2


def test_two_releases_at_once_know_of_each_other(tmp_path):
    """Eight threads, eight groupings: one is written, the others are held against it."""
    from concurrent.futures import ThreadPoolExecutor

    table = town(120)

    def release(seed: int) -> bool:
        with Ledger.open(tmp_path, KEY) as ledger:
            try:
                with ledger.releasing(table, grouped(table, 3, seed=seed), k=3):
                    return True
            except ReleaseRefusedError:
                return False

    with Ledger.open(tmp_path, KEY), ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(release, range(8))) == 1
    with Ledger.open(tmp_path, KEY) as ledger:
        assert [r.status for r in ledger.releases()] == ["released"]
        assert ledger.verify().holds


def test_what_is_printed_of_a_ledger_holds_no_key(tmp_path):
    key = b"nobody may read this in a log..."
    with Ledger.open(tmp_path, key) as ledger:
        told = f"{ledger!r} {ledger.journal!r} {ledger._traces!r} {ledger._witnesses!r}"
        assert "Ledger" in told
        assert "nobody may read" not in told
        assert key.hex() not in told
