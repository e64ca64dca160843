"""Where finished work is kept: one SQLite file that survives a kill at any moment."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from shoal.exceptions import InputError, OutputError
from shoal.studies._base import Finished, Item, Study

STORE = "work.sqlite"


class ItemStore:
    """The items of one study that are done, each committed as soon as it is.

    >>> import tempfile
    >>> from shoal.studies import find_study
    >>> path, study = Path(tempfile.mkdtemp()) / STORE, find_study("malle2017")
    >>> with ItemStore(path, study) as store:
    ...     store.keep(Item("score", {"k": 5}), {"f1": 0.8}, seconds=1.5)
    >>> with ItemStore(path, study) as store:
    ...     len(store.finished()), store.seconds
    (1, 1.5)
    """

    def __init__(self, path: Path, study: Study) -> None:
        self._stamp = {"study": study.name, "version": study.version}
        try:
            self._file = sqlite3.connect(path)
            self._prepare()
        except sqlite3.OperationalError as error:
            raise OutputError(f"The store {path.name!r} could not be opened.") from error
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"The store {path.name!r} is no store of a study.", hint="Name another folder."
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def keep(self, item: Item, result: Mapping[str, Any], seconds: float) -> None:
        """Commit a result; once this returns, no kill can lose it."""
        body = json.dumps(dict(result), allow_nan=False)
        with self._file:
            self._file.execute(
                "INSERT OR REPLACE INTO items VALUES (?, ?, ?)", (item.key, body, seconds)
            )

    def finished(self) -> Finished:
        """Read all that is done."""
        rows = self._file.execute("SELECT key, body, seconds FROM items ORDER BY rowid").fetchall()
        results = {key: json.loads(body) for key, body, _ in rows}
        return Finished(results, {key: seconds for key, _, seconds in rows if seconds is not None})

    @property
    def seconds(self) -> float:
        """CPU seconds of all items together, over all runs."""
        return float(self._file.execute("SELECT total(seconds) FROM items").fetchone()[0])

    def _prepare(self) -> None:
        with self._file:
            self._file.execute("CREATE TABLE IF NOT EXISTS stamp (body TEXT)")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS items (key TEXT PRIMARY KEY, body TEXT, seconds REAL)"
            )
            found = self._file.execute("SELECT body FROM stamp").fetchone()
            if found is None:
                stamp = json.dumps(self._stamp)
                self._file.execute("INSERT INTO stamp VALUES (?)", (stamp,))
        if found is not None and json.loads(found[0]) != self._stamp:
            self._file.close()
            raise InputError(
                "The folder holds the work of another study, or of another version of it.",
                hint="Name another folder with -o.",
            )
