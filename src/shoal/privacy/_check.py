"""Checking a table against what was asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy
from shoal.privacy._base import PrivacyModel, Verdict
from shoal.privacy._classes import group_by_text
from shoal.privacy._measure import measure_groups
from shoal.table import Table


def check(
    table: Table,
    asked: Sequence[PrivacyModel] = (),
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    population: Table | None = None,
) -> Verdict:
    """Measure a table as it is published and judge the models asked for.

    Parameters
    ----------
    table : Table
        Any table, from anyone's tool; its roles say which columns an attacker may know.
    asked : sequence of PrivacyModel
        What must hold. Nothing asked: the verdict holds and carries the measures. Asked of a table
        without quasi-identifiers, it is an error: nothing can hold of columns nobody named.
    hierarchies, population
        As in `measure_privacy`.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.privacy import DistinctLDiversity, KAnonymity
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"zip": ["A", "A", "B", "B"], "disease": ["x", "y", "x", "x"]})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="zip", sensitive="disease"))
    >>> verdict = check(table, [KAnonymity(2), DistinctLDiversity(2, "disease")])
    >>> print(verdict)
    2-anonymity holds (smallest group: 2)
    distinct 2-diversity of 'disease' does not hold (fewest distinct values: 1; 1 of 2 groups fail)
    >>> verdict.holds, verdict.measures.k
    (False, 2)
    """
    if asked and not table.roles.quasi_identifiers:
        raise InvalidParameterError(
            "No quasi-identifier is named, so nothing can be said to hold.",
            hint="Name what others may know of people, or measure_singling_out(table).",
        )
    groups = group_by_text(table)
    measures = measure_groups(table, groups, hierarchies or {}, population)
    results = [result for model in asked for result in model.judge(table, groups).results]
    return Verdict(tuple(results), measures)
