"""An effort: one way to anonymize, as plain values that a study keeps and a plan repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from shoal.exceptions import InvalidParameterError
from shoal.grouping import Grouper
from shoal.privacy import PrivacyModel, build_models, build_sensitive
from shoal.recipe import as_grouper
from shoal.table import Table
from shoal.tuning._full_domain import FullDomain

#: ``auto`` is what `shoal.anonymize` would run; trials stand in for it with the fast order.
METHODS = ("auto", "best-first", "common", "mondrian", "quantize")
STEPWISE = "stepwise"  # not searched: bins and levels that are the same for everybody


@dataclass(frozen=True)
class Effort:
    """One anonymization to try (an *anonymization effort* in Augusto et al., 2019).

    Attributes
    ----------
    k : int
        Smallest group.
    weights : mapping of str to float
        How much each quasi-identifier matters.
    method : {"auto", "best-first", "common", "mondrian", "quantize", "stepwise"}
        How groups are formed; ``quantize`` moves values inside clusters of more than k rows,
        ``stepwise`` puts everybody on the same ``grid`` and ``levels`` and asks for no k.
    l : int or None
        Fewest distinct values of each sensitive column in a group.
    limits : mapping of str to float
        What is never published wider.
    max_suppression : float
        Largest share of rows that may be left out.
    refine : bool
        Whether groups are refined in the trial too; releases always are, where `Auto` would.
    grid : mapping of str to float
        Width of the bins that numbers are put into.
    levels : mapping of str to int
        Level of its tree on which a column is published, if stepwise.
    """

    k: int
    weights: Mapping[str, float] = field(default_factory=dict)
    method: str = "auto"
    l: int | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    max_suppression: float = 0.0
    refine: bool = False
    grid: Mapping[str, float] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.method not in (*METHODS, STEPWISE):
            raise InvalidParameterError(
                f"There is no method named {self.method!r} to search.",
                hint=f"Choose from {', '.join(METHODS)}.",
            )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Effort:
        """Read an effort from what `to_dict` gave."""
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return the effort as plain JSON values; what is as by default is left out.

        >>> Effort(50, {"age": 1.0}).to_dict()
        {'k': 50, 'weights': {'age': 1.0}}
        """
        plain = Effort(self.k)
        return {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in asdict(self).items()
            if name == "k" or value != getattr(plain, name)
        }

    @property
    def equal(self) -> bool:
        """Tell whether all quasi-identifiers weigh the same."""
        return len(set(self.weights.values())) < 2

    def as_released(self, *, refined: bool = False) -> Effort:
        """The effort in the order a release of it would have; trials stand in with a faster one.

        >>> Effort(5).as_released().method, Effort(5, method="common").as_released().method
        ('best-first', 'common')
        >>> Effort(5).as_released(refined=True).refine
        True
        """
        ordered = replace(self, method="best-first") if self.method == "auto" else self
        return replace(ordered, refine=self.refine or refined)

    def settled(self, k: int) -> Effort:
        """The effort that a plan can ask for, once it is known which k it came to.

        A stepwise effort has no k of its own: its release asks for the crowd that was found, on the
        same bins. Trees are climbed only as far as that crowd needs.

        >>> Effort(1, method="stepwise", grid={"age": 5}, levels={"zip": 2}).settled(7).to_dict()
        {'k': 7, 'grid': {'age': 5}}
        """
        return Effort(max(2, k), grid=self.grid) if self.method == STEPWISE else self

    def grouper(self) -> Grouper:
        """Make the grouper of a trial: fast, and close to what the release will use."""
        weights = dict(self.weights) or None
        if self.method == STEPWISE:
            return FullDomain(dict(self.levels))
        if self.method in ("mondrian", "quantize"):
            return as_grouper(self.method, weights=weights)
        order = "common" if self.method == "auto" else self.method
        return as_grouper("sangreea", weights=weights, order=order, refine=self.refine)

    def models(self, table: Table) -> tuple[PrivacyModel, ...]:
        """Make the privacy models that every group must meet."""
        if self.method == STEPWISE:
            return tuple(build_sensitive(table, k=self.k, l=self.l))
        return tuple(build_models(table, k=self.k, l=self.l))

    def plan_settings(self) -> dict[str, Any]:
        """Settings of a `shoal.Plan` that runs this effort on all rows, refined."""
        named: dict[str, Any] = {
            "auto": {"method": "auto"},
            "mondrian": {"method": "mondrian"},
            "quantize": {"method": "quantize"},
        }.get(self.method, {"method": "sangreea", "order": self.method})
        return {
            **named,
            "k": self.k,
            "l": self.l,
            "weights": dict(self.weights),
            "limits": {} if self.method == "quantize" else dict(self.limits),
            "max_suppression": self.max_suppression,
            **({"grid": dict(self.grid)} if self.grid else {}),
        }
