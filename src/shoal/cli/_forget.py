"""``shoal forget``: people leave the table, its copies, journals and the ledger."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal._words import plural
from shoal.cli import _options as option
from shoal.cli._bar import working
from shoal.cli._output import print_json, print_lines
from shoal.cli._typed import asked_of, let_ask
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.ledger import Forgotten


Journals = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE", help="The journal of a session that is kept elsewhere; may be repeated."
    ),
]


def forget(
    data: option.DataArgument = None,
    person: option.Person = None,
    table: option.SourceTable = None,
    query: option.Query = None,
    journal: Journals = None,
    as_json: option.Json = False,
) -> None:
    """Forget people: their keys are read from standard input, one a line.

    Removes them from the table, from working copies, from the journals of sessions and from the
    ledger, and lists the releases that contained them. The next release must differ by enough
    people to hide who left. If it was cut off, type it again: it completes what is left.
    Databases, workbooks, and files of SPSS, Stata and SAS are only read: delete them there, too.
    """
    if data is None or person is None:
        raise InvalidParameterError(
            "Which table, and which column tells people apart?",
            hint="shoal forget patients.csv --person id < keys.txt",
        )
    keys = _keys()
    let_ask(data)
    asked = {name: found for name, found in asked_of(locals()).items() if name != "sheet"}
    with working() as bar:
        bar.phase("forgetting")
        from shoal.ledger import FEWEST_CHANGES, Ledger, forget_people

        with Ledger.open() as ledger:
            found = forget_people(data, person, keys, ledger, journals=journal or (), **asked)
            audit = ledger.verify()
    if as_json:
        safe = {"fewest_changes": FEWEST_CHANGES, "audit_holds": audit.holds}
        print_json({**found.to_dict(), **safe})
    else:
        print_lines(_lines(found, FEWEST_CHANGES))


def _keys() -> list[str]:
    """Read whom to forget; never from the command line, where others can see it."""
    if sys.stdin is None or sys.stdin.isatty():
        raise InvalidParameterError(
            "Whom? Keys are read from standard input, one a line.",
            hint="shoal forget patients.csv --person id < keys.txt",
        )
    keys = [line.rstrip("\r\n") for line in sys.stdin]
    if not any(keys):
        raise InvalidParameterError(
            "Nobody is named on standard input.",
            hint="Give one key a line: shoal forget TABLE --person COLUMN < keys.txt",
        )
    return [key for key in keys if key]


def _lines(found: Forgotten, fewest: int) -> Iterator[str]:
    people, rows = plural(found.asked, "person"), plural(found.rows, "row")
    if found.only_read:
        yield f"{people} forgotten. The table was only read: delete their {rows} there, too."
    elif found.rows:
        yield f"{found.people:,} of {people} forgotten; {rows} removed."
    else:
        yield f"{people} forgotten; the table has no row of them."
    if found.copies:
        yield f"Removed from {plural(found.copies, 'working copy')} too."
    if found.copies_left:
        yield (
            f"{plural(found.copies_left, 'working copy')} of the web app cannot be rewritten"
            " (Excel, SPSS, Stata, SAS): delete there the tables they are in."
        )
    if found.sessions:
        yield (
            f"{found.entries:,} entries in the journals of {found.sessions:,} sessions spoke of"
            " them and say nothing any more; the sessions go on without these questions."
        )
    if found.unreadable:
        yield (
            f"{found.unreadable:,} journals could not be searched ('shoal audit verify' names"
            " them): remove them if they are of this table."
        )
    if found.releases:
        yield "These releases contained them; tell whoever received one:"
        yield from (f"  {name}  {plural(n, 'person')}" for name, n in found.releases.items())
        yield (
            f"The next release is refused until at least {fewest} people have changed; with"
            " --hide-changes, and after an earlier release (--after), the crowds of those who left"
            " stay out with them."
        )
