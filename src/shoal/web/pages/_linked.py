"""Linked page: tables about the same people, the crowd of each person's rows, and their release."""

from __future__ import annotations

import os
import re
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal._words import later, number, retell, say
from shoal.exceptions import InvalidParameterError
from shoal.linked import (
    Family,
    Hiding,
    LinkedPlan,
    LinkedWritten,
    Nested,
    anonymize_linked,
    nameless,
)
from shoal.plan import Plan
from shoal.presets import PRESETS, choose_k
from shoal.recoding import Recoded
from shoal.table import Roles
from shoal.web._server import Server
from shoal.web._visitors import Visitor
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Fragment, Markup, Page, h, join

MOST_ROWS = 200_000  # of all tables, for an answer while somebody waits
SHOWN = 20  # rows of a person
FOLDER, PACK = "linked-release", "linked.zip"  # beside the table of people, private to its owner
LEFT_OUT = 0.1  # of all rows, in a release
BY_COLUMN = ("hierarchies", "weights", "limits", "grid")  # how each table's columns are published


class LinkedPage(Page):
    """Which tables belong together, what hiding their people costs, and where one person is."""

    title = later("Tables that belong together")
    lead = later(
        "Tables about the same people, joined by a key. People hide in crowds on what is known of"
        " them; inside each crowd every row of the other tables is shared by at least k people."
    )

    def __init__(self, server: Server, visitor: Visitor) -> None:
        super().__init__()
        self.server, self.visitor = server, visitor
        self.key = next(iter(self._keys), "")
        self.found: LinkedCrowds | None = None
        self.released: LinkedWritten | None = None
        self.pack: Path | None = None
        self.person = 0

    def fragments(self) -> list[Fragment]:
        """Draw the choice of a key, the tables, and the rows of one person."""
        return [
            Fragment("key", self._choice()),
            Fragment("tables", Markup("") if self.found is None else _tables(self.found)),
            Fragment(
                "person",
                Markup("") if self.found is None else _person(self.found, self.person),
            ),
            Fragment("release", Markup("") if self.found is None else _release(self.released)),
        ]

    def act(self, kind: str, value: str) -> None:
        """Choose another key, form crowds, or look at another person."""
        if kind in ("key", "group"):
            self.released = self.pack = self.found = None
        if kind == "key":
            self.key = value
        elif kind == "group":
            self.found, self.person = LinkedCrowds.form(self._joined, self.key), 0
        elif kind == "release" and self.found is not None:
            self._write(self.found)
        elif kind == "person" and self.found is not None:
            number = int(value) if value.strip().isdecimal() else 1
            self.person = min(max(number, 1), self.found.family.n_people) - 1

    def _write(self, found: LinkedCrowds) -> None:
        """Write the release beside the table of people, recounted and entered in the ledger."""
        self.server.check_quota(self.visitor)
        home = self._joined[found.family.root].folder
        plan = replace(found.hiding.plan, max_suppression=LEFT_OUT)
        self.released = anonymize_linked(found.family, plan).write(home / FOLDER, force=True)
        self.pack = fold(self.released.folder, home / PACK)

    @property
    def _keys(self) -> list[str]:
        """Columns that two tables or more have, those that tell people apart first."""
        spaces = self.server.workspaces(self.visitor)
        shared = Counter(name for space in spaces for name in space.table.column_names)
        persons = {space.plan.roles.person for space in spaces}
        found = [name for name, tables in shared.items() if tables > 1]
        return sorted(found, key=lambda name: (name not in persons, name))

    @property
    def _joined(self) -> dict[str, Workspace]:
        """The tables that have the key, by a name that a plan may use."""
        spaces = self.server.workspaces(self.visitor)
        named = [space for space in spaces if self.key in space.table.column_names]
        return {
            f"{_bare(space.name)}_{number}": space
            for number, space in enumerate(reversed(named), 1)
        }

    def _choice(self) -> Markup:
        keys = self._keys
        if not keys:
            words = say("No two of your tables have a column in common: bring another one.")
            back = h("a", say("Back to your tables"), href="/", cls="button")
            return h("section", h("p", words), back, cls="panel")
        options = [h("option", name, value=name, selected=name == self.key) for name in keys]
        choose = h("label", say("The key is "), h("select", *options, data_act="key"))
        button = h(
            "button", say("Form crowds"), type_="button", cls="button primary", data_act="group"
        )
        tables = h("p", ", ".join(self._joined), cls="quiet")
        return h("section", h("p", choose), tables, button, cls="panel")


