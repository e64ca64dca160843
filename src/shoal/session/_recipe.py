"""The recipe of a session: how the table will be anonymized, weights and limits left open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

from shoal._estimator import Estimator
from shoal.anonymizer import Anonymizer
from shoal.exceptions import InvalidParameterError
from shoal.grouping import Auto, Grouper, Problem
from shoal.plan import Plan
from shoal.presets import DEFAULT_K
from shoal.privacy import KAnonymity, PrivacyModel
from shoal.quantize import EpsilonClusters
from shoal.recoding import Generalize
from shoal.spaces import WeightedSpaces
from shoal.table import Table

E = TypeVar("E", bound=Estimator)
FILES = (".csv", ".json")  # of hierarchies
OF_READING = {"source", "delimiter", "encoding", "missing", "kinds", "orders"}  # may hold values


@dataclass(frozen=True, eq=False)
class SessionRecipe:
    """An anonymizer that a session fills in, and the plan it was made from if there is one."""

    anonymizer: Anonymizer
    plan: Plan | None = None

    @classmethod
    def of(cls, given: Plan | Anonymizer, table: Table) -> SessionRecipe:
        """Take a plan or an anonymizer."""
        if isinstance(given, Plan):
            return cls(given.anonymizer(table), given)
        if isinstance(given, Anonymizer):
            return cls(given)
        raise InvalidParameterError(
            "A session needs a Plan or an Anonymizer.", hint="shoal.Session(table, plan)"
        )

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """What must hold in every group."""
        given = self.anonymizer.privacy
        models = (given,) if isinstance(given, PrivacyModel) else tuple(given)
        return models or (KAnonymity(DEFAULT_K),)

    @property
    def grouper(self) -> Grouper:
        """Who hides with whom."""
        given = self.anonymizer.grouping
        return given if isinstance(given, Grouper) else Auto()

    @property
    def weights(self) -> dict[str, float]:
        """Weights that the recipe itself gives."""
        return dict(self.grouper.weights or {})

    @property
    def recoder(self) -> Generalize:
        """What questions and previews show; also where the release will move values instead."""
        given = self.anonymizer.recoding
        if isinstance(given, Generalize):
            return given
        return Generalize(getattr(given, "hierarchies", None))

    @property
    def moves_values(self) -> bool:
        """Whether the release moves values instead of generalizing them."""
        given = self.anonymizer.recoding
        if given is None:
            return isinstance(self.grouper, EpsilonClusters)
        return not isinstance(given, Generalize)

    @property
    def limits(self) -> dict[str, float]:
        """Limits that the recipe itself sets."""
        return dict(self.recoder.limits or {})

    def spaces(self, table: Table, limits: Mapping[str, float]) -> WeightedSpaces:
        """Return the quasi-identifiers as they are published under these limits."""
        if limits and self.moves_values:
            raise InvalidParameterError("Values that are moved, not generalized, know no limits.")
        return _limited(self.recoder, limits).spaces(table)

    def problem(self, table: Table, spaces: WeightedSpaces) -> Problem:
        """Return what a grouper has to solve."""
        return Problem(table, spaces, self.models, self.anonymizer.suppression_limit)

    def filled_in(self, weights: Mapping[str, float], limits: Mapping[str, float]) -> Anonymizer:
        """Return an anonymizer of its own with these weights and limits."""
        given = self.anonymizer
        recoding = given.recoding if self.moves_values else _limited(self.recoder, limits)
        grouping = changed(self.grouper, weights=dict(weights))
        return changed(given, grouping=grouping, recoding=recoding)

    def described(self) -> dict[str, Any]:
        """Say for the journal what the recipe asks for; no cell value, no list of values."""
        told: dict[str, Any] = {"models": [str(model) for model in self.models], "plan": None}
        if self.plan is not None:
            told["plan"] = _settings(self.plan)
        return told


def recipe_from(described: Mapping[str, Any], table: Table) -> Plan:
    """Read the plan out of the first entry of a journal."""
    settings = described.get("plan")
    if settings is None:
        raise InvalidParameterError(
            "This session was begun with an anonymizer, which no journal can hold.",
            hint="Give the same anonymizer again: Session.resume(journal, table, anonymizer).",
        )
    return Plan(**settings, roles=table.roles)


def changed(estimator: E, **parameters: Any) -> E:
    """Copy an estimator with some parameters changed.

    >>> from shoal.grouping import SaNGreeA
    >>> changed(SaNGreeA(order="common"), weights={"age": 2.0})
    SaNGreeA(weights={'age': 2.0}, order='common')
    """
    return type(estimator)(**{**estimator.get_params(deep=False), **parameters})


def _limited(recoder: Generalize, limits: Mapping[str, float]) -> Generalize:
    if not limits and not recoder.limits:
        return recoder
    return changed(recoder, limits=dict(limits) or None)


def _settings(plan: Plan) -> dict[str, Any]:
    """Settings of a plan that matter after the table was read, as plain JSON."""
    kept: dict[str, Any] = {}
    for part in fields(plan):
        value = getattr(plan, part.name)
        default = part.default_factory() if part.default_factory is not MISSING else part.default
        if part.name not in OF_READING | {"roles"} and value != default:
            kept[part.name] = _absolute(part.name, value)
    return kept


def _absolute(name: str, value: Any) -> Any:
    """Paths as seen from anywhere; mappings as plain dicts."""
    if name == "hierarchy_folder":
        return os.path.abspath(value)
    if name == "hierarchies":
        return {c: os.path.abspath(w) if w.lower().endswith(FILES) else w for c, w in value.items()}
    return dict(value) if isinstance(value, Mapping) else value
