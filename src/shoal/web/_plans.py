"""Plan from elsewhere (a study, the command line) opened for the table of a workspace.

Nothing that a plan names on a disk is ever read: the table is the one that was brought, and trees
are those that were uploaded for it.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from shoal.exceptions import InputError, InvalidParameterError
from shoal.plan import Plan
from shoal.projects import Pseudonym
from shoal.web._workspace import Workspace

MOST_BYTES = 256 << 10
ELSEWHERE = (
    *("source", "source_table", "query", "sheet", "delimiter", "encoding"),
    *("hierarchies", "hierarchy_folder", "format", "after", "corrected"),
)
FILES = (".csv", ".json")


def open_plan(space: Workspace, content: bytes, *, shared: bool = False) -> None:
    """Take over what a plan says: roles, kinds, weights, limits, privacy and method.

    Where several people share the server (``shared``), none of them may use the keys of projects:
    with a table of likely names one would read the pseudonyms and shifts of all others.
    """
    plan = _read(space.folder, content)
    plan = replace(plan, roles=plan.roles.check(space.table.column_names))
    if plan.method == "quantize":
        raise InvalidParameterError(
            "The plan moves values instead of publishing ranges.",
            hint="Do that on the page Outliers, or run the plan with shoal anonymize --plan.",
        )
    if plan.edges is not None:
        raise InvalidParameterError(
            "The plan publishes a network, whose edges lie elsewhere.",
            hint="Bring the edges on the page Network, and open a plan without them.",
        )
    if shared and (plan.dates or any(_is_kept(told) for told in plan.pseudonyms.values())):
        raise InvalidParameterError(
            "The plan asks for the key of a project, which this server's users share.",
            hint="Whoever has it finds the names behind each other's pseudonyms. Use the command"
            " line.",
        )
    settings: dict[str, Any] = {
        part.name: getattr(plan, part.name)
        for part in fields(plan)
        if part.init and part.name not in ELSEWHERE
    }
    settings["kinds"] = {**space.table.kinds, **plan.kinds}
    space.decide(**settings, hierarchies=_trees(space, plan))


def _read(folder: Path, content: bytes) -> Plan:
    draft = folder / "job-opened.toml"
    try:
        draft.write_bytes(content)
        return Plan.read(draft)
    except InputError:
        raise
    except InvalidParameterError as error:
        words = str(error).removeprefix(f"{draft.name}: ")
        raise InvalidParameterError(
            f"The plan cannot be opened: {words}", hint=error.hint
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def _is_kept(told: Any) -> bool:
    return Pseudonym.of(told).scope == "project"


def _trees(space: Workspace, plan: Plan) -> dict[str, str]:
    """Words of the plan, and for its files the trees that were uploaded here."""
    quasi = plan.roles.quasi_identifiers
    words = {c: w for c, w in plan.hierarchies.items() if not _is_file(w)}
    uploaded = {c: w for c, w in space.plan.hierarchies.items() if c in quasi and _is_file(w)}
    named = [c for c in plan.hierarchies if c not in words]
    if plan.hierarchy_folder is not None:
        named += [c for c in quasi if c not in words and _branches(space, plan, c)]
    wanted = [c for c in dict.fromkeys(named) if c not in uploaded]
    if wanted:
        raise InvalidParameterError(
            f"The plan takes the trees of {', '.join(map(repr, wanted))} from files that are not "
            "here.",
            hint="Upload a tree for each of them, then open the plan again.",
        )
    return uploaded | words


def _is_file(word: str) -> bool:
    return word.lower().endswith(FILES)


def _branches(space: Workspace, plan: Plan, column: str) -> bool:
    """Whether a folder may hold a tree for a column that says more than "any of these"."""
    kind = plan.kinds.get(column, space.table.kinds[column])
    return kind == "nominal" and len(space.table.column(column).labels) > 2
