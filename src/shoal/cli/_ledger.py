"""``shoal ledger``: what this house has released, and whether the record is untouched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal._words import plural
from shoal.cli import _options as option
from shoal.cli._output import HOLDS, REFUSED, columns_of, print_json, print_lines
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.ledger import Recorded

ledger = typer.Typer(
    name="ledger",
    help="What this house has released, and whether the record is untouched.",
)
Witness = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A witness that was kept elsewhere.")
]


@ledger.command()
def show(as_json: option.Json = False) -> None:
    """List every release, oldest first."""
    from shoal.ledger import Ledger

    with Ledger.open() as book:
        releases, entries = book.releases(), len(book.journal)
    if as_json:
        print_json({"releases": [r.to_dict() for r in releases], "entries": entries})
        return
    if not releases:
        print_lines(["Nothing has been released from here."])
        return
    print_lines(columns_of([HEADER, *map(_line, releases)], right=frozenset({4, 5, 6, 7})))


HEADER = ("release", "time", "table", "folder", "rows", "groups", "k", "forgotten", "")


def _line(release: Recorded) -> tuple[str, ...]:
    names = (release.source or "-", release.folder or "-")
    sizes = (f"{release.rows:,}", f"{release.groups:,}", str(release.k), str(release.forgotten))
    return (release.id, release.time[:19], *names, *sizes, release.status)


@ledger.command()
def verify(witness: Witness = None, as_json: option.Json = False) -> None:
    """Check that no entry was changed, removed or reordered. Exits 1 if one was."""
    from shoal.ledger import Ledger

    with Ledger.open() as book:
        found = book.verify(witness)
    if as_json:
        facts = {"holds": found.holds, "entries": found.entries, "entry": found.entry}
        print_json({**facts, "reason": found.reason, "head": found.head})
    else:
        print_lines([f"The ledger: {found}."])
    raise typer.Exit(HOLDS if found.holds else REFUSED)


@ledger.command()
def withdraw(
    release: Annotated[str, typer.Argument(metavar="ID", help="As 'shoal ledger show' lists it.")],
    as_json: option.Json = False,
) -> None:
    """Say that a release never left the house, so that others need not be held against it."""
    from shoal.ledger import Ledger

    with Ledger.open() as book:
        book.withdraw(release)
    if as_json:
        print_json({"release": release, "status": "withdrawn"})
    else:
        print_lines(["Withdrawn; the entry stays, the trace is gone."])


@ledger.command()
def witness(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")],
    as_json: option.Json = False,
) -> None:
    """Write the length and head of the record to a file, to be kept elsewhere."""
    from shoal.ledger import Ledger

    with Ledger.open() as book:
        seen = book.journal.write_witness(file)
    if as_json:
        print_json({"entries": seen.entries, "head": seen.head})
    else:
        print_lines([f"{seen.entries:,} entries witnessed. Keep the file elsewhere."])


@ledger.command()
def reset(
    yes: Annotated[bool, typer.Option("--yes", help="Yes, start anew.")] = False,
    as_json: option.Json = False,
) -> None:
    """Start anew if the record was damaged; what can be trusted is carried over."""
    from shoal.ledger import reset_ledger

    if not yes:
        raise InvalidParameterError(
            "Whoever resets the ledger gives up what it knew of earlier releases.",
            hint="See 'shoal ledger verify' first. If that is meant: shoal ledger reset --yes",
        )
    found = reset_ledger()
    if as_json:
        print_json(found.to_dict())
        return
    carried = plural(found.carried, "release")
    print_lines(
        [
            f"The ledger begins anew with {carried} carried over; {found.lost:,} lost.",
            f"The old journal is kept in {found.kept_in!r}.",
        ]
    )
