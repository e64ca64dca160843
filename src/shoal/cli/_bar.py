"""Work in sight: a progress bar, Ctrl-C that stops within a second, a first run that compiles."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from shoal._progress import SEARCHING, CountedProgress
from shoal.cli._output import explain, say, written
from shoal.exceptions import CancelledError

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

AFTER = 1.0  # seconds; what is over sooner needs no bar
PATIENCE = 0.4  # seconds that the work has to stop by itself
#: Phases that must end by themselves, to clear up.
ON_DISK = ("writing", "verifying", "asking the ledger", "naming")
TOO_LATE = "naming"  # the release gets its name: a stop would only leave it unconfirmed
Spans = Sequence[tuple[float, float]]  # begins and ends, as `time.perf_counter` tells time
COMPILED = "bounds.*.nbi"  # numba's index of kernels that nearly every run needs
TASKS = 3  # of `shoal.cli._warmup`: so many processes can share them


@contextmanager
def working(bar: Bar | None = None) -> Iterator[Bar]:
    """Show progress; stop the work, and if it does not stop soon the process, after Ctrl-C.

    Raising an exception wherever the work stands would get lost inside compilers and callbacks,
    and compiled code may run for seconds without hearing of a signal at all. So the work is asked
    to stop, by a thread that listens and ends the process if it still runs a moment later. Only
    while files are written the signal is an exception, so that they are cleared away. A search is
    asked for the best that it found so far; it takes a second Ctrl-C to stop that.
    """
    bar = Bar() if bar is None else bar
    if threading.current_thread() is not threading.main_thread():
        with closing(bar):
            yield bar
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    wakeup = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    handler = signal.signal(signal.SIGINT, lambda *_: _ask(bar))
    done = threading.Event()
    listener = threading.Thread(target=_listen, args=(ear, done, bar), daemon=True)
    listener.start()
    try:
        with closing(bar):
            yield bar
    except KeyboardInterrupt as stopped:
        if not stopped.args:
            raise
        raise CancelledError(  # typer would make an exit code of it, and lose what it says
            str(stopped), hint="It counts as released; 'shoal ledger withdraw' takes it back."
        ) from None
    finally:
        done.set()
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(wakeup)
        mouth.close()
        listener.join()
        ear.close()


class Bar(CountedProgress):
    """Where long work reports to: a bar on a terminal, nothing elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: RichProgress | None = None
        self._closed = False
        self._timer = threading.Timer(AFTER, self._appear)
        self._timer.daemon = True
        if sys.stderr.isatty():
            self._timer.start()

    @property
    def on_disk(self) -> bool:
        """Tell whether files are being written."""
        return self.current in ON_DISK

    @property
    def too_late(self) -> bool:
        """Tell whether the work ends in a moment, and a stop would help nobody."""
        return self.current == TOO_LATE

    @property
    def searching(self) -> bool:
        """Tell whether a search may end now with the best that it found."""
        return self.current.startswith(SEARCHING) and not self.enough

    def farewell(self) -> None:
        """Take the bar away and say that the work was stopped."""
        self.close()
        explain(KeyboardInterrupt())

    def tell(self) -> None:
        """Begin to tell of a release: from now on it is too late to leave nothing behind."""
        written.append("telling")
        self.phase("telling")

    def close(self) -> None:
        """Take the bar away."""
        self._timer.cancel()
        with self.lock:
            self._closed, self.shown = True, None
            if self._drawn is not None:
                self._drawn.stop()
                self._drawn = None

    def _draw(self) -> None:
        if self._drawn is not None:
            task = self._drawn.task_ids[0]
            self._drawn.update(
                task, description=self.current, total=self.total, completed=self.done
            )

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
        from rich.progress import SpinnerColumn as Spinner
        from rich.progress import TimeElapsedColumn as Elapsed

        words = TextColumn("{task.description}")
        drawn = Progress(
            Spinner(), words, BarColumn(), TaskProgressColumn(), Elapsed(),
            console=Console(stderr=True), transient=True,
        )  # fmt: skip
        with self.lock:
            if not self._closed:
                drawn.add_task(self.current, total=self.total, completed=self.done)
                drawn.start()
                self._drawn, self.shown = drawn, self._draw


def _ask(work: Bar) -> None:
    if work.on_disk and not work.too_late:
        work.cancelled = True
        raise KeyboardInterrupt


def _listen(ear: socket.socket, done: threading.Event, work: Bar) -> None:
    while heard := ear.recv(16):  # nothing once the work is over
        if signal.SIGINT not in heard:
            continue
        if work.searching:
            work.enough = True
            continue
        work.cancelled = True
        while not done.wait(PATIENCE):
            if not work.on_disk:
                work.farewell()
                sys.stderr.flush()
                os._exit(128 + signal.SIGINT)


@contextmanager
def helping() -> Iterator[Spans]:
    """Let other processes compile beside this one, if there is anything to compile.

    Gives the moments that this process spent compiling, as they are noted.
    """
    from shoal.kernels.compiling import cache_folder, watch_compiling

    folder = os.environ.get("NUMBA_CACHE_DIR") or cache_folder()
    if any(Path(folder).rglob(COMPILED)):
        yield []
        return
    if sys.stderr.isatty():
        say("The first run compiles its kernels for this machine: half a minute or so, this once.")
    quiet = subprocess.DEVNULL
    command = (sys.executable, "-m", "shoal.cli._warmup")
    helpers = [
        subprocess.Popen([*command, str(task)], stdin=quiet, stdout=quiet, stderr=quiet)
        for task in range(min((os.cpu_count() or 1) - 1, TASKS))
    ]
    try:
        with watch_compiling() as spans:
            yield spans
    finally:
        for helper in helpers:
            helper.terminate()
            helper.wait()


def without_compiling(seconds: Mapping[str, float], began: float, spans: Spans) -> dict[str, float]:
    """Take the time that was spent compiling out of phases that followed each other.

    >>> without_compiling({"reading": 2.0, "grouping": 40.0}, 100.0, [(101.5, 141.0)])
    {'reading': 1.5, 'grouping': 1.0, 'compiling': 39.5}
    """
    left, end = {}, began
    for phase, spent in seconds.items():
        begin, end = end, end + spent
        left[phase] = spent - sum(max(0.0, min(b, end) - max(a, begin)) for a, b in spans)
    compiled = sum(seconds.values()) - sum(left.values())
    return left | ({"compiling": compiled} if compiled else {})
