"""A yardstick for tests of others: a table must be k-anonymous, or the test fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.privacy import build_models, check
from shoal.table import Roles, read_table


def assert_k_anonymous(
    data: Any,
    *,
    quasi_identifiers: str | Sequence[str],
    k: int,
    sensitive: str | Sequence[str] = (),
    person: str | None = None,
    **models: Any,
) -> None:
    """Fail with a sentence unless every group of a table holds at least ``k`` people.

    Parameters
    ----------
    data : frame, path or URL
        Whatever `shoal.read_table` reads.
    quasi_identifiers, sensitive, person
        What others may know of people, what nobody may learn, and who a row is about.
    k : int
        The smallest crowd that is accepted.
    **models
        Models of the sensitive columns by their key: ``l=2``, ``t=0.3``, ``entropy_l=2``.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"age": ["20-29", "20-29", "30-39"]})
    >>> assert_k_anonymous(people, quasi_identifiers="age", k=2)
    Traceback (most recent call last):
    AssertionError: 2-anonymity does not hold (smallest group: 1; 1 of 2 groups fail)
    """
    roles = Roles(quasi_identifiers=quasi_identifiers, sensitive=sensitive, person=person)
    table = read_table(data, roles=roles)
    verdict = check(table, build_models(table, k=k, **models))
    if not verdict.holds:
        raise AssertionError("; ".join(str(each) for each in verdict.results if not each.holds))
