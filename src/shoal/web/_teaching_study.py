"""Teaching study: many participants through one link, each says what matters in two ways.

What the paper did with 63 sessions (Malle et al., 2017): the same task for everybody, weights by
sliders (bias) and by questions (iml), and one table of weight vectors at the end.
"""

from __future__ import annotations

import csv
import io
import json
import threading
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, Literal

from shoal._home import home, private_folder
from shoal.plan import Plan
from shoal.session import Session, cosine
from shoal.table import Table
from shoal.web._settings import Settings
from shoal.web._visitors import Visitor

Way = Literal["bias", "iml"]
DONE = "weights.json"


@dataclass(frozen=True)
class Standing:
    """How a participant did, compared with the others who finished; for the game."""

    finished: int
    closer_than: int  # others whose two ways agree less with each other
    agreement: float  # cosine of this participant's bias and iml weights


class Participant:
    """One participant: a session for each way, both in journals."""

    def __init__(self, study: TeachingStudy, visitor: Visitor) -> None:
        self.study = study
        self.id = visitor.id
        self.folder = private_folder(study.folder / visitor.id)
        self.order: tuple[Way, Way] = _order(visitor.id)
        self.page: Any = None  # where this participant is, for as long as the server runs
        self._sessions: dict[Way, Session] = {}
        self._lock = threading.RLock()

    def session(self, way: Way) -> Session:
        """Return the session of a way, gone on with where it was."""
        with self._lock:
            if way not in self._sessions:
                path = self.folder / f"{way}.db"
                table, plan = self.study.table, self.study.plan
                self._sessions[way] = (
                    Session.resume(path, table, actor=self.id)
                    if path.exists()
                    else Session(table, plan, journal=path, actor=self.id)
                )
            return self._sessions[way]

    @property
    def step(self) -> Way | Literal["done"]:
        """What is to be done next."""
        finished = self._found()
        return next((way for way in self.order if way not in finished), "done")

    def finish(self, way: Way) -> None:
        """Keep the weights of a way."""
        session = self.session(way)
        row = {
            "weights": session.bias or session.weights if way == "bias" else session.weights,
            "answers": session.answers,
            "skipped": session.skipped,
            "consistency": session.consistency,
            "carelessness": session.carelessness,
            "finished": int(time()),
        }
        found = {**self._found(), way: row}
        draft = self.folder / f".{DONE}"
        draft.write_text(json.dumps(found), encoding="utf-8")
        draft.replace(self.folder / DONE)

    def standing(self) -> Standing:
        """Compare with the others who finished."""
        mine = _agreement(self._found())
        others = [
            _agreement(found)
            for id, found in self.study.finished().items()
            if id != self.id and len(found) == 2
        ]
        return Standing(len(others) + 1, sum(other < mine for other in others), mine)

    def _found(self) -> dict[str, Any]:
        path = self.folder / DONE
        return json.loads(path.read_text("utf-8")) if path.exists() else {}


class TeachingStudy:
    """One task for many."""

    def __init__(self, plan: Plan, table: Table, folder: Path, *, game: bool, questions: int):
        self.plan = plan
        self.table = table
        self.folder = folder
        self.game = game
        self.questions = questions
        self._participants: dict[str, Participant] = {}
        self._lock = threading.Lock()

    @classmethod
    def read(cls, settings: Settings) -> TeachingStudy:
        """Read the plan of a study and its table."""
        assert settings.study is not None
        plan = Plan.read(settings.study)
        name = sha256(plan.to_toml().encode()).hexdigest()[:32]
        folder = private_folder(private_folder(home() / "studies") / name)
        return cls(plan, plan.table(), folder, game=settings.game, questions=settings.questions)

    def participant(self, visitor: Visitor) -> Participant:
        """Return a participant, new or known."""
        with self._lock:
            if visitor.id not in self._participants:
                self._participants[visitor.id] = Participant(self, visitor)
            return self._participants[visitor.id]

    def finished(self) -> dict[str, dict[str, Any]]:
        """Return what each participant finished."""
        return {
            path.parent.name: json.loads(path.read_text("utf-8"))
            for path in sorted(self.folder.glob(f"*/{DONE}"))
        }

    def to_csv(self) -> str:
        """Write one row per participant and way: a weight vector and how it was given."""
        names = self.plan.roles.quasi_identifiers
        about = ("answers", "skipped", "consistency", "carelessness", "finished")
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["participant", "way", *(f"weight_{name}" for name in names), *about])
        for number, found in enumerate(self.finished().values(), 1):
            for way, row in found.items():
                weights = [f"{row['weights'][name]:.6f}" for name in names]
                rest = ["" if row[key] is None else row[key] for key in about]
                writer.writerow([number, way, *weights, *rest])
        return text.getvalue()


def _order(id: str) -> tuple[Way, Way]:
    """Let every second participant begin with the questions, so that order evens out."""
    return ("bias", "iml") if int(id, 16) % 2 else ("iml", "bias")


def _agreement(found: dict[str, Any]) -> float:
    """How alike the weights of the two ways are; 0 until both are there."""
    both = [row["weights"] for row in found.values()]
    return cosine(*both) if len(both) == 2 else 0.0
