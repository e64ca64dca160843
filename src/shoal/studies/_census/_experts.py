"""Simulated experts: the people of the paper's experiment, whose weights were never published.

The paper has 63 sessions, 18 about income, 24 about marital status and 21 about education; each
gave a vector of weights by sliders (bias) and one by answering questions (iml). Here 63 made-up
people do the same, a third of those of each target of each kind:

``knowing``
    Wants attributes kept as far as they tell about the target: in proportion to their mutual
    information with it in the census, with a taste of their own. Ten answers in a hundred slip.
``stereotyped``
    Wants kept what the paper supposes people to believe in (`STEREOTYPES`); answers as well.
``careless``
    Moves sliders anywhere and answers by the toss of a coin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import polars as pl

from shoal._random import spawn
from shoal.studies._census._people import (
    NUMBERS,
    TARGETS,
    TRAIN_ROWS,
    classes,
    first_rows,
    quasi_identifiers,
)

KINDS = ("knowing", "stereotyped", "careless")
SESSIONS = dict(zip(TARGETS, (18, 24, 21), strict=True))
#: What people are said to go by: gender, race and marriage for money (section 5 of the paper),
#: income and working hours for education, age and sex for marriage. All other attributes: 0.5.
STEREOTYPES = {
    "income": {"sex": 4.0, "race": 4.0, "marital-status": 3.0, "native-country": 2.0},
    "marital-status": {"age": 4.0, "sex": 3.0, "race": 2.0, "income": 2.0},
    "education-num": {"income": 4.0, "hours-per-week": 3.0, "race": 2.0, "native-country": 2.0},
}
TASTE = 0.3  # spread of an expert's own opinion, as a standard deviation of the logarithm
SLIP = {"knowing": 0.1, "stereotyped": 0.1, "careless": 0.5}  # share of wrong answers
STEPS = 10  # a slider has so many
SEED = 2017
_WIDTHS = {"age": 10, "hours-per-week": 10, "education-num": 1}


@dataclass(frozen=True)
class StudyExpert:
    """One of the 63."""

    number: int
    target: str
    kind: str

    @property
    def wishes(self) -> dict[str, float]:
        """What the expert would like to see kept; sums to 1, and nobody is ever told."""
        names = quasi_identifiers(self.target)
        chance = spawn(SEED, f"wishes of {self.number}")
        if self.kind == "careless":
            return _shares(dict(zip(names, chance.dirichlet(np.ones(len(names))), strict=True)))
        known = knowledge(self.target) if self.kind == "knowing" else _stereotype(self.target)
        taste = np.exp(chance.normal(0.0, TASTE, len(names)))
        return _shares({name: known[name] * t for name, t in zip(names, taste, strict=True)})

    @property
    def sliders(self) -> dict[str, float]:
        """The bias vector: wishes read off sliders of ten steps, divided by their sum."""
        wishes = self.wishes
        most = max(wishes.values())
        moved = {name: float(round(STEPS * wish / most)) for name, wish in wishes.items()}
        return _shares(moved)

    def prefers(
        self, a: Mapping[str, float], b: Mapping[str, float], chance: np.random.Generator
    ) -> Literal["A", "B"]:
        """Answer a question by what each side costs: the one that hurts less, but for slips."""
        wishes = self.wishes
        pain_a, pain_b = (sum(wishes[name] * cost[name] for name in cost) for cost in (a, b))
        slips = chance.random() < SLIP[self.kind]
        return "A" if (pain_a <= pain_b) != slips else "B"


@cache
def experts() -> tuple[StudyExpert, ...]:
    """Name all 63.

    >>> [(e.number, e.target, e.kind) for e in experts()[:2]], len(experts())
    ([(1, 'income', 'knowing'), (2, 'income', 'stereotyped')], 63)
    """
    everyone = [(target, i) for target, n in SESSIONS.items() for i in range(n)]
    return tuple(
        StudyExpert(number, target, KINDS[i % len(KINDS)])
        for number, (target, i) in enumerate(everyone, 1)
    )


def find_expert(number: int) -> StudyExpert:
    """Find an expert by number."""
    return experts()[number - 1]


@cache
def knowledge(target: str) -> dict[str, float]:
    """How much each quasi-identifier tells about the target: mutual information, as shares."""
    from sklearn.metrics import mutual_info_score

    frame = first_rows(TRAIN_ROWS)
    answers = classes(frame, target).to_numpy()
    names = quasi_identifiers(target)
    return _shares({name: mutual_info_score(answers, _binned(frame, name)) for name in names})


def _binned(frame: pl.DataFrame, name: str) -> pl.Series:
    column = frame[name]
    return (column // _WIDTHS[name]) if name in NUMBERS else column


def _stereotype(target: str) -> dict[str, float]:
    return {name: STEREOTYPES[target].get(name, 0.5) for name in quasi_identifiers(target)}


def _shares(parts: Mapping[str, float]) -> dict[str, float]:
    total = sum(parts.values())
    return {name: round(float(part) / total, 6) for name, part in parts.items()}
