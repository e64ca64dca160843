"""Interviews: an expert answers a session's questions, and the session learns the weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from shoal._random import spawn
from shoal.anonymizer import Anonymizer
from shoal.grouping import SaNGreeA
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.session import Session
from shoal.studies._census._experts import SEED, find_expert
from shoal.studies._census._people import as_table, first_rows, people

Learner = Literal["posterior", "cafebabe", "cafedood"]
ANSWERS = 25  # the paper's 20 to 30
K = 10


def run_interview(expert: int, learner: Learner, rows: int) -> Mapping[str, Any]:
    """Ask an expert and say what was learned, and how near it is to what the expert wants."""
    person = find_expert(expert)
    chance = spawn(SEED, f"answers of {expert} to {learner}")
    session = _session(person.target, learner, rows, expert)
    if learner == "cafedood":  # that page started from the sliders
        session.set_weights(person.sliders)
    for _ in range(ANSWERS):
        question = session.ask()
        cost = question.cost
        session.tell(question, person.prefers(cost["A"], cost["B"], chance))
    learned = session.weights
    return {
        "weights": {name: round(float(weight), 6) for name, weight in learned.items()},
        "cosine": _cosine(learned, person.wishes),
        "cosine_of_sliders": _cosine(person.sliders, person.wishes),
        "cosine_of_equal": _cosine(dict.fromkeys(learned, 1.0), person.wishes),
    }


def _session(target: str, learner: Learner, rows: int, seed: int) -> Session:
    recipe = Anonymizer(
        grouping=SaNGreeA(order="common", refine=False),
        recoding=Generalize(people().hierarchies),
        privacy=KAnonymity(K),
        bound=False,
    )
    informative = learner == "posterior"  # the paper's pages asked whatever came
    return Session(
        as_table(first_rows(rows), target),
        recipe,
        learner=learner,
        questions="informative" if informative else "random",
        repeats=0,
        batch=ANSWERS,
        seed=seed,
    )


def _cosine(learned: Mapping[str, float], wanted: Mapping[str, float]) -> float:
    a, b = (np.array([weights[name] for name in wanted]) for weights in (learned, wanted))
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))
