"""Asking: a question as the journal keeps it (names of rows), and as a person sees it (words)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from shoal.audit import row_name
from shoal.exceptions import InputError
from shoal.session._choosing import Candidate, Pool
from shoal.session._question import SIDES, Choice, Question, Side, SideName
from shoal.session.learners import Observation
from shoal.spaces import IntervalSpace, Space, WeightedSpaces
from shoal.table import Column, Table
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

    >>> other_side("A"), other_side("neither")
    ('B', 'neither')
    """
    swapped: dict[Choice, Choice] = {"A": "B", "B": "A"}
    return swapped.get(choice, choice)


def note(pool: Pool, candidate: Candidate, rows: RowNames, number: int) -> Asked:
    """Write a candidate down by the names of its rows and what joining costs."""
    parts: dict[SideName, QuestionPart] = {}
    for side, place in zip(SIDES, (candidate.a, candidate.b), strict=True):
        parts[side] = QuestionPart(
            group=int(pool.groups[place]),
            rows=tuple(rows.names(pool.members[place].tolist())),
            cost=written(pool.cost[candidate.row, place]),
        )
    (name,) = rows.names([int(pool.rows[candidate.row])])
    return Asked(question_id(name, number), number, name, parts)


def question_id(row: str, number: int) -> str:
    """Name a question; both parts are names already, so this tells nothing new.

    >>> question_id("0a1b", 3) == question_id("0a1b", 3) != question_id("0a1b", 4)
    True
    """
    return blake2b(f"{row} {number}".encode(), digest_size=16, person=b"shoal question").hexdigest()


def show(
    asked: Asked, columns: Mapping[str, Column], spaces: WeightedSpaces, rows: RowNames
) -> Question:
    """Look the rows up again and say in words what the question is."""
    (row,) = rows.rows([asked.row])
    cells = {name: _cell(columns[name], row) for name in spaces.names}
    sides = {
        side: _side(part, spaces, rows.rows(part.rows), row, cells)
        for side, part in asked.parts.items()
    }
    return Question(asked.id, asked.number, cells, sides)


def observe(asked: Asked, choice: Choice, spaces: WeightedSpaces, rows: RowNames) -> Observation:
    """Return what an answer says to a learner."""
    chosen, other = (asked.parts[side] for side in (SIDES[::-1] if choice == "B" else SIDES))
    return Observation(
        np.array(chosen.cost),
        np.array(other.cost),
        lambda: _kept(spaces, rows.rows(chosen.rows), *rows.rows([asked.row])),
        meaning=choice if choice == "same" or choice == "neither" else "side",
    )


def _side(
    part: QuestionPart,
    spaces: WeightedSpaces,
    members: Sequence[int],
    row: int,
    cells: dict[str, str],
) -> Side:
    before, after = {}, {}
    for space in spaces.spaces:
        before[space.name] = look(space, space.codes[list(members)])
        after[space.name] = look(space, space.codes[[*members, row]])
    cost = dict(zip(spaces.names, part.cost, strict=True))
    changed = {n: cost[n] > 0 and {after[n]} != {cells[n], before[n]} for n in spaces.names}
    words = {n: becomes(n, cells[n], after[n]) for n, loses in changed.items() if loses}
    joined = spaces.codes[[*members, row]]
    lost = spaces.loss_by_attribute(joined.min(axis=0)[None], joined.max(axis=0)[None])[0]
    loss = dict(zip(spaces.names, lost.tolist(), strict=True))
    return Side(part.group, len(members), before, after, cost, changed, words, loss)


def _cell(column: Column, row: int) -> str:
    code = int(column.codes[row])
    return column.labels[code] if code < len(column.labels) else ""


def _kept(spaces: WeightedSpaces, members: Sequence[int], row: int) -> FloatArray:
    """Detail the row would keep, as the page of "cafebabe" measured it.

    Of a tree, the depth of the group's node over the depth of the row's leaf; of a number, one
    minus the width of the interval over the row's own value. It gives that value away, so it is
    looked up whenever it is needed and stands in no journal.
    """
    codes = spaces.codes[[*members, row]]
    kept = 1 - spaces.loss_by_attribute(codes.min(axis=0)[None], codes.max(axis=0)[None])[0]
    for j, space in enumerate(spaces.spaces):
        if isinstance(space, IntervalSpace):
            code = int(space.codes[row])
            value = abs(float(space.starts[code])) if code < space.starts.size else 0.0
            width = (1 - kept[j]) * space.width
            kept[j] = 1 - min(1.0, width / value) if value > 0 else float(width == 0)
    return np.asarray(kept)


class RowNames:
    """Keyed hashes of the rows of a table: what a journal may say instead of a row.

    They go by the content of the row, so they find it again wherever it stands in the table.
    """

    def __init__(self, table: Table, key: bytes) -> None:
        self._hashes = table.row_hash()
        self._key = key
        self._known: dict[str, int] = {}

    def names(self, rows: Iterable[int]) -> list[str]:
        """Name some rows."""
        named = {self._name(int(self._hashes[row])): int(row) for row in rows}
        self._known.update(named)
        return list(named)

    def rows(self, names: Sequence[str]) -> list[int]:
        """Find rows by their names."""
        if not all(name in self._known for name in names):
            self._known = self._all
        try:
            return [self._known[name] for name in names]
        except KeyError:
            raise InputError("The journal speaks of a row that is not in the table.") from None

    @cached_property
    def _all(self) -> dict[str, int]:
        return {self._name(value): row for row, value in enumerate(self._hashes.tolist())}

    def _name(self, value: int) -> str:
        return row_name(value, self._key)


_SPAN = re.compile(r"\[(.+), (.+)\]")
_PLAIN = re.compile(r"\d+(\.\d+)?")


def look(space: Space, codes: Sequence[int] | np.ndarray) -> str:
    """Return what a group of these codes publishes; missing is the empty text."""
    low, high = np.min(codes, keepdims=True), np.max(codes, keepdims=True)
    return space.publish(np.ravel(low), np.ravel(high))[0] or ""


def becomes(name: str, before: str, after: str) -> str:
    """Say what happens to a cell.

    >>> becomes("age", "37", "[30, 44]")
    'age 37 becomes 30-44'
    >>> becomes("born", "2020-05-01", "[2020-01-01, 2020-12-31]")
    'born 2020-05-01 becomes 2020-01-01 – 2020-12-31'
    >>> becomes("sex", "f", "*")
    'sex f is no longer told'
    """
    told = f"{name} {plain(before)}"
    return f"{told} is no longer told" if after == "*" else f"{told} becomes {plain(after)}"


def plain(text: str) -> str:
    """Write a published value as one would say it.

    >>> plain("[30, 44]"), plain("[-5, 3]"), plain(""), plain("80**")
    ('30-44', '-5 – 3', '(missing)', '80**')
    """
    span = _SPAN.fullmatch(text)
    if span is None:
        return text or "(missing)"
    low, high = span.groups()
    short = _PLAIN.fullmatch(low) and _PLAIN.fullmatch(high)
    return f"{low}-{high}" if short else f"{low} – {high}"  # in any language
