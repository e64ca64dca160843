"""Server: settings, visitors, tables and jobs that all requests share."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal._home import secret
from shoal._progress import Progress
from shoal._words import later
from shoal.datasets import Dataset, adult, people
from shoal.exceptions import CancelledError, InvalidParameterError, ShoalError
from shoal.plan import Plan
from shoal.web._accounts import Accounts
from shoal.web._connections import read_connection
from shoal.web._first_look import FirstReading, read_first
from shoal.web._jobs import A_VISITOR_MAY, BackgroundJob, JobQueue
from shoal.web._settings import Settings
from shoal.web._table_reading import read_with_progress
from shoal.web._table_store import TableStore
from shoal.web._teaching_study import TeachingStudy
from shoal.web._upload_limits import UploadLimits, check_shape
from shoal.web._uploads import plain_name, receive, suffix_of
from shoal.web._visitors import Visitor, Visitors
from shoal.web._workspace import Workspace

BUILT_IN = {
    "people": later("Hospital patients, made up: 5,000 rows, 8 quasi-identifiers"),
    "adult": later("UCI Adult census: 30,162 complete rows, 8 quasi-identifiers"),
}
MOST_WORKSPACES = 20  # a visitor
LOOK_UP = 0.5  # seconds between looks whether somebody still waits for a table
OPEN_AT_ONCE = 32  # workspaces in memory


class NotFoundError(ShoalError, LookupError):
    """There is nothing of that name, or it is somebody else's (HTTP 404)."""


