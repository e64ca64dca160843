"""Shifted dates: all dates of a person move together by a secret number of days.

Lengths and gaps stay exact. A shifted date is published as it is: nothing is generalized, and k
says nothing about it. Whoever knows two dates of a person finds the row by their distance, and
one of them then gives the shift away.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
import polars as pl

from shoal._checks import choice, whole
from shoal._words import listing
from shoal.exceptions import InvalidParameterError, UnknownColumnError, ValueKindError
from shoal.projects._keys import DEFAULT, ProjectKey, project_key
from shoal.table import Cells, Table, fold_texts
from shoal.typing import BoolArray, IntArray

DAYS = 182  # half a year to either side
KEEPS = ("weekday", "season")
SEASON = 14  # days by which a date may leave its season
YEAR = 365.25
MOSTLY = 0.95  # of rows that agree, where a column tells what another one does


@dataclass(frozen=True)
class DateShift:
    """Which columns are shifted, how far, and what is kept.

    Parameters
    ----------
    columns : sequence of str
        The columns of dates; they move together.
    days : int
        The farthest, to either side. The shift is uniform on these days, 0 excluded.
    keeps : {"weekday", "season"}, optional
        What stays true of a shifted date: its day of the week (the shift is a multiple of 7
        days), or its season (whole years, give or take two weeks). Each leaves fewer shifts to
        guess from: `choices` says how many.
    project : str
        The project whose key decides.
    """

    columns: tuple[str, ...]
    days: int = DAYS
    keeps: str | None = None
    project: str = DEFAULT

    def __post_init__(self) -> None:
        whole(1)("The farthest shift", self.days)
        if self.keeps is not None:
            choice(KEEPS)("What a shift keeps", self.keeps)
        if len(self.choices) < 2:
            least = 7 if self.keeps == "weekday" else round(YEAR) - SEASON
            raise InvalidParameterError(f"To keep the {self.keeps}, shift by {least} days or more.")

    @property
    def choices(self) -> IntArray:
        """The shifts that are drawn from, in days.

        >>> DateShift(("admitted",), 2).choices.tolist()
        [-2, -1, 1, 2]
        >>> len(DateShift(("admitted",), 182, "weekday").choices)
        52
        """
        days = np.arange(-self.days, self.days + 1)
        if self.keeps == "weekday":
            days = days[days % 7 == 0]
        if self.keeps == "season":
            days = days[np.abs(days - YEAR * np.round(days / YEAR)) <= SEASON]
            days = days[np.abs(days) > SEASON]
        found: IntArray = days[days != 0]
        return found

    def apply(
        self,
        table: Table,
        *,
        person: str | None = None,
        domain: str = "",
        clean: Sequence[str] = (),
        key: ProjectKey | None = None,
    ) -> Table:
        """Return the table with these columns shifted; its columns are then published as they are.

        ``domain`` says whom the person column names, so that two tables about the same people
        are shifted alike; the column's name if not given.
        """
        person = person or table.roles.person
        self._check(table, person)
        assert person is not None
        names = table.cells.distinct(person)
        secret = (key or project_key(self.project)).derive("date shift", domain or person)
        shifts = np.append(self.draw(fold_texts(names.texts, clean).to_list(), secret), 0)
        lost = names.codes == len(names.texts)
        moved = {
            name: shift_column(table, name, shifts[names.codes], lost) for name in self.columns
        }
        self._refuse_contradictions(table, moved)
        frame = table.frame.with_columns(moved.values())
        notes = (*table.notes, self.note())
        cells = Cells(frame, table.cells.missing)
        return replace(table, cells=cells, notes=notes, _columns={})

    def draw(self, names: Sequence[str], secret: bytes) -> IntArray:
        """Draw the shift of each name: uniform over the choices, the same for the same name."""
        choices = self.choices
        draws = (
            int.from_bytes(
                hmac.digest(secret, name.encode("utf-8", "surrogatepass"), sha256)[:16], "little"
            )
            for name in names
        )
        # 128 bits over at most some thousand choices: no choice is likelier by more than 2^-110
        return np.array([choices[draw % choices.size] for draw in draws], dtype=np.int64)

    def note(self) -> str:
        """Say what was done, and what keeping something costs."""
        kept = f", and the {self.keeps} is kept" if self.keeps else ""
        return (
            f"Dates of {listing(self.columns)} are shifted by up to {self.days:,} days, all of a"
            f" person together{kept}: {self.choices.size:,} shifts are possible."
        )

    def facts(self) -> dict[str, Any]:
        """Say in public what was done: how far, what is kept, how many shifts there are."""
        return {
            "columns": list(self.columns),
            "days": self.days,
            "keeps": self.keeps,
            "shifts": int(self.choices.size),
        }

    def _check(self, table: Table, person: str | None) -> None:
        if person is None:
            raise InvalidParameterError(
                "Dates are shifted person by person, and nothing tells people apart.",
                hint="Name the column that does: person='patient_no'.",
            )
        roles = table.roles
        for name in self.columns:
            if name not in table.column_names:
                raise UnknownColumnError.among(name, table.column_names)
            if name in roles.quasi_identifiers:
                raise InvalidParameterError(
                    f"Column {name!r} is a quasi-identifier: it is generalized, not shifted.",
                    hint="Shift it or generalize it; shifted dates are published as they are.",
                )
            if name in roles.dropped:
                raise InvalidParameterError(f"Column {name!r} is left out: there is no date.")

    def _refuse_contradictions(self, table: Table, moved: dict[str, pl.Series]) -> None:
        """Refuse columns beside the shifted ones that tell the shift: derived, and not shifted."""
        gone = {*table.roles.dropped, *moved}
        for name in (name for name in table.column_names if name not in gone):
            told = _tells(table, name, list(moved))
            if told:
                raise InvalidParameterError(
                    f"Column {name!r} {told}, so beside shifted dates it tells the shift.",
                    hint="Shift it too, generalize it away from the exact day, or leave it out"
                    f" (--drop {name}).",
                )


def shift_column(table: Table, name: str, shifts: IntArray, lost: BoolArray) -> pl.Series:
    """Shift the dates of a column by whole days; a time of day stays, nobody's date goes."""
    cells = table.frame.get_column(name)
    if cells.dtype == pl.String:
        cells = _read(table, name)
    if not isinstance(cells.dtype, pl.Date | pl.Datetime):
        raise ValueKindError(
            f"Column {name!r} holds no dates that can be shifted.",
            hint="Write them as YYYY-MM-DD, or say how they are written ([formats]).",
        )
    moved = pl.DataFrame({"day": cells, "shift": pl.Series(shifts)}).select(
        (pl.col("day") + pl.duration(days=pl.col("shift"))).cast(cells.dtype)
    )
    return moved.to_series().set(pl.Series(lost), None).alias(name)


