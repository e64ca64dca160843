"""A question: one row, two groups that it could join, and what joining each would lose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Literal, NamedTuple, TypeAlias

from shoal.report import Drawing, loss_bars

SideName: TypeAlias = Literal["A", "B"]
Choice: TypeAlias = Literal["A", "B", "same", "neither", "skip"]
SIDES: tuple[SideName, SideName] = ("A", "B")
CHOICES: tuple[Choice, ...] = ("A", "B", "same", "neither", "skip")


class Interval(NamedTuple):
    """Where a weight lies with a probability of nine in ten."""

    low: float
    high: float


@dataclass(frozen=True)
class Side:
    """A partly built group that the row of a question could join.

    Attributes
    ----------
    group : int
        Number of the group in the session's current grouping.
    size : int
        People in it so far.
    before, after : mapping of str to str
        How the group looks in each quasi-identifier before and after the row joins it; an empty
        text is a missing value.
    cost : mapping of str to float
        Added loss of joining, by quasi-identifier, unweighted: what everybody in the joined group
        loses beyond what they had lost before, on average, from 0 (nothing) to 1 (all detail).
    changed : mapping of str to bool
        Whether the cell of the row, or of the group, loses detail.
    words : mapping of str to str
        The same in plain words, for those that change: ``"age 37 becomes 30-44"``.
    loss : mapping of str to float
        What is lost of the row by ``after``, from 0 to 1: equal words, equal loss.
    """

    group: int
    size: int
    before: Mapping[str, str]
    after: Mapping[str, str]
    cost: Mapping[str, float]
    changed: Mapping[str, bool]
    words: Mapping[str, str]
    loss: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Question:
    """One row and two partly built groups: which of them should it join?

    Attributes
    ----------
    id : str
        Keyed hash of the question; says nothing about the row.
    number : int
        Which question of the session this is, from 1.
    row : mapping of str to str
        The quasi-identifiers of the row, as text; an empty text is a missing value.
    sides : mapping of "A" and "B" to Side
        The two groups.
    """

    id: str
    number: int
    row: Mapping[str, str]
    sides: Mapping[SideName, Side]

    @property
    def cost(self) -> dict[SideName, dict[str, float]]:
        """Added loss of joining each side, by quasi-identifier, unweighted."""
        return {name: dict(side.cost) for name, side in self.sides.items()}

    def __repr__(self) -> str:  # the default would show the cells of a person
        return f"Question({self.number}, {self.id[:8]})"

    def _repr_html_(self) -> str:
        """Show the row and both crowds where a notebook shows a value: cells, for whoever asks."""
        sizes = {name: f"{side.size:,} people" for name, side in self.sides.items()}
        crowds = (f"in {name}, with {told}" for name, told in sizes.items())
        head = ("column", "the person", *crowds)
        rows = (
            (name, cell, *(_becomes(side, name) for side in self.sides.values()))
            for name, cell in self.row.items()
        )
        drawn = "".join(_line("td", row) for row in rows)
        caption = f"Question {self.number}: A or B?"
        return f"<table><caption>{caption}</caption>{_line('th', head)}{drawn}</table>"

    def plot(self) -> Drawing:
        """Draw what joining each side would lose of every column that is in play."""
        costs = {name: side.cost for name, side in self.sides.items()}
        played = [name for name in self.row if any(cost[name] for cost in costs.values())]
        return Drawing(
            loss_bars([(f"{name}, {side}", costs[side][name]) for name in played for side in costs])
        )


def _becomes(side: Side, name: str) -> str:
    """Say how a group looks with the person in it; what changes is told."""
    before, after = side.before[name], side.after[name]
    return after if before == after else f"{before} → {after}"


def _line(kind: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"
