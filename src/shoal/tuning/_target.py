"""The target: what a model predicts, as numbers, and whether it is a class or a quantity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.exceptions import InputError, InvalidParameterError, RoleConflictError
from shoal.table import Table
from shoal.typing import IntArray

MOST_CLASSES = 20  # a number with more distinct values is a quantity
_QUANTITIES = (
    *("r2", "explained_variance", "max_error", "neg_mean", "neg_median", "neg_root", "neg_max"),
    *("d2_absolute", "d2_pinball", "d2_tweedie"),
)


@dataclass(frozen=True, eq=False)
class Target:
    """The column to predict.

    Attributes
    ----------
    name : str
        The column.
    classes : tuple of str
        Its classes, the positive one last where there are two; empty for a quantity.
    metric : str or callable
        The scikit-learn scorer that measures predictions.
    """

    name: str
    classes: tuple[str, ...]
    metric: str | Callable[..., float]

    @classmethod
    def of(
        cls, table: Table, metric: str | Callable[..., float] | None, positive: str | None = None
    ) -> Target:
        """Look at the target of a table, and choose the measure if none is named.

        Macro F1 for classes, R2 for a number with more than `MOST_CLASSES` distinct values.
        """
        name = _target_name(table)
        _refuse_missing(table, name)
        column = table.column(name)
        many = column.kind == "numeric" and len(column.labels) > MOST_CLASSES
        metric = metric if metric is not None else ("r2" if many else "f1_macro")
        if isinstance(metric, str) and metric.startswith(_QUANTITIES):
            return cls._quantity(table, name, metric)
        counts = np.bincount(column.codes, minlength=len(column.labels))
        if np.count_nonzero(counts) < 2:
            raise InputError(
                f"Column {name!r} has only one class.",
                hint="A model needs two or more classes to tell apart.",
            )
        return cls(name, _in_order(column.labels, counts, positive, name), metric)

    @classmethod
    def _quantity(cls, table: Table, name: str, metric: str) -> Target:
        if table.kinds[name] != "numeric":
            raise InvalidParameterError(
                f"The metric {metric!r} measures numbers, and column {name!r} holds none.",
                hint="Use f1_macro, accuracy, precision, recall or roc_auc for classes.",
            )
        if len(table.column(name).labels) < 2:
            raise InputError(f"Column {name!r} has only one value: there is nothing to predict.")
        return cls(name, (), metric)

    @property
    def task(self) -> str:
        """Tell whether classes or a quantity are predicted."""
        return "classification" if self.classes else "regression"

    @property
    def metric_name(self) -> str:
        """Name of the measure."""
        return self.metric if isinstance(self.metric, str) else self.metric.__class__.__name__

    def values(self, table: Table) -> Any:
        """Read the target of every row: the number of its class, or the number itself."""
        column = table.column(self.name)
        if not self.classes:
            assert column.numbers is not None
            return np.asarray(column.numbers)[column.codes]
        number = {label: place for place, label in enumerate(self.classes)}
        return np.array([number[label] for label in column.labels], dtype=np.int64)[column.codes]

    def strata(self, table: Table) -> IntArray | None:
        """Classes that every part of the table should show by its share."""
        return self.values(table) if self.classes else None


def _target_name(table: Table) -> str:
    roles = table.roles
    if roles.target is None:
        raise InvalidParameterError(
            "Tuning needs a target: the column that a model will predict.",
            hint="Name it: target=... (--target on the command line).",
        )
    if roles.target in roles.quasi_identifiers:
        raise RoleConflictError(
            f"Column {roles.target!r} cannot be the target and a quasi-identifier at once.",
            hint="What is generalized cannot be predicted; leave it out of one of them.",
        )
    return roles.target


def _refuse_missing(table: Table, name: str) -> None:
    column = table.column(name)
    absent = np.flatnonzero(column.codes == column.missing_code)
    if absent.size:
        raise InputError(
            f"Column {name!r} has {absent.size:,} missing cells, the first in row {absent[0] + 1}.",
            hint="Leave out rows without an answer.",
        )


def _in_order(
    labels: tuple[str, ...], counts: IntArray, positive: str | None, name: str
) -> tuple[str, ...]:
    """Put the positive class last: the one named, or the rarer of two."""
    if positive is not None and positive not in labels:
        raise InvalidParameterError(
            f"The positive class is not among the {len(labels)} classes of {name!r}."
        )
    if positive is None and len(labels) == 2:
        positive = labels[0] if counts[0] < counts[1] else labels[1]
    if positive is None:
        return labels
    return (*(label for label in labels if label != positive), positive)
