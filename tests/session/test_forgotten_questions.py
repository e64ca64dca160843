"""People leave the journals of sessions: nothing there speaks of them, and the session goes on."""

from __future__ import annotations

import io
import shutil
import signal
from pathlib import Path

import polars as pl
import pytest
from wards import answer, recipe, ward

import shoal
from forking import play
from shoal._home import secret
from shoal.audit import Journal, row_name
from shoal.cli import run
from shoal.exceptions import InvalidParameterError
from shoal.ledger import Ledger, forget_people
from shoal.session import Session
from shoal.table import Grouping

ID = "person_id"
JOURNAL = Path("web", "journal-1.db")


@pytest.fixture(scope="module")
def interviewed(tmp_path_factory):
    """A table, and a home with its working copy and a session on that."""
    folder = tmp_path_factory.mktemp("interviewed")
    (folder / "home" / "web").mkdir(parents=True)
    ward(300).frame.write_csv(folder / "patients.csv")
    ward(300).frame.write_csv(folder / "home" / "web" / "table.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOAL_HOME", str(folder / "home"))
        begun(folder / "home")
    return folder


@pytest.fixture
def home(interviewed, tmp_path):
    shutil.copytree(interviewed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "home"


@pytest.fixture
def path(home):
    return home / JOURNAL


def read(path):
    data = ward(300)
    return shoal.read_table(path, roles=data.roles, kinds=data.kinds)


def begun(home, answers=9) -> Path:
    """A session on the working copy, with one of everything that refers to a question."""
    path = home / JOURNAL
    live = Session(read(home / "web" / "table.csv"), recipe(), journal=path, seed=5, actor="ada")
    answer(live, answers)
    live.tell(live.ask(), "skip")
    live.undo()
    live.close()
    return path


def opened(path) -> Journal:
    return Journal.open(path, secret("audit"), create=False)


def asked_about(path, table, number=2):
    """The row and the id of the person that a question of the journal is about."""
    with opened(path) as journal:
        questions = [e.body for e in journal.entries() if e.kind == "question"]
        key = journal.key_for("rows")
    name = questions[number]["row"]
    rows = [row_name(int(value), key) for value in table.row_hash()]
    row = rows.index(name)
    return name, str(table.frame[ID][row])


def stored(home) -> bytes:
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_nothing_in_the_journal_speaks_of_them_and_the_chain_holds(home, path, tmp_path):
    name, person = asked_about(path, read(tmp_path / "patients.csv"))
    with opened(path) as journal:
        journal.write_witness(tmp_path / "witness")
    assert name.encode() in stored(home)  # the positive control
    with Ledger.open() as ledger:
        found = forget_people(tmp_path / "patients.csv", ID, [person], ledger)
        assert ledger.verify().holds
    assert (found.people, found.copies, found.sessions) == (1, 1, 1)
    assert found.entries >= 2  # the question and its answer
    assert name.encode() not in stored(home)
    with opened(path) as journal:
        assert journal.verify(tmp_path / "witness").holds
        kinds = {entry.kind for entry in journal.entries() if entry.redacted}
        assert kinds <= {"question", "answer", "undo"}
        assert [e.kind for e in journal.entries()][-2:] == ["redacted", "forgotten"]


def test_the_session_goes_on_without_these_questions(home, path, tmp_path):
    _, person = asked_about(path, read(tmp_path / "patients.csv"))
    with Ledger.open() as ledger:
        forget_people(tmp_path / "patients.csv", ID, [person], ledger)
    live = Session.resume(path, read(home / "web" / "table.csv"), recipe())
    assert live.forgotten >= 1
    assert live.answers == 9 - live.forgotten or live.answers == 10 - live.forgotten
    number = live.ask().number
    assert number >= 10  # numbers are not given twice
    answer(live, 3)
    weights, answers = live.weights, live.answers
    live.close()
    again = Session.replay(path, read(tmp_path / "patients.csv"), recipe())
    assert (again.weights, again.answers, again.forgotten) == (weights, answers, live.forgotten)
    with pytest.raises(InvalidParameterError, match="not the table"):
        Session.replay(path, ward(300).table(), recipe())


def test_the_open_question_may_be_about_them(home, tmp_path):
    (home / JOURNAL).unlink()
    path = begun(home, answers=2)
    with opened(path) as journal:
        last = [e for e in journal.entries() if e.kind == "question"][-1].body["number"]
    _, person = asked_about(path, read(tmp_path / "patients.csv"), number=-1)
    with Ledger.open() as ledger:
        forget_people(tmp_path / "patients.csv", ID, [person], ledger)
    live = Session.resume(path, read(home / "web" / "table.csv"), recipe())
    assert live.ask().number > last
    live.close()


def test_a_journal_elsewhere_is_named(path, tmp_path, monkeypatch, capsys):
    path = path.rename(tmp_path / "elsewhere.journal")
    name, person = asked_about(path, read(tmp_path / "patients.csv"))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{person}\n"))
    monkeypatch.chdir(tmp_path)
    line = ["forget", "patients.csv", "--person", ID, "--journal", "elsewhere.journal"]
    assert run(line) == 0
    told = capsys.readouterr().out
    assert "in the journals of 1 sessions spoke of them" in told
    assert name.encode() not in path.read_bytes()
    assert run(["audit", "verify", str(path)]) == 0


def test_a_journal_that_cannot_be_searched_is_counted(path, tmp_path):
    with opened(path) as journal:
        journal._connection.execute("UPDATE entries SET body = 'x' WHERE number = 2")
    with Ledger.open() as ledger:
        found = forget_people(tmp_path / "patients.csv", ID, ["nobody"], ledger)
    assert (found.unreadable, found.sessions) == (1, 0)


CUT = f"""
import os, signal, sys
from shoal.audit import Journal
from shoal.ledger import Ledger
from shoal.ledger import _forgetting

left = int(sys.argv[1])

def cut(real):
    def step(*given, **named):
        global left
        done = real(*given, **named)
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    return step

Journal.append, Journal.redact = cut(Journal.append), cut(Journal.redact)
_forgetting._rewrite = cut(_forgetting._rewrite)
with Ledger.open() as ledger:
    _forgetting.forget_people(sys.argv[2], {ID!r}, [sys.argv[3]], ledger)
"""
STEPS = ("a trace", "the questions", "the table of the session", "the copy", "the table", "all")


@pytest.mark.parametrize("step", range(len(STEPS)), ids=STEPS)
def test_cut_off_after_any_step_it_is_noticed_and_completed(home, path, tmp_path, step, capsys):
    source = tmp_path / "patients.csv"
    table = read(source)
    name, person = asked_about(path, table)
    with Ledger.open() as ledger, ledger.releasing(table, Grouping([0] * 300), k=5):
        pass
    assert play(CUT, step, source, person) == -signal.SIGKILL
    assert run(["ledger", "verify"]) == 1
    told = capsys.readouterr().out
    assert "forgetting 1 person was cut off: run 'shoal forget' again" in told
    assert len(told.splitlines()) == 1
    with Ledger.open() as ledger:
        forget_people(source, ID, [person], ledger)
        assert ledger.verify().holds
        assert ledger.releases()[0].forgotten == 1  # however often it was said
    assert name.encode() not in stored(home)
    for file in (source, home / "web" / "table.csv"):
        assert person not in pl.read_csv(file, infer_schema=False)[ID].to_list()
    live = Session.resume(path, read(source), recipe())
    assert live.forgotten >= 1
    live.close()
