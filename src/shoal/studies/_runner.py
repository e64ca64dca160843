"""Run a study: what is not done yet, on all cores, each result kept as soon as it is there."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context, parent_process
from pathlib import Path
from pkgutil import iter_modules
from time import perf_counter, process_time
from typing import Any

from shoal._progress import SILENT, Progress
from shoal.exceptions import CancelledError, InvalidParameterError, UnknownColumnError
from shoal.studies._base import SIZES, Finished, Item, Size, Study
from shoal.studies._findings import Findings
from shoal.studies._page import RunCost
from shoal.studies._store import STORE, ItemStore
from shoal.studies._writing import prepare_folder, write_findings

EffortOutcome = tuple[Mapping[str, Any], float]
AHEAD = 2  # items handed to each worker at a time: a stop loses little, nobody waits for work


@dataclass(frozen=True)
class StudyRun:
    """What a run did, and where it lies."""

    study: Study
    size: Size
    folder: Path
    findings: Findings
    items: int
    planned: int
    done_now: int
    seconds_now: float
    cpu_seconds: float


def study_names() -> list[str]:
    """Names of the studies there are: the folders of this package.

    >>> "malle2017" in study_names()
    True
    """
    package = import_module("shoal.studies")
    return sorted(
        m.name for m in iter_modules(package.__path__) if m.ispkg and not m.name.startswith("_")
    )


def find_study(name: str) -> Study:
    """Find a study by its name."""
    if name not in study_names():
        raise UnknownColumnError.among(name, study_names(), what="study")
    found: Study = import_module(f"shoal.studies.{name}").STUDY
    return found


def run_study(
    study: Study | str,
    folder: str | os.PathLike[str],
    *,
    size: Size = "small",
    workers: int | None = None,
    so_far: bool = False,
    progress: Progress = SILENT,
) -> StudyRun:
    """Run a study into a folder; what is already done there is not done again.

    Parameters
    ----------
    study : Study or str
        The study, or its name.
    folder : path
        Made if needed. Takes the store, ``tables/``, ``figures/``, ``results.json`` and
        ``index.html``. A folder that holds other things is refused.
    size : {"small", "full", "miniature"}
        How much of the paper to run.
    workers : int, optional
        Processes; as many as there are cores if not given. One works without any other process.
    so_far : bool
        Do no more work, and conclude from what is done.
    """
    study = find_study(study) if isinstance(study, str) else study
    workers = _checked(size, workers)
    began, target = perf_counter(), prepare_folder(Path(folder))
    with ItemStore(target / STORE, study) as store:
        planned, done_now = list(study.plan(size, store.finished())), 0
        if not so_far:
            planned, done_now = _do_all(study, size, store, workers, progress)
        done = store.finished().only(planned)
        progress.phase("concluding")
        findings = _concluded(study, size, done, len(planned))
        run = StudyRun(
            study,
            size,
            target,
            findings,
            items=len(done),
            planned=len(planned),
            done_now=done_now,
            seconds_now=perf_counter() - began,
            cpu_seconds=store.seconds,
        )
    progress.phase("writing")
    effort = RunCost(run.items, run.planned, run.cpu_seconds)
    write_findings(target, study, size, findings, effort)
    return run


def _concluded(study: Study, size: Size, done: Finished, planned: int) -> Findings:
    """Conclude; results that lack what a conclusion needs are told so, not by a traceback."""
    try:
        return study.conclude(size, done)
    except (LookupError, ValueError, StopIteration) as error:
        if len(done) == planned:
            raise
        raise InvalidParameterError(
            f"{len(done):,} of {planned:,} items of work are too few to conclude from.",
            hint="Run the study without --so-far for a while.",
        ) from error


def _checked(size: str, workers: int | None) -> int:
    if size not in SIZES:
        raise InvalidParameterError(
            f"There is no size {size!r}.", hint=f"Choose from {', '.join(SIZES)}."
        )
    if workers is not None and workers < 1:
        raise InvalidParameterError("There must be one worker or more.")
    return workers or os.cpu_count() or 1


def _do_all(
    study: Study, size: Size, store: ItemStore, workers: int, progress: Progress
) -> tuple[list[Item], int]:
    """Ask the study for items and do them, until it has no more to ask for."""
    done, done_now = store.finished(), 0
    while True:
        planned = list(study.plan(size, done))
        missing = [item for item in planned if item not in done]
        if not missing:
            return planned, done_now
        progress.phase(f"{study.name}: {missing[0].part}", total=len(planned))
        progress.advance(len(planned) - len(missing))
        for item, (result, seconds) in _results(study, missing, workers, progress):
            store.keep(item, result, seconds)
            done.add(item, result)
            done_now += 1
            progress.advance()


def _results(
    study: Study, items: Sequence[Item], workers: int, progress: Progress
) -> Iterator[tuple[Item, EffortOutcome]]:
    if workers == 1 or len(items) == 1:
        with study.at_work():
            for item in items:
                _stop_if_asked(progress)
                yield item, _timed(study, item)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _settle_in) as pool:
        try:
            yield from _in_turn(pool, study, items, workers, progress)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _in_turn(
    pool: ProcessPoolExecutor,
    study: Study,
    items: Sequence[Item],
    workers: int,
    progress: Progress,
) -> Iterator[tuple[Item, EffortOutcome]]:
    """Hand out items in their order, a few at a time, and yield what comes back."""
    waiting, running = iter(items), dict[Future[EffortOutcome], Item]()
    while True:
        _stop_if_asked(progress)
        while len(running) < workers * AHEAD and (item := next(waiting, None)) is not None:
            running[pool.submit(_timed, study, item)] = item
        if not running:
            return
        finished, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in finished:
            yield running.pop(future), future.result()


def _timed(study: Study, item: Item) -> EffortOutcome:
    began = process_time()  # what the work costs, however busy the machine is
    return study.work(item), process_time() - began


def stopped() -> CancelledError:
    """What to say to somebody who stopped a study."""
    return CancelledError(
        "Stopped; finished work is kept.", hint="Type the same command again to go on."
    )


def _stop_if_asked(progress: Progress) -> None:
    if progress.cancelled:
        raise stopped()


def _settle_in() -> None:
    """Let a worker use one thread, and end when the process that wants its results is gone."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    threadpool_limits(1)
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def finished_work(study: Study | str, folder: str | os.PathLike[str]) -> Finished:
    """Read what is done in a folder, without doing more."""
    study = find_study(study) if isinstance(study, str) else study
    path = Path(folder) / STORE
    if not path.is_file():
        raise InvalidParameterError("The folder holds no work of a study.")
    with ItemStore(path, study) as store:
        return store.finished()
