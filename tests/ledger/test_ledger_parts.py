"""Parts of the ledger, each pinned whole: traces, records, stores, sentences, against twins."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import fields, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_twin import Hashes, Rows, traced

from shoal.audit import Entry, Journal, Witness
from shoal.exceptions import InputError, OutputError, ReleaseRefusedError
from shoal.ledger import (
    Composition,
    Recorded,
    Subject,
    Trace,
    canonical_marks,
    trace_release,
)
from shoal.ledger import _entry as entry_sentences
from shoal.ledger._records import WITNESSES, Witnesses, recorded, refuse_second, traces_told
from shoal.ledger._trace import OldTraceError, Shown, TraceStore
from shoal.ledger._tracing import trace_crowds
from shoal.table import Grouping, Roles, read_table

KEY = b"k" * 32


# ------------------------------------------------------------------ traces


def a_trace(**told) -> Trace:
    rows = Rows(
        people=["a", "b", "b", "c", "d", "e"],
        crowds=[0, 0, 1, 1, 2, 2],
        known=[1, 2, 2, 3, 4, 5],
        columns={"ill": [*"xxyyzx"], "sex": [*"mfmfmf"]},
        quasi=("age", "zip"),
        k=2,
        named=True,
        lost=[1, 0, 2, 3],
        pseudonyms="one",
    )
    later = {
        "boxes": np.array([7, 8, 9], dtype=np.uint64),
        "waiting": np.array([11, 12], dtype=np.uint64),
        "waited": np.array([1, 3], dtype=np.int32),
    }
    return replace(traced(rows, Hashes()), **{**later, **told})


def facts(trace: Trace) -> dict:
    """Every field of a trace as plain values, with its type."""
    told = {}
    for field in fields(trace):
        value = getattr(trace, field.name)
        if field.name == "shown":
            for name, shown in value.items():
                parts = (shown.starts, shown.values, shown.marks)
                told[name] = [(str(part.dtype), part.tolist()) for part in parts] + [shown.mode]
        else:
            is_array = isinstance(value, np.ndarray)
            told[field.name] = (str(value.dtype), value.tolist()) if is_array else value
    return told


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"alignment": "", "quasi": (), "identity": "", "k": 0, "lost": np.zeros(0, np.int32)},
        {"boxes": np.zeros(0, np.uint64), "waiting": np.zeros(0, np.uint64), "shown": {}},
        {"alignment": "pseudonyms of ü", "quasi": ("Größe",), "identity": "a\x1fb"},
    ],
)
def test_every_field_of_a_trace_comes_back(told):
    told = told | ({"waited": np.zeros(0, np.int32)} if "waiting" in told else {})
    trace = a_trace(**told)
    again = Trace.from_bytes(trace.to_bytes())
    assert facts(again) == facts(trace)
    assert again.to_bytes() == trace.to_bytes()


@pytest.mark.parametrize("cut", [0, 1, 100, -1, -9])
def test_a_packed_trace_that_was_cut_is_damaged(cut):
    with pytest.raises(InputError, match="damaged") as told:
        Trace.from_bytes(a_trace().to_bytes()[:cut])
    assert not isinstance(told.value, OldTraceError)


def test_crowds_are_as_many_as_their_numbers_or_their_losses_say():
    trace = a_trace()
    assert (trace.n_groups, trace.forgotten) == (4, 6)
    assert trace.sizes.tolist() == [3, 2, 4, 3]
    few = replace(trace, lost=np.array([1], dtype=np.int32))
    assert (few.n_groups, few.sizes.tolist()) == (3, [3, 2, 2])
    empty = Trace(*(np.zeros(0, dtype) for dtype in (np.uint64, np.uint64, np.int32)))
    assert (empty.n_groups, empty.sizes.tolist(), empty.forgotten, empty.once) == (0, [], 0, False)


def test_everybody_once_means_named_and_without_repeats():
    trace = a_trace()
    assert not trace.once  # b has two rows
    single = replace(trace, people=np.arange(6, dtype=np.uint64))
    assert single.once
    assert not replace(single, identity="").once


def test_whoever_is_forgotten_leaves_every_part_of_a_trace_but_their_number():
    trace = a_trace()
    person = trace.people[1]  # b, with rows in crowds 0 and 1
    fewer = trace.without(np.array([person]), np.zeros(0, np.uint64))
    kept = [0, 3, 4, 5]
    for name in ("rows", "people", "groups", "canonical", "known"):
        assert getattr(fewer, name).tolist() == getattr(trace, name)[kept].tolist(), name
    for name, shown in trace.shown.items():
        assert fewer.shown[name].marks.tolist() == shown.marks[kept].tolist()
        assert fewer.shown[name].values.tolist() == shown.values.tolist()
    assert fewer.lost.tolist() == [2, 1, 2, 3]  # in every crowd that lacks them now
    assert fewer.forgotten - trace.forgotten == 1  # one person all the same
    assert Trace.from_bytes(fewer.to_bytes()).forgotten == fewer.forgotten
    assert (fewer.waiting.tolist(), fewer.waited.tolist()) == ([11, 12], [1, 3])
    by_row = trace.without(np.zeros(0, np.uint64), trace.rows[3:4])
    assert by_row.people.tolist() == trace.people[[0, 1, 2, 4, 5]].tolist()
    assert by_row.lost.tolist() == [1, 1, 2, 3]
    # of somebody known by one row, all rows go
    both = trace.without(np.zeros(0, np.uint64), trace.rows[2:3])
    assert both.people.tolist() == fewer.people.tolist()


def test_whoever_only_waits_is_forgotten_without_a_number():
    trace, nobody = a_trace(), np.zeros(0, np.uint64)
    for people, rows in (([11], nobody), (nobody, [11])):
        fewer = trace.without(*(np.array(part, dtype=np.uint64) for part in (people, rows)))
        assert (fewer.waiting.tolist(), fewer.waited.tolist()) == ([12], [3])
        assert fewer.forgotten == trace.forgotten
        assert fewer.people.tolist() == trace.people.tolist()
    assert trace.without(np.array([99], dtype=np.uint64), nobody) is trace


def test_a_trace_without_rows_of_its_own_keeps_what_it_has():
    trace = a_trace()
    far = Trace(trace.rows, trace.people, trace.groups, {"ill": Shown(*_parts(trace.shown["ill"]))})
    fewer = far.without(trace.people[:1], np.zeros(0, np.uint64))
    assert (fewer.canonical.size, fewer.known.size, fewer.shown["ill"].marks.size) == (0, 0, 0)
    assert fewer.lost.tolist() == [1, 0, 0]


def _parts(shown: Shown):
    return shown.starts, shown.values


def test_a_trace_from_a_cluster_is_that_of_the_table():
    """Crowds by any numbers, values as texts: what the release shows is the same."""
    frame = pl.DataFrame({"age": [30, 31, 40, 41, 42], "ill": ["a", "b", "A ", None, "c"]})
    roles = Roles(quasi_identifiers="age", sensitive="ill")
    table = read_table(frame, roles=roles)
    with_key = {"key": KEY, "k": 2}
    here = trace_release(table, Grouping([0, 0, 1, 1, 1]), **with_key)
    canonical, known = canonical_marks(frame, (), ["age"])
    there = trace_crowds(
        table.row_hash(),
        np.array([-5, -5, 900, 900, 900]),
        {"ill": [(-5, "a"), (-5, "b"), (900, "a"), (900, ""), (900, "c"), (900, "c")]},
        canonical=canonical,
        known=known,
        quasi=["age"],
        **with_key,
    )
    for name in ("rows", "people", "groups", "canonical", "known", "k", "quasi"):
        one, other = getattr(here, name), getattr(there, name)
        assert np.array_equal(one, other), name
    one, other = here.shown["ill"], there.shown["ill"]
    assert one.starts.tolist() == other.starts.tolist() == [0, 2, 5]
    for begin, end in ((0, 2), (2, 5)):
        assert {*one.values[begin:end]} == {*other.values[begin:end]}
    assert (other.marks.size, other.mode, one.mode) == (0, 1.0, 0.4)
    assert there.identity == there.alignment == ""


def test_what_is_left_out_or_named_is_in_no_part_of_a_trace():
    frame = pl.DataFrame(
        {"id": ["a", "b", "a", "c"], "age": [1, 2, 3, 4], "ill": ["x", "y", "z", "x"]}
    )
    roles = Roles(identifiers="id", quasi_identifiers="age", sensitive="ill")
    labels = np.array([0, 0, -1, 0])
    trace = trace_release(read_table(frame, roles=roles), Grouping(labels), KEY, k=3)
    sizes = {name: getattr(trace, name).size for name in ("rows", "people", "canonical", "known")}
    assert set(sizes.values()) == {3}
    assert [*trace.shown] == ["ill"]
    shown = trace.shown["ill"]
    assert (shown.starts.tolist(), shown.marks.size) == ([0, 2], 3)  # x and y, not z
    assert shown.mode == pytest.approx(2 / 3)
    assert (trace.identity, trace.quasi, trace.boxes.size) == ("id", ("age",), 0)
    told = trace_release(
        read_table(frame, roles=roles),
        Grouping(labels),
        KEY,
        alignment="one",
        published=pl.DataFrame({"age": ["[1, 4]", "[1, 4]", "*", "[1, 4]"]}).__getitem__,
    )
    again = trace_release(
        read_table(frame, roles=roles),
        Grouping(labels),
        KEY,
        published=pl.DataFrame({"age": ["[1, 4]", "[1, 4]", "hidden", "[1, 4]"]}).__getitem__,
    )
    assert told.boxes.size == 1
    assert told.boxes.tolist() == again.boxes.tolist()
    assert (told.alignment, again.alignment, told.k) == ("one", "", 0)


# ------------------------------------------------------------------ records


def entry(number, kind, **body):
    return Entry(number, f"time {number}", "", kind, body, "", "")


def begun(number, name, **body):
    said = {"release": name, "table": f"t{name}", "rows": 9, "groups": 3, "k": 3}
    return entry(number, "releasing", **said, **body)


NAMES = ("r", "s", "t")
EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["releasing", "released", "abandoned", "withdrawn", "forgotten", "reset"]),
        st.sampled_from(NAMES),
        st.booleans(),
        st.integers(1, 3),
    ),
    max_size=12,
)


@settings(max_examples=80, deadline=None)
@given(EVENTS)
def test_releases_and_traces_agree_with_a_slow_reading_of_the_journal(events):
    entries, status, gone, traces, order = [], {}, {}, {}, []
    for number, (kind, name, has_trace, people) in enumerate(events, start=1):
        told = {"trace": f"digest {number}"} if has_trace else {}
        if kind == "releasing":
            entries.append(begun(number, name, **told))
            order = order if name in status else [*order, name]
            status[name], gone[name] = "writing", 0
            traces.pop(name, None)
        elif kind == "forgotten":
            more = {"forgotten": people + 4} if people == 1 else {}
            entries.append(entry(number, kind, release=name, people=people, **more, **told))
            if name in status:
                gone[name] = 5 if people == 1 else people
        elif kind == "reset":
            entries.append(entry(number, kind, carried=1))
            continue
        else:
            told = {}
            entries.append(entry(number, kind, release=name))
            if kind == "abandoned":
                status.pop(name, None)
                order = [other for other in order if other != name]
            elif name in status:
                status[name] = kind
        if told and name in status:
            traces[name] = (number, told["trace"])
        elif kind in ("abandoned", "withdrawn"):
            traces.pop(name, None)
    found = recorded(entries)
    assert [(r.id, r.status, r.forgotten) for r in found] == [
        (name, status[name], gone[name]) for name in order
    ]
    assert traces_told(entries) == traces


@pytest.mark.parametrize(
    ("kind", "lacking"),
    [
        ("releasing", "k"),
        ("releasing", "release"),
        ("released", "release"),
        ("abandoned", "release"),
        ("withdrawn", "release"),
        ("forgotten", "people"),
        ("forgotten", "release"),
    ],
)
def test_an_entry_that_does_not_say_what_it_must_is_damage(kind, lacking):
    whole = {"release": "r", "table": "t", "rows": 1, "groups": 1, "k": 1, "people": 1}
    recorded([entry(1, kind, **whole)])
    body = {name: value for name, value in whole.items() if name != lacking}
    for read in (recorded, traces_told):
        with pytest.raises(InputError, match="damaged"):
            read([entry(1, kind, **body)])


def test_a_record_tells_what_its_entry_told():
    told = {"engine": "spark", "columns": "c", "names": ["n"], "table_rows": 4, "after": "q"}
    told |= {"source": "in.csv", "folder": "out", "trace": "d"}
    (release,) = recorded([begun(1, "r", **told)])
    expected = Recorded(
        "r", "time 1", "tr", 9, 3, 3, "writing", 0, "spark", "c", True, "in.csv", "out", ("n",), 4,
        "q", "d", 1,
    )  # fmt: skip
    assert release == expected
    assert not {"names", "trace", "told_by"} & {*release.to_dict()}
    assert {"id": "r", "table_rows": 4, "traced": True}.items() <= release.to_dict().items()
    (plain,) = recorded([begun(2, "s")])
    assert (plain.traced, plain.engine, plain.names, plain.table_rows) == (False, "local", (), 0)
    (carried,) = recorded([begun(3, "s", time="long ago")])
    assert carried.time == "long ago"


def test_one_delivery_follows_a_release_and_the_same_again():
    entries = [begun(1, "r", after="q", trace="a"), entry(2, "released", release="r")]
    subject = Subject("t", "c", after="q")
    refuse_second(recorded(entries), subject, "a")
    refuse_second(recorded(entries), replace(subject, after="other"), "b")
    with pytest.raises(ReleaseRefusedError, match="Another delivery follows"):
        refuse_second(recorded(entries), subject, "b")
    withdrawn = [*entries, entry(3, "withdrawn", release="r")]
    refuse_second(recorded(withdrawn), subject, "b")
    refuse_second(recorded([begun(1, "r", after="q")]), subject, "b")  # never traced


# ------------------------------------------------------------------ stores and witnesses


def test_a_store_keeps_replaces_drops_and_counts(tmp_path):
    path = tmp_path / "traces"
    store = TraceStore.open(path)
    store.put("r", b"one")
    store.put("s", b"two")
    store.put("r", b"three")
    assert store.read() == ({"r": b"three", "s": b"two"}, 0)
    store.drop("s")
    store.drop("nobody")
    store.begin_forgetting(["a", "b"])
    store.begin_forgetting(["b", "c"])
    assert store.read() == ({"r": b"three"}, 3)
    store.end_forgetting(["a", "c", "d"])
    store.connection.close()
    again = TraceStore.open(path)  # what was there stays
    assert again.read() == ({"r": b"three"}, 1)
    again.connection.execute("UPDATE traces SET trace = 'text'")
    assert again.read() == ({}, 1)
    again.connection.close()


def test_a_store_that_is_locked_or_no_store_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.ledger._trace.PATIENCE", 0.01)
    store = TraceStore.open(tmp_path / "traces")
    other = sqlite3.connect(tmp_path / "traces", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(OutputError, match="cannot be used"):
        store.put("r", b"one")
    other.execute("ROLLBACK")
    other.close()
    store.connection.close()
    (tmp_path / "text").write_bytes(b"age,ill\n" * 200)
    with pytest.raises(InputError, match="damaged"):
        TraceStore.open(tmp_path / "text")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="cannot be opened"):
        TraceStore.open(tmp_path / "folder")


def test_witnesses_agree_with_what_was_seen(tmp_path):
    (tmp_path / "keys").mkdir()
    with Journal.open(tmp_path / "journal", KEY) as journal:
        witnesses = Witnesses(tmp_path, KEY)
        assert witnesses.last() is None
        assert not witnesses.forged
        witnesses.see(journal.seen())
        assert witnesses.last() == journal.seen() == Witness(journal.id, 0, journal.head)
        journal.append("one", {})
        witnesses.see(journal.seen())
        first, second = map(tmp_path.joinpath, WITNESSES)
        assert first.stat().st_mode & 0o777 == 0o600
        before = first.read_bytes()
        journal.append("two", {})
        witnesses.see(journal.seen())
        second.write_bytes(before)  # an older one in one of the places
        assert witnesses.last() == journal.seen()
        first.unlink()
        assert witnesses.last().entries == 1
        second.write_text("{}")
        assert witnesses.last() is None
        assert witnesses.forged
        assert not Witnesses(tmp_path / "elsewhere", KEY).forged
        witnesses.see(journal.seen())
        told = json.loads(first.read_text())
        for name, value in (("entries", 1), ("head", "x"), ("journal", "y"), ("seal", "z")):
            first.write_text(json.dumps(told | {name: value}))
            second.unlink(missing_ok=True)
            assert witnesses.last() is None, name
        assert Witnesses(tmp_path, b"another").last() is None
        left = [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]
        assert left == []  # no draft


# ------------------------------------------------------------------ what is said


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({}, []),
        ({"shrunk": 3}, ["smaller than k apart: 3 people"]),
        ({"shrunk": 3, "disclosed": 1, "compared": 1}, ["one possible"]),
        ({"unscored": 2}, ["(2)"]),
        ({"resembling": 1}, ["as many rows"]),
        ({"crossed": ("age",)}, ["publishes as it is ('age')"]),
        ({"recoded": ("a", "b"), "unscored": 1}, ["(1)", "'a', 'b'"]),
    ],
)
def test_each_trouble_has_its_sentence(found, words):
    told = entry_sentences._warnings(Composition(**found))
    assert len(told) == len(words)
    for sentence, word in zip(told, words, strict=True):
        assert word in sentence


@pytest.mark.parametrize(
    ("found", "reason", "advice"),
    [
        ({}, "", ""),
        ({"changed": 20, "needed": 20}, "", ""),
        ({"changed": 0, "needed": 20}, "", ""),
        ({"changed": 19, "needed": 20}, "differs from an earlier release by 19 people", "least 20"),
        ({"changed": 1, "needed": 2}, "differs from an earlier release by 1 person", "least 2"),
        ({"exposed": 2, "needed": 7}, "2 people left or joined", "at least 7"),
        ({"split": 2}, "for 2 people fewer than k", "rotated key"),
        ({"disclosed": 1, "compared": 1, "columns": ("a",)}, "with an earlier release", "larger l"),
        ({"disclosed": 1, "compared": 3, "columns": ("a",)}, "with 3 earlier releases", "larger l"),
        ({"single": 4, "shrunk": 4, "unscored": 1, "resembling": 2}, "", ""),
    ],
)
def test_what_is_refused_why_and_what_would_help(found, reason, advice):
    told = Composition(**found)
    assert told.holds == (not reason)
    for words, expected in ((told.reason, reason), (told.advice, advice)):
        assert expected in words
        assert bool(words) == bool(expected)
    assert told.to_dict()["holds"] is told.holds
    assert all(isinstance(told.to_dict()[name], list) for name in ("columns", "recoded", "crossed"))
