"""Simulated experts: people with hidden weights, to measure how well a session finds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.random import Generator

from shoal.session._question import SIDES, Choice, Question, SideName
from shoal.session._session import Session

DIRICHLET = 0.7  # some attributes matter much, some hardly at all
TIE = 1e-12
NOTICED = 0.02  # a smaller difference of costs does not decide


class Expert(Protocol):
    """Somebody who answers questions."""

    def answer(self, question: Question) -> Choice:
        """Choose a side, or none."""


@dataclass
class WeighingExpert:
    """Chooses the side with the smaller weighted loss; now and then the wrong one.

    Parameters
    ----------
    weights : mapping of str to float
        What matters to the expert; a tie is decided by chance.
    chance : Generator
        Where slips and ties come from.
    slips : float
        Share of the answers that are wrong.
    notices : float
        Sides whose losses differ by less are about the same.
    """

    weights: Mapping[str, float]
    chance: Generator = field(repr=False)
    slips: float = 0.0
    notices: float = 0.0

    @classmethod
    def draw(
        cls,
        names: tuple[str, ...],
        chance: Generator,
        *,
        slips: float = 0.0,
        only: int = 0,
        notices: float = 0.0,
    ) -> WeighingExpert:
        """Draw an expert with Dirichlet weights; ``only`` so many attributes matter, 0 for all."""
        weights = np.zeros(len(names))
        some = chance.permutation(len(names))[: only or len(names)]
        weights[some] = chance.dirichlet(np.full(some.size, DIRICHLET))
        return cls(dict(zip(names, weights.tolist(), strict=True)), chance, slips, notices)

    def answer(self, question: Question) -> Choice:
        """Weigh both sides."""
        loss = {side: self.loss(cost) for side, cost in question.cost.items()}
        if abs(loss["A"] - loss["B"]) < self.notices:
            return "same"
        if abs(loss["A"] - loss["B"]) < TIE:
            return SIDES[self.chance.integers(2)]
        right, wrong = sorted(SIDES, key=lambda side: loss[side])
        return wrong if self.chance.random() < self.slips else right

    def loss(self, cost: Mapping[str, float]) -> float:
        """Weigh the cost of a side."""
        return sum(self.weights[name] * added for name, added in cost.items())


@dataclass
class LexicographicExpert:
    """Looks at one attribute after the other; the first that differs decides.

    No weights answer like that, which makes it a test of what a learner does outside its model.
    """

    order: tuple[str, ...]
    chance: Generator = field(repr=False)

    @classmethod
    def draw(cls, names: tuple[str, ...], chance: Generator) -> LexicographicExpert:
        """Draw an expert with any order of the attributes."""
        return cls(tuple(chance.permutation(names).tolist()), chance)

    def answer(self, question: Question) -> SideName:
        """Let the first difference decide."""
        a, b = question.cost["A"], question.cost["B"]
        for name in self.order:
            if abs(a[name] - b[name]) > NOTICED:
                return "A" if a[name] < b[name] else "B"
        return SIDES[self.chance.integers(2)]


@dataclass
class ThoughtlessExpert:
    """Clicks without looking: whoever learns from this must not become sure."""

    chance: Generator = field(repr=False)

    def answer(self, question: Question) -> SideName:
        """Toss a coin."""
        return SIDES[self.chance.integers(2)]


def interview(session: Session, expert: Expert, answers: int) -> list[dict[str, float]]:
    """Let an expert answer; return the weights before the first answer and after each."""
    learned = [session.weights]
    while session.answers < answers:
        question = session.ask()
        session.tell(question, expert.answer(question))
        learned.append(session.weights)
    return learned


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Cosine of the angle between two weight vectors: 1 if they say the same.

    >>> round(cosine({"age": 1, "zip": 1}, {"age": 2, "zip": 2}), 9)
    1.0
    """
    a = np.array(list(one.values()))
    b = np.array([other[name] for name in one])
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))
