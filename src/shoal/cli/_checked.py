"""What ``shoal check`` looks at: a file, a release or the table of a plan, and what it claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shoal.cli._typed import asked_of, let_ask, missing_of, names, orders, pairs
from shoal.exceptions import InputError, InvalidParameterError
from shoal.plan import Plan
from shoal.privacy import DistinctLDiversity, KAnonymity, PrivacyModel, build_models
from shoal.privacy import build_sensitive as build
from shoal.release import read_release
from shoal.table import Roles, Table, read_table
from shoal.verifier import network_faults

OF_PEOPLE = "k was asked of people, who cannot be told apart in the data: rows are counted here."


@dataclass(frozen=True, eq=False)
class Checked:
    """A table, what must hold of it, and what a reader should know."""

    table: Table
    asked: tuple[PrivacyModel, ...]
    notes: tuple[str, ...] = ()
    network: Mapping[str, Any] | None = None


def read_checked(options: Mapping[str, Any]) -> Checked:
    """Read what is named; what is typed goes over what a manifest or a plan says."""
    data, plan = options["data"], options["plan"]
    if data is None and plan is None:
        raise InvalidParameterError(
            "Which table?", hint="shoal check release/, or shoal check FILE --quasi age,sex,zip"
        )
    if plan is not None:
        return _planned(Plan.read(plan), options)
    if Path(data).is_dir() and (Path(data) / "manifest.json").exists():
        return _released(Path(data), options)
    let_ask(data)
    table = _read(options, _typed(options, Roles()), Plan())
    return Checked(table, _models(table, options))


def _planned(plan: Plan, options: Mapping[str, Any]) -> Checked:
    """Take roles and promises from a plan; a file beside it is a release, and may lack columns."""
    own = options["data"] is None
    let_ask(plan.source if own else options["data"])
    plan = replace(plan, roles=_typed(options, plan.roles))
    table = plan.table() if own else _read(options, plan.roles, plan)
    if options["k"] is not None or options["models"]:
        return Checked(table, _models(table, options))
    asked = build_models(table, k=plan.k, preset=plan.preset, **plan.asked)
    return Checked(table, tuple(asked))


def _released(folder: Path, options: Mapping[str, Any]) -> Checked:
    """Take roles and claims from the manifest of a release."""
    found = read_release(
        folder,
        quasi_identifiers=names(options["quasi"], "--quasi"),
        sensitive=names(options["sensitive"], "--sensitive"),
    )
    table = found.table.with_roles(_typed(options, found.table.roles))
    asked = _models(table, options) or tuple(_claimed(found.manifest, table))
    unknown = found.manifest.get("counts") == "people" and table.roles.person is None
    notes = (OF_PEOPLE,) if unknown else ()
    draft = ("This is a draft, not a release.",) if found.manifest.get("draft") else ()
    return Checked(table, asked, (*draft, *notes), _network(folder, found.manifest))


def _network(folder: Path, manifest: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Count the network of a release again, if it has one, and return its numbers."""
    if "network" not in manifest:
        return None
    if faults := network_faults(folder):
        raise InputError(f"The network of the release does not hold: {faults[0]}")
    return dict(manifest["network"])


def _claimed(manifest: Mapping[str, Any], table: Table) -> list[PrivacyModel]:
    """Make the models of a manifest that the data can answer for: k and distinct l."""
    models: list[PrivacyModel] = []
    for claim in manifest.get("holds", ()):
        if claim.get("measure") == "k":
            models.append(KAnonymity(int(claim["asked"])))
        elif claim.get("measure") == "distinct_l" and claim.get("column") in table.roles.sensitive:
            models.append(DistinctLDiversity(int(claim["asked"]), str(claim["column"])))
    return models


def _models(table: Table, options: Mapping[str, Any]) -> tuple[PrivacyModel, ...]:
    k = options["k"]
    crowd = () if k is None else (KAnonymity(k),)
    return (*crowd, *build(table, k=2 if k is None else k, **options["models"]))


def _typed(options: Mapping[str, Any], known: Roles) -> Roles:
    return replace(
        known,
        quasi_identifiers=names(options["quasi"], "--quasi") or known.quasi_identifiers,
        sensitive=names(options["sensitive"], "--sensitive") or known.sensitive,
        person=options["person"] or known.person,
        publish_as_is=names(options["publish_as_is"], "--publish-as-is") or known.publish_as_is,
        drop=names(options["drop"], "--drop") or known.drop,
    )


def _read(options: Mapping[str, Any], roles: Roles, plan: Plan) -> Table:
    table = read_table(
        options["data"],
        kinds=pairs(options["kind"], "--kind"),  # type: ignore[arg-type]  # it checks them
        orders=orders(options["order"], "--order"),
        delimiter=options["delimiter"] or plan.delimiter,
        encoding=options["encoding"] or plan.encoding,
        missing=missing_of(options["missing"]) if options["missing"] else plan.missing,
        **asked_of(options),
    )
    if options["plan"] is None:
        return table.with_roles(roles)
    there = set(table.column_names)
    kept = {
        role: tuple(name for name in getattr(roles, role) if name in there)
        for role in ("identifiers", "publish_as_is", "drop")
    }
    person = roles.person if roles.person in there else None
    return table.with_roles(replace(roles, person=person, **kept))  # type: ignore[arg-type]
