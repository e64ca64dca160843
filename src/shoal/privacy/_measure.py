"""Measuring a table: all models at once, on any table from anyone's tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.exceptions import EmptyTableError
from shoal.hierarchies import Hierarchy
from shoal.privacy._classes import group_by_text, match_population
from shoal.privacy._histograms import (
    Histograms,
    SensitiveColumn,
    count_members,
    count_values,
    reference_counts,
)
from shoal.privacy._linkage import (
    average_risk,
    journalist_max_risk,
    marketer_risk,
    prosecutor_max_risk,
    sample_unique_fraction,
)
from shoal.privacy._measures import PrivacyMeasures, SensitiveMeasures
from shoal.privacy._ratios import Ratios
from shoal.privacy._recursive import LONGEST_PROFILE
from shoal.privacy._registry import MODELS
from shoal.privacy._wildcard import wildcard_k
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, IntArray


def measure_privacy(
    table: Table,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    population: Table | None = None,
) -> PrivacyMeasures:
    """Measure every privacy model on a table as it is published.

    Rows belong to one group if they read the same on all quasi-identifiers: missing cells are a
    value, suppressed cells (``*``) are a value, and text is compared byte for byte.

    Parameters
    ----------
    table : Table
        Roles name its quasi-identifiers, sensitive attributes and, if any, the person column.
    hierarchies : mapping of str to Hierarchy, optional
        For the hierarchical distance of sensitive attributes.
    population : Table, optional
        Everybody the table was drawn from, with the same quasi-identifiers, generalized alike.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"zip": ["A", "A", "B", "B"], "disease": ["x", "y", "x", "x"]})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="zip", sensitive="disease"))
    >>> measures = measure_privacy(table)
    >>> measures.k, measures.sensitive["disease"].distinct_l, measures.sensitive["disease"].t_equal
    (2, 1, 0.25)
    """
    return measure_groups(table, group_by_text(table), hierarchies or {}, population)


def measure_groups(
    table: Table,
    groups: Grouping,
    hierarchies: Mapping[str, Hierarchy],
    population: Table | None,
) -> PrivacyMeasures:
    """Measure a table whose rows have been grouped by what they read."""
    if groups.n_groups == 0:
        raise EmptyTableError.nothing_to_judge()
    sizes = count_members(table, groups)
    sensitive, homogeneous, notes = _measure_sensitive(table, groups, hierarchies)
    return PrivacyMeasures(
        rows=table.n_rows,
        groups=groups.n_groups,
        people=_people(table),
        k=int(sizes.min()),
        prosecutor_max_risk=prosecutor_max_risk(sizes),
        avg_risk_per_record=average_risk(sizes),
        sample_unique_fraction=sample_unique_fraction(sizes),
        sensitive=sensitive,
        records_in_homogeneous_classes=int(groups.sizes[homogeneous].sum()),
        k_wildcard=wildcard_k(table, groups),
        warnings=(*_warn_of_roles(table), *notes),
        **({} if population is None else _measure_population(table, groups, population)),
    )


def _measure_sensitive(
    table: Table, groups: Grouping, hierarchies: Mapping[str, Hierarchy]
) -> tuple[dict[str, SensitiveMeasures], BoolArray, list[str]]:
    found: dict[str, SensitiveMeasures] = {}
    homogeneous = np.zeros(groups.n_groups, dtype=np.bool_)
    notes: list[str] = []
    for name in table.roles.sensitive:
        counted = count_values(table, groups, name)
        homogeneous |= counted.distinct <= 1
        found[name] = _measure_one(table, groups, name, counted, hierarchies.get(name))
        notes += _notes(name, counted.n_codes, found[name].missing)
    return found, homogeneous, notes


def _measure_one(
    table: Table, groups: Grouping, name: str, counted: Histograms, hierarchy: Hierarchy | None
) -> SensitiveMeasures:
    column = table.column(name)
    seen = SensitiveColumn(column, counted, reference_counts(table, name), hierarchy)
    return SensitiveMeasures(
        values={
            key: value
            for model in MODELS.values()
            for key, value in model.measure_column(seen).items()
        },
        records_in_homogeneous_classes=int(groups.sizes[counted.distinct <= 1].sum()),
        missing=int((table.codes(name) == column.missing_code).sum()),
        distinct_l_together=_distinct_together(table, name),
    )


def _distinct_together(table: Table, name: str) -> int | None:
    """Fewest distinct values if an attacker knew all other sensitive attributes."""
    others = [other for other in table.roles.sensitive if other != name]
    if not others:
        return None
    known = group_by_text(table, [*table.roles.quasi_identifiers, *others])
    return int(count_values(table, known, name).distinct.min())


def _measure_population(table: Table, groups: Grouping, population: Table) -> dict[str, Any]:
    matched = match_population(table, groups, population)
    released, people = matched.sample[: matched.n_released], matched.population
    chances = Ratios(matched.sample, people).floats()
    behind: IntArray = people[: matched.n_released]
    return {
        "k_map": int(behind.min()),
        "delta_presence_min": float(chances.min()),
        "delta_presence_max": float(chances.max()),
        "journalist_max_risk": journalist_max_risk(behind),
        "marketer_risk": marketer_risk(released, behind),
    }


def _people(table: Table) -> int | None:
    if table.roles.person is None:
        return None
    return int(count_members(table, Grouping.from_keys([], table.n_rows))[0])


def _warn_of_roles(table: Table) -> list[str]:
    if table.roles.quasi_identifiers:
        return []
    return ["No quasi-identifier is declared: all rows count as one group."]


def _notes(name: str, n_values: int, n_missing: int) -> list[str]:
    notes = []
    if n_values > LONGEST_PROFILE:
        notes.append(f"recursive_c of {name!r} stops at l = {LONGEST_PROFILE} of {n_values}.")
    if n_missing:
        notes.append(
            f"{n_missing} values of {name!r} are missing: they count as no value for distinct_l "
            "and as a value of their own in all other measures."
        )
    return notes
