"""What a release says of itself, and what the recount says to that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.exceptions import InvalidParameterError
from shoal.verifier._measures import MEASURES, Number
from shoal.verifier._recount import Order, Recount, recount

TABLE_CLAIMS = ("rows", "k")


@dataclass(frozen=True)
class Claim:
    """One thing a release promises: a measure, and the bound it keeps.

    Parameters
    ----------
    name : str
        ``"rows"`` (exactly so many), ``"k"``, or for a sensitive column ``"distinct_l"``,
        ``"entropy_l"``, ``"recursive_c"``, ``"t_equal"``, ``"t_ordered"``, ``"alpha"``,
        ``"basic_beta"``, ``"enhanced_beta"``, ``"delta_disclosure"`` and
        ``"delta_disclosure_present"`` (over the values a group shows).
    bound : float
        The number asked for.
    column : str
        The sensitive column; empty for ``rows`` and ``k``.
    l : int
        The l of recursive (c, l)-diversity, where ``bound`` is c.
    order : str or sequence of str
        How the values of the column are ordered: ``"numeric"``, or all of them from low to
        high. Empty: they are names without an order.
    label : str
        What people call it, such as ``"10-anonymity"``; made from the rest if left out.

    >>> str(Claim("k", 10))
    'k at least 10'
    >>> str(Claim("recursive_c", 3, "disease", l=2))
    "recursive (c, 2) of 'disease' below 3"
    """

    name: str
    bound: float
    column: str = ""
    l: int = 0
    order: Order = ()
    label: str = ""

    def __post_init__(self) -> None:
        if self.name not in TABLE_CLAIMS and self.name not in MEASURES:
            known = ", ".join([*TABLE_CLAIMS, *MEASURES])
            raise InvalidParameterError(
                f"No claim is named {self.name!r}.", hint=f"Known: {known}."
            )
        if (self.name in MEASURES) != bool(self.column):
            raise InvalidParameterError(f"The claim {self.name!r} needs a column, k needs none.")
        if math.isnan(self.bound) or (self.name == "recursive_c" and self.l < 1):
            raise InvalidParameterError(f"The claim {self.name!r} has no bound or no l.")
        if not isinstance(self.order, str):
            object.__setattr__(self, "order", tuple(self.order))

    def __str__(self) -> str:
        if self.label:
            return self.label
        if not self.column:
            return f"{self.name} {'exactly' if self.name == 'rows' else 'at least'} {self.bound:g}"
        name = f"recursive (c, {self.l})" if self.name == "recursive_c" else self.name
        return f"{name} of {self.column!r} {MEASURES[self.name].keeps} {self.bound:g}"


@dataclass(frozen=True)
class Outcome:
    """A claim beside what was recounted."""

    claim: Claim
    recounted: Number
    holds: bool

    def to_dict(self) -> dict[str, Any]:
        """Give plain data for a manifest; no cell value is in it."""
        data: dict[str, Any] = {"model": str(self.claim), "measure": self.claim.name}
        if self.claim.column:
            data["column"] = self.claim.column
        if self.claim.l:
            data["l"] = self.claim.l
        asked, recounted = plain_number(self.claim.bound), plain_number(self.recounted)
        return {**data, "asked": asked, "recounted": recounted, "holds": self.holds}


@dataclass(frozen=True)
class Verification:
    """All outcomes of one file."""

    recount: Recount
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> bool:
        """True if every claim holds."""
        return all(outcome.holds for outcome in self.outcomes)

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The claims that do not hold."""
        return tuple(outcome for outcome in self.outcomes if not outcome.holds)

    def __str__(self) -> str:
        bad = self.failures
        if not bad:
            return f"All {len(self.outcomes)} claims hold on the written file."
        lines = [f"{o.claim} (recounted: {plain_number(o.recounted)})" for o in bad]
        return f"Does not hold on the written file: {'; '.join(lines)}."


def verify(
    path: str | PathLike[str],
    claims: Sequence[Claim],
    *,
    quasi_identifiers: Sequence[str],
    people: Sequence[int] | None = None,
    scratch: Path | None = None,
) -> Verification:
    """Recount a written file and compare it with what is claimed of it.

    Parameters
    ----------
    path : path
        The ``.csv`` or ``.parquet`` file.
    claims : sequence of Claim
        What the release promises.
    quasi_identifiers : sequence of str
        All of them: a group is rows that are equal on every one.
    people, scratch
        As for `recount`.

    Returns
    -------
    Verification

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "data.csv")
    >>> _ = path.write_text("age,disease\\n30-39,flu\\n30-39,cold\\n*,flu\\n*,flu\\n*,flu\\n")
    >>> claims = [Claim("k", 2), Claim("distinct_l", 2, "disease")]
    >>> print(verify(path, claims, quasi_identifiers=["age"]))
    Does not hold on the written file: distinct_l of 'disease' at least 2 (recounted: 1).
    >>> folder.cleanup()
    """
    wanted: dict[str, list[str]] = {}
    for claim in claims:
        if claim.column:
            wanted.setdefault(claim.column, []).append(claim.name)
    counted = recount(
        path,
        quasi_identifiers=quasi_identifiers,
        sensitive=wanted,
        orders={claim.column: claim.order for claim in claims if claim.order},
        people=people,
        scratch=scratch,
    )
    return judge_claims(claims, counted)


def judge_claims(claims: Sequence[Claim], counted: Recount) -> Verification:
    """Hold claims against a recount, whoever counted."""
    outcomes = []
    for claim in claims:
        if claim.name == "rows":
            outcomes.append(Outcome(claim, counted.rows, counted.rows == claim.bound))
        elif claim.name == "k":
            outcomes.append(Outcome(claim, counted.k, counted.k >= claim.bound))
        elif claim.name not in counted.sensitive[claim.column]:
            raise InvalidParameterError(f"The claim {claim.name!r} needs the order of its column.")
        else:
            measure, number = MEASURES[claim.name], counted.sensitive[claim.column][claim.name]
            holds = measure.holds(number, claim.bound, claim.l)
            outcomes.append(Outcome(claim, measure.value(number, claim.l), holds))
    return Verification(counted, tuple(outcomes))


def plain_number(number: Number) -> int | float | str:
    """Turn a measure into what JSON can hold: an int, a short float, or ``"inf"``.

    >>> plain_number(1 / 3), plain_number(7.0), plain_number(math.inf)
    (0.333333333333, 7, 'inf')
    """
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if number == int(number):
        return int(number)
    return float(f"{float(number):.12g}")
