"""Table reading: a file becomes a plan in the background, with a share to show and a way out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from shoal._progress import Progress, stop_if_cancelled
from shoal.exceptions import CancelledError, ShoalError
from shoal.web._first_look import FirstReading
from shoal.web._jobs import JobProgress
from shoal.web._upload_limits import MEGABYTE, UploadLimits

Read = Callable[[Path, UploadLimits, Progress], FirstReading]
QUICK = 4 * MEGABYTE  # read at once: nobody sees a bar move
SAMPLE = 0.02  # of a file, read first to know how long the rest will take
SMALLEST = MEGABYTE // 2


def read_with_progress(
    path: Path, limits: UploadLimits, read: Read, progress: Progress
) -> FirstReading:
    """Read a table and propose a plan; how long it takes is told from the first part of it."""
    progress.phase("reading")
    expected = _expected_seconds(path, limits, read, progress)
    stop_if_cancelled(progress)
    if expected is not None and isinstance(progress, JobProgress):
        progress.expect(expected)
    found = read(path, limits, progress)
    stop_if_cancelled(progress)
    return found


def _expected_seconds(
    path: Path, limits: UploadLimits, read: Read, progress: Progress
) -> float | None:
    """Read a first part of a large text file, and say from that how long the whole will take."""
    size = path.stat().st_size
    if path.suffix != ".csv" or size < QUICK:
        return None
    folder = path.parent / "job-sample"
    folder.mkdir(mode=0o700)
    try:
        part = folder / path.name
        share = _write_part(path, part, max(SMALLEST, int(size * SAMPLE))) / size
        began = monotonic()
        read(part, limits, progress)
        return (monotonic() - began) / share
    except CancelledError:
        raise
    except (ShoalError, ZeroDivisionError):
        return None  # what is wrong with it is told when all of it is read
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write_part(whole: Path, part: Path, size: int) -> int:
    """Write whole lines from the beginning of a file, about as many bytes as asked for."""
    with whole.open("rb") as file:
        lines = file.read(size) + file.readline()
    part.touch(mode=0o600)
    return part.write_bytes(lines)
