"""``shoal forget``: people leave the table, its copies and the ledger."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from shoal.cli import _options as option
from shoal.cli._bar import working
from shoal.cli._output import print_json, print_lines
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.release import Forgotten


def forget(
    data: option.DataArgument = None,
    person: option.Person = None,
    as_json: option.Json = False,
) -> None:
    """Forget people: their keys are read from standard input, one a line.

    Removes them from the table, from working copies and from the ledger, and lists the releases
    that contained them. The next release must differ by enough people to hide who left.
    """
    if data is None or person is None:
        raise InvalidParameterError(
            "Which table, and which column tells people apart?",
            hint="shoal forget patients.csv --person id < keys.txt",
        )
    keys = _keys()
    with working() as bar:
        bar.phase("forgetting")
        from shoal.release import FEWEST_CHANGES, Ledger, forget_people

        with Ledger.open() as ledger:
            found = forget_people(data, person, keys, ledger)
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
    yield f"{found.people:,} of {found.asked:,} people forgotten; {found.rows:,} rows removed."
    if found.copies:
        yield f"Removed from {found.copies:,} working copies too."
    if found.releases:
        yield "These releases contained them; tell whoever received one:"
        yield from (f"  {name}  {people:,} people" for name, people in found.releases.items())
        yield (
            f"The next release is refused until at least {fewest} people have changed; with"
            " --hide-changes the crowds of those who left stay out with them."
        )
