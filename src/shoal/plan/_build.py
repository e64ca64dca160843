"""Plans of networks and of moved values: what goes with them, and what they run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shoal.anonymizer import Anonymizer
from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.grouping import Grouper
from shoal.hierarchies import Hierarchy
from shoal.plan._settings import BY_DEGREE
from shoal.presets import choose_k, find_preset
from shoal.privacy import KAnonymity, build_models
from shoal.quantize import build_steps
from shoal.recipe import assemble
from shoal.table import CodedTable, Table

if TYPE_CHECKING:
    from shoal.plan._plan import Plan

OF_RANGES = (
    "recoding",
    "order",
    "refine",
    "effort",
    "steps",
    "prove",
    "limits",
    "grid",
)  # settings of methods that publish ranges


def check_network(plan: Plan) -> None:
    """Refuse settings that no network is published with."""
    if plan.method not in ("auto", "sangreea"):
        raise InvalidParameterError(
            f"Networks are grouped by sangreea, and the method is {plan.method}.",
            hint="Leave out the method, or the edges.",
        )
    if plan.order == "common":
        raise InvalidParameterError(
            "Nobody is common in a network: it has no order 'common'.",
            hint=f"Choose from {BY_DEGREE}, content, best-first.",
        )
    if plan.max_suppression:
        raise InvalidParameterError(
            "Nobody of a network can be left out: their edges would be missing.",
            hint="Leave out max_suppression.",
        )


def read_people(table: Table, node: str | None) -> Table:
    """Make the column that names the people of a network one that is never published."""
    from shoal.graphs import name_people

    return name_people(table, node)


def networker(plan: Plan, table: Any) -> Grouper:
    """Read the edges of a plan and make the grouper of the network."""
    from shoal.graphs import build_network

    return build_network(
        table,
        plan.edges,
        plan.node,
        alpha=plan.graph_alpha,
        beta=plan.graph_beta,
        scale=plan.scale,
        order=plan.order,
        refine=plan.refine,
        weights=dict(plan.weights) or None,
    )


def check_quantize(plan: Plan) -> None:
    """Refuse settings that do not go with moved values."""
    if plan.loss is not None:
        raise InvalidParameterError(
            "The method quantize measures distances, not losses.",
            hint="Leave out the loss, or use another method.",
        )
    for field in OF_RANGES:
        if getattr(plan, field):
            raise InvalidParameterError(
                f"{field} belongs to methods that publish ranges; quantize publishes values.",
                hint="Leave it out; the width of clusters is set by radii (--radius).",
            )
    _check_columns(plan)
    m_of(plan)


def m_of(plan: Plan) -> int:
    """Return the m of a plan: the k asked for if not given, never below the floor of a preset."""
    floor = find_preset(plan.preset)
    if plan.m is not None and floor is not None and plan.m < floor.k:
        raise InvalidParameterError(
            f"The preset {floor.name!r} asks for m of at least {floor.k}.",
            hint="Raise m, or choose a preset for a smaller audience.",
        )
    return choose_k(plan.k, plan.preset) if plan.m is None else plan.m


def quantizer(
    plan: Plan, table: CodedTable, trees: Mapping[str, Hierarchy], seed: int | None
) -> Anonymizer:
    """Build the anonymizer of a plan whose method is quantize."""
    k, m = choose_k(plan.k, plan.preset), m_of(plan)
    given: dict[str, Any] = {
        "m": m,
        "radii": dict(plan.radii) or None,
        "weights": dict(plan.weights) or None,
    }
    models = build_models(table, k=plan.k, preset=plan.preset, **plan.asked)
    clusters, recoder, _ = assemble(plan.method, models, dict(trees), **given)
    steps = build_steps(
        k, plan.push_back, plan.flatten or (), _stirred(plan), plan.stir_mode, plan.max_divergence
    )
    return Anonymizer(
        grouping=clusters,
        recoding=recoder.clone(steps=steps, random_state=seed),
        privacy=[KAnonymity(min(k, m + 1))] if _flattens_all(plan) else [],
        suppression_limit=plan.max_suppression,
        preset=plan.preset,
    )


def _stirred(plan: Plan) -> tuple[str, ...]:
    """Columns to stir; all quasi-identifiers that are not flattened if nothing is said."""
    flat = plan.flatten or ()
    if plan.stir in (None, ("all",)):
        return tuple(name for name in plan.roles.quasi_identifiers if name not in flat)
    return () if plan.stir == ("none",) else tuple(plan.stir or ())


def _flattens_all(plan: Plan) -> bool:
    names = plan.roles.quasi_identifiers
    return bool(names) and set(names) <= set(plan.flatten or ()) and not _stirred(plan)


def _check_columns(plan: Plan) -> None:
    """Columns to stir or flatten must be published at all."""
    both = set(plan.flatten or ()) & set(_stirred(plan))
    if both:
        raise InvalidParameterError(
            f"Column {min(both)!r} cannot be flattened and stirred at once.",
            hint="Stirring a column that shows one value per cluster changes nothing.",
        )
    for name in (*(plan.flatten or ()), *_stirred(plan)):
        if name in plan.roles.dropped:
            raise InvalidParameterError(f"Column {name!r} names people and is dropped.")
    for name in plan.radii:
        if name not in plan.roles.quasi_identifiers:
            known = plan.roles.quasi_identifiers
            raise UnknownColumnError.among(name, known, what="quasi-identifier with a radius")
