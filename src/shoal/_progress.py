"""Progress is an object: whoever does long work reports to it and asks whether to go on.

Work on all cores stands here too, for it is between its chunks that somebody is told and asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from os import cpu_count
from typing import Protocol, TypeVar

from shoal.exceptions import CancelledError

Buffers = TypeVar("Buffers")
Job = TypeVar("Job")
Result = TypeVar("Result")


class Progress(Protocol):
    """Where long work reports to. The command line draws a bar, the web app fills a queue."""

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a named phase of ``total`` steps (unknown if None)."""

    def advance(self, steps: int = 1) -> None:
        """Say that ``steps`` more steps of the phase are done."""

    @property
    def cancelled(self) -> bool:
        """Tell whether the user wants the work to stop."""


#: How the names of phases begin that may end at any moment with the best found so far.
SEARCHING = "searching on"


class Silent:
    """The default: reports to nobody and is never cancelled."""

    cancelled = False

    def phase(self, name: str, total: int | None = None) -> None:
        """Ignore the phase."""

    def advance(self, steps: int = 1) -> None:
        """Ignore the step."""


SILENT = Silent()


@dataclass(eq=False)
class CountedProgress:
    """Progress that keeps count, and tells ``shown`` of it once somebody looks."""

    cancelled: bool = False
    enough: bool = False
    current: str = "starting"
    total: int | None = None
    done: int = 0
    shown: Callable[[], None] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase."""
        with self.lock:
            self.current, self.total, self.done = name, total, 0
            if self.shown is not None:
                self.shown()

    def advance(self, steps: int = 1) -> None:
        """Move on."""
        with self.lock:
            self.done += steps
            if self.shown is not None:
                self.shown()


def stop_if_cancelled(progress: Progress) -> None:
    """Raise `CancelledError` as soon as the user asked to stop."""
    if progress.cancelled:
        raise CancelledError("Stopped before the release was written; nothing was left behind.")


def has_enough(progress: Progress) -> bool:
    """Tell whether the user wants what a search has found so far; not every progress is asked."""
    return bool(getattr(progress, "enough", False))


def at_once(work: Callable[[Job], Result], jobs: list[Job]) -> list[Result]:
    """Do jobs on all cores, kernels of which release the lock; results come in their order.

    >>> at_once(lambda x: x + 1, [1, 2, 3])
    [2, 3, 4]
    """
    workers = min(cpu_count() or 1, len(jobs))
    if workers < 2:
        return [work(job) for job in jobs]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, jobs))


def in_chunks(
    n: int,
    steps: int,
    new_buffers: Callable[[], Buffers],
    work: Callable[[int, int, Buffers], object],
    progress: Progress,
    *,
    alone: bool = True,
) -> None:
    """Call ``work(begin, end, buffers)`` for all of ``range(n)`` in chunks of ``steps``.

    Kernels release the lock, so threads use all cores; each has buffers of its own. Between two
    rounds of chunks the progress is told and asked whether to go on. Whoever is not ``alone``, but
    one of several who work side by side, has one thread.

    >>> done = []
    >>> in_chunks(5, 2, list, lambda begin, end, _: done.append((begin, end)), SILENT)
    >>> sorted(done)
    [(0, 2), (2, 4), (4, 5)]
    """
    workers = min(cpu_count() or 1 if alone else 1, max(1, n // steps))
    buffers = [new_buffers() for _ in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        for start in range(0, n, steps * workers):
            stop_if_cancelled(progress)
            begins = range(start, n, steps)
            jobs = [
                pool.submit(work, begin, min(n, begin + steps), own)
                for begin, own in zip(begins, buffers, strict=False)
            ]
            for job in jobs:
                job.result()
            progress.advance(min(n - start, steps * workers))
