"""What the table would look like if it were released with what is known now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class PreviewChange:
    """How a preview differs from the one before it; positive is more loss, more groups.

    Attributes
    ----------
    ngil : float
        Difference of the loss.
    loss_by_attribute : mapping of str to float
        The same by quasi-identifier.
    groups : int
        Difference of the number of groups.
    rows : float
        Share of the rows that are now published differently.
    """

    ngil: float
    loss_by_attribute: Mapping[str, float]
    groups: int
    rows: float


@dataclass(frozen=True)
class Preview:
    """The whole table grouped with the weights and limits of a moment, by the fast method.

    Attributes
    ----------
    ngil : float
        Loss of the grouping, unweighted, from 0 to 1.
    loss_by_attribute : mapping of str to float
        The same by quasi-identifier.
    groups, smallest, suppressed : int
        Groups, rows of the smallest one, rows in none.
    weights : mapping of str to float
        The weights it was made with.
    answers : int
        Answers that had been given by then.
    change : Change or None
        What is different from the preview before; None for the first one.
    f1, f1_constant : float or None
        Macro F1 of a quick model that learned from these groups and was tested on other rows of
        theirs, and that of always saying the most frequent class; None without a target.
    seconds : float
        How long it took.
    """

    ngil: float
    loss_by_attribute: Mapping[str, float]
    groups: int
    smallest: int
    suppressed: int
    weights: Mapping[str, float]
    answers: int
    change: PreviewChange | None = None
    f1: float | None = None
    f1_constant: float | None = None
    seconds: float = field(default=0.0, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return asdict(self)
