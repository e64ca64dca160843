"""Starting anew: a damaged ledger is put aside, and what can be trusted is carried over."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any

from shoal._home import home, private_folder, secret
from shoal.exceptions import OutputError, ShoalError
from shoal.ledger._ledger import JOURNAL, TRACES, Ledger
from shoal.ledger._records import WITNESSES, Recorded

_FILES = (JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm", TRACES, f"{TRACES}-journal")


@dataclass(frozen=True)
class Reset:
    """What became of a ledger that was started anew.

    Attributes
    ----------
    carried : int
        Releases whose traces were as they had been written: they still count.
    lost : int
        Releases that the old journal spoke of and that nothing can be held against any more.
    kept_in : str
        Name of the folder with the old journal.
    """

    carried: int
    lost: int
    kept_in: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return asdict(self)


def reset_ledger(folder: str | PathLike[str] | None = None, key: bytes | None = None) -> Reset:
    """Start the ledger of this house anew, knowingly: the new one begins with that entry.

    The old journal is put aside. Its traces are not: nobody could be forgotten in them. Those that
    are still as they were written are carried over.
    """
    place = home() if folder is None else Path(folder)
    carried, known = _trusted(place, key)
    aside = private_folder(place / f"ledger-until-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    try:
        for name in _FILES:
            _put_aside(place / name, aside)
        for path in map(place.joinpath, WITNESSES):
            path.unlink(missing_ok=True)
        if key is None:
            _mend_key(place / "keys" / "ledger", aside)
    except OSError as error:
        raise OutputError(
            f"The old ledger cannot be put aside: {error.strerror}.",
            hint=f"Move the files that begin with 'ledger.' out of {place.name!r} yourself.",
        ) from None
    found = Reset(len(carried), max(0, known - len(carried)), aside.name)
    with Ledger.open(folder, key) as ledger:
        ledger.begin_anew(found.to_dict(), carried)
    return found


def _trusted(place: Path, key: bytes | None) -> tuple[list[tuple[Recorded, bytes]], int]:
    """The releases whose traces are as they were written, and how many there were."""
    known = 0
    with suppress(ShoalError), Ledger.open(place, key or secret("ledger")) as old:
        standing = old.standing()
        known = len(standing)
        sound = old.sound_traces()
        return [(r, sound[r.id]) for r in standing if r.id in sound], known
    return [], known


def _put_aside(path: Path, aside: Path) -> None:
    if path.is_dir():
        shutil.move(path, aside / path.name)
    elif path.name.startswith(TRACES):
        path.unlink(missing_ok=True)
    elif path.exists():
        os.replace(path, aside / path.name)


def _mend_key(path: Path, aside: Path) -> None:
    """Put a key aside that is none, so that another is drawn."""
    try:
        secret("ledger")
    except OutputError:
        shutil.move(path, aside / "key")
