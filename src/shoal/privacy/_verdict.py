"""Verdicts: which privacy models hold, and how near the worst group is to failing."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from shoal.privacy._measures import PrivacyMeasures


@dataclass(frozen=True)
class ModelResult:
    """One privacy model on one table.

    Parameters
    ----------
    model : str
        The model as it prints itself, such as ``10-anonymity``.
    parameter : float or tuple of float
        What was asked.
    holds : bool
        True if every group passes.
    worst : float
        The measure of the worst group.
    statistic : str
        What ``worst`` is, in words.
    groups, groups_failing : int
        How many groups were judged and how many of them fail.
    details : mapping
        Further numbers that belong to the result, by names such as ``smallest_chance``.

    Examples
    --------
    >>> print(ModelResult("10-anonymity", 10, False, 3, "smallest group", 40, 2))
    10-anonymity does not hold (smallest group: 3; 2 of 40 groups fail)
    """

    model: str
    parameter: Any
    holds: bool
    worst: float
    statistic: str
    groups: int
    groups_failing: int
    details: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        claim = "holds" if self.holds else "does not hold"
        facts = [f"{self.statistic}: {readable(self.worst)}"]
        for name, value in self.details.items():
            facts.append(f"{name.replace('_', ' ')}: {readable(value)}")
        if not self.holds:
            facts.append(f"{self.groups_failing} of {self.groups} groups fail")
        return f"{self.model} {claim} ({'; '.join(facts)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON values."""
        parts = {
            "model": self.model,
            "parameter": self.parameter,
            "holds": self.holds,
            "worst": self.worst,
            "groups": self.groups,
            "groups_failing": self.groups_failing,
            **self.details,
        }
        return {name: jsonable(value) for name, value in parts.items()}


@dataclass(frozen=True)
class Verdict:
    """What was asked of a table, and whether it holds; with all its numbers if they were measured.

    >>> verdict = Verdict((ModelResult("10-anonymity", 10, True, 12, "smallest group", 40, 0),))
    >>> verdict.holds, str(verdict)
    (True, '10-anonymity holds (smallest group: 12)')
    """

    results: tuple[ModelResult, ...]
    measures: PrivacyMeasures | None = None

    @property
    def holds(self) -> bool:
        """True if every model asked for holds; also if none was asked for."""
        return all(result.holds for result in self.results)

    def __str__(self) -> str:
        lines = [str(result) for result in self.results]
        return "\n".join(lines or ([] if self.measures is None else [str(self.measures)]))

    def to_dict(self) -> dict[str, Any]:
        """Return the measures, ``holds`` and the results as plain JSON values."""
        measures = {} if self.measures is None else self.measures.to_dict()
        models = [result.to_dict() for result in self.results]
        return {**measures, "holds": self.holds, "models": models}

    def to_json(self) -> str:
        """Return `to_dict` as one line of JSON; numbers without bound are the string "inf"."""
        return json.dumps(self.to_dict(), allow_nan=False)


def jsonable(value: Any) -> Any:
    """Turn a number into what JSON can hold: fractions become floats, infinity becomes "inf".

    >>> jsonable(math.inf), jsonable((Fraction(1, 2), 3))
    ('inf', [0.5, 3])
    """
    if isinstance(value, Mapping):
        return {str(name): jsonable(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [jsonable(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Fraction):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "inf" if value > 0 else "-inf"
    return value


def readable(value: float) -> str:
    """Print a number as people read it: at most six digits, whole numbers in full."""
    return str(value) if isinstance(value, int) else f"{float(value):.6g}"
