"""Conversation: the steps so far, what they teach, what to ask next, and when it is enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from shoal._progress import SILENT, Progress
from shoal._random import spawn
from shoal.exceptions import InvalidParameterError
from shoal.session._asking import Asked, RowNames, note, observe, other_side, question_id, show
from shoal.session._choosing import Pool, choose, draw_pool
from shoal.session._grouped import Grouped, group_fast
from shoal.session._limits import refuse_impossible
from shoal.session._question import SIDES, Choice, Question
from shoal.session._recipe import SessionRecipe
from shoal.session._step_log import Opening
from shoal.session.learners import LEARNERS, Belief, Observation, products
from shoal.spaces import WeightedSpaces, normalize_weights
from shoal.table import Table
from shoal.typing import FloatArray, IntArray

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
        self._columns = {name: table.column(name) for name in self.names}
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
        return show(self.state.asked[id], self._columns, self.bench.spaces, self._rows)

    def sureness(self) -> float:
        """From 0 (nothing known) to 1 (enough); never sure of who may be answering by chance."""
        if len(self.belief().draws) == 1:
            return min(1.0, len(self.state.answered) / POINT_ANSWERS)
        known = sureness(*self._regrets()) * (1 - self.belief().doubt)
        return min(known, 0.5 + 0.5 * min(1.0, self._proof() / PROVEN))

    def answers_left(self) -> int:
        """About how many more answers it takes: to know the weights, and that it was no luck."""
        answers = len(self.state.answered)
        if len(self.belief().draws) == 1:
            return max(0, POINT_ANSWERS - answers)
        left = answers_left(*self._regrets(), answers)
        if not answers:
            return left
        unproven = math.ceil(max(0.0, PROVEN - self._proof()) / BITS_AN_ANSWER)
        return max(left, unproven, self.opening.repeats * (self.belief().doubt > DOUBTFUL))

    def settled(self) -> bool:
        """Tell whether the weights are known well enough, if the answers are no luck."""
        return len(self.belief().draws) == 1 or self._regrets()[1] <= ENOUGH

    def luck(self) -> float:
        """How often somebody who clicks without looking is foretold as well as this, at most."""
        return float(0.5 ** self._proof())

    def weights(self) -> dict[str, float]:
        """Return the weights to use now."""
        return _shares_of(self.names, self.belief().mean)

    def _observe(self, asked: Asked, choice: Choice) -> Observation:
        return observe(asked, choice, self.bench.spaces, self._rows)

    def _proof(self) -> float:
        """Bits for somebody who looks; those before sliders were moved in their light are none."""
        self.belief()
        return self._beliefs.proof(self.state.unbiased)

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
        found = choose(
            pool,
            belief.awake,
            chance,
            recent=recent,
            informative=informative,
            proof=self._worth_of_proof(),
        )
        return note(pool, found, self._rows, number)

    def _worth_of_proof(self) -> float:
        """What it is worth to foretell an answer, in units of what it teaches.

        Little at first: what is not known yet foretells little, and later the same bits come from
        fewer answers.
        """
        if self._proof() >= PROVEN:
            return 0.0
        return WORTH_LATE if len(self.state.answered) >= TAUGHT else WORTH

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


@dataclass
class SessionState:
    """The steps of a session, applied one by one; live and from a journal alike.

    Attributes
    ----------
    asked : dict of str to Asked
        All questions, by id, in the order they were asked.
    told : list of (str, Choice)
        Ids and answers that were not taken back, skips included.
    open : str or None
        The question that waits for an answer.
    bias : dict of str to float or None
        The sliders.
    limits : dict of str to float
        The limits in force.
    regrouped : dict or None
        Weights and limits of the grouping that questions are about; None for the first one.
    forgotten : int
        Questions that spoke of people who were forgotten since; they and their answers are gone.
    unbiased : int
        Answers given before the sliders were last moved: foretelling them proves nothing.
    """

    limits: dict[str, float]
    bias: dict[str, float] | None = None
    asked: dict[str, Asked] = field(default_factory=dict)
    told: list[tuple[str, Choice]] = field(default_factory=list)
    open: str | None = None
    regrouped: dict[str, Any] | None = None
    forgotten: int = 0
    unbiased: int = 0

    def pass_over(self, kind: str) -> None:
        """Pass over a step that was redacted: nothing is known of it but that it was."""
        self.forgotten += kind == "question"

    def apply(self, kind: str, body: Mapping[str, Any]) -> None:
        """Take one step; kinds that change nothing here are passed over."""
        step = getattr(self, f"_on_{kind}", None)
        if step is not None:
            step(body)

    def _on_question(self, body: Mapping[str, Any]) -> None:
        asked = Asked.from_body(body)
        self.asked[asked.id] = asked
        self.open = asked.id

    def _on_answer(self, body: Mapping[str, Any]) -> None:
        self.told.append((body["question"], body["choice"]))
        self.open = None

    def _on_undo(self, body: Mapping[str, Any]) -> None:
        self.open, _ = self.told.pop()

    def _on_sliders(self, body: Mapping[str, Any]) -> None:
        self.bias = None if body["weights"] is None else dict(body["weights"])
        self.unbiased = len(self.answered)

    def _on_limit(self, body: Mapping[str, Any]) -> None:
        if body["value"] is None:
            self.limits.pop(body["column"], None)
        else:
            self.limits[body["column"]] = body["value"]

    def _on_regrouped(self, body: Mapping[str, Any]) -> None:
        self.regrouped = dict(body)

    @property
    def answered(self) -> list[tuple[str, Choice]]:
        """Answers without skips."""
        return [(id, choice) for id, choice in self.told if choice != "skip"]

    def agreements(self) -> list[bool]:
        """For every mirrored question: whether it was answered as before."""
        choices = dict(self.answered)
        return [
            choices[asked.mirrors] == other_side(choices[id])
            for id, asked in self.asked.items()
            if id in choices and asked.mirrors is not None and asked.mirrors in choices
        ]

    def repeatable(self) -> list[Asked]:
        """Answered questions that were never mirrored, but for the last two (still in mind)."""
        mirrored = {asked.mirrors for asked in self.asked.values()}
        answered = [self.asked[id] for id, choice in self.answered[:-2] if choice in SIDES]
        return [a for a in answered if a.mirrors is None and a.id not in mirrored]


Answer = tuple[str, Choice]


class Beliefs:
    """Beliefs by the answers that led to them.

    The belief depends on the seed, the sliders and the answers alone, not on the way there: an
    answer taken back and given again leaves no trace.
    """

    def __init__(
        self,
        learner: type[Belief],
        names: Sequence[str],
        seed: int,
        observe: Callable[[Asked, Choice], Observation],
    ) -> None:
        self._learner = learner
        self._observe = observe
        self._names = names
        self._seed = seed
        self._bias: dict[str, float] | None = None
        self._chain: list[Belief] = []
        self._bits: list[float] = []  # by which each answer was foretold
        self._answers: list[Answer] = []

    def after(
        self,
        answers: Sequence[Answer],
        asked: Mapping[str, Asked],
        bias: dict[str, float] | None,
    ) -> Belief:
        """Return the belief after these answers."""
        if not self._chain or bias != self._bias:
            self._start(bias)
        same = 0
        while same < min(len(answers), len(self._answers)) and answers[same] == self._answers[same]:
            same += 1
        del self._chain[same + 1 :], self._bits[same:]
        for id, choice in answers[same:]:
            told, before = self._observe(asked[id], choice), self._chain[-1]
            bits = before.evidence(told)
            agreed = _agrees(asked[id], choice, answers)
            self._bits.append(bits if agreed is None or agreed == (bits > 0) else 0.0)
            self._chain.append(before.after(told))
        self._answers = list(answers)
        return self._chain[-1]

    def proof(self, since: int) -> float:
        """Most bits at any moment by which the answers from one on were foretold; 0 or more."""
        return float(np.cumsum([0.0, *self._bits[since:]]).max())

    @property
    def first(self) -> Belief:
        """The belief before any answer."""
        return self._chain[0]

    def _start(self, bias: dict[str, float] | None) -> None:
        guess = None if bias is None else np.array([bias[name] for name in self._names])
        self._chain = [self._learner.start(len(self._names), seed=self._seed, bias=guess)]
        self._bias = None if bias is None else dict(bias)
        self._answers, self._bits = [], []


def _agrees(asked: Asked, choice: Choice, answers: Sequence[Answer]) -> bool | None:
    """Tell whether a mirrored question is answered as before; None of one that is new.

    Of mirrored questions only that is bet on: who clicks the left side more often than the right
    one answers them differently more often than not.
    """
    before = None if asked.mirrors is None else dict(answers).get(asked.mirrors)
    return None if before is None else choice == other_side(before)


SMALL = 5_000  # rows


class GroupingBench:
    """A table with its recipe, and the grouping that questions are about."""

    def __init__(self, table: Table, recipe: SessionRecipe, seed: int) -> None:
        self.table = table
        self.recipe = recipe
        self.spaces = recipe.spaces(table, {})
        self._seed = seed
        self._grouped: Grouped | None = None
        self._yardstick: Pool | None = None
        self._regrets: dict[Belief, float] = {}
        self._limited: tuple[dict[str, float], WeightedSpaces] = ({}, self.spaces)

    def check(self, limits: Mapping[str, float]) -> None:
        """Refuse limits that no release can hold."""
        spaces = self._under(limits)
        refuse_impossible(self.recipe.problem(self.table, spaces))

    def group(
        self,
        weights: Mapping[str, float],
        limits: Mapping[str, float],
        progress: Progress = SILENT,
    ) -> Grouped:
        """Group the whole table by the fast method; changes nothing here."""
        spaces = self._under(limits)
        return group_fast(self.recipe, self.table, spaces, weights, limits, progress)

    def rehearse(self, weights: Mapping[str, float], limits: Mapping[str, float]) -> None:
        """Group a small table by the recipe's own method too.

        It may fail under limits where the fast one does not; on a large table that is rare, and
        finding out would take too long.
        """
        if self.table.n_rows <= SMALL and not self.recipe.recipe.recoder.moves_values:
            spaces = self._under(limits).with_weights(weights)
            grouper = self.recipe.recipe.grouper.clone(weights=dict(weights))
            grouper.fit(self.recipe.problem(self.table, spaces))

    @property
    def grouped(self) -> Grouped | None:
        """The grouping that questions are about."""
        return self._grouped

    @grouped.setter
    def grouped(self, grouped: Grouped) -> None:
        self._grouped = grouped
        self._yardstick = None
        self._regrets = {}

    def pool(self, name: str, *, n_rows: int = 48, n_groups: int = 64) -> Pool:
        """Draw rows and partly built groups; the same name draws the same."""
        assert self._grouped is not None
        return draw_pool(
            self._grouped.spaces,
            self._grouped.grouping,
            spawn(self._seed, name),
            k=self._k,
            order=self._by_content,
            n_rows=n_rows,
            n_groups=n_groups,
        )

    @cached_property
    def _k(self) -> int:
        return self.recipe.problem(self.table, self.spaces).k

    @cached_property
    def _by_content(self) -> IntArray:
        return np.argsort(self.table.row_hash(), kind="stable")

    def regret(self, belief: Belief) -> float:
        """Share of the loss that knowing the weights exactly would still save."""
        if belief not in self._regrets:
            if self._yardstick is None:
                self._yardstick = self.pool("yardstick", n_rows=100, n_groups=100)
            self._regrets[belief] = regret(belief, self._yardstick)
        return self._regrets[belief]

    def _under(self, limits: Mapping[str, float]) -> WeightedSpaces:
        """Spaces under limits; coded once for each set of limits in a row."""
        known, spaces = self._limited  # another thread may change it any time
        if known != limits:
            spaces = self.recipe.spaces(self.table, limits)
            self._limited = (dict(limits), spaces)
        return spaces


ENOUGH = 0.05  # of the loss that matters, still to be saved by knowing the weights exactly
DRAWS = 50
USUAL_RATE = 0.1  # by which each answer lowers the logarithm of the regret, from simulations
USUAL_ANSWERS = 5  # that the usual rate counts as much as
DOUBTFUL = 0.1  # chance that somebody answers without looking, from which on to ask again
LUCK = 0.001  # share of those who click without looking that may be told that it is enough
PROVEN = math.log2(1 / LUCK)
BITS_AN_ANSWER = 0.6  # usual evidence of looking
WORTH, WORTH_LATE = 0.25, 1.0  # of foretelling an answer, beside what it teaches
TAUGHT = 20  # answers after which most is learned
POINT_ANSWERS = 25  # decisions of the papers' experiments, for rules that know no doubt


def regret(belief: Belief, pool: Pool) -> float:
    """Share of the weighted loss that knowing the weights exactly is expected to save.

    Every row of the pool joins the group that is cheapest under the mean weights; under weights
    that are still likely another group might have been cheaper. 0 says that doubt about the
    weights changes nothing in who joins whom.
    """
    draws = belief.draws[:: max(1, len(belief.draws) // DRAWS)]
    likely = _weighted(pool, draws)
    by_mean = _weighted(pool, belief.mean[None])[..., 0].argmin(axis=1)
    taken = np.take_along_axis(likely, by_mean[:, None, None], axis=1)[:, 0]
    best = likely.min(axis=1)
    total = float(best.sum())
    return float((taken - best).sum()) / total if total > 0 else 0.0


def sureness(first: float, now: float) -> float:
    """From 0 at the first regret to 1 at the regret that is small enough, on a log scale.

    >>> sureness(0.5, 0.5), sureness(0.5, 0.02), round(sureness(0.5, 0.16), 1)
    (0.0, 1.0, 0.5)
    """
    if now <= ENOUGH:
        return 1.0
    way = math.log(first / ENOUGH) if first > ENOUGH else 1.0
    return min(1.0, max(0.0, 1 - math.log(now / ENOUGH) / way))


def answers_left(first: float, now: float, answers: int) -> int:
    """About how many more answers it takes, at the pace of those so far and the usual one.

    >>> answers_left(0.5, 0.5, 0), answers_left(0.5, 0.1, 15), answers_left(0.5, 0.04, 20)
    (24, 7, 0)
    """
    if now <= ENOUGH:
        return 0
    gone = max(0.0, math.log(first / now)) if first > 0 else 0.0
    rate = (gone + USUAL_RATE * USUAL_ANSWERS) / (answers + USUAL_ANSWERS)
    return max(1, math.ceil(math.log(now / ENOUGH) / rate))


def _weighted(pool: Pool, weights: FloatArray) -> FloatArray:
    """Weighted loss of each row, group and weight vector; what is forbidden costs endlessly."""
    usable = pool.allowed.any(axis=1)
    found = products(pool.cost[usable], weights)
    return np.where(pool.allowed[usable][..., None], found, np.inf)
