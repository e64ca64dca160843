"""Entering a release before it is written: ask the ledger, enter it, or go without."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from shoal._home import home
from shoal._words import plural
from shoal.exceptions import (
    InputError,
    InvalidParameterError,
    LedgerDamagedError,
    LedgerWarning,
    OutputError,
    ShoalError,
)
from shoal.ledger._composition import Composition
from shoal.ledger._ledger import JOURNAL, Ledger

Mode: TypeAlias = Literal["refuse", "warn", "off"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class Entered:
    """What the ledger said of a release; ``composition`` is None if it was not asked."""

    mode: Mode
    composition: Composition | None = None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        found = {} if self.composition is None else self.composition.to_dict()
        return {"mode": self.mode, "recorded": self.composition is not None, **found}


NOT_ASKED = Entered("off")


def ledger_mode(asked: str | None = None, preset: str | None = None) -> Mode:
    """Choose what the ledger does if it finds too much: what was asked for, or by the audience.

    A release for others (a preset for partners or the public) is refused. Elsewhere people try
    things out, and it warns. Where the ledger lies (``SHOAL_HOME``) plays no part.

    >>> ledger_mode(), ledger_mode(preset="public"), ledger_mode("warn", "public")
    ('warn', 'refuse', 'warn')
    """
    if asked in MODES:
        return asked
    if asked is not None:
        raise InvalidParameterError(
            f"The ledger has no mode {asked!r}.", hint="Choose from refuse, warn and off."
        )
    return "refuse" if preset in ("partner", "public") else "warn"


@contextmanager
def enter_ledger(
    mode: Mode, enter: Callable[[Ledger], AbstractContextManager[Composition]]
) -> Iterator[Entered]:
    """Enter a release into the ledger of this house around the block that writes it.

    Parameters
    ----------
    mode : {"refuse", "warn", "off"}
        What to do if it gives away too much together with earlier releases. A ledger that cannot
        be kept is an error where it refuses, and a warning where it warns.
    enter : callable
        Enters it into an open ledger: `Ledger.releasing`, given the release, or another way.
    """
    entry, ledger = Entered(mode), None
    with ExitStack() as stack:
        try:
            ledger = None if mode == "off" else Ledger.open()
        except (InputError, OutputError) as error:
            if mode == "refuse":
                raise
            entry = Entered(mode, None, (unrecorded(error),))
        if ledger is not None:
            stack.callback(ledger.close)
            try:
                found = stack.enter_context(enter(ledger))
                entry = Entered(mode, found, _warnings(found))
            except LedgerDamagedError as error:
                if mode == "refuse":
                    raise
                entry = Entered(mode, None, (unrecorded(error),))
        yield entry


def abandon(names: Collection[str]) -> None:
    """Take releases that were cut off before they had a name out of the ledger of this house.

    If the ledger cannot be kept, they stay in it: that is told when the next one is entered.
    """
    with suppress(InputError, OutputError, LedgerDamagedError):
        if names and (home() / JOURNAL).exists():  # else nobody entered anything
            with Ledger.open() as ledger:
                ledger.abandon(names)


def announce(entry: Entered) -> None:
    """Tell a Python user who named no mode what the ledger found; others read `Entered`."""
    for text in entry.warnings:
        warnings.warn(text, LedgerWarning, stacklevel=3)


def unrecorded(error: ShoalError) -> str:
    """Say that a release leaves without being recorded, and why."""
    why = str(error).removeprefix("Not released. ")
    return f"The release was not recorded in the ledger. {why} {error.hint or ''}".strip()


def _warnings(found: Composition) -> tuple[str, ...]:
    told = []
    if not found.holds:
        told.append(f"{found.reason} {found.advice}")
    elif found.shrunk:
        told.append(
            f"Whoever has an earlier release too, and knows everybody in it, can tell crowds"
            f" smaller than k apart: {plural(found.shrunk, 'person')}."
        )
    if found.unscored:
        told.append(
            f"There are earlier releases of a table with these columns ({found.unscored:,}) that"
            " this one cannot be held against, because it or they are too large to be traced, or"
            " were traced by another version of Shoal: what they tell together is not known."
        )
    if found.resembling:
        told.append(
            "An earlier release was made from a table with as many rows and mostly these columns,"
            " and nobody of it was recognized: if they are the same people, name the column that"
            " tells them apart (--person)."
        )
    if found.recoded:
        names = ", ".join(map(repr, found.recoded))
        told.append(
            f"The values of {names} are written otherwise than in an earlier release of these"
            " people: what the two tell together is not known."
        )
    if found.crossed:
        names = ", ".join(map(repr, found.crossed))
        told.append(
            f"What one release of these people blurs, another publishes as it is ({names}): whoever"
            " has both reads the exact value there. Give these columns the same role in each, or"
            " withdraw a release that never left the house ('shoal ledger withdraw')."
        )
    return tuple(told)