class Server:
    """Settings, visitors, workspaces and jobs of one server."""

    def __init__(self, settings: Settings, root: Path | None = None) -> None:
        self.settings = settings
        self.accounts = Accounts.read(settings.accounts) if settings.accounts else None
        self.study = TeachingStudy.read(settings) if settings.study else None
        self.store = TableStore(root)
        self.visitors = Visitors(
            secret("web"),
            self.accounts,
            study=self.study is not None,
            ended=self.store.root / "logged-out",
        )
        self.jobs = JobQueue()
        self.swept = self.store.sweep(settings.keep_days)
        self.linked: dict[str, Any] = {}  # the open page of each visitor's linked tables
        self._open: dict[tuple[str, str], Workspace] = {}
        self._readings: dict[tuple[str, str], BackgroundJob] = {}
        self._lock = threading.RLock()

    def workspace(self, visitor: Visitor, id: str) -> Workspace:
        """Find a workspace of this visitor; those of others do not exist for them."""
        with self._lock:
            known = self._open.get((visitor.id, id))
            if known is not None:
                return known
            folder = self.store.find(visitor, id)
            if folder is None:
                raise NotFoundError("There is no such table.")
            return self._keep(visitor, Workspace(folder, self.jobs, visitor.actor))

    def workspaces(self, visitor: Visitor) -> list[Workspace]:
        """Return all workspaces of this visitor, newest first."""
        return [self.workspace(visitor, folder.name) for folder in self.store.of(visitor)]

    def job(self, visitor: Visitor, id: str, job: str) -> BackgroundJob:
        """Find a job of a workspace."""
        found = self.workspace(visitor, id).jobs.get(job)
        if found is None:
            raise NotFoundError("There is no such job.")
        return found

    async def take(
        self,
        visitor: Visitor,
        name: str,
        pieces: AsyncIterator[bytes],
        gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> Workspace:
        """Take an upload in: stream it to disk, read it, propose a plan.

        ``gone`` tells whether whoever brought it has left: then it is thrown away.
        """
        suffix, shown = suffix_of(name), plain_name(name)
        self._refuse_more(visitor)
        folder = self.store.new(visitor)
        with self._or_removed(folder, f"table{suffix}", shown):
            path = await receive(pieces, folder, suffix, self.settings.limits)
            read = await _unless_gone(gone, read_first, path, self.settings.limits)
            return self._begin(visitor, folder, read, shown)

    async def receive(
        self, visitor: Visitor, name: str, pieces: AsyncIterator[bytes]
    ) -> BackgroundJob:
        """Take an upload in, and read it in the background; the job ends in a workspace."""
        suffix, shown = suffix_of(name), plain_name(name)
        self._refuse_more(visitor)
        self.check_quota(visitor)
        folder = self.store.new(visitor)
        with self._or_removed(folder):
            path = await receive(pieces, folder, suffix, self.settings.limits)

        def work(progress: Progress) -> Workspace:
            with self._or_removed(folder, f"table{suffix}", shown):
                limits = self.settings.limits
                read = read_with_progress(path, limits, read_first, progress)
                return self._begin(visitor, folder, read, shown)

        job = self.jobs.start("reading", work)
        self._readings[visitor.id, job.id] = job
        return job

    def reading(self, visitor: Visitor, id: str) -> BackgroundJob:
        """Find a table of this visitor that is being read, or was."""
        found = self._readings.get((visitor.id, id))
        if found is None:
            raise NotFoundError("There is no such job.")
        return found

    def take_built_in(self, visitor: Visitor, name: str, rows: int = 5_000) -> Workspace:
        """Begin with a table that comes with Shoal."""
        if name not in BUILT_IN:
            raise InvalidParameterError(
                f"There is no built-in table named {name!r}.", hint=f"Known: {', '.join(BUILT_IN)}."
            )
        self._refuse_more(visitor)
        folder = self.store.new(visitor)
        with self._or_removed(folder):
            data = people(rows) if name == "people" else adult()
            return self._begin(visitor, folder, FirstReading.of(_written(data, folder)), name)

    def take_connection(self, visitor: Visitor, name: str) -> Workspace:
        """Begin with a table of a database that an administrator listed, read once."""
        self._refuse_more(visitor)
        table = read_connection(name)
        check_shape(table.n_rows, len(table.column_names), self.settings.limits)
        folder = self.store.new(visitor)
        with self._or_removed(folder):
            path = folder / "table.parquet"
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                table.frame.write_parquet(file)
            return self._begin(visitor, folder, read_first(path, self.settings.limits), name)

    def forget(self, visitor: Visitor, id: str) -> None:
        """Remove a workspace and everything in it."""
        found = self.workspace(visitor, id)
        with self._lock:
            self._open.pop((visitor.id, id), None)
        found.close()
        self.store.remove(found.folder)

    def check_quota(self, visitor: Visitor) -> None:
        """Refuse more jobs than one visitor may have at once."""
        with self._lock:
            mine = [space for (who, _), space in self._open.items() if who == visitor.id]
        busy = sum(not job.over for space in mine for job in space.jobs.values())
        busy += sum(not job.over for (who, _), job in self._readings.items() if who == visitor.id)
        if busy >= A_VISITOR_MAY:
            raise InvalidParameterError("Too much is being worked on already.", hint="Wait a bit.")

    def close(self) -> None:
        """Stop all work."""
        for space in list(self._open.values()):
            space.close()
        for job in list(self._readings.values()):
            job.stop()
        self.jobs.close()

    @contextmanager
    def _or_removed(self, folder: Path, kept: str = "", shown: str = "") -> Iterator[None]:
        """Remove the folder of a table that cannot be taken in; its file is called as shown."""
        try:
            yield
        except BaseException as error:
            self.store.remove(folder)
            if kept and isinstance(error, ShoalError):
                raise named_as(error, kept, shown) from None
            raise

    def _begin(self, visitor: Visitor, folder: Path, read: FirstReading, name: str) -> Workspace:
        (folder / "name.txt").write_text(name, encoding="utf-8")
        return self._keep(visitor, Workspace.begin(folder, read, self.jobs, visitor.actor))

    def _keep(self, visitor: Visitor, space: Workspace) -> Workspace:
        with self._lock:
            self._open[visitor.id, space.id] = space
            idle = [
                key
                for key, other in self._open.items()
                if other is not space and all(job.over for job in other.jobs.values())
            ]
            for key in idle[: max(0, len(self._open) - OPEN_AT_ONCE)]:
                self._open.pop(key)  # its journal has everything; it comes back when asked for
        return space

    def _refuse_more(self, visitor: Visitor) -> None:
        if len(self.store.of(visitor)) >= MOST_WORKSPACES:
            raise InvalidParameterError(
                f"You have {MOST_WORKSPACES} tables here already.", hint="Forget one first."
            )


async def _unless_gone(
    gone: Callable[[], Awaitable[bool]] | None,
    read: Callable[[Path, UploadLimits], FirstReading],
    path: Path,
    limits: UploadLimits,
) -> FirstReading:
    """Read in a thread while somebody waits for it."""
    reading = asyncio.ensure_future(asyncio.to_thread(read, path, limits))
    while gone is not None:
        done, _ = await asyncio.wait({reading}, timeout=LOOK_UP)
        if done:
            break
        if await gone():
            reading.add_done_callback(lambda task: task.exception())
            raise CancelledError("The table was not waited for.")
    return await reading


def named_as(error: ShoalError, kept: str, shown: str) -> ShoalError:
    """Call a file as its owner calls it, whatever it is called here."""
    error.args = tuple(a.replace(kept, shown) if isinstance(a, str) else a for a in error.args)
    return error


def _written(data: Dataset, folder: Path) -> Plan:
    """Write a built-in table into a folder, and a plan that fits it; the gate asks for the rest."""
    data.write(folder)
    roles = replace(data.roles, publish_as_is=())
    ladders = {path.stem: str(path) for path in (folder / "hierarchies").iterdir()}
    return Plan(
        source=str(folder / "data.csv"),
        roles=roles,
        kinds=data.kinds,
        hierarchies={c: p for c, p in ladders.items() if c in data.roles.quasi_identifiers},
        k=10,
        l=3 if data.roles.sensitive else None,
    )
