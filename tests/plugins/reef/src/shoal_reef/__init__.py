"""One member of each family, as somebody else would write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.grouping import Grouper
from shoal.privacy import ModelSetting, PrivacyModel
from shoal.recoding import Generalize, Recoded, Recoder
from shoal.risk.attacks import Attack, AttackResult
from shoal.table import Grouping
from shoal.table.sources import Reading, TableSource


def above_zero(name, value):
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise InvalidParameterError(f"{name} must be a number above 0.")
    return value


@dataclass(frozen=True, slots=True)
class LeastRange(PrivacyModel):
    """Sensitive numbers of every group reach over ``e`` or more."""

    e: float
    sensitive: str
    monotone: ClassVar[bool] = True
    statistic: ClassVar[str] = "narrowest range"
    worst_is_smallest: ClassVar[bool] = True
    citation: ClassVar[str] = "Q. Zhang et al. Aggregate query answering. ICDE 2007."
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "least_range", "Numbers of a group reach over so much.", above_zero
    )

    def __str__(self):
        return f"range {self.e:g} of {self.sensitive!r}"

    @property
    def parameter(self):
        return self.e

    def measure(self, table, grouping):
        numbers = np.append(table.column(self.sensitive).numbers, np.nan)
        values = numbers[table.codes(self.sensitive)][grouping.order]
        low = np.fmin.reduceat(values, grouping.starts[:-1])
        return np.nan_to_num(np.fmax.reduceat(values, grouping.starts[:-1]) - low)

    def accepts(self, measured):
        return measured >= self.e


class TakenKey(LeastRange):
    """Would like to be called as one of Shoal's own models is."""

    setting: ClassVar[ModelSetting | None] = ModelSetting("l", "Not this one.", above_zero)


class SortAndCut(Grouper):
    """Sorts the rows by their quasi-identifiers and cuts every k of them."""

    name = "sort-and-cut"

    def __init__(self, weights=None):
        self.weights = weights

    def _group(self, problem, progress):
        self.method_ = "rows sorted and cut"
        order = np.lexsort(problem.cells.codes.T[::-1])
        copies = problem.cells.copies[order]
        return np.column_stack([order, copies, (np.cumsum(copies) - 1) // problem.k])


class AllStars(Recoder):
    """Publishes stars, whatever the groups are."""

    name = "stars"

    def __init__(self, hierarchies=None):
        self.hierarchies = hierarchies

    def spaces(self, table, weights=None):
        return Generalize(self.hierarchies).spaces(table, weights)

    def recode(self, table, grouping, spaces=None, grouper=None):
        ranges = Generalize(self.hierarchies).recode(table, grouping, spaces)
        kept = np.where(grouping.labels >= 0, 0, -1)
        return Recoded({k: starred(v) for k, v in ranges.columns.items()}, Grouping(kept))


def starred(text):
    return pl.Series(["*"] * len(text), dtype=pl.String)


class ReefFile(TableSource):
    """A file of names and values: ``age=30;sex=f``."""

    kind = "reef"

    @classmethod
    def fits(cls, place):
        return place.suffix == ".reef"

    def fetch(self):
        lines = self.place.path.read_text().splitlines()
        rows = [dict(cell.split("=", 1) for cell in line.split(";")) for line in lines]
        return Reading(pl.DataFrame(rows))


class FirstRow(Attack):
    """The attacker takes the first row of the release for everybody."""

    name: ClassVar[str] = "first_row"
    title: ClassVar[str] = "Is it the first row?"
    scenario: ClassVar[str] = "Somebody reads one row and no more."

    def run(self, scene):
        n = scene.released.n_rows
        return AttackResult(self.name, 1 / n, 1 / n, None, n)
