"""What a proposed plan would publish as it is: whom that singles out, and what it tells again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

import numpy as np

from shoal._words import listing
from shoal.risk import SinglingOut, TwinColumns, find_twins, measure_singling_out
from shoal.table import Guess, Roles, Table

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
    """Generalize along what tells most of a quasi-identifier; return the other twins, too."""
    chosen = {name: guess.choice for name, guess in roles.items()}
    twins = find_twins(table.with_roles(Roles.from_choices(chosen)))
    along = {
        twin.telling: Guess(
            "quasi_identifier", f"It tells {twin.told!r} in {twin.share:.0%} of the rows."
        )
        for twin in reversed(twins)
        if twin.share >= MOSTLY
    }
    return {**roles, **along}, tuple(twin for twin in twins if twin.telling not in along)


def measure_exposure(table: Table) -> SinglingOut:
    """Count who is alone on what is published as it is, before anybody is in a crowd."""
    return measure_singling_out(table, crowds=np.zeros(table.n_rows, dtype=np.int64))


def say_exposure(found: SinglingOut, twins: tuple[TwinColumns, ...]) -> Iterator[str]:
    """Say in sentences whom the columns published as they are single out."""
    if found.columns:
        yield (
            f"Columns published as they are make {found.share_unique_plain:.0%} of people unique "
            "before they are in any crowd."
        )
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
