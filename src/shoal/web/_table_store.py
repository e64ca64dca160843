"""Table store: one private folder a visitor, one inside it for each table they brought.

::

    SHOAL_HOME/web/<visitor>/<workspace>/
        table.csv           the table as it arrived (or .csv.gz, .parquet)
        plan.toml           what was decided about it; written last, so it marks a whole workspace
        hierarchies/        ladders and trees that were uploaded
        journal-1.db        questions, answers, exports; no cell value
        release/            the verified release, ready to be fetched

Ids are 128 random bits. Whoever asks for an id that is not theirs learns nothing: not found.
"""

from __future__ import annotations

import logging
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import time

from shoal._home import home, private_folder
from shoal.web._uploads import ARRIVING
from shoal.web._visitors import Visitor

ID = re.compile(r"[0-9a-f]{32}")
PLAN = "plan.toml"
DAY = 24 * 3600.0
log = logging.getLogger("shoal.web.store")


class TableStore:
    """Folders of workspaces."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = private_folder(root or home() / "web")

    def new(self, visitor: Visitor) -> Path:
        """Make a folder for a new workspace."""
        mine = private_folder(self.root / visitor.id)
        return private_folder(mine / secrets.token_hex(16))

    def find(self, visitor: Visitor, id: str) -> Path | None:
        """Return the folder of a workspace if it is this visitor's."""
        if not ID.fullmatch(id) or not ID.fullmatch(visitor.id):
            return None
        folder = self.root / visitor.id / id
        return folder if (folder / PLAN).is_file() else None

    def of(self, visitor: Visitor) -> list[Path]:
        """Return the folders of a visitor, newest first."""
        mine = self.root / visitor.id
        found = [folder for folder in _folders(mine) if (folder / PLAN).is_file()]
        return sorted(found, key=lambda folder: -(folder / PLAN).stat().st_mtime)

    def remove(self, folder: Path) -> None:
        """Forget a workspace: table, plan, journal, release."""
        shutil.rmtree(folder, ignore_errors=True)

    def sweep(self, keep_days: int) -> int:
        """Remove what a dead server left halfway, and what nobody touched for long."""
        removed = 0
        for visitor in _folders(self.root):
            for folder in _folders(visitor):
                removed += self._sweep_one(folder, time() - keep_days * DAY)
            if not any(visitor.iterdir()):
                visitor.rmdir()
        if removed:
            log.warning("removed %d leftovers", removed)
        return removed

    def _sweep_one(self, folder: Path, oldest: float) -> int:
        plan = folder / PLAN
        if not plan.is_file() or _last_touched(folder) < oldest:
            self.remove(folder)
            return 1
        left = [*folder.glob(f"{ARRIVING}*"), *folder.glob(".shoal-*"), *folder.glob("job-*")]
        for path in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return len(left)


def _folders(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (each for each in sorted(folder.iterdir()) if ID.fullmatch(each.name))


def _last_touched(folder: Path) -> float:
    return max(path.stat().st_mtime for path in folder.iterdir())
