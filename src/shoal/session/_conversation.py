"""What a session knows and would ask next; nothing here is written down or locked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal._random import spawn
from shoal.exceptions import InvalidParameterError
from shoal.session import _stopping as stopping
from shoal.session._asked import Asked
from shoal.session._asking import note, observe, question_id, show
from shoal.session._beliefs import Beliefs
from shoal.session._bench import GroupingBench
from shoal.session._choosing import choose
from shoal.session._question import Choice, Question
from shoal.session._recipe import SessionRecipe
from shoal.session._rows import RowNames
from shoal.session._state import SessionState
from shoal.session._step_log import Opening
from shoal.session.learners import LEARNERS, Belief, Observation
from shoal.spaces import normalize_weights
from shoal.table import Table
from shoal.typing import FloatArray

RECENT = 2  # questions that the next one should differ from
DIGITS = 9  # of weights


class Conversation:
    """The steps so far, the belief they lead to, and the question that comes next.

    Everything follows from the table, the recipe, the opening and the steps: the same journal
    gives the same belief and the same question.
    """

    def __init__(self, table: Table, recipe: SessionRecipe, opening: Opening, key: bytes) -> None:
        if not table.roles.quasi_identifiers:
            raise InvalidParameterError(
                "The table has no quasi-identifiers, so there is nothing to weigh.",
                hint="Name them in the roles of the table.",
            )
        self.opening = opening
        self.bench = GroupingBench(table, recipe, opening.seed)
        self.bench.check(recipe.limits)
        self.names = self.bench.spaces.names
        bias = shares(recipe.weights, self.names) if recipe.weights else None
        self._first = {"weights": bias or shares({}, self.names)}
        self.state = SessionState(limits=recipe.limits, bias=bias)
        self._rows = RowNames(table, key)
        self._beliefs = Beliefs(LEARNERS[opening.learner], self.names, opening.seed, self._observe)

    def belief(self) -> Belief:
        """What is believed about the weights now."""
        return self._beliefs.after(self.state.answered, self.state.asked, self.state.bias)

    def next(self) -> Asked:
        """Make the next question: the best of a fresh pool, or an old one mirrored."""
        number = len(self.state.asked) + self.state.forgotten + 1
        return self._mirrored(number) or self._new(number)

    def show(self, id: str) -> Question:
        """Return a question as a person sees it."""
        return show(self.state.asked[id], self.bench.table, self.bench.spaces, self._rows)

    def sureness(self) -> float:
        """From 0 (nothing known) to 1 (enough)."""
        if len(self.belief().draws) == 1:
            return min(1.0, len(self.state.answered) / stopping.POINT_ANSWERS)
        return stopping.sureness(*self._regrets())

    def answers_left(self) -> int:
        """About how many more answers it takes."""
        answers = len(self.state.answered)
        if len(self.belief().draws) == 1:
            return max(0, stopping.POINT_ANSWERS - answers)
        return stopping.answers_left(*self._regrets(), answers)

    def weights(self) -> dict[str, float]:
        """Return the weights to use now."""
        return _shares_of(self.names, self.belief().mean)

    def _observe(self, asked: Asked, choice: Choice) -> Observation:
        return observe(asked, choice, self.bench.spaces, self._rows)

    def _regrets(self) -> tuple[float, float]:
        """Regret before any answer and now."""
        self._ensure_grouping()
        now = self.belief()
        return self.bench.regret(self._beliefs.first), self.bench.regret(now)

    def _ensure_grouping(self) -> None:
        """Group as the last preview did, or as the recipe begins."""
        if self.bench.grouped is None:
            begun: Mapping[str, Any] = {**self._first, "limits": self.bench.recipe.limits}
            made = self.state.regrouped or begun
            self.bench.grouped = self.bench.group(made["weights"], made["limits"])

    def _new(self, number: int) -> Asked:
        self._ensure_grouping()
        belief, name = self.belief(), f"question {number}"
        pool = self.bench.pool(name)
        recent = [asked.gain for asked in list(self.state.asked.values())[-RECENT:]]
        informative = self.opening.questions == "informative" and len(belief.draws) > 1
        chance = spawn(self.opening.seed, f"{name}: pairs")
        found = choose(pool, belief, chance, recent=recent, informative=informative)
        return note(pool, found, self._rows, number)

    def _mirrored(self, number: int) -> Asked | None:
        """Now and then an earlier question with its sides swapped: one with a clear answer."""
        every = self.opening.repeats
        again = self.state.repeatable() if every and number % every == 0 else []
        if not again:
            return None
        chances = self.belief().chance(np.array([asked.gain for asked in again])).mean(axis=0)
        clearest = again[int(np.abs(chances - 0.5).argmax())]
        return clearest.mirrored(question_id(clearest.row, number), number)


def shares(weights: Mapping[str, float], names: tuple[str, ...]) -> dict[str, float]:
    """Return weights on any scale as shares; 1 for those not named.

    >>> shares({"age": 3}, ("age", "zip"))
    {'age': 0.75, 'zip': 0.25}
    """
    values = normalize_weights(weights, names)
    return _shares_of(names, values / values.sum())


def _shares_of(names: tuple[str, ...], values: FloatArray) -> dict[str, float]:
    """Round shares to the digits that are kept; the largest takes what rounding leaves.

    >>> _shares_of(("a", "b", "c"), np.ones(3) / 3)
    {'a': 0.333333334, 'b': 0.333333333, 'c': 0.333333333}
    """
    rounded = np.round(values, DIGITS)
    largest = rounded.argmax()
    rounded[largest] = round(rounded[largest] + 1 - rounded.sum(), DIGITS)
    return dict(zip(names, rounded.tolist(), strict=True))
