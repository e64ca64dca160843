"""What is believed after each answer; only what changed is learned again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from shoal.session._asked import Asked
from shoal.session._question import Choice
from shoal.session.learners import Belief, Observation

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
        del self._chain[same + 1 :]
        for id, choice in answers[same:]:
            self._chain.append(self._chain[-1].after(self._observe(asked[id], choice)))
        self._answers = list(answers)
        return self._chain[-1]

    @property
    def first(self) -> Belief:
        """The belief before any answer."""
        return self._chain[0]

    def _start(self, bias: dict[str, float] | None) -> None:
        guess = None if bias is None else np.array([bias[name] for name in self._names])
        self._chain = [self._learner.start(len(self._names), seed=self._seed, bias=guess)]
        self._bias = None if bias is None else dict(bias)
        self._answers = []
