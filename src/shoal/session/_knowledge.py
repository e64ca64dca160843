"""What a session knows, for whoever wants to show it; nothing here changes anything."""

from __future__ import annotations

import threading

import numpy as np

from shoal.session._conversation import Conversation
from shoal.session._question import Interval


class Knowledge:
    """The readable side of a session: weights, how sure they are, and how they were told."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._lock = threading.RLock()

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self._talk.names

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each quasi-identifier as known now: posterior means, which sum to 1."""
        with self._lock:
            return self._talk.weights()

    @property
    def intervals(self) -> dict[str, Interval]:
        """Where each weight lies with a probability of nine in ten."""
        with self._lock:
            belief = self._talk.belief()
        low, high = belief.intervals  # the mean of a lopsided belief may lie outside
        ends = np.minimum(low, belief.mean).tolist(), np.maximum(high, belief.mean).tolist()
        return {n: Interval(a, b) for n, a, b in zip(self.names, *ends, strict=True)}

    @property
    def bias(self) -> dict[str, float] | None:
        """The sliders, summing to 1; None if nobody moved them."""
        with self._lock:
            return None if self._talk.state.bias is None else dict(self._talk.state.bias)

    @property
    def mode(self) -> str:
        """Which of the three ways were used: "equal", "bias", "iml" or "bias + iml"."""
        ways = ["bias"] * (self.bias is not None) + ["iml"] * (self.answers > 0)
        return " + ".join(ways) or "equal"

    @property
    def answers(self) -> int:
        """Questions answered A or B; those taken back do not count."""
        with self._lock:
            return len(self._talk.state.answered)

    @property
    def skipped(self) -> int:
        """Questions skipped; those taken back do not count."""
        with self._lock:
            return len(self._talk.state.told) - len(self._talk.state.answered)

    @property
    def forgotten(self) -> int:
        """Questions that left with people who were forgotten, and their answers with them."""
        with self._lock:
            return self._talk.state.forgotten

    @property
    def sureness(self) -> float:
        """How sure the session is of the weights, from 0 (knows nothing) to 1 (enough)."""
        with self._lock:
            return self._talk.sureness()

    @property
    def answers_left(self) -> int:
        """About how many more answers it takes to be sure; 0 when it is."""
        with self._lock:
            return self._talk.answers_left()

    @property
    def suggests_stop(self) -> bool:
        """Tell whether more answers would hardly change who joins whom any more."""
        return self.answers > 0 and self.answers_left == 0

    @property
    def consistency(self) -> float | None:
        """Share of the mirrored questions that were answered as before; None before the first."""
        with self._lock:
            agreed = self._talk.state.agreements()
        return sum(agreed) / len(agreed) if agreed else None

    @property
    def carelessness(self) -> float:
        """Share of answers that seem to be given by chance, as far as the answers tell."""
        with self._lock:
            return self._talk.belief().carelessness

    @property
    def limits(self) -> dict[str, float]:
        """The limits in force, those of the recipe included."""
        with self._lock:
            return dict(self._talk.state.limits)