def _read(table: Table, name: str) -> pl.Series:
    texts = table.text(name)
    known = texts.drop_nulls()
    if known.str.contains(r"^\d{4}-\d{2}-\d{2}$").all():
        return texts.str.to_date("%Y-%m-%d")
    if known.str.contains(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$").all():
        return texts.str.to_datetime("%Y-%m-%dT%H:%M:%S")
    return texts


def _tells(table: Table, name: str, shifted: Sequence[str]) -> str:
    """Say what a column that is not shifted tells of one that is; empty if nothing was found."""
    if table.kinds[name] == "date":
        return "holds dates that are not shifted"
    if table.kinds[name] != "numeric":
        return ""
    numbers = np.append(np.asarray(table.column(name).numbers), np.nan)[table.codes(name)]
    for other in shifted:
        days = _days(table, other)
        known = ~np.isnan(numbers) & ~np.isnat(days)
        if known.sum() < 2:
            continue
        found = _derived(numbers[known], days[known])
        if found:
            return f"is the {found} of {other!r}"
    return ""


def _days(table: Table, name: str) -> IntArray:
    cells = table.frame.get_column(name)
    dates = _read(table, name) if cells.dtype == pl.String else cells
    if not isinstance(dates.dtype, pl.Date | pl.Datetime):
        return np.full(table.n_rows, np.datetime64("NaT"))
    return dates.cast(pl.Date).to_numpy().astype("datetime64[D]")


def _derived(numbers: IntArray, days: IntArray) -> str:
    """Name what numbers are of dates: their year, their month, an age at some day."""
    years = days.astype("datetime64[Y]").astype(int) + 1970
    if (numbers == years).mean() >= MOSTLY:
        return "year"
    months = days.astype("datetime64[M]").astype(int) % 12 + 1
    if (numbers == months).mean() >= MOSTLY:
        return "month"
    born = numbers + years  # of a date of birth: constant but for birthdays
    counts = np.unique(born, return_counts=True)[1]
    varied = np.unique(numbers).size > 2
    if varied and np.sort(counts)[-2:].sum() / born.size >= MOSTLY:
        return "age"
    return ""
