"""Holding claims against a recount."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from shoal.exceptions import InvalidParameterError
from shoal.verifier._claims import Claim, Number, Order, Outcome, Verification
from shoal.verifier._exact import as_fraction, entropy_reaches
from shoal.verifier._recount import Measures, Recount, recount

_HAIR = 1e-12  # logarithms are floats: this close to a bound counts as past it


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
    sensitive = list(dict.fromkeys(claim.column for claim in claims if claim.column))
    orders: dict[str, Order] = {claim.column: claim.order for claim in claims if claim.order}
    counted = recount(
        path,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        orders=orders,
        people=people,
        scratch=scratch,
    )
    return judge_claims(claims, counted)


def judge_claims(claims: Sequence[Claim], counted: Recount) -> Verification:
    """Hold claims against a recount, whoever counted."""
    return Verification(counted, tuple(_judge(claim, counted) for claim in claims))


def _judge(claim: Claim, counted: Recount) -> Outcome:
    if claim.name == "rows":
        return Outcome(claim, counted.rows, counted.rows == claim.bound)
    if claim.name == "k":
        return Outcome(claim, counted.k, counted.k >= claim.bound)
    measures = counted.sensitive[claim.column]
    value = _value(claim, measures)
    return Outcome(claim, value, _holds(claim, value, measures))


def _value(claim: Claim, measures: Measures) -> Number:
    if claim.name == "recursive_c":
        return measures.recursive_c.get(claim.l, float("inf"))
    value: Number | None = getattr(measures, claim.name)
    if value is None:
        raise InvalidParameterError(f"The claim {claim.name!r} needs the order of its column.")
    return value


def _holds(claim: Claim, value: Number, measures: Measures) -> bool:
    if claim.name == "entropy_l":
        return all(entropy_reaches(counts, claim.bound) for counts in measures.lowest_entropy)
    if claim.name == "distinct_l":
        return value >= claim.bound
    if claim.bound == float("inf"):
        return value < claim.bound
    if claim.name.startswith("delta_disclosure"):
        return value < claim.bound - _HAIR
    bound = as_fraction(claim.bound)
    return value < bound if claim.name == "recursive_c" else value <= bound