def _bare(name: str) -> str:
    """The name of a file as a plan may use it."""
    word = re.sub(r"[^0-9A-Za-z]+", "_", name.rsplit(".", 1)[0])
    return f"_{word}" if word[:1].isdecimal() else word


@dataclass(frozen=True, eq=False)
class LinkedCrowds:
    """Tables joined and hidden, as the page shows them."""

    family: Family
    hiding: Hiding
    nested: Nested
    recoded: dict[str, Recoded]

    @classmethod
    def form(cls, spaces: dict[str, Workspace], key: str) -> LinkedCrowds:
        """Join the tables of workspaces by a key and form crowds."""
        if sum(space.table.n_rows for space in spaces.values()) > MOST_ROWS:
            raise InvalidParameterError(
                f"Here at most {MOST_ROWS:,} rows are joined.",
                hint="Use the command line: shoal anonymize --plan plan.toml",
            )
        for name, space in spaces.items():
            _refuse_disguise(name, space.plan, key)
        plans = {name: _with_key(space.plan, key) for name, space in spaces.items()}
        asked = [space.plan for space in spaces.values()]
        strict = [name for name in PRESETS if name in {plan.preset for plan in asked}]
        k = max(choose_k(plan.k, plan.preset) for plan in asked)
        preset = strict[-1] if strict else None
        plan = LinkedPlan(plans, k=k, preset=preset, max_suppression=1.0)
        tables = {n: space.table.with_roles(plans[n].roles) for n, space in spaces.items()}
        family = Family.join(tables, plan)
        hiding = Hiding.prepare(family, plan)
        nested = hiding.solve()
        root = family.root
        recoded = {root: _recode(hiding, nested, root)}
        recoded |= {name: _recode(hiding, nested, name) for name in family.others}
        return cls(family, hiding, nested, recoded)


def _refuse_disguise(name: str, plan: Plan, key: str) -> None:
    """Refuse what would be published as it is here though its plan says otherwise."""
    if plan.dates or {*plan.pseudonyms} - {key}:
        raise InvalidParameterError(
            f"Dates of {name!r} are to be shifted, or names to be replaced; here neither is done.",
            hint="Use the command line: shoal anonymize --plan plan.toml",
        )


def _with_key(plan: Plan, key: str) -> Plan:
    """The plan of a table with another column that tells people apart; k is that of all tables."""
    roles = plan.roles
    lists = {
        name: tuple(c for c in getattr(roles, name) if c != key)
        for name in ("identifiers", "quasi_identifiers", "sensitive", "publish_as_is", "drop")
    }
    if roles.person not in (None, key):  # whom it names nobody may read
        lists["identifiers"] = (*lists["identifiers"], str(roles.person))
    target = None if roles.target == key else roles.target
    joined = Roles(**lists, target=target, person=key)
    kept: dict[str, Any] = {rules: _without(key, getattr(plan, rules)) for rules in BY_COLUMN}
    return Plan(
        source=plan.source,
        roles=joined,
        hierarchy_folder=plan.hierarchy_folder,
        **kept,
        **{model: value for model, value in plan.asked.items() if lists["sensitive"]},
    )


