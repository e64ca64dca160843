"""People before and after: what each row was, what is published of it, and the crowd around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from shoal._words import later, say
from shoal.exceptions import InputError
from shoal.release._release import Lineage
from shoal.typing import IntArray

AS_IT_IS = {
    "sensitive": later("published as it is; the crowd hides whose it is, unless all share it"),
    "target": later("published as it is, for models to learn from"),
    "publish_as_is": later("published as it is, because somebody accepted it"),
    "other": later("published as it is, though nobody accepted it"),
}
GONE = {
    "identifier": later("left out: it names a person"),
    "person": later("left out: it names a person"),
    "drop": later("left out of the release"),
}


@dataclass(frozen=True)
class CellStory:
    """One cell of a person: what it was, what it became (None: it left), and why."""

    column: str
    was: str
    became: str | None
    why: str

    @property
    def changed(self) -> bool:
        """Whether something else is published, or nothing."""
        return self.became != self.was


@dataclass(frozen=True, eq=False)
class ReleasedPeople:
    """The rows of a table beside what a release says of them."""

    lineage: Lineage

    @cached_property
    def published(self) -> Mapping[str, pl.Series]:
        """What each row publishes, by quasi-identifier."""
        if self.lineage.published is None:
            raise InputError(
                "Rows of a crowd do not read alike in this release.",
                hint="People can be looked at where ranges are published.",
            )
        return self.lineage.published(np.arange(self.lineage.table.n_rows)).to_dict()

    @property
    def names(self) -> list[str]:
        """The columns that are generalized."""
        return list(self.published)

    @cached_property
    def changed(self) -> IntArray:
        """How many cells of each row are published otherwise than they were."""
        parts = [
            (self.published[name].cast(pl.String) != self._text(name)).fill_null(False).to_numpy()
            for name in self.names
        ]
        return np.sum(parts, axis=0) if parts else np.zeros(self.lineage.table.n_rows, np.int64)

    def order(self, by: str) -> IntArray:
        """Return the rows in an order to look at them: of the file, most changed, small crowds."""
        rows = np.arange(self.lineage.table.n_rows)
        if by == "changed":
            return np.lexsort((rows, -self.changed))
        if by == "crowd":
            return np.lexsort((rows, self.lineage.grouping.labels, self._sizes))
        return rows

    def pair(self, row: int, name: str) -> tuple[str, str | None]:
        """Return a cell as it was and as it is published; None if the row was left out."""
        was = self._text(name)[row] or ""
        if self.lineage.grouping.labels[row] < 0:
            return was, None
        return was, str(self.published[name][row] or "")

    def crowd(self, row: int) -> IntArray:
        """Return the rows of the crowd around a person."""
        label = int(self.lineage.grouping.labels[row])
        return (
            np.flatnonzero(self.lineage.grouping.labels == label) if label >= 0 else np.array([row])
        )

    def story(self, row: int) -> list[CellStory]:
        """Tell what happened to each cell of a person, and why."""
        table = self.lineage.table
        crowd = self.crowd(row)
        found = []
        for name in table.column_names:
            role = table.roles.role_of(name)
            if name in self.published:
                found.append(self._generalized(row, name, crowd))
                continue
            was = self._text(name)[row] or ""
            left = role in GONE or self.lineage.grouping.labels[row] < 0
            why = GONE.get(role) or AS_IT_IS.get(role, later("published as it is"))
            found.append(CellStory(name, was, None if left else was, say(why)))
        return found

    def _generalized(self, row: int, name: str, crowd: IntArray) -> CellStory:
        was, became = self.pair(row, name)
        different = self._text(name).gather(crowd).n_unique()
        if became is None:
            return CellStory(name, was, None, say("left out: no crowd was found that it fits into"))
        if became == was:
            shared = say("kept as it was")
            if different == 1:
                shared = say("kept: the {n:,} people of the crowd share it", n=crowd.size)
            return CellStory(name, was, became, shared)
        why = say(
            "{what}: the {n:,} people of the crowd have {m:,} different values",
            what=say("hidden") if became == "*" else say("widened"),
            n=crowd.size,
            m=different,
        )
        return CellStory(name, was, became, why)

    def _text(self, name: str) -> pl.Series:
        return self._texts.setdefault(name, self.lineage.table.text(name))

    @cached_property
    def _texts(self) -> dict[str, pl.Series]:
        return {}

    @cached_property
    def _sizes(self) -> IntArray:
        labels = self.lineage.grouping.labels
        return np.where(labels >= 0, np.append(self.lineage.grouping.sizes, 0)[labels], 0)
