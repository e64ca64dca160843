"""Work on independent cells, on all cores, a chunk at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import TypeVar

from shoal._progress import Progress, stop_if_cancelled

Buffers = TypeVar("Buffers")


def in_chunks(
    n: int,
    steps: int,
    new_buffers: Callable[[], Buffers],
    work: Callable[[int, int, Buffers], object],
    progress: Progress,
) -> None:
    """Call ``work(begin, end, buffers)`` for all of ``range(n)`` in chunks of ``steps``.

    Kernels release the lock, so threads use all cores; each has buffers of its own. Between two
    rounds of chunks the progress is told and asked whether to go on.

    >>> from shoal._progress import SILENT
    >>> done = []
    >>> in_chunks(5, 2, list, lambda begin, end, _: done.append((begin, end)), SILENT)
    >>> sorted(done)
    [(0, 2), (2, 4), (4, 5)]
    """
    workers = min(cpu_count() or 1, max(1, n // steps))
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
