"""What a proposed plan would publish as it is: whom that singles out, and what it tells again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape

import numpy as np

from shoal._words import listing
from shoal.presets import DEFAULT_K
from shoal.risk import TOO_MANY, SinglingOut, TwinColumns, find_twins, measure_singling_out
from shoal.risk import measure_exposure as everything_exposed
from shoal.table import Guess, Roles, Table

#: How reasons begin for what is sensitive by its company, or because others like it were.
SUPPOSED = ("It stands among columns about ", "Columns like it told what people keep ")
MOSTLY = 0.8  # of the rows: a column that tells so many is generalized along
_SHOWN = 3  # sets and twins


def telling_sets(table: Table, names: Iterable[str]) -> list[set[str]]:
    """Name the smallest sets of some columns that single out, the most telling set first."""
    sets = measure_singling_out(table, columns=names).sets
    size = min((len(one.columns) for one in sets), default=0)
    smallest = sorted((one for one in sets if len(one.columns) == size), key=lambda s: -s.share)
    return [set(one.columns) for one in smallest]


def generalize_twins(
    table: Table, roles: Mapping[str, Guess]
) -> tuple[dict[str, Guess], tuple[TwinColumns, ...]]:
    """Generalize along what tells most of a quasi-identifier; return the other twins, too.

    What is only supposed to be sensitive may be one: race, asked as question 28.
    """
    chosen = {
        name: "other" if guess.reason.startswith(SUPPOSED) else guess.choice
        for name, guess in roles.items()
    }
    twins = find_twins(table.with_roles(Roles.from_choices(chosen)))
    along = {
        twin.telling: Guess(
            "quasi_identifier", f"It tells {twin.told!r} in {twin.share:.0%} of the rows."
        )
        for twin in reversed(twins)
        if twin.share >= MOSTLY
    }
    plain = {name for name, guess in roles.items() if guess.choice == "other"}
    left = (twin for twin in twins if twin.telling in plain and twin.telling not in along)
    return {**roles, **along}, tuple(left)


def measure_exposure(table: Table) -> SinglingOut:
    """Count who is alone on what is published as it is, before anybody is in a crowd.

    What secrets tell of people in their crowds is estimated for crowds of the usual size.
    """
    found = measure_singling_out(table, crowds=np.zeros(table.n_rows, dtype=np.int64))
    among = {c.name: table.cells.distinct(c.name) for c in found.secrets}
    told = [
        replace(c, with_crowds=max(c.alone, among[c.name].told_apart_among(DEFAULT_K)))
        for c in found.secrets
    ]
    return replace(found, secrets=tuple(sorted(told, key=lambda c: (-c.with_crowds, c.name))))


def say_unaccepted(table: Table) -> str:
    """Say what no release to others would be made of, before anybody is in a crowd."""
    whole = np.zeros(table.n_rows, dtype=np.int64)
    return replace(everything_exposed(table, whole), found=measure_exposure(table)).warning


def say_exposure(found: SinglingOut, twins: tuple[TwinColumns, ...]) -> Iterator[str]:
    """Say in sentences whom the columns published as they are single out."""
    if found.exact:
        yield (
            "Sensitive, and so exact that whoever knows a value finds the person in a crowd of"
            f" {DEFAULT_K}: {listing([f'{c.name!r} ({c.with_crowds:.0%})' for c in found.exact])}."
            " Round numbers in the plan ([formats] COLUMN = { round = 0.5 }), or make them"
            " quasi-identifiers; partners and the public get them only if they are accepted by"
            " name (publish_as_is)."
        )
    if found.columns:
        yield (
            f"Columns published as they are make {found.share_unique_plain:.0%} of people unique "
            "before they are in any crowd."
        )
    if found.share_unique > found.share_unique_plain + TOO_MANY:
        share = f"{found.share_unique:.0%}"
        yield f"With sensitive columns and the target {share} of people are unique."
    sets = [f"{listing(s.columns)} ({s.share:.0%})" for s in found.sets[:_SHOWN]]
    if sets:
        more = len(found.sets) - len(sets)
        yield (
            f"The smallest sets of them that single out more than 5 %: {'; '.join(sets)}"
            f"{f'; and {more} more' if more else ''}."
        )
    if not found.exhaustive:
        yield "There are too many sets to try them all: others may single people out, too."
    if found.helps_most is not None and found.freed >= 0.005:
        yield (
            f"Made a quasi-identifier, {found.helps_most!r} helps most: "
            f"{found.freed:.0%} of people would no longer be unique."
        )
    for twin in twins[:_SHOWN]:
        yield f"Column {twin.telling!r} tells {twin.told!r} in {twin.share:.0%} of the rows."


def draw_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]], notes: Iterable[str]) -> str:
    """Draw lines and notes as HTML.

    >>> draw_table(("column",), [("a<b",)], ["So."])
    '<table><tr><th>column</th></tr><tr><td>a&lt;b</td></tr></table><p>So.</p>'
    """
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    first = "".join(f"<th>{escape(word)}</th>" for word in head)
    said = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f"<table><tr>{first}</tr>{body}</table>{said}"
