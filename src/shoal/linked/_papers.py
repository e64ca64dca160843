"""Manifest and report of linked tables: what holds across them, and what nobody should read in."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from shoal._words import number, retell, say, speaking, spoken
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
        "suppressed": suppressed_step(release.cut, counted.people, max(plan.k, FEWEST_PEOPLE)),
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
        "share_unique": _rough(counted.unique[name]),
        "open": list(exposure.told_by(max(release.plan.k, FEWEST_PEOPLE)).open),
    }


def _rough(share: float) -> float:
    return float(f"{share:.2g}")


def render_linked(release: LinkedRelease, manifest: dict[str, Any]) -> str:
    """Draw the report as a page to forward, in the language that the plan says."""
    with speaking(release.plan.language or spoken()):
        return _render(manifest)


def _render(manifest: dict[str, Any]) -> str:
    k, km = manifest["k"], manifest["km"]
    stamps = "".join(
        f'<p class="stamp">{escape(retell(stamp))}</p>' for stamp in manifest["stamps"]
    )
    lead = say(
        "Whatever one row of any table tells of a person, together with what is known of the"
        " person, is shared by at least {k} people.",
        k=k["asked"],
    )
    if km["m"] > 1:
        lead += say(" So is every combination of {m} rows of one person.", m=km["m"])
    header = page_header(
        say("release report"),
        say("{n:,} people hide in crowds, with all their rows", n=manifest["people"]),
        lead=lead,
        above=stamps,
    )
    numbers = cards(
        [
            (number(k["recounted"]), say("people share the rarest row, joined")),
            (number(manifest["crowds"]), say("crowds of people")),
            (retell(manifest["suppressed"]), say("of people had rows left out")),
        ]
    )
    held = [
        say(
            "{table}: {model} (recounted: {found})",
            table=part["name"],
            model=retell(claim["model"]),
            found=claim["recounted"],
        )
        for part in manifest["tables"]
        for claim in part["holds"]
    ]
    holding = section(say("What holds in every row's cell, people counted"), bullets(held))
    body = [
        header,
        numbers,
        section(say("Tables"), _tables(manifest["tables"])),
        *([holding] if held else []),
        section(say("Not promised"), bullets(map(_limit, manifest["not_promised"]))),
    ]
    return page(say("Linked tables"), "\n".join(body))


def _tables(parts: list[dict[str, Any]]) -> str:
    rows = [
        [
            escape(part["name"]),
            number(part["rows"]),
            number(part["k_joined"]),
            escape(percent(part["loss"])),
            escape(percent(part["share_unique"])),
            escape(", ".join((*part["quasi_identifiers"], *part["person_facts"])) or say("none")),
        ]
        for part in parts
    ]
    head = (
        *(say("table"), say("rows"), say("k, joined"), say("lost")),
        *(say("unique on all of it"), say("generalized")),
    )
    return table(head, rows)


def _limit(told: str) -> str:
    title, _, meaning = told.partition(": ")
    return f"{retell(title)}: {retell(meaning)}"
