"""From a plan and a table to groupers and privacy models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.grouping import Auto, Grouper, Mondrian, SaNGreeA
from shoal.plan._settings import OF_SENSITIVE
from shoal.presets import find_preset
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveCLDiversity,
    TCloseness,
)
from shoal.table import Table

if TYPE_CHECKING:
    from shoal.plan._plan import Plan

DEFAULT_K = 10


def k_of(plan: Plan) -> int:
    """Return the k of a plan, or the default, raised to the floor of its preset."""
    floor = find_preset(plan.preset)
    if floor is not None:
        return floor.raise_k(plan.k)
    return DEFAULT_K if plan.k is None else plan.k


def check_promises(plan: Plan) -> None:
    """Refuse settings that speak of no sensitive column, or go below the preset."""
    sensitive = plan.roles.sensitive
    for field in OF_SENSITIVE:
        value = getattr(plan, field)
        if value is not None and not sensitive:
            raise InvalidParameterError(
                f"{field} speaks of sensitive columns, and none is named.",
                hint="Name them: sensitive in [roles], or --sensitive on the command line.",
            )
        for column in value if isinstance(value, Mapping) else ():
            if column not in sensitive:
                raise UnknownColumnError.among(column, sensitive, what="sensitive column")
    k_of(plan)
    for column in sensitive:
        _l_of(plan, column)


def build_models(plan: Plan, table: Table) -> list[PrivacyModel]:
    """Make the privacy models a plan asks for."""
    models: list[PrivacyModel] = [KAnonymity(k_of(plan))]
    for column in plan.roles.sensitive:
        models.extend(_models_of(plan, column, table))
    return models


def _models_of(plan: Plan, column: str, table: Table) -> Iterator[PrivacyModel]:
    asked = {field: _asked(getattr(plan, field), column) for field in OF_SENSITIVE}
    l = _l_of(plan, column)
    if l is not None and l > 1:
        yield DistinctLDiversity(l, column)
    if asked["entropy_l"] is not None:
        yield EntropyLDiversity(asked["entropy_l"], column)
    if asked["recursive"] is not None:
        c, least = asked["recursive"]
        yield RecursiveCLDiversity(c, least, column)
    if asked["t"] is not None:
        ordered = table.kinds[column] in ("numeric", "ordinal", "date")
        yield TCloseness(asked["t"], column, distance="ordered" if ordered else "equal")
    if asked["basic_beta"] is not None:
        yield BasicBetaLikeness(asked["basic_beta"], column)
    if asked["enhanced_beta"] is not None:
        yield EnhancedBetaLikeness(asked["enhanced_beta"], column)
    if asked["delta_disclosure"] is not None:
        yield DeltaDisclosure(asked["delta_disclosure"], column)
    if asked["alpha"] is not None:
        yield AlphaK(asked["alpha"], k_of(plan), column)


def build_grouper(plan: Plan, n_rows: int) -> Grouper:
    """Make the grouper a plan names; refinement is left to the size of the table if not said."""
    weights = dict(plan.weights) or None
    auto = Auto(weights, plan.refine)
    if plan.method == "mondrian":
        return Mondrian(weights)
    if plan.method == "auto" and plan.order is None:
        return auto
    refine = getattr(auto.choose(n_rows).grouper, "refine", False)
    return SaNGreeA(weights, plan.order or "best-first", refine)


def check_method(plan: Plan) -> None:
    """Refuse an order or a refinement for a method that has none."""
    if plan.method == "mondrian" and (plan.order is not None or plan.refine):
        raise InvalidParameterError(
            "Mondrian cuts: it has no order and is not refined.",
            hint="Leave out order and refine, or use the method sangreea.",
        )


def _l_of(plan: Plan, column: str) -> int | None:
    floor = find_preset(plan.preset)
    l = _asked(plan.l, column)
    return floor.raise_l(l) if floor is not None else l


def _asked(value: Any, column: str) -> Any:
    return value.get(column) if isinstance(value, Mapping) else value
