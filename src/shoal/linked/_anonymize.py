"""From joined tables to a release: shift, cap, hide, publish, measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike

import numpy as np
import polars as pl

from shoal._progress import SILENT, Progress
from shoal.exceptions import ImpossibleError, InvalidParameterError, ReleaseRefusedError
from shoal.grouping import group_boxes
from shoal.linked._crowds import Hiding, Nested, nameless
from shoal.linked._family import Family
from shoal.linked._km import bound_combinations
from shoal.linked._plan import LinkedPlan
from shoal.linked._release import LinkedRelease, ReleasedTable
from shoal.presets import find_preset
from shoal.privacy import claims_of
from shoal.projects import Pseudonymizer
from shoal.recoding import Recoded
from shoal.report import mean_loss
from shoal.risk import WAYS_OUT, Exposure, measure_exposure
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping, Table
from shoal.typing import IntArray
from shoal.verifier import Claim


def run_linked(
    plan: LinkedPlan | str | PathLike[str], engine: str = "local", progress: Progress = SILENT
) -> LinkedRelease:
    """Read the tables of a plan and hide their people; linked tables run on this machine alone."""
    plan = plan if isinstance(plan, LinkedPlan) else LinkedPlan.read(plan)
    check_linked_engine(engine)
    progress.phase("reading")
    return anonymize_linked(Family.read(plan), plan, progress)


def check_linked_engine(engine: str) -> None:
    """Refuse a cluster, before anything is read."""
    if engine != "local":
        raise InvalidParameterError(
            "Linked tables are anonymized by the local engine alone: crowds reach over all tables.",
            hint="Leave out --engine spark.",
        )


def anonymize_linked(
    family: Family, plan: LinkedPlan, progress: Progress = SILENT
) -> LinkedRelease:
    """Hide people in crowds, and inside each crowd the rows of all other tables.

    Whatever a release shows of a person in one row, together with the facts of the person, is
    shared by at least k people; with ``km = m``, so is every combination of m rows.
    """
    made = Pseudonymizer(plan.disguise())
    family = _shifted(family, plan)
    rows_in, whole = family.n_rows, family
    family = _capped(family, plan.max_rows)
    hiding = Hiding.prepare(family, plan)
    nested = hiding.solve(progress, bound_combinations if plan.km > 1 else None)
    released = sum(cells.n_rows - cells.n_suppressed for cells in nested.cells.values())
    suppressed = rows_in - family.n_people - released
    _refuse_too_few(rows_in, suppressed, plan)
    progress.phase("recoding")
    tables = _published(hiding, nested, made)
    exposed = {name: _exposed(family, nested, name) for name in tables}
    _refuse_open(exposed, plan)
    root = family.tables[family.root]
    return LinkedRelease(
        root=family.root,
        tables=tables,
        plan=plan,
        people=family.n_people,
        crowds=nested.crowds,
        rows_in=rows_in,
        suppressed=suppressed,
        losses={
            family.root: hiding.loss(family.root, nested.crowds),
            **{name: hiding.loss(name, cells) for name, cells in nested.cells.items()},
        },
        alone=nested.alone,
        trials=nested.trials,
        exposures=exposed,
        pseudonyms=made.facts(root.roles.person),
        alignment=made.alignment(root.roles.person),
        source=root,
        shown=_shown(family, nested),
        parts={name: (family.tables[name], cells) for name, cells in nested.cells.items()},
        claims=_claims(hiding),
        notes=_notes(family, made),
        cut=_cut(whole, family, nested),
    )


def _shifted(family: Family, plan: LinkedPlan) -> Family:
    tables, disguise = dict(family.tables), plan.disguise()
    for name, table in tables.items():
        shift = plan.shift_of(name)
        person = str(table.roles.person)
        there = () if shift is None else tuple(c for c in shift.columns if c in table.column_names)
        if shift is not None and there:
            tables[name] = replace(shift, columns=there).apply(
                table,
                domain=disguise.pseudonyms[person].domain,
                clean=disguise.cleaners(person),
            )
    return replace(family, tables=tables)


def _capped(family: Family, most: int | None) -> Family:
    """Keep so many rows of each person in each table; which ones, their content decides."""
    for name in family.others if most is not None else ():
        people, hashes = family.people[name], family.tables[name].row_hash()
        order = np.lexsort((hashes, people))
        ranked = people[order]
        begins = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
        rank = np.arange(people.size) - np.repeat(begins, np.diff(np.append(begins, people.size)))
        kept = np.zeros(people.size, dtype=np.bool_)
        kept[order] = rank < (most or 0)
        family = family.take(name, kept)
    return family


def _published(hiding: Hiding, nested: Nested, made: Pseudonymizer) -> dict[str, ReleasedTable]:
    family, root = hiding.family, hiding.family.root
    people = hiding.recoders[root].recode(
        nameless(family.tables[root]), nested.crowds, hiding.spaces[root]
    )
    frame = people.release_frame(nameless(family.tables[root]))
    found = {root: _named(family.tables[root], frame, made, ())}
    found[root] = replace(found[root], loss=_loss_told(hiding.spaces[root], nested.crowds))
    for name, cells in nested.cells.items():
        kept = cells.labels >= 0
        table = family.own(name).take(kept)
        inside = Grouping(cells.labels[kept])
        spaces = hiding.recoders[name].spaces(table)  # which know nobody who is left out
        recoded = hiding.recoders[name].recode(table, inside, spaces)
        frame = recoded.release_frame(table)
        facts = _facts(people, family.facts[name], family.people[name][kept])
        frame = frame.with_columns(facts) if facts else frame
        named = _named(table, frame, made, family.facts[name])
        found[name] = replace(named, loss=_loss_told(spaces, inside))
    return found


def _loss_told(spaces: WeightedSpaces, grouping: Grouping) -> float:
    """What released rows lose, measured against what is published."""
    lo, hi = group_boxes(spaces.codes, grouping)
    parts = [s.released_loss(lo[:, j], hi[:, j]) for j, s in enumerate(spaces.spaces)]
    losses = [mean_loss(part, grouping.sizes) for part in parts]
    return sum(losses) / max(1, len(losses))


def _facts(people: Recoded, names: tuple[str, ...], who: IntArray) -> list[pl.Series]:
    """What is said of the person reads in every table as in the table of people."""
    return [people.columns[name].gather(who).alias(name) for name in names]


def _named(
    table: Table,
    frame: pl.DataFrame,
    made: Pseudonymizer,
    facts: tuple[str, ...],
) -> ReleasedTable:
    """Put the pseudonym of the person where the key stood."""
    person = str(table.roles.person)
    words = made.column(table, person)
    there = [n for n in table.column_names if n in frame.columns or n == person]
    columns = {n: table.roles.role_of(n).replace("_", "-") for n in there}
    columns |= dict.fromkeys(facts, "quasi-identifier") | {person: "pseudonym"}
    shown = frame.select(words if n == person else pl.col(n) for n in there)
    return ReleasedTable(shown, columns, person, facts)


def _shown(family: Family, nested: Nested) -> dict[str, list[tuple[int, str]]]:
    """For each column published as it is which crowd shows which text."""
    found = {}
    for name, cells in nested.cells.items():
        table, kept = family.tables[name], cells.labels >= 0
        crowds = pl.Series("crowd", nested.crowds.labels[family.people[name]][kept])
        away = {*table.roles.dropped, *table.roles.quasi_identifiers, *family.facts[name]}
        for column in (c for c in table.column_names if c not in away):
            texts = table.text(column).filter(pl.Series(kept)).fill_null("").alias("text")
            pairs = pl.DataFrame([crowds, texts]).unique().sort("crowd", "text")
            found[f"{name}.{column}"] = pairs.rows()
    return found


def _claims(hiding: Hiding) -> dict[str, tuple[Claim, ...]]:
    """What is claimed of the sensitive columns of each table."""
    family = hiding.family
    return {
        name: claims_of(models, family.tables[name])
        for name, models in hiding.models.items()
        if models
    }


def _exposed(family: Family, nested: Nested, name: str) -> Exposure:
    crowds = nested.crowds.labels if name == family.root else nested.cells[name].labels
    return measure_exposure(family.own(name), crowds)


def _cut(before: Family, after: Family, nested: Nested) -> int:
    """Count the people of whom a row is left out."""
    cut = np.zeros(before.n_people, dtype=np.bool_)
    for name, cells in nested.cells.items():
        released = after.people[name][cells.labels >= 0]
        had, has = (np.bincount(p, minlength=cut.size) for p in (before.people[name], released))
        cut |= had > has
    return int(cut.sum())


def _refuse_open(exposed: Mapping[str, Exposure], plan: LinkedPlan) -> None:
    preset = find_preset(plan.preset)
    if preset is None or not preset.accounted:
        return
    for name, exposure in exposed.items():
        if exposure.open:
            raise ReleaseRefusedError(
                f"Not released: in {name!r}, {exposure.result()}.", hint=WAYS_OUT
            )


def _refuse_too_few(rows_in: int, suppressed: int, plan: LinkedPlan) -> None:
    if suppressed > plan.max_suppression * rows_in:
        raise ImpossibleError(
            f"{suppressed:,} of {rows_in:,} rows would be left out, and at most"
            f" {plan.max_suppression:.0%} may be.",
            hint="Ask for a smaller k or km, a larger max_rows, or let more be left out"
            " (max_suppression).",
        )


def _notes(family: Family, made: Pseudonymizer) -> tuple[str, ...]:
    notes = [note for table in family.tables.values() for note in table.notes]
    if family.dropped:
        notes.append(f"{family.dropped:,} rows of nobody were left out.")
    return tuple(dict.fromkeys(notes))