def _without(key: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    return {column: rule for column, rule in rules.items() if column != key}


def _recode(hiding: Hiding, nested: Nested, name: str) -> Recoded:
    root = name == hiding.family.root
    table = nameless(hiding.family.tables[name]) if root else hiding.family.own(name)
    grouping = nested.crowds if root else nested.cells[name]
    return hiding.recoders[name].recode(table, grouping, hiding.spaces[name])


def fold(folder: Path, pack: Path) -> Path:
    """Fold the files of a release into one, closed to others."""
    draft = pack.with_name(f".{pack.name}")
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as folded:
        for path in sorted(folder.iterdir()):
            folded.write(path, f"release/{path.name}")
    os.chmod(draft, 0o600)
    return draft.replace(pack)


def _release(written: LinkedWritten | None) -> Markup:
    """Offer the release, or say what was recounted of it."""
    if written is None:
        told = say("Written, counted again across all files, and entered in the ledger.")
        button = h(
            "button", say("Release"), type_="button", cls="button primary", data_act="release"
        )
        inner = (h("h2", say("Release these tables")), h("p", told), button)
        return h("section", *inner, cls="panel")
    counted, manifest = written.recount, written.manifest
    held = [
        f"{part['name']}: {retell(claim['model'])}"
        for part in manifest["tables"]
        for claim in part["holds"]
    ]
    lines = [
        say(
            "Recounted from the files: joined, every row is shared by {k} people or more.",
            k=counted.k,
        ),
        say(
            "{manifest} of people had rows left out.", manifest=retell(str(manifest["suppressed"]))
        ),
        *(say("Holds in every cell: {model}.", model=model) for model in held),
        *map(retell, written.ledger.warnings),
    ]
    link = h("a", "release.zip", href="/linked/release.zip", download="release.zip", cls="button")
    paragraphs = [h("p", line) for line in lines]
    return h("section", h("h2", say("Released")), *paragraphs, h("p", link), cls="panel")


def _tables(found: LinkedCrowds) -> Markup:
    """Say of each table how many rows are hidden, and what that costs."""
    family, nested = found.family, found.nested
    rows = []
    for name, table in family.tables.items():
        grouping = nested.crowds if name == family.root else nested.cells[name]
        lost = found.hiding.loss(name, grouping)
        cells = (
            name,
            number(table.n_rows),
            number(grouping.n_groups),
            number(grouping.n_suppressed),
            number(lost, ".0%"),
        )
        rows.append(h("tr", *(h("td", cell) for cell in cells)))
    head = h(
        "tr",
        *(
            h("th", w)
            for w in (say("table"), say("rows"), say("groups"), say("left out"), say("lost"))
        ),
    )
    told = say(
        "{n_people:,} people in {n_groups:,} crowds; every row, joined with the facts of its "
        "person, is shared by at least {k} people.",
        n_people=family.n_people,
        n_groups=nested.crowds.n_groups,
        k=found.hiding.plan.k,
    )
    drawn = _scrolling(say("Together"), head, *rows)
    return h("section", h("h2", say("Together")), h("p", told), drawn, cls="panel")


def _person(found: LinkedCrowds, person: int) -> Markup:
    """Show one person: the crowd, and the cell that each of their rows falls into."""
    family, crowds = found.family, found.nested.crowds
    crowd = int(crowds.labels[person])
    choose = h(
        "label",
        say("Person "),
        h(
            "input",
            type_="number",
            min="1",
            max=str(family.n_people),
            value=str(person + 1),
            data_act="person",
        ),
        say(" of {n_people:,}", n_people=family.n_people),
    )
    told = say(
        "Crowd {crowd:,}, with {value:,} others.",
        crowd=crowd + 1,
        value=int(crowds.sizes[crowd]) - 1,
    )
    theirs = {name: np.flatnonzero(family.people[name] == person) for name in family.tables}
    parts = [_rows(found, name, rows) for name, rows in theirs.items()]
    inner = (h("h2", say("One person")), h("p", choose), h("p", told), *parts)
    return h("section", *inner, cls="panel")


def _rows(found: LinkedCrowds, name: str, rows: np.ndarray) -> Markup:
    """Rows of a person as they are, what is published of them, and how many people share that."""
    table, recoded = found.family.own(name), found.recoded[name]
    names = table.roles.quasi_identifiers
    head = h("tr", *(h("th", column) for column in names), h("th", say("shared by")))
    lines = []
    for row in rows[:SHOWN].tolist():
        cells = [h("td", f"{table.text(c)[row]} → {recoded.columns[c][row]}") for c in names]
        lines.append(h("tr", *cells, h("td", _sharing(found, name, row))))
    more = (
        say(" (the first {SHOWN} of {size:,})", SHOWN=SHOWN, size=rows.size)
        if rows.size > SHOWN
        else ""
    )
    return join(h("h3", f"{name}{more}"), _scrolling(name, head, *lines))


def _scrolling(label: str, *rows: Markup) -> Markup:
    """Let a table scroll by itself where it is wider than the screen."""
    inner = h("table", *rows)
    return h("div", inner, cls="scroll", tabindex="0", role="region", aria_label=label)


def _sharing(found: LinkedCrowds, name: str, row: int) -> str:
    family = found.family
    grouping = found.nested.crowds if name == family.root else found.nested.cells[name]
    label = grouping.labels[row]
    if label < 0:
        return say("left out")
    people = np.unique(family.people[name][grouping.labels == label])
    return say("{size:,} people", size=people.size)
