"""The scene of an attack: what was released, whom it is about, and what the attacker knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from shoal._random import Seed, spawn
from shoal.exceptions import EmptyTableError, InvalidParameterError, UnknownColumnError
from shoal.hierarchies import Hierarchy
from shoal.privacy import group_by_text
from shoal.risk.attacks._matching import Matching
from shoal.risk.attacks._meanings import Meaning, read_meaning, value_codes
from shoal.table import Grouping, Table
from shoal.typing import IntArray

_MOST_PEOPLE = 50_000  # an interval half a percent wide; more would only take longer


@dataclass(frozen=True, eq=False)
class AttackScene:
    """A release, the people in it, and people like them who are not.

    The attacker knows the quasi-identifiers of the target exactly, the code and the settings; not
    the secret randomness. A release keeps no row map, so a rate is an expectation: whoever finds
    ``m`` rows that fit, one of them the right one, is right with probability ``1 / m``. Where the
    truth is known in memory (``truth``), it is used instead.

    Parameters
    ----------
    released : Table
        The released rows; roles name its quasi-identifiers and sensitive columns. Cells may be
        generalized (``[17, 25]``, ``State``, ``80**``, ``*``) or values like the original's
        (pushed back, stirred, shuffled): both are read by what they may stand for.
    original : Table
        The people the release is about, quasi-identifiers as they were.
    control : Table, optional
        People like them, held out before anonymizing.
    hierarchies : mapping of str to Hierarchy, optional
        Trees the labels come from. Without its tree a label says nothing to the attacker.
    truth : IntArray, optional
        For each original row the released row that came from it, -1 if none.
    targets : IntArray, optional
        The original rows to attack; if not given all of them, or 50,000 at random. Attacks that
        cost much per person take ``at_most`` of them.
    folder : Path, optional
        Where the release was written, for attacks on files.
    k : int, optional
        The k that the release claims, where it claims one.
    moved : bool
        Whether values were pushed back or stirred. A row that fits is then not known to be the
        person's: without a truth, linkage is what an attacker claims, not what is right.
    beside : Table, optional
        Another release of the same people.
    at_most : int
        Most people that a costly attack tries.
    random_state : int, Generator or None
        Draws who is tried and how ties are broken.

    Examples
    --------
    Six people, pushed to the middle of their three; the second was the outlier. Does the release
    still point at the second person's row?

    >>> import polars as pl
    >>> from shoal.risk import ExactLinkage, NearestLinkage, AttackScene
    >>> from shoal.table import Roles, read_table
    >>> roles = Roles(quasi_identifiers=["age", "pay"])
    >>> people = pl.DataFrame({"age": [23, 40, 25, 60, 66, 63], "pay": [15, 17, 16, 41, 39, 42]})
    >>> pushed = people.with_columns(age=pl.Series([23, 27, 25, 60, 66, 63]))
    >>> scene = AttackScene(
    ...     read_table(pushed, roles=roles),
    ...     read_table(people, roles=roles),
    ...     truth=np.arange(6),       # row i of the release came from row i
    ...     targets=np.array([1]),    # the former outlier
    ... )
    >>> ExactLinkage().run(scene).rate, NearestLinkage().run(scene).rate
    (0.0, 1.0)
    """

    released: Table
    original: Table
    control: Table | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    truth: IntArray | None = None
    targets: IntArray | None = None
    folder: Path | None = None
    k: int | None = None
    moved: bool = False
    beside: Table | None = None
    at_most: int = 2000
    random_state: Seed = 0
    _known: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.released.n_rows == 0 or self.original.n_rows == 0:
            raise EmptyTableError("There is nobody to attack: a table has no rows.")
        for table in filter(None, (self.original, self.control)):
            for name in self.names:
                if name not in table.column_names:
                    raise UnknownColumnError.among(name, table.column_names)
        if self.truth is not None and len(self.truth) != self.original.n_rows:
            raise InvalidParameterError("truth needs one released row per original row.")

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.released.roles.quasi_identifiers

    @property
    def only_claims(self) -> bool:
        """Whether nobody here knows if a link is right."""
        return self.moved and self.truth is None

    @property
    def secrets(self) -> tuple[str, ...]:
        """Columns that nobody should learn: the sensitive ones, or the target if there are none."""
        roles = self.released.roles
        wanted = roles.sensitive or tuple(filter(None, [roles.target]))
        tables = [table for table in (self.original, self.control) if table is not None]
        return tuple(name for name in wanted if all(name in t.column_names for t in tables))

    def once(self, name: str, find: Callable[[], Any]) -> Any:
        """Find something out the first time it is asked for; several attacks ask for the same."""
        if name not in self._known:
            self._known[name] = find()
        return self._known[name]

    def randomness(self, name: str) -> Generator:
        """Make the generator that belongs to an attack."""
        return spawn(self.random_state, name)

    @cached_property
    def rows(self) -> IntArray:
        """The original rows that are attacked: the targets, or everybody (of many, a sample)."""
        if self.targets is not None:
            return np.asarray(self.targets, dtype=np.int64)
        everybody = np.arange(self.original.n_rows)
        if everybody.size <= _MOST_PEOPLE:
            return everybody
        return np.sort(self.randomness("people").choice(everybody, _MOST_PEOPLE, replace=False))

    def some_rows(self, name: str, at_most: int | None = None) -> IntArray:
        """At most so many of the attacked rows, drawn at random."""
        most = self.at_most if at_most is None else at_most
        if self.rows.size <= most:
            return self.rows
        return np.sort(self.randomness(name).choice(self.rows, most, replace=False))

    @cached_property
    def people(self) -> IntArray | None:
        """The person behind each original row, where the table says who that is."""
        person = self.original.roles.person
        return None if person is None else self.original.codes(person)

    def people_of(self, rows: IntArray) -> IntArray | None:
        """The person behind some original rows."""
        return None if self.people is None else self.people[rows]

    @cached_property
    def groups(self) -> Grouping:
        """Released rows that read the same on the quasi-identifiers."""
        return group_by_text(self.released)

    @cached_property
    def _values(self) -> dict[str, tuple[list[str], list[IntArray]]]:
        tables = [self.original] if self.control is None else [self.original, self.control]
        return {name: value_codes(tables, name) for name in self.names}

    @cached_property
    def meanings(self) -> dict[str, Meaning]:
        """What the published texts of each quasi-identifier may stand for."""
        return {name: self._meaning(name) for name in self.names}

    def _meaning(self, name: str) -> Meaning:
        return read_meaning(
            self.released.cells.distinct(name).texts.to_list(),
            self._values[name][0],
            name=name,
            kind=self.original.kinds[name],
            hierarchy=self.hierarchies.get(name),
            order=self.original.orders.get(name, ()),
        )

    def values_of_original(self, rows: IntArray) -> IntArray:
        """Numbers of the quasi-identifiers of original people, one row each."""
        return self._stack([self._values[name][1][0] for name in self.names], rows)

    @cached_property
    def everybody(self) -> IntArray:
        """Numbers of the quasi-identifiers of all original people."""
        return self.values_of_original(np.arange(self.original.n_rows))

    def values_of_control(self) -> IntArray | None:
        """Numbers of the quasi-identifiers of the people held out."""
        if self.control is None:
            return None
        codes = [self._values[name][1][1] for name in self.names]
        return self._stack(codes, np.arange(self.control.n_rows))

    @cached_property
    def texts_of_rows(self) -> IntArray:
        """Which text each released row publishes, one column per quasi-identifier."""
        codes = [self.released.cells.distinct(name).codes for name in self.names]
        return self._stack(codes, np.arange(self.released.n_rows))

    @cached_property
    def matching(self) -> Matching:
        """Which groups each person may be in."""
        first = self.groups.order[self.groups.starts[:-1]]
        return Matching(list(self.meanings.values()), self.texts_of_rows[first], self.groups.sizes)

    @staticmethod
    def _stack(codes: list[IntArray], rows: IntArray) -> IntArray:
        if not codes:
            return np.empty((rows.size, 0), dtype=np.int64)
        return np.column_stack([code[rows] for code in codes]).astype(np.int64)
