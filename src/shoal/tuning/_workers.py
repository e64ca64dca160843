"""Workers: processes that do efforts; what goes wrong in one comes back as a sentence."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from multiprocessing import get_context
from typing import NamedTuple, Self, TypeAlias

from shoal.exceptions import InputError, ShoalError
from shoal.tuning._effort import Effort
from shoal.tuning._effort_runner import EffortOutcome, EffortRunner

#: What an effort came to, or why it came to nothing.
Result: TypeAlias = EffortOutcome | str
FEW_ROWS = 5_000  # below this a second process costs more than it saves
MOST_WORKERS = 3  # each holds its own copy of the libraries, half a gigabyte

_laboratory: EffortRunner | None = None


class TrialJob(NamedTuple):
    """A numbered effort; ``turn`` says which rows are for validation, None as parted first."""

    number: int
    effort: Effort
    turn: int | None = None


class Workers(AbstractContextManager["Workers"]):
    """Some processes with a runner each; with one worker, this process itself.

    Parameters
    ----------
    runner : Laboratory
        What does the work.
    n : int, optional
        How many; if not given, one for a small table, else as many as there are cores, up to three.
    """

    def __init__(self, runner: EffortRunner, n: int | None = None) -> None:
        if n is None:
            few = runner.parts.train.n_rows < FEW_ROWS
            n = 1 if few else min(MOST_WORKERS, os.cpu_count() or 1)
        self.n = n
        self._laboratory = runner
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if self.n > 1:
            self._pool = ProcessPoolExecutor(
                self.n, get_context("spawn"), _settle_in, (self._laboratory, os.getpid())
            )
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def run(self, jobs: Iterable[TrialJob]) -> Iterator[tuple[int, Result]]:
        """Do numbered efforts and hand each result over as soon as it is there."""
        if self._pool is None:
            for number, effort, turn in jobs:
                yield number, attempt(self._laboratory.rotated(turn), effort)
            return
        try:
            waiting = {self._pool.submit(_attempt, job): job.number for job in jobs}
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        except BrokenProcessPool:
            raise InputError(
                "A worker process died, most likely for want of memory.",
                hint="Use fewer workers; what was finished is kept if a storage was named.",
            ) from None


def attempt(runner: EffortRunner, effort: Effort) -> Result:
    """Do one effort; a failure is a result too. The message of a stranger is not repeated."""
    try:
        return runner.run(effort)
    except ShoalError as error:
        return str(error)
    except MemoryError:
        return "There was not enough memory."
    except Exception as error:  # a model may raise anything, and quote what it saw
        return f"A model or its preparation failed ({type(error).__name__})."


def _settle_in(runner: EffortRunner, parent: int) -> None:
    global _laboratory
    _laboratory = runner
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _attempt(job: TrialJob) -> Result:
    assert _laboratory is not None
    return attempt(_laboratory.rotated(job.turn), job.effort)


def _leave_with(parent: int) -> None:
    """End when the study does, even if it was killed."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
