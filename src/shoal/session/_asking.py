"""From a candidate to what the journal keeps, and from there to what a person sees."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from shoal.session._asked import Asked, QuestionPart, written
from shoal.session._choosing import Candidate
from shoal.session._pool import Pool
from shoal.session._question import SIDES, Choice, Question, Side, SideName
from shoal.session._rows import RowNames
from shoal.session._words import becomes, look
from shoal.session.learners import Observation
from shoal.spaces import IntervalSpace, WeightedSpaces
from shoal.table import Table
from shoal.typing import FloatArray


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


def show(asked: Asked, table: Table, spaces: WeightedSpaces, rows: RowNames) -> Question:
    """Look the rows up again and say in words what the question is."""
    (row,) = rows.rows([asked.row])
    cells = {name: _cell(table, name, row) for name in spaces.names}
    sides = {
        side: _side(part, spaces, rows.rows(part.rows), row, cells)
        for side, part in asked.parts.items()
    }
    return Question(asked.id, asked.number, cells, sides)


def observe(asked: Asked, choice: Choice, spaces: WeightedSpaces, rows: RowNames) -> Observation:
    """Return what an answer says to a learner."""
    chosen, other = (asked.parts[side] for side in (SIDES if choice == "A" else SIDES[::-1]))
    return Observation(
        np.array(chosen.cost),
        np.array(other.cost),
        lambda: _kept(spaces, rows.rows(chosen.rows), *rows.rows([asked.row])),
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
    return Side(part.group, len(members), before, after, cost, changed, words)


def _cell(table: Table, name: str, row: int) -> str:
    column = table.column(name)
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
