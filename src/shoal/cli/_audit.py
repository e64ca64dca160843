"""``shoal audit``: is the trail of what happened still as it was written?"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._output import HOLDS, REFUSED, columns_of, print_json, print_lines
from shoal.exceptions import InputError, InvalidParameterError

if TYPE_CHECKING:
    from shoal.audit import ChainVerification, Journal

KEYS = ("audit", "ledger")  # of sessions, of releases
audit = typer.Typer(
    name="audit",
    help="Journals: what happened, when and by whom, chained by a keyed hash.",
    rich_markup_mode=None,
)
JournalArgument = Annotated[
    Path | None,
    typer.Argument(metavar="JOURNAL", help="The file; all under SHOAL_HOME if not given."),
]
OneJournal = Annotated[Path, typer.Argument(metavar="JOURNAL", help="The file.")]
WitnessOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="What 'shoal audit witness' wrote: also finds a cut tail."),
]
WitnessFile = Annotated[Path, typer.Argument(metavar="FILE", help="Where the witness goes.")]


@audit.command()
def verify(
    journal: JournalArgument = None,
    witness: WitnessOption = None,
    as_json: option.Json = False,
) -> None:
    """Name the first entry that was changed, removed or reordered.

    Exits 1 if a journal is not as it was written.
    """
    if journal is None and witness is not None:
        raise InvalidParameterError(
            "A witness is of one journal: which?", hint="shoal audit verify FILE --witness WITNESS"
        )
    found = {path: _verify(path, witness) for path in _journals(journal)}
    if as_json:
        print_json(_as_json(found))
    elif found:
        print_lines(f"{path.name}: {told}" for path, told in found.items())
    else:
        print_lines(["There is no journal yet."])
    raise typer.Exit(HOLDS if _all_hold(found) else REFUSED)


@audit.command()
def witness(journal: OneJournal, file: WitnessFile, as_json: option.Json = False) -> None:
    """Write the length and the head of a journal to a file, to be kept by somebody else.

    A journal whose end was cut off is whole in itself; held against a witness it is not.
    """
    with _open(journal) as opened:
        seen = opened.write_witness(file)
    if as_json:
        print_json(asdict(seen))
    else:
        print_lines([f"{seen.entries:,} entries seen; keep {file.name} where the journal is not."])


@audit.command()
def show(journal: OneJournal, as_json: option.Json = False) -> None:
    """List the entries of a journal: number, time, actor and what happened."""
    with _open(journal) as opened:
        entries = opened.entries()
    if as_json:
        print_json({"entries": [asdict(entry) for entry in entries]})
    elif entries:
        rows = [(str(e.number), e.time[:19], e.actor or "-", e.kind) for e in entries]
        print_lines(columns_of(rows, right=frozenset({0})))
    else:
        print_lines(["The journal is empty."])


def _journals(given: Path | None) -> list[Path]:
    from shoal._home import home
    from shoal.audit import find_journals

    return [given] if given is not None else find_journals(home())


def _open(path: Path) -> Journal:
    """Open a journal of this user, whichever of the keys it was written with."""
    from shoal._home import secret
    from shoal.audit import Journal

    for name in KEYS[:-1]:
        with suppress(InputError):
            return Journal.open(path, secret(name), create=False)
    return Journal.open(path, secret(KEYS[-1]), create=False)


def _verify(path: Path, witness: Path | None) -> ChainVerification:
    from shoal.audit import ChainVerification, is_journal

    try:
        with _open(path) as journal:
            return journal.verify(witness)
    except InputError as error:
        if not is_journal(path):
            raise
        return ChainVerification(False, reason=str(error))


def _all_hold(found: dict[Path, ChainVerification]) -> bool:
    return all(told.holds for told in found.values())


def _as_json(found: dict[Path, ChainVerification]) -> dict[str, Any]:
    """All journals; and on top the first entry that is wrong in any of them."""
    first = next((told for told in found.values() if not told.holds), None)
    return {
        "holds": first is None,
        "entry": None if first is None else first.entry,
        "reason": "" if first is None else first.reason,
        "journals": [{"journal": path.name, **asdict(told)} for path, told in found.items()],
    }
