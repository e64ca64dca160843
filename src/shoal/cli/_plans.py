"""From options to a plan: what is typed goes over what the plan file says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from shoal.cli._columns import names, numbers, pairs
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.plan import Plan
    from shoal.table import Roles

SAME = (  # options and fields of one name
    *("k", "preset", "method", "order", "refine"),
    *("max_suppression", "format", "ledger", "delimiter", "encoding"),
    *("m", "push_back", "stir_mode", "max_divergence"),
)
Reader: TypeAlias = Callable[[Sequence[str] | None, str], Mapping[str, Any]]
BY_COLUMN: dict[str, tuple[str, Reader]] = {  # fields, and the options that set some columns
    "kinds": ("kind", pairs),
    "weights": ("weights", numbers),
    "limits": ("limit", numbers),
    "grid": ("grid", numbers),
    "radii": ("radius", numbers),
}


def plan_of(options: Mapping[str, Any]) -> Plan:
    """Read the plan file, if any, and lay the options over it."""
    from shoal.plan import Plan

    file = options["plan"]
    plan = Plan.read(file) if file is not None else Plan()
    given = {name: options[name] for name in SAME if options[name] is not None}
    if options["data"] is not None:
        given["source"] = str(options["data"])
    if options["hierarchies"] is not None:
        given["hierarchy_folder"] = str(options["hierarchies"])
    if options["missing"]:
        given["missing"] = missing_of(options["missing"])
    for name in ("stir", "flatten"):
        if options[name]:
            given[name] = names(options[name], f"--{name}")
    for field, (option, read) in BY_COLUMN.items():
        if options[option]:
            given[field] = {**getattr(plan, field), **read(options[option], f"--{option}")}
    return replace(plan, roles=_roles(options, plan.roles), **given, **options["models"])


def missing_of(given: Sequence[str] | None) -> tuple[str, ...]:
    """Texts that mean missing; the empty cell always does."""
    return ("", *(text for text in given or () if text))


def check_named(plan: Plan) -> None:
    """Refuse a plan that would publish everything as it is, or reads nothing."""
    if plan.source is None:
        raise InvalidParameterError(
            "Which table? Name its file, or a plan that does.",
            hint="shoal anonymize patients.csv --quasi age,sex,zip -o release/",
        )
    if not plan.roles.quasi_identifiers:
        raise InvalidParameterError(
            "No quasi-identifier is named, so everything would be published as it is.",
            hint=f"Use --quasi age,sex,zip, or 'shoal init {Path(plan.source).name}' for a start.",
        )


def _roles(options: Mapping[str, Any], planned: Roles) -> Roles:
    from shoal.table import Roles

    return Roles(
        identifiers=names(options["identifier"], "--identifier") or planned.identifiers,
        quasi_identifiers=names(options["quasi"], "--quasi") or planned.quasi_identifiers,
        sensitive=names(options["sensitive"], "--sensitive") or planned.sensitive,
        target=options["target"] or planned.target,
        person=options["person"] or planned.person,
    )
