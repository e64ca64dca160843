"""From a plan and a table to groupers and privacy models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.exceptions import InvalidParameterError
from shoal.grouping import Grouper
from shoal.presets import choose_k
from shoal.privacy import PrivacyModel, build_models, check_asked
from shoal.recipe import as_grouper
from shoal.table import CodedTable

if TYPE_CHECKING:
    from shoal.plan._plan import Plan


def k_of(plan: Plan) -> int:
    """Return the k of a plan, or the default, raised to the floor of its preset."""
    return choose_k(plan.k, plan.preset)


def check_promises(plan: Plan) -> None:
    """Refuse settings that speak of no sensitive column, or go below the preset."""
    k_of(plan)
    check_asked(plan.asked, plan.roles.sensitive, plan.preset)


def models_of(plan: Plan, table: CodedTable) -> list[PrivacyModel]:
    """Make the privacy models a plan asks for."""
    return build_models(table, k=plan.k, preset=plan.preset, **plan.asked)


def build_grouper(plan: Plan, n_rows: int) -> Grouper:
    """Make the grouper a plan names; refinement is left to the size of the table if not said."""
    weights = dict(plan.weights) or None
    if plan.method == "mondrian":
        return as_grouper("mondrian", weights=weights)
    auto = as_grouper("auto", weights=weights, refine=plan.refine)
    if plan.method == "auto" and plan.order is None:
        return auto
    refine = getattr(auto.chosen(n_rows).grouper, "refine", False)
    order = plan.order or "best-first"
    return as_grouper("sangreea", weights=weights, order=order, refine=refine)


def check_method(plan: Plan) -> None:
    """Refuse an order, a refinement or a loss for a method that has none."""
    if plan.method == "mondrian" and (plan.order is not None or plan.refine):
        raise InvalidParameterError(
            "Mondrian cuts: it has no order and is not refined.",
            hint="Leave out order and refine, or use the method sangreea.",
        )
    if plan.method == "quantize" and plan.loss is not None:
        raise InvalidParameterError(
            "The method quantize measures distances, not losses.",
            hint="Leave out the loss, or use another method.",
        )
