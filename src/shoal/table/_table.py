"""A table of people: its cells, the kind and role of each column; and groupings of its rows."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import polars as pl

from shoal._drawing import Drawing
from shoal.exceptions import InvalidParameterError
from shoal.kernels.hashing import number_repeats
from shoal.table._cells import Cells, frame_texts, hash_rows
from shoal.table._column import Column, take_rows
from shoal.table._frames import NativeFrame, give_back
from shoal.table._kinds import COLUMN_KINDS
from shoal.table._reading import Native, Origin
from shoal.table._roles import Roles
from shoal.table._showing import crowd_shares, describe_columns, share_bars, tells_apart
from shoal.table._warnings import find_doubts, find_oddities, find_suspicions
from shoal.typing import BoolArray, IntArray, Kind

_AT_ONCE = 100_000  # texts that are framed at a time


@dataclass(frozen=True, eq=False)
class Grouping:
    """A partition of rows; ``labels[row]`` is the row's group, -1 if the row is suppressed.

    Groups are numbered 0, 1, ... without gaps.

    >>> import numpy as np
    >>> grouping = Grouping(np.array([0, 1, 0, 1, 1, -1]))
    >>> grouping.sizes.tolist(), grouping.smallest, grouping.n_suppressed
    ([2, 3], 2, 1)
    >>> grouping.members(1).tolist()
    [1, 3, 4]
    """

    labels: IntArray
    #: Rows of the table, those in no group, and the rows in each group.
    n_rows: int = field(init=False)
    n_suppressed: int = field(init=False)
    sizes: IntArray = field(init=False)
    n_groups: int = field(init=False)
    #: Where each group begins in ``order``, with one more entry for the end.
    starts: IntArray = field(init=False)
    #: Size of the smallest group; 0 if there is none.
    smallest: int = field(init=False)

    def __post_init__(self) -> None:
        labels = np.ascontiguousarray(self.labels, dtype=np.int64)
        if labels.ndim != 1 or (labels.size and labels.min() < -1):
            raise InvalidParameterError("A grouping needs one label per row, -1 or more.")
        grouped = labels[labels >= 0]
        sizes = np.bincount(grouped)
        if (sizes == 0).any():
            raise InvalidParameterError("Groups must be numbered without gaps.")
        counted = {"labels": labels, "n_rows": labels.size, "sizes": sizes, "n_groups": sizes.size}
        counted["n_suppressed"] = labels.size - grouped.size
        counted["starts"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        counted["smallest"] = int(sizes.min(initial=labels.size)) if sizes.size else 0
        self.__dict__.update(counted)  # frozen, and counted once

    @classmethod
    def from_keys(cls, keys: list[IntArray], n_rows: int) -> Grouping:
        """Group rows that agree on every key; no keys: one group of all rows."""
        combined = np.zeros(n_rows, dtype=np.int64)
        for key in keys:
            _, key_codes = np.unique(key, return_inverse=True)
            wide = combined * (int(key_codes.max(initial=0)) + 1) + key_codes
            _, combined = np.unique(wide, return_inverse=True)
        return cls(combined)

    @cached_property
    def order(self) -> IntArray:
        """Grouped rows sorted by group: group g is ``order[starts[g]:starts[g + 1]]``."""
        order = np.argsort(self.labels, kind="stable")
        return order[self.n_suppressed :]

    def members(self, group: int) -> IntArray:
        """Row positions of one group."""
        return self.order[self.starts[group] : self.starts[group + 1]]


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A table of people, read once and never changed. Make one with `read_table`.

    Attributes
    ----------
    cells : Cells
        The frame exactly as read, and the texts that mean missing in it.
    roles : Roles
        Who is named, described or exposed by which column.
    kinds : mapping of str to Kind
        The kind of every column, given or inferred.
    orders : mapping of str to tuple of str
        The values of each ordinal column, from low to high.
    native : {"polars", "pandas", "pyarrow"}
        The type of frame the table came from, and `give_back` returns.
    notes : tuple of str
        What reading found out: delimiter, encoding, skipped lines.
    source : Path or None
        The file or folder it was read from.
    origin : Origin
        What kind of source that was, and what it is called; no secrets.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [34, 17, 34], "disease": ["flu", "flu", "gout"]})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="age", sensitive="disease"))
    >>> table
    Table(3 rows, 2 columns: 1 quasi-identifier, 1 sensitive)
    >>> table.kinds
    {'age': 'numeric', 'disease': 'nominal'}
    >>> table.column("disease").labels, table.codes("disease").tolist()
    (('flu', 'gout'), [0, 0, 1])
    """

    #: Nothing to compare groups with but the table itself (see `CodedTable`).
    references: ClassVar[Mapping[str, IntArray]] = MappingProxyType({})

    cells: Cells
    roles: Roles
    kinds: Mapping[str, Kind]
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    native: Native = "polars"
    notes: tuple[str, ...] = ()
    _columns: dict[str, Column] = field(default_factory=dict)
    source: Path | None = None
    origin: Origin = field(default_factory=Origin)

    n_rows: int = field(init=False)
    column_names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.__dict__.update(n_rows=self.cells.n_rows, column_names=self.cells.names)
        object.__setattr__(self, "roles", self.roles.check(self.column_names))

    @property
    def frame(self) -> pl.DataFrame:
        """The data exactly as read: all text from CSV, the given types from a frame."""
        return self.cells.frame

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a careful reader should know before publishing; counts only, never a value."""
        suspicions = find_suspicions(self.cells, self.kinds, self.roles)
        doubts = find_doubts(self.cells, self.kinds, self.roles)
        oddities = find_oddities(self.cells, self.kinds, self.roles.dropped)
        return (*self.notes, *doubts, *oddities, *suspicions)

    def _repr_html_(self) -> str:
        """Show columns where a notebook shows a value: what they are, and never a cell."""
        return describe_columns(self.cells, self.kinds, self.roles)

    def plot(self, what: str = "columns") -> Drawing:
        """Draw how far columns tell people apart, or who stands alone; never a cell.

        Parameters
        ----------
        what : str
            ``"columns"``: the values each column has for a row. ``"crowds"``: how many rows are
            alike in all quasi-identifiers, as they are. Or the name of one column: alike in it.

        Examples
        --------
        >>> from shoal.datasets import people
        >>> people(100).table().plot("crowds")
        Drawing(Share of rows by how many are alike in all quasi-identifiers)
        """
        if what == "columns":
            rows = [(name, tells_apart(self.cells, name)) for name in self.column_names]
            return Drawing(share_bars(rows, "Values of each column for one row"))
        names = self.roles.quasi_identifiers if what == "crowds" else (what,)
        if not names or not {*names} <= {*self.column_names}:
            raise InvalidParameterError(
                f"There is no drawing {what!r} of this table.",
                hint="There are 'columns', 'crowds' (of quasi-identifiers), and each column.",
            )
        title = "all quasi-identifiers" if what == "crowds" else repr(what)
        shares = crowd_shares([self.codes(name) for name in names])
        return Drawing(share_bars(shares, f"Share of rows by how many are alike in {title}"))

    def column(self, name: str) -> Column:
        """Code a column by its kind; coded once, then remembered."""
        if name not in self._columns:
            distinct = self.cells.distinct(name)
            order = self.orders.get(name, ())
            self._columns[name] = COLUMN_KINDS[self.kinds[name]].code(name, distinct, order)
        return self._columns[name]

    def codes(self, name: str) -> IntArray:
        """Codes of a column, one per row; a missing cell has the largest."""
        return self.column(name).codes

    def text(self, name: str) -> pl.Series:
        """Cells of a column as they would be published; null is missing."""
        return self.cells.text(name)

    def with_roles(self, roles: Roles) -> Table:
        """Return the same table with other roles; what was already coded is kept."""
        return replace(self, roles=roles)

    def take(self, rows: IntArray | BoolArray) -> Table:
        """Return a table of some rows, read as this one was.

        Kinds, orders, roles, texts that mean missing and the type of frame are kept, and what
        was coded is not read again: the table is the one that `read_table` would make of these
        rows, told all of that. How dates are written is decided by all rows, not by those taken.

        Parameters
        ----------
        rows : array of int or of bool
            Positions of rows, in the order wanted (a row may be taken twice), or one truth for
            each row of this table.

        Returns
        -------
        Table
            Those rows; there may be none.

        Examples
        --------
        >>> import numpy as np
        >>> import polars as pl
        >>> from shoal.table import read_table
        >>> table = read_table(pl.DataFrame({"age": ["9", "?", "41"]}), missing=["?"])
        >>> table.take(np.array([2, 1])).text("age").to_list()
        ['41', None]
        >>> table.take(table.codes("age") == 0).column("age").labels
        ('9',)
        """
        positions = _positions(rows, self.n_rows)
        for name, kind in self.kinds.items():
            if COLUMN_KINDS[kind].read_together:
                self.column(name)
        cells = self.cells.take(positions)
        coded = {
            name: take_rows(column, positions, cells.distinct(name))
            for name, column in self._columns.items()
        }
        return replace(self, cells=cells, _columns=coded)

    def give_back(self, frame: pl.DataFrame) -> NativeFrame:
        """Convert a polars frame to the type the table came from; polars for files."""
        return give_back(frame, self.native)

    def row_hash(self) -> IntArray:
        """Hash each row: all its cells, and its number among identical rows.

        The same on every machine and in every row order, so ties can be broken by content.

        >>> import polars as pl
        >>> from shoal.table import read_table
        >>> hashes = read_table(pl.DataFrame({"a": [1, 2, 1]})).row_hash()
        >>> hashes.dtype, len(set(hashes.tolist()))
        (dtype('uint64'), 3)
        """
        known = self.__dict__
        if "_row_hash" not in known:  # hashed once, then remembered
            known["_row_hash"] = number_repeats(hash_rows(self.cells))
        hashes: IntArray = known["_row_hash"]
        return hashes

    def fingerprint(self, key: bytes) -> str:
        """Keyed fingerprint: all cells and column names, whatever the row order; tells nothing.

        HMAC-SHA256 over the columns with the rows sorted by their hash. Without the key nobody
        can test a guess of the table against it.

        >>> import polars as pl
        >>> from shoal.table import read_table
        >>> one = read_table(pl.DataFrame({"age": [30, 31, 30]}))
        >>> same = read_table(pl.DataFrame({"age": [31, 30, 30]}))
        >>> one.fingerprint(b"key") == same.fingerprint(b"key")
        True
        >>> one.fingerprint(b"key") == same.fingerprint(b"another key")
        False
        """
        digest = hmac.new(key, b"shoal table", sha256)
        order = np.argsort(self.row_hash(), kind="stable")
        for name in self.column_names:
            distinct = self.cells.printed(name)
            texts = distinct.texts
            by_text = texts.arg_sort()  # by bytes, which is the order of code points
            rank = np.empty(len(texts) + 1, dtype="<u4")
            rank[by_text.to_numpy()] = np.arange(len(texts))
            rank[-1] = len(texts)  # missing
            piece = name.encode("utf-8", "surrogatepass")
            digest.update(len(piece).to_bytes(8, "little") + piece)
            for part in texts.gather(by_text).to_frame().iter_slices(_AT_ONCE):
                digest.update(frame_texts(part.to_series()))
            digest.update(len(texts).to_bytes(8, "little"))
            digest.update(rank[distinct.codes[order]].data)
        return digest.hexdigest()

    def __repr__(self) -> str:  # the default would show the cells of people
        counts = {
            "identifier": len({*self.roles.dropped} - {*self.roles.drop}),
            "quasi-identifier": len(self.roles.quasi_identifiers),
            "sensitive": len(self.roles.sensitive),
            "target": int(self.roles.target is not None),
        }
        roles = ", ".join(f"{n} {_plural(role, n)}" for role, n in counts.items() if n)
        size = f"{self.n_rows:,} rows, {len(self.column_names):,} columns"
        return f"Table({size}: {roles})" if roles else f"Table({size})"


def _positions(rows: IntArray | BoolArray, n_rows: int) -> IntArray:
    chosen = np.asarray(rows)
    if chosen.dtype == np.bool_ and chosen.shape == (n_rows,):
        return np.flatnonzero(chosen)
    if chosen.size == 0 and chosen.ndim == 1 and chosen.dtype != np.bool_:
        return np.zeros(0, dtype=np.int64)
    if chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer):
        raise InvalidParameterError(
            "Rows are taken by their positions, or by one truth for each row of the table."
        )
    if chosen.min() < 0 or chosen.max() >= n_rows:
        raise InvalidParameterError(f"Rows are taken by positions from 0 to {n_rows - 1}.")
    return chosen.astype(np.int64, copy=False)


def _plural(role: str, n: int) -> str:
    return f"{role}s" if n > 1 and role.endswith("identifier") else role
