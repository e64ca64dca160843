"""What a session has been told so far: the sum of its journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shoal.session._asked import Asked, other_side
from shoal.session._question import Choice


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
    """

    limits: dict[str, float]
    bias: dict[str, float] | None = None
    asked: dict[str, Asked] = field(default_factory=dict)
    told: list[tuple[str, Choice]] = field(default_factory=list)
    open: str | None = None
    regrouped: dict[str, Any] | None = None
    forgotten: int = 0

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
        answered = [self.asked[id] for id, _ in self.answered[:-2]]
        return [a for a in answered if a.mirrors is None and a.id not in mirrored]
