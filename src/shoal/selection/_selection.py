"""What was selected, and what a plan or a session makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from shoal.exceptions import InvalidParameterError
from shoal.plan import Plan


@dataclass(frozen=True)
class Selection:
    """Columns by what they tell of a target.

    Parameters
    ----------
    target : str
        The column to be told.
    ranking : tuple of (str, float)
        Every column with its symmetrical uncertainty, the highest first.
    selected : tuple of str
        The columns to keep, the most relevant first.
    redundant : mapping of str to str
        Columns that repeat a selected one, and which.
    method : str
        ``"fcbf"`` or ``"cfs"``.
    rows : int
        Rows counted.

    Examples
    --------
    >>> found = Selection("ill", (("age", 0.4), ("born", 0.4), ("pet", 0.0)), ("age",),
    ...                   {"born": "age"})
    >>> found.irrelevant, found.weights()
    (('pet',), {'age': 1.0, 'born': 1.0, 'pet': 0.05})
    """

    target: str
    ranking: tuple[tuple[str, float], ...]
    selected: tuple[str, ...]
    redundant: Mapping[str, str] = field(default_factory=dict)
    method: str = "fcbf"
    rows: int = 0

    @property
    def irrelevant(self) -> tuple[str, ...]:
        """Columns that tell nothing of the target, or less than was asked."""
        kept = {*self.selected, *self.redundant}
        return tuple(column for column, _ in self.ranking if column not in kept)

    def weights(self, least: float = 0.05) -> dict[str, float]:
        """Weights to start a session with: relevance over the largest, never below ``least``."""
        top = max((value for _, value in self.ranking), default=0.0) or 1.0
        return {column: max(least, round(value / top, 6)) for column, value in self.ranking}

    def apply(self, plan: Plan, use: str = "weights") -> Plan:
        """Lay the selection over a plan: ``"weights"`` steer it, ``"drop"`` leaves columns out.

        Dropped columns get the role ``drop``; sensitive columns, the target and columns that were
        not ranked stay as they are.
        """
        if use == "weights":
            found = self.weights()
            quasi = plan.roles.quasi_identifiers
            return replace(plan, weights={n: found[n] for n in quasi if n in found})
        if use != "drop":
            raise InvalidParameterError(
                f"A selection cannot be used as {use!r}.", hint="Use 'weights' or 'drop'."
            )
        return self._dropping(plan)

    def _dropping(self, plan: Plan) -> Plan:
        roles = plan.roles
        safe = {*self.selected, *roles.sensitive, roles.target, roles.person, *roles.dropped}
        gone = [column for column, _ in self.ranking if column not in safe]
        left = replace(
            roles,
            drop=(*roles.drop, *gone),
            quasi_identifiers=tuple(n for n in roles.quasi_identifiers if n not in gone),
            publish_as_is=tuple(n for n in roles.publish_as_is if n not in gone),
        )
        fields: dict[str, Any] = {
            name: {c: v for c, v in getattr(plan, name).items() if c not in gone}
            for name in ("weights", "limits", "grid", "hierarchies")
        }
        return replace(plan, roles=left, **fields)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data for JSON."""
        return {
            "target": self.target,
            "method": self.method,
            "rows": self.rows,
            "ranking": [
                {"column": column, "symmetrical_uncertainty": value}
                for column, value in self.ranking
            ],
            "selected": list(self.selected),
            "redundant": dict(self.redundant),
            "irrelevant": list(self.irrelevant),
        }
