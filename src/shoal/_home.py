"""Where private state lives: journals, ledger, keys; open to nobody else on the machine."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

from shoal.exceptions import InvalidParameterError, OutputError

KEY_BYTES = 32


def home() -> Path:
    """Return the private folder of this user, made on first use and open to nobody else.

    ``SHOAL_HOME`` if it is set, otherwise the platform's folder for user data.

    >>> import tempfile
    >>> from unittest.mock import patch
    >>> with patch.dict("os.environ", SHOAL_HOME=f"{tempfile.mkdtemp()}/mine"):
    ...     home().name, oct(home().stat().st_mode & 0o777)
    ('mine', '0o700')
    """
    given = os.environ.get("SHOAL_HOME")
    return private_folder(Path(given) if given else user_data_path("shoal", appauthor=False))


def private_folder(folder: Path) -> Path:
    """Make a folder that only this user can look into; one that is there already is kept as is."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"The private folder {folder.name!r} could not be made: {error.strerror}.",
            hint="Set SHOAL_HOME to a folder that you may write to.",
        ) from None
    return folder


def secret(name: str) -> bytes:
    """Return the key of this name: 32 random bytes, drawn once and kept in `home`.

    The file appears whole or not at all: whoever comes second reads what the first one wrote.

    >>> import tempfile
    >>> from unittest.mock import patch
    >>> with patch.dict("os.environ", SHOAL_HOME=tempfile.mkdtemp()):
    ...     secret("audit") == secret("audit"), secret("audit") == secret("ledger")
    (True, False)
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise InvalidParameterError("A key is named in small letters, digits and dashes.")
    path = private_folder(home() / "keys") / name
    try:
        if not path.exists():
            _create(path, secrets.token_bytes(KEY_BYTES))
        key = path.read_bytes()
    except OSError as error:
        raise OutputError(f"The key {name!r} could not be kept: {error.strerror}.") from None
    if len(key) != KEY_BYTES:
        raise OutputError(
            f"The key {name!r} is damaged.", hint="Restore it; without it nothing can be verified."
        )
    return key


def _create(path: Path, content: bytes) -> None:
    """Write a file under another name first, then give it its own unless somebody else did."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
