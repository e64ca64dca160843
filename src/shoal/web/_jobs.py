"""Jobs: long work in threads, with a phase to show and a way to stop."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Literal

from shoal._progress import Progress
from shoal._words import speaking, spoken
from shoal.exceptions import CancelledError, ShoalError

JobState = Literal["waiting", "running", "done", "failed", "stopped"]
TOGETHER = 2  # jobs at once; kernels let go of the interpreter, so clicks are still answered
A_VISITOR_MAY = 4  # jobs waiting or running
log = logging.getLogger("shoal.web.jobs")


class JobProgress:
    """Progress that a page can look at and stop."""

    def __init__(self) -> None:
        self.name = "waiting"
        self._done, self._total = 0, 0
        self._expected: tuple[float, float] | None = None  # since when, and for how long
        self._stop = threading.Event()

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase."""
        self.name, self._done, self._total = name, 0, total or 0
        self._expected = None

    def advance(self, steps: int = 1) -> None:
        """Get on with it."""
        self._done += steps

    def expect(self, seconds: float) -> None:
        """Say how long the phase will take, where its steps cannot be counted."""
        self._expected = (monotonic(), max(seconds, 0.1))

    @property
    def share(self) -> float | None:
        """How much of the phase is done: counted, or by the clock but never all; None unknown."""
        if self._total:
            return min(1.0, self._done / self._total)
        if self._expected is not None:
            since, seconds = self._expected
            return min(0.99, (monotonic() - since) / seconds)
        return None

    @property
    def cancelled(self) -> bool:
        """Whether somebody pressed stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask the work to stop."""
        self._stop.set()


@dataclass(eq=False)
class BackgroundJob:
    """One piece of long work."""

    kind: str
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    state: JobState = "waiting"
    progress: JobProgress = field(default_factory=JobProgress)
    problem: str = ""
    hint: str = ""
    result: Any = None
    language: str = field(default_factory=spoken)  # of whoever asked: its papers speak it
    began: float = field(default_factory=monotonic)
    ended: float | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in ("done", "failed", "stopped")

    def stop(self) -> None:
        """Ask it to stop; it is stopped when the work has really ended."""
        self.progress.stop()
        if self.state == "waiting":
            self._end("stopped")

    def run(self, work: Callable[[Progress], Any]) -> None:
        """Do the work and remember how it ended."""
        if self.over:
            return
        self.state = "running"
        try:
            with speaking(self.language):
                result = work(self.progress)
        except CancelledError:
            self._end("stopped")
        except ShoalError as error:
            self.problem, self.hint = str(error), error.hint or ""
            self._end("failed")
        except Exception as error:  # a bug: its message may quote a cell
            self.problem = f"Shoal stumbled over itself ({type(error).__name__}, {self.id[:8]})."
            self.hint = "This is a bug in Shoal; nothing was released."
            log.exception("job %s of kind %s failed", self.id[:8], self.kind)
            self._end("failed")
        else:
            self.result = result
            self._end("done")

    def facts(self) -> dict[str, Any]:
        """Return what a script may know."""
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "stopping": self.progress.cancelled and not self.over,
            "phase": self.progress.name,
            "share": self.progress.share,
            "problem": self.problem,
            "hint": self.hint,
            "seconds": round((self.ended or monotonic()) - self.began, 3),
        }

    def _end(self, state: JobState) -> None:
        if not self.over:
            self.ended, self.state = monotonic(), state


class JobQueue:
    """All jobs of a server.

    >>> jobs = JobQueue()
    >>> job = jobs.start("adding", lambda progress: 1 + 1)
    >>> jobs.close()
    >>> job.state, job.result
    ('done', 2)
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(TOGETHER, thread_name_prefix="shoal-job")

    def start(self, kind: str, work: Callable[[Progress], Any]) -> BackgroundJob:
        """Begin a job in the background."""
        job = BackgroundJob(kind)
        self._pool.submit(job.run, work)
        return job

    def close(self) -> None:
        """Wait for what runs."""
        self._pool.shutdown(wait=True)
