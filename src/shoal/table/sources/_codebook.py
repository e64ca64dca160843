"""What statistics files keep beside their cells: labels, formats, codes that mean missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False)
class Variable:
    """What is known of one column.

    Attributes
    ----------
    label : str
        What the column is about, in words.
    values : mapping of float to str
        Labels of its codes.
    labelled : bool
        Whether the table shows labels in place of codes; all its codes have one then.
    missing : tuple of mapping
        Ranges of codes that mean missing (``lo`` and ``hi``).
    form, measure : str
        How it is shown, and whether it is nominal, ordinal or a scale; empty if not said.
    """

    label: str = ""
    values: Mapping[float, str] = field(default_factory=dict)
    labelled: bool = False
    missing: tuple[Mapping[str, float], ...] = ()
    form: str = ""
    measure: str = ""


@dataclass(frozen=True, eq=False)
class Codebook:
    """What a file says about itself and its columns.

    Attributes
    ----------
    label : str
        Of the file; for a workbook the name of the sheet.
    variables : mapping of str to Variable
        By column.
    """

    label: str = ""
    variables: Mapping[str, Variable] = field(default_factory=dict)

    def of(self, name: str) -> Variable:
        """Return what is known of a column."""
        return self.variables.get(name, Variable())
