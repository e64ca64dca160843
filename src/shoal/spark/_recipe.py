"""What every worker must know: the whole table's codes, the models, how to group and recode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.grouping import Problem
from shoal.plan import Plan
from shoal.privacy import PrivacyModel
from shoal.recipe import Recipe
from shoal.spaces import WeightedSpaces
from shoal.spark._domains import Domain
from shoal.spark._rows import FragmentRows, WholeTable
from shoal.table import Roles
from shoal.typing import IntArray

MOST_TRACED = 2_000_000  # rows: 32 bytes of each pass through the driver


@dataclass(frozen=True, eq=False)
class SparkRecipe:
    """A plan made ready for workers; nothing in it speaks of a single row."""

    resolved: Recipe
    names: tuple[str, ...]
    roles: Roles
    domains: Mapping[str, Domain]
    rows: int
    missing: tuple[str, ...] = ()
    references: Mapping[str, IntArray] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan, names: tuple[str, ...], domains: Mapping[str, Domain]) -> SparkRecipe:
        """Resolve the plan for the whole table, and add what workers need."""
        whole = whole_table(plan.roles, names, domains)
        recipe = plan.anonymizer(whole).resolve(whole)
        _refuse_what_needs_all_rows(recipe)
        for model in recipe.within:
            model.check_possible(whole)
        protected = {m.sensitive for m in recipe.within if m.sensitive is not None}
        return cls(
            resolved=recipe,
            names=names,
            roles=plan.roles,
            domains=domains,
            rows=whole.n_rows,
            missing=tuple(plan.missing),
            references={name: domains[name].counts for name in protected},
        )

    @property
    def spaces(self) -> WeightedSpaces:
        """The quasi-identifiers of the whole table."""
        return self.resolved.spaces

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """What must hold in every group."""
        return self.resolved.within

    @property
    def preset(self) -> str | None:
        """The audience."""
        return None if self.resolved.preset is None else self.resolved.preset.name

    @property
    def width(self) -> int:
        """Number of quasi-identifiers."""
        return len(self.spaces.spaces)

    @property
    def k(self) -> int:
        """Fewest rows of a group."""
        return max([1, *(model.least_people for model in self.models)])

    @property
    def is_traced(self) -> bool:
        """Whether the ledger learns who is in which crowd."""
        return self.rows <= MOST_TRACED

    @property
    def released(self) -> tuple[str, ...]:
        """Columns of the release, in the order of the table."""
        return tuple(name for name in self.names if name not in self.roles.dropped)

    @property
    def rest(self) -> tuple[str, ...]:
        """Columns that are released as they are."""
        return tuple(n for n in self.released if n not in self.roles.quasi_identifiers)

    def place(self, name: str) -> str:
        """Name of a column inside Spark."""
        return f"c{self.names.index(name)}"

    def whole(self) -> WholeTable:
        """The whole table, as far as it is known here."""
        return whole_table(self.roles, self.names, self.domains)

    @property
    def leaves_out(self) -> bool:
        """Whether rows may be left out of the release."""
        return self.resolved.suppression_limit > 0

    def values(self, frame: pl.DataFrame) -> IntArray:
        """Number the texts of some rows' quasi-identifiers, each by its place in its domain."""
        columns = [self.domains[name].places(frame[name]) for name in self.spaces.names]
        return np.column_stack(columns) if columns else np.zeros((frame.height, 0), dtype=np.int32)

    def codes(self, values: IntArray) -> IntArray:
        """Code the quasi-identifiers of some rows as the search does, given their `values`."""
        codes = np.zeros(values.shape, dtype=np.int32)
        for j, space in enumerate(self.spaces.spaces):
            column = self.domains[space.name].column
            codes[:, j] = np.asarray(space.codes)[np.asarray(column.codes)[values[:, j]]]
        return codes

    def spaces_of(self, codes: IntArray) -> WeightedSpaces:
        """Spaces of some rows, with the spans and trees of the whole table."""
        return WeightedSpaces(
            tuple(
                replace(space, codes=np.ascontiguousarray(codes[:, j], dtype=np.int32))
                for j, space in enumerate(self.spaces.spaces)
            ),
            self.spaces.weights,
        )

    def problem(
        self, protected: pl.DataFrame, codes: IntArray, hashes: IntArray, limit: float
    ) -> Problem:
        """Ask for a grouping of some rows under the models of the whole table.

        ``protected`` holds the columns that models speak of.
        """
        columns = {
            name: replace(domain.column, codes=domain.codes(protected[name]).astype(np.int32))
            for name, domain in self.domains.items()
            if name in protected.columns
        }
        rows = FragmentRows(columns, hashes, self.references)
        return Problem(rows, self.spaces_of(codes), self.models, limit)


def whole_table(roles: Roles, names: tuple[str, ...], domains: Mapping[str, Domain]) -> WholeTable:
    """Make a table of what the driver knows: the values of some columns, each once."""
    columns = {
        name: replace(domain.column, codes=np.arange(domain.column.n_codes, dtype=np.int32))
        for name, domain in domains.items()
    }
    rows = next(iter(domains.values())).rows if domains else 0
    return WholeTable(columns, rows, names, roles)


def _refuse_what_needs_all_rows(recipe: Recipe) -> None:
    if not recipe.grouper.works_in_parts or recipe.recoder.publishes_values:
        raise InvalidParameterError(
            "The engine 'spark' publishes ranges and groups by sangreea or mondrian.",
            hint="Leave out --engine spark for this method.",
        )
    if any(space.measured_by == "people" for space in recipe.spaces.spaces):
        raise InvalidParameterError(
            "The loss 'people' needs the rows of every value, which the engine 'spark' leaves"
            " where they are.",
            hint="Use --loss leaves, which counts distinct values.",
        )
