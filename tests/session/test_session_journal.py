"""The journal of a session: nothing of a person in it, all that happened, and the way back."""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import time

import polars as pl
import pytest
from wards import answer, recipe, table, ward

import shoal
from forking import begin
from shoal.audit import Journal
from shoal.exceptions import InputError, InvalidParameterError
from shoal.plan import Plan
from shoal.session import Session

KEY = b"0123456789abcdef0123456789abcdef"


def live_session(path, **more):
    return Session(table(), recipe(), journal=path, actor="ada", seed=5, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ward.journal"


@pytest.fixture
def journal(path):
    with Journal.open(path, KEY) as opened:
        yield opened


def busy(live):
    """Do one of everything."""
    answer(live, 5)
    live.tell(live.ask(), "skip")
    live.undo()
    answer(live, 2)
    live.set_weights({"age": 2})
    live.limit("age", 60)
    live.preview(score=False)
    answer(live, 3)
    live.undo()
    live.ask()


def test_every_step_is_written_with_its_actor(journal):
    live = live_session(journal)
    busy(live)
    live.release_limit("age")
    release = live.release()
    live.exported("data.csv", "c0ffee")
    written = list(journal.entries())
    kinds = [entry.kind for entry in written]
    assert kinds[0] == "session"
    assert {*kinds} == {
        *("session", "question", "answer", "undo", "sliders", "limit", "regrouped"),
        *("release", "export"),
    }
    assert {entry.actor for entry in written} == {"ada"}
    assert written[-1].body == {"what": "data.csv", "digest": "c0ffee"}
    assert written[-2].body["digest"] == live.digest(release)
    assert written[-2].body["consistency"] == live.consistency
    assert kinds.count("answer") == 11
    assert journal.verify().holds


def test_a_step_that_is_refused_is_not_written(journal):
    live = live_session(journal)
    before = len(journal)
    for wrong in (
        lambda: live.tell("x", "A"),
        lambda: live.set_weights({"age": -1}),
        lambda: live.keep_exact("zip"),
    ):
        with pytest.raises(shoal.ShoalError):
            wrong()
    assert len(journal) == before


def test_no_cell_value_is_in_the_journal(tmp_path):
    """Every cell of every quasi-identifier is a canary."""
    chance = random.Random(3)
    n = 120
    frame = pl.DataFrame(
        {
            "age": [chance.randrange(700_001, 700_090) for _ in range(n)],
            "town": [f"Kanarie{chance.randrange(20):03}" for _ in range(n)],
            "job": [f"Vogel{chance.randrange(9):03}" for _ in range(n)],
        }
    )
    made = shoal.read_table(frame, roles=shoal.Roles(quasi_identifiers=["age", "town", "job"]))
    path = tmp_path / "canary.journal"
    plan = Plan(roles=made.roles, k=3, orders={"job": ("Vogel001",)}, missing=("Kanarie000",))
    with Journal.open(path, KEY) as journal:
        live = Session(made, plan, journal=journal, seed=1, learner="posterior")
        for choice in ("A", "B", "skip", "A"):
            live.tell(live.ask(), choice)
        live.limit("age", 60)
        live.preview(score=False)
        live.release()
    content = b"".join(file.read_bytes() for file in tmp_path.glob("canary.journal*"))
    assert b"quasi_identifiers" in content  # the control: what is written can be found
    for canary in (b"Kanarie", b"Vogel"):
        assert canary not in content
    ages = re.findall(rb"(?<![0-9a-f])7000[0-9]{2}(?![0-9a-f])", content)  # not inside a digest
    assert ages == []


def state_of(live):
    return live.weights, live.intervals, live.limits, live.answers, live.bias, live.ask()


def test_a_resumed_session_is_where_it_was(journal):
    live = live_session(journal)
    busy(live)
    before = state_of(live)
    resumed = Session.resume(journal, table(), recipe())
    assert state_of(resumed) == before
    assert resumed.undo() == live.undo()
    answer(resumed, 3)
    assert [entry.kind for entry in journal.entries()].count("resumed") == 1


def test_resuming_goes_on_as_if_nothing_had_happened(tmp_path):
    """The same answers with and without a break give the same questions and weights."""
    one, other = tmp_path / "one", tmp_path / "other"
    with Journal.open(one, KEY) as journal:
        whole = live_session(journal)
        answer(whole, 9)
        weights, question = whole.weights, whole.ask()
    with Journal.open(other, KEY) as journal:
        answer(live_session(journal), 4)
    with Journal.open(other, KEY) as journal:
        broken = Session.resume(journal, table(), recipe())
        answer(broken, 5)
        assert broken.weights == weights
        assert broken.ask() == question


def test_replay_gives_the_same_release_byte_for_byte(journal, tmp_path):
    live = live_session(journal)
    busy(live)
    first = live.release()
    written = len(journal)
    replayed = Session.replay(journal, table(), recipe())
    again = replayed.release()
    assert len(journal) == written  # replaying writes nothing
    assert replayed.weights == live.weights
    assert again.frame.write_csv() == first.frame.write_csv()
    assert replayed.digest(again) == list(journal.entries())[-1].body["digest"]
    first.write(tmp_path / "one")
    again.write(tmp_path / "two")
    for name in ("data.csv", "manifest.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_rows_may_come_in_another_order(journal):
    live = live_session(journal)
    answer(live, 4)
    data = ward()
    frame = data.frame.sample(fraction=1, shuffle=True, seed=9)
    turned = shoal.read_table(frame, roles=data.roles, kinds=data.kinds)
    resumed = Session.resume(journal, turned, recipe())
    assert resumed.weights == live.weights
    assert resumed.ask().cost == live.ask().cost
    assert resumed.ask().row == live.ask().row


def test_another_table_or_recipe_is_refused(journal):
    live_session(journal)
    data = ward()
    other = shoal.read_table(data.frame.head(799), roles=data.roles, kinds=data.kinds)
    with pytest.raises(InvalidParameterError, match="not the table"):
        Session.resume(journal, other, recipe())
    with pytest.raises(InvalidParameterError, match="other privacy models"):
        Session.resume(journal, table(), recipe(k=7))
    with pytest.raises(InvalidParameterError, match="begun with an anonymizer"):
        Session.resume(journal, table())


def test_a_plan_is_in_the_journal(journal):
    made = table()
    plan = Plan(roles=made.roles, k=6, weights={"age": 2.0}, hierarchies={"zip": "mask"})
    live = Session(made, plan, journal=journal, seed=2)
    live.tell(live.ask(), "B")
    resumed = Session.resume(journal, made)
    assert resumed.weights == live.weights
    assert resumed.anonymizer().privacy == live.anonymizer().privacy


def test_a_plan_finds_its_hierarchies_from_anywhere(journal, tmp_path, monkeypatch):
    ward().write(tmp_path / "town")
    monkeypatch.chdir(tmp_path / "town")
    trees = {"occupation": "hierarchies/occupation.csv", "zip": "mask"}
    plan = Plan(roles=table().roles, k=6, hierarchies=trees, l={"diagnosis": 2}, grid={"age": 5})
    live = Session(table(), plan, journal=journal, seed=2)
    live.tell(live.ask(), "B")
    monkeypatch.chdir("/")
    resumed = Session.resume(journal, table())
    assert resumed.ask() == live.ask()
    assert resumed.release().frame.equals(live.release().frame)


def test_a_tampered_journal_is_not_resumed(path):
    with Journal.open(path, KEY) as journal:
        answer(live_session(journal), 3)
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE entries SET body = replace(body, 'choice', 'CHOICE') WHERE number = 3"
    )
    connection.commit()
    connection.close()
    with Journal.open(path, KEY) as journal, pytest.raises(InputError, match="entry 3"):
        Session.resume(journal, table(), recipe())


def test_one_journal_one_session(journal):
    live_session(journal)
    with pytest.raises(InvalidParameterError, match="holds a session already"):
        live_session(journal)


def test_a_journal_of_something_else_is_no_session(journal):
    journal.append("released", {})
    with pytest.raises(InputError, match="holds no session"):
        Session.resume(journal, table(), recipe())


def test_a_path_is_opened_with_the_key_of_this_user(path):
    live = live_session(path)
    answer(live, 2)
    before = state_of(live)
    assert live.journal.path == path
    live.close()
    resumed = Session.resume(path, table(), recipe())
    assert state_of(resumed) == before
    resumed.close()
    with pytest.raises(InputError, match="not written with this key"):
        Journal.open(path, KEY)


def test_a_session_that_cannot_begin_writes_nothing(path):
    with pytest.raises(shoal.exceptions.ImpossibleError):
        Session(table(), recipe(limits={"zip": 0}), journal=path)
    live = live_session(path)  # the path is free
    live.close()


@pytest.mark.parametrize("seed", [1, 2])
def test_any_steps_in_any_order_replay_to_the_same(journal, seed):
    chance = random.Random(seed)
    live = live_session(journal, repeats=3, batch=2)
    columns = ("age", "education", "sex")
    steps = (
        lambda: answer(live, 1),
        lambda: live.tell(live.ask(), chance.choice(["A", "B", "skip"])),
        live.undo,
        live.ask,
        lambda: live.set_weights({chance.choice(columns): chance.random() * 5}),
        lambda: live.set_weights(None),
        lambda: live.limit("age", chance.randrange(40, 90)),
        lambda: live.release_limit(chance.choice(columns)),
        lambda: live.preview(score=False),
    )
    for _ in range(30):
        chance.choice(steps)()
    replayed = Session.replay(journal, table(), recipe())
    assert state_of(replayed) == state_of(live)
    assert replayed.consistency == live.consistency
    assert (replayed.sureness, replayed.answers_left) == (live.sureness, live.answers_left)


@pytest.mark.parametrize("learner", ["cafebabe", "cafedood"])
def test_the_rules_of_the_papers_pages_replay_too(journal, learner):
    """What they look at in the row is looked up again: it stands in no journal."""
    live = live_session(journal, learner=learner)
    answer(live, 11)
    assert Session.replay(journal, table(), recipe()).weights == live.weights
    assert len({round(weight, 6) for weight in live.weights.values()}) > 1
    questions = [entry.body for entry in journal.entries() if entry.kind == "question"]
    assert {*questions[0]["A"]} == {"group", "rows", "cost"}


ANSWERING = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from shoal.session import Session
from wards import answer, recipe, table
path = Path(sys.argv[1])
if path.exists() and path.stat().st_size:
    live = Session.resume(path, table(), recipe())
else:
    live = Session(table(), recipe(), journal=path, seed=11)
print("ready", live.answers, flush=True)
while live.answers < 14:
    answer(live, 1)
    print(live.answers, flush=True)
print("done", live.weights, flush=True)
"""


def test_kill_at_any_instant(tmp_path):
    """A process that answers is killed again and again; in the end nothing is missing or twice."""
    path = tmp_path / "killed.journal"
    here = os.path.dirname(__file__)
    chance = random.Random(4)
    told = 0
    for _ in range(3):
        process = begin(ANSWERING, path, here)
        resumed = int(process.stdout.readline().split()[1])
        assert resumed >= told  # nothing that was reported is lost
        told = resumed
        for _ in range(chance.randrange(1, 4)):
            told = int(process.stdout.readline())
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            told = int(line)
        assert process.wait() == -signal.SIGKILL
    finished = begin(ANSWERING, path, here)
    said = finished.stdout.read().splitlines()
    assert finished.wait() == 0
    expected = Session(table(), recipe(), seed=11)
    answer(expected, 14)
    assert said[-1] == f"done {expected.weights}"
    replayed = Session.replay(path, table(), recipe())
    assert (replayed.weights, replayed.answers) == (expected.weights, 14)
