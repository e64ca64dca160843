"""The recipe of a session: how the table will be anonymized, weights and limits left open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from shoal.anonymizer import Anonymizer
from shoal.exceptions import InvalidParameterError
from shoal.grouping import Problem
from shoal.plan import Plan
from shoal.recipe import Recipe, as_grouper
from shoal.recoding import Recoder
from shoal.spaces import WeightedSpaces
from shoal.table import Table

FILES = (".csv", ".json")  # of hierarchies
OF_READING = {  # may hold values
    *("source", "table", "query", "sheet", "delimiter", "encoding", "missing", "kinds", "orders")
}


@dataclass(frozen=True, eq=False)
class SessionRecipe:
    """What will run, weights and limits left open, and the plan it was made from if any."""

    anonymizer: Anonymizer
    recipe: Recipe
    plan: Plan | None = None

    @classmethod
    def of(cls, given: Plan | Anonymizer, table: Table) -> SessionRecipe:
        """Take a plan or an anonymizer."""
        plan = given if isinstance(given, Plan) else None
        anonymizer = given.anonymizer(table) if isinstance(given, Plan) else given
        if not isinstance(anonymizer, Anonymizer):
            raise InvalidParameterError(
                "A session needs a Plan or an Anonymizer.", hint="shoal.Session(table, plan)"
            )
        return cls(anonymizer, anonymizer.resolve(table), plan)

    @property
    def weights(self) -> dict[str, float]:
        """Weights that the recipe itself gives."""
        return dict(self.recipe.grouper.weights or {})

    @property
    def recoder(self) -> Recoder:
        """What questions and previews show; also where the release will move values instead."""
        return self.recipe.recoder.as_ranges()

    @property
    def limits(self) -> dict[str, float]:
        """Limits that the recipe itself sets."""
        return dict(self.recipe.recoder.limits or {})

    def spaces(self, table: Table, limits: Mapping[str, float]) -> WeightedSpaces:
        """Return the quasi-identifiers as they are published under these limits."""
        return self.recipe.recoder.with_limits(limits).as_ranges().spaces(table)

    def problem(self, table: Table, spaces: WeightedSpaces) -> Problem:
        """Return what a grouper has to solve."""
        return self.recipe.problem(table, spaces)

    def filled_in(self, weights: Mapping[str, float], limits: Mapping[str, float]) -> Anonymizer:
        """Return an anonymizer of its own with these weights and limits."""
        return self.anonymizer.clone(
            grouping=as_grouper(self.anonymizer.grouping, weights=dict(weights)),
            recoding=self.recipe.recoder.with_limits(limits),
        )

    def described(self) -> dict[str, Any]:
        """Say for the journal what the recipe asks for; no cell value, no list of values."""
        told: dict[str, Any] = {
            "models": [str(model) for model in self.recipe.within],
            "plan": None,
        }
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


def _settings(plan: Plan) -> dict[str, Any]:
    """Settings of a plan that matter after the table was read, as plain JSON."""
    kept: dict[str, Any] = {}
    for part in fields(plan):
        value = getattr(plan, part.name)
        default = part.default_factory() if part.default_factory is not MISSING else part.default
        if part.init and part.name not in OF_READING | {"roles"} and value != default:
            kept[part.name] = _absolute(part.name, value)
    return kept


def _absolute(name: str, value: Any) -> Any:
    """Paths as seen from anywhere; mappings as plain dicts."""
    if name == "hierarchy_folder":
        return os.path.abspath(value)
    if name == "hierarchies":
        return {c: os.path.abspath(w) if w.lower().endswith(FILES) else w for c, w in value.items()}
    return dict(value) if isinstance(value, Mapping) else value
