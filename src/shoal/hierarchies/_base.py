"""What every hierarchy promises, and the checks they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from shoal.exceptions import HierarchyGapError, InvalidParameterError
from shoal.hierarchies._arrangement import Arrangement


class Hierarchy(ABC):
    """A tree over the values of a column; every hierarchy is a frozen value."""

    @abstractmethod
    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the values of one column.

        Parameters
        ----------
        labels : sequence of str
            The distinct values of the column, missing ones left out, in any order: the tree
            decides the order of the leaves.
        column : str, optional
            Name of the column, for error messages.

        Raises
        ------
        HierarchyGapError
            Some values are not leaves of the hierarchy; the message holds their count.
        """


def distinct_labels(labels: Sequence[str], column: str | None) -> list[str]:
    """Return the labels as a list after checking that they are text and do not repeat."""
    labels = list(labels)
    if not all(isinstance(label, str) for label in labels):
        raise InvalidParameterError(f"A hierarchy arranges text; {_values_of(column)} are not.")
    repeated = len(labels) - len(set(labels))
    if repeated:
        raise InvalidParameterError(
            f"A hierarchy arranges distinct values; {repeated} {_values_of(column)} repeat others."
        )
    return labels


def gap_error(missing: int, total: int, column: str | None, *, hint: str) -> HierarchyGapError:
    """Say how many values the hierarchy lacks, and never which."""
    are = "is" if missing == 1 else "are"
    return HierarchyGapError(
        f"{missing} of {total} distinct {_values_of(column)} {are} not in the hierarchy.", hint=hint
    )


def _values_of(column: str | None) -> str:
    return "values" if column is None else f"values of column {column!r}"
