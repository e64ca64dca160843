"""Manifest and report of linked tables: what holds across them, and what nobody should read in."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from shoal.projects import STAMP
from shoal.report import (
    DRAFT,
    FEWEST_PEOPLE,
    LINKED_ROWS,
    SHIFTED_DATES,
    LimitNote,
    bullets,
    cards,
    page,
    page_header,
    percent,
    section,
    suppressed_step,
    table,
)
from shoal.verifier import LinkedRecount

if TYPE_CHECKING:
    from shoal.linked._release import LinkedRelease

_FORMAT = 1
SEVERAL_ROWS = LimitNote(
    "Several known rows",
    "k is counted on one row together with the facts of the person. Whoever knows more rows of a"
    " person than km bounds, or how many there are, may find fewer people, down to one.",
)
AS_IS = LimitNote(
    "Columns published as they are",
    "They take no part in k: whoever knows one of them may tell people apart inside a crowd.",
)


def build_linked_manifest(
    release: LinkedRelease, counted: LinkedRecount, *, draft: bool
) -> dict[str, Any]:
    """Say in public what a release of linked tables is; every number is recounted, or is rough."""
    plan = release.plan
    shifted = {name: shift.facts() for name in release.tables if (shift := plan.shift_of(name))}
    limits = [LINKED_ROWS, SEVERAL_ROWS, AS_IS, *([SHIFTED_DATES] if shifted else [])]
    stamps = [STAMP] if any(p["scope"] == "project" for p in release.pseudonyms.values()) else []
    return {
        "shoal": release.version,
        "format": _FORMAT,
        "people_table": release.root,
        "people": counted.people,
        "crowds": counted.crowds,
        "k": {"asked": plan.k, "recounted": counted.k},
        "km": {"m": plan.km, "asked": plan.k, "recounted": counted.combined},
        "tables": [_told(release, counted, name) for name in release.tables],
        "suppressed": suppressed_step(
            release.suppressed, release.rows_in, max(plan.k, FEWEST_PEOPLE)
        ),
        "pseudonyms": [{"column": c, **told} for c, told in release.pseudonyms.items()],
        **({"shifted_dates": shifted} if shifted else {}),
        "preset": plan.preset,
        "draft": draft,
        "stamps": [*([DRAFT] if draft else []), *stamps],
        "not_promised": [f"{limit.title}: {limit.meaning}" for limit in limits],
        "files": {},
    }


def _told(release: LinkedRelease, counted: LinkedRecount, name: str) -> dict[str, Any]:
    made, exposure = release.tables[name], release.exposures[name]
    return {
        "name": name,
        "file": f"{name}.{release.plan.format}",
        "rows": counted.rows[name],
        "person": made.person,
        "columns": [{"name": column, "role": role} for column, role in made.columns.items()],
        "quasi_identifiers": list(made.own),
        "person_facts": list(made.facts),
        "k_joined": counted.joined[name],
        "holds": [outcome.to_dict() for outcome in counted.outcomes.get(name, ())],
        "loss": _rough(made.loss),
        "share_unique": _rough(exposure.found.share_unique),
        "open": list(exposure.told_by(max(release.plan.k, FEWEST_PEOPLE)).open),
    }


def _rough(share: float) -> float:
    return float(f"{share:.2g}")


def render_linked(release: LinkedRelease, manifest: dict[str, Any]) -> str:
    """Draw the report as a page to forward."""
    k, km = manifest["k"], manifest["km"]
    stamps = "".join(f'<p class="stamp">{escape(stamp)}</p>' for stamp in manifest["stamps"])
    lead = (
        f"Whatever one row of any table tells of a person, together with what is known of the"
        f" person, is shared by at least {k['asked']} people."
    )
    if km["m"] > 1:
        lead += f" So is every combination of {km['m']} rows of one person."
    header = page_header(
        "release report",
        f"{manifest['people']:,} people hide in crowds, with all their rows",
        lead=lead,
        above=stamps,
    )
    numbers = cards(
        [
            (f"{k['recounted']:,}", "people share the rarest row, joined"),
            (f"{manifest['crowds']:,}", "crowds of people"),
            (manifest["suppressed"], "of all rows left out"),
        ]
    )
    rows = [
        [
            escape(part["name"]),
            f"{part['rows']:,}",
            f"{part['k_joined']:,}",
            escape(percent(part["loss"])),
            escape(percent(part["share_unique"])),
            escape(", ".join((*part["quasi_identifiers"], *part["person_facts"])) or "none"),
        ]
        for part in manifest["tables"]
    ]
    head = ["table", "rows", "k, joined", "lost", "unique on all of it", "generalized"]
    held = [
        f"{part['name']}: {claim['model']} (recounted: {claim['recounted']})"
        for part in manifest["tables"]
        for claim in part["holds"]
    ]
    body = [
        header,
        numbers,
        section("Tables", table(head, rows)),
        *(
            [section("What holds in every row's cell, people counted", bullets(held))]
            if held
            else []
        ),
        section("Not promised", bullets(manifest["not_promised"])),
    ]
    return page("Linked tables", "\n".join(body))
