"""A dataset: a table of people with everything that has to be known to anonymize it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

import polars as pl

from shoal.exceptions import OutputError
from shoal.hierarchies import Hierarchy, Mask, Taxonomy, write_ladder
from shoal.table import Roles, Table, read_table
from shoal.typing import Kind


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table of people, the roles and kinds of its columns, and its hierarchies.

    Attributes
    ----------
    name : str
        What the dataset is called.
    frame : polars.DataFrame
        The rows.
    roles : Roles
        Which columns identify, describe or expose a person.
    kinds : mapping of str to Kind
        What each column holds.
    hierarchies : mapping of str to Hierarchy
        How categorical columns may be generalized; numbers need none.
    description : str
        Where it comes from, and its licence.

    Examples
    --------
    >>> from shoal.datasets import people
    >>> patients = people(500)
    >>> patients
    Dataset('people', 500 rows, 14 columns, 8 quasi-identifiers)
    >>> patients.table().n_rows
    500
    """

    name: str
    frame: pl.DataFrame
    roles: Roles
    kinds: Mapping[str, Kind]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    description: str = ""

    def __post_init__(self) -> None:
        self.roles.check(self.frame.columns)

    def __repr__(self) -> str:  # no cell value, as everywhere
        n_quasi = len(self.roles.quasi_identifiers)
        shape = f"{self.frame.height} rows, {self.frame.width} columns"
        return f"Dataset({self.name!r}, {shape}, {n_quasi} quasi-identifiers)"

    def table(self) -> Table:
        """Read the frame as a `Table` with these roles and kinds."""
        return read_table(self.frame, roles=self.roles, kinds=self.kinds)

    def write(self, folder: str | PathLike[str]) -> Path:
        """Write ``data.csv`` and ``hierarchies/<column>.csv``, as the command line reads them.

        >>> import tempfile
        >>> from shoal.datasets import people
        >>> folder = people(500).write(tempfile.mkdtemp())
        >>> sorted(path.name for path in folder.iterdir())
        ['data.csv', 'hierarchies']
        """
        folder = Path(folder)
        try:
            (folder / "hierarchies").mkdir(parents=True, exist_ok=True)
            self.frame.write_csv(folder / "data.csv")
        except OSError as error:
            raise OutputError(f"The dataset {self.name!r} could not be written.") from error
        for column, hierarchy in self.hierarchies.items():
            taxonomy = _written_out(hierarchy, self.frame[column])
            if taxonomy is not None:
                write_ladder(taxonomy, folder / "hierarchies" / f"{column}.csv")
        return folder


def _written_out(hierarchy: Hierarchy, cells: pl.Series) -> Taxonomy | None:
    """Write a mask out over the codes there are; None for what follows from the kind alone."""
    if isinstance(hierarchy, Mask):
        codes = cells.drop_nulls().unique().sort()
        return Taxonomy.from_ladder([_masked(code) for code in codes])
    return hierarchy if isinstance(hierarchy, Taxonomy) else None


def _masked(code: str) -> tuple[str, ...]:
    """Mask a code from the right, one character a step.

    >>> _masked("021")
    ('021', '02*', '0**', '*')
    """
    inner = (code[:kept] + "*" * (len(code) - kept) for kept in range(len(code), 0, -1))
    return (*inner, "*")
