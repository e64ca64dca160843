"""What the ledger last looked like, written down in two places outside of it."""

from __future__ import annotations

import hmac
import json
import os
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from shoal._home import private_folder
from shoal.audit import Witness
from shoal.exceptions import OutputError

NAME = "ledger.witness"


class Witnesses:
    """Two files, beside the ledger and among the keys, that say how long its journal was.

    Whoever removes the journal, empties it or cuts its end off must find both, and cannot write
    them anew without the key.
    """

    def __init__(self, place: Path, key: bytes) -> None:
        self.paths = (place / NAME, place / "keys" / NAME)
        self._key = key

    def last(self) -> Witness | None:
        """The one that saw most; None if both are gone."""
        seen = [found for path in self.paths if (found := self._read(path)) is not None]
        return max(seen, key=lambda witness: witness.entries, default=None)

    @property
    def forged(self) -> bool:
        """Whether a file is there, and none of them was written with this key."""
        return self.last() is None and any(path.exists() for path in self.paths)

    def see(self, witness: Witness) -> None:
        """Write down what the journal looks like now."""
        text = json.dumps({**asdict(witness), "seal": self._seal(witness)}) + "\n"
        for path in self.paths:
            _replace(path, text)

    def remove(self) -> None:
        """Forget what was seen, to start anew."""
        for path in self.paths:
            path.unlink(missing_ok=True)

    def _read(self, path: Path) -> Witness | None:
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            found = json.loads(path.read_text(encoding="utf-8"))
            witness = Witness(found["journal"], int(found["entries"]), found["head"])
            if hmac.compare_digest(self._seal(witness), found["seal"]):
                return witness
        return None

    def _seal(self, witness: Witness) -> str:
        content = json.dumps(["ledger witness", *asdict(witness).values()]).encode()
        return hmac.new(self._key, content, sha256).hexdigest()


def _replace(path: Path, text: str) -> None:
    """Write a small file whole or not at all."""
    draft = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        private_folder(path.parent)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise OutputError(
            f"The witness of the ledger cannot be written: {error.strerror}.",
            hint="Set SHOAL_HOME to a folder that you may write to.",
        ) from None
