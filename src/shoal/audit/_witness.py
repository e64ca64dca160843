"""The witness: what the end of a journal looked like, kept where the journal is not."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path

from shoal.exceptions import InputError, OutputError


@dataclass(frozen=True)
class Witness:
    """How many entries a journal had, and the keyed hash of the last one.

    A chain proves that nothing in it changed; only a witness proves that it was longer.

    Attributes
    ----------
    journal : str
        Which journal; every one has a random name of its own.
    entries : int
        How many entries there were.
    head : str
        Keyed hash of the last of them.
    """

    journal: str
    entries: int
    head: str

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Witness:
        """Read a witness file."""
        path = Path(path)
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            witness = cls(found["journal"], found["entries"], found["head"])
        except OSError as error:
            raise InputError(
                f"The witness {path.name!r} cannot be read: {error.strerror}."
            ) from None
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{path.name!r} is not a witness of a journal.") from None
        if not isinstance(witness.entries, int) or witness.entries < 0:
            raise InputError(f"{path.name!r} is not a witness of a journal.")
        return witness

    def write(self, path: str | PathLike[str]) -> None:
        """Write the witness, to be kept with somebody else."""
        path = Path(path)
        try:
            path.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            reason = error.strerror
            raise OutputError(
                f"The witness {path.name!r} could not be written: {reason}."
            ) from None
