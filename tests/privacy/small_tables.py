"""Small random tables of people, built without guessing kinds, for tests by the thousand."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import polars as pl
from privacy_twin import Twin

from shoal.hierarchies import Taxonomy
from shoal.table import Grouping, Roles, Table
from shoal.table._cells import Cells

TREE = ((("0", "1"), ("2",)), ("3", ("4", "5", "6")), "7")
HIERARCHY = Taxonomy.from_json(
    {"*": {"A": {"B": ["0", "1"], "C": ["2"]}, "D": {"3": [], "E": ["4", "5", "6"]}, "7": []}}
)


def table_with(values, *, people=None, quasi=None, kind="nominal"):
    """A table with the sensitive column ``s`` and, if given, the person column ``p``."""
    columns = {"q": quasi or ["x"] * len(values), "s": values}
    kinds = {"q": "nominal", "s": kind, "p": "nominal"}
    if people is not None:
        columns["p"] = people
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    roles = Roles([], "q", "s", person=None if people is None else "p")
    return Table(Cells(frame), roles, {name: kinds[name] for name in columns})


@dataclass(frozen=True)
class Small:
    table: Table
    grouping: Grouping
    twin: Twin

    @classmethod
    def of(cls, labels, values, people, kind="nominal"):
        table = table_with(values, people=people, kind=kind)
        return cls(table, Grouping(labels), Twin(labels, values, people))

    def in_order(self, order):
        """The same table with its rows in another order."""
        columns = (self.twin.labels, self.twin.values, self.twin.people)
        return Small.of(*(column and [column[row] for row in order] for column in columns))


@cache
def small(seed: int, *, kind: str = "nominal") -> Small:
    """A random table of 1 to 14 rows; some have suppressed rows, missing values, people."""
    draw = random.Random(seed)
    rows, n_groups = draw.randint(1, 14), draw.randint(1, 4)
    pool = [str(v) for v in draw.sample(range(8), draw.randint(1, 6))]
    pool += [None] * draw.choice([0, 0, 1])
    values = [draw.choice(pool) for _ in range(rows)]
    raw = [draw.randrange(n_groups) for _ in range(rows)]
    if draw.random() < 0.4:
        raw[1:] = [-1 if draw.random() < 0.2 else label for label in raw[1:]]
    present = sorted(set(raw) - {-1})
    labels = [present.index(label) if label >= 0 else -1 for label in raw]
    people = None
    if draw.random() < 0.3:
        names = [f"p{i}" for i in range(draw.randint(1, rows))] + [None] * draw.choice([0, 1])
        people = [draw.choice(names) for _ in range(rows)]
    return Small.of(labels, values, people, kind)
