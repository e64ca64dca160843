"""Everything Shoal can say about the privacy of one table, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from shoal._words import plain
from shoal.privacy._base import readable


@dataclass(frozen=True)
class SensitiveMeasures:
    """How well one sensitive attribute is protected, in its worst group.

    What the models measure can be read like an attribute: ``found.entropy_l``.

    Attributes
    ----------
    values : mapping of str to float
        What each registered model measures (`PrivacyModel.measure_column`): ``distinct_l``,
        ``entropy_l``, ``recursive_c`` (for each l the number that c must be above), ``t_equal``,
        ``t_ordered``, ``t_hierarchical`` (None where there is no order or hierarchy),
        ``basic_beta``, ``enhanced_beta``, ``delta_disclosure``, ``delta_disclosure_present``,
        ``alpha``. Infinite where no bound will do.
    records_in_homogeneous_classes : int
        Rows whose group shows one value only, so that nothing about it is hidden.
    missing : int
        Rows whose value is missing.
    distinct_l_together : int or None
        ``distinct_l`` if an attacker knew the other sensitive attributes; None if there is none.
    """

    values: Mapping[str, Any]
    records_in_homogeneous_classes: int
    missing: int
    distinct_l_together: int | None = None

    def __getattr__(self, name: str) -> Any:
        if name in ("values", "__setstate__") or name not in self.values:  # while it is copied
            raise AttributeError(f"No registered model measures {name!r}.")
        return self.values[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the measures as plain JSON values; what is not defined is left out."""
        others = {part.name: getattr(self, part.name) for part in fields(self)[1:]}
        found = {**self.values, **others}
        return {name: plain(value) for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class PrivacyMeasures:
    """What `measure_privacy` finds out about a table.

    Attributes
    ----------
    rows, groups : int
        Rows of the table; groups of rows that read the same on the quasi-identifiers.
    people : int or None
        Distinct people, where `Roles.person` tells them apart; k and the risks count people then.
    k : int
        Size of the smallest group.
    prosecutor_max_risk, avg_risk_per_record, sample_unique_fraction : float
        Highest and average chance to find a person known to be in; share of records alone.
    sensitive : mapping of str to SensitiveMeasures
        One entry per sensitive attribute.
    records_in_homogeneous_classes : int
        Rows whose group shows a single value of some sensitive attribute.
    k_wildcard : int or None
        k if missing cells matched anything (for information); None where not computed.
    k_map, delta_presence_min, delta_presence_max, journalist_max_risk, marketer_risk
        Against a population; None without one.
    warnings : tuple of str
        What a reader must know to read the numbers.
    """

    rows: int
    groups: int
    k: int
    prosecutor_max_risk: float
    avg_risk_per_record: float
    sample_unique_fraction: float
    sensitive: Mapping[str, SensitiveMeasures]
    records_in_homogeneous_classes: int
    people: int | None = None
    k_wildcard: int | None = None
    k_map: int | None = None
    delta_presence_min: float | None = None
    delta_presence_max: float | None = None
    journalist_max_risk: float | None = None
    marketer_risk: float | None = None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the measures as plain JSON values; what is not defined is left out."""
        return _plain(self)

    def __str__(self) -> str:
        lines = [
            f"{self.rows} rows in {self.groups} groups; smallest group k = {self.k}",
            f"highest risk {readable(self.prosecutor_max_risk)}, "
            f"average risk {readable(self.avg_risk_per_record)}, "
            f"alone {readable(self.sample_unique_fraction)}",
        ]
        for name, found in self.sensitive.items():
            lines.append(
                f"{name}: {found.distinct_l} distinct values or more "
                f"(entropy l {readable(found.entropy_l)}), t {readable(found.t_equal)}, "
                f"largest share {readable(found.alpha)}"
            )
        return "\n".join([*lines, *self.warnings])


def _plain(value: Any) -> dict[str, Any]:
    parts = {part.name: getattr(value, part.name) for part in fields(value)}
    if "sensitive" in parts:
        parts["sensitive"] = {name: found.to_dict() for name, found in value.sensitive.items()}
    return {name: plain(part) for name, part in parts.items() if part is not None}
