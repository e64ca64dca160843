"""A question as the journal keeps it: names of rows and what they cost, no cell value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.session._question import SIDES, Choice, SideName
from shoal.typing import FloatArray

DIGITS = 9  # of what is written: what is learned from the journal is what was learned live


@dataclass(frozen=True)
class QuestionPart:
    """A partly built group: its number, its rows by name, and what joining it costs."""

    group: int
    rows: tuple[str, ...]
    cost: tuple[float, ...]


@dataclass(frozen=True)
class Asked:
    """A question that was asked.

    Attributes
    ----------
    id : str
        Its keyed hash.
    number : int
        From 1.
    row : str
        Name of the row.
    parts : mapping of side to Part
        The two groups.
    mirrors : str or None
        The question that this one repeats with its sides swapped.
    """

    id: str
    number: int
    row: str
    parts: Mapping[SideName, QuestionPart]
    mirrors: str | None = None

    @property
    def gain(self) -> FloatArray:
        """What choosing A saves in each attribute."""
        a, b = (np.array(self.parts[side].cost) for side in SIDES)
        return np.asarray(b - a)

    def mirrored(self, id: str, number: int) -> Asked:
        """Return the same question with its sides swapped."""
        swapped: dict[SideName, QuestionPart] = {"A": self.parts["B"], "B": self.parts["A"]}
        return replace(self, id=id, number=number, parts=swapped, mirrors=self.id)

    def body(self) -> dict[str, Any]:
        """Return the question as JSON for the journal."""
        sides: dict[str, Any] = {
            side: {
                "group": part.group,
                "rows": list(part.rows),
                "cost": list(part.cost),
            }
            for side, part in self.parts.items()
        }
        return {
            "question": self.id,
            "number": self.number,
            "row": self.row,
            "mirrors": self.mirrors,
            **sides,
        }

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Asked:
        """Read the question back."""
        parts = {
            side: QuestionPart(
                body[side]["group"],
                tuple(body[side]["rows"]),
                tuple(body[side]["cost"]),
            )
            for side in SIDES
        }
        return cls(body["question"], body["number"], body["row"], parts, body["mirrors"])


def written(values: FloatArray | Sequence[float]) -> tuple[float, ...]:
    """Round numbers to what the journal will hold."""
    return tuple(round(float(value), DIGITS) + 0.0 for value in values)


def other_side(choice: Choice) -> Choice:
    """Return the answer to the same question mirrored.

    >>> other_side("A"), other_side("skip")
    ('B', 'skip')
    """
    swapped: dict[Choice, Choice] = {"A": "B", "B": "A", "skip": "skip"}
    return swapped[choice]
