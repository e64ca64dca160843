"""The progress bar: on standard error, only for people, only if it takes a while."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from shoal._progress import CountedProgress
from shoal.cli._errors import explain
from shoal.cli._interrupts import stopping

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

AFTER = 1.0  # seconds; what is over sooner needs no bar
ON_DISK = ("writing", "verifying")  # phases that must end by themselves, to clear up


@contextmanager
def working() -> Iterator[Bar]:
    """Show progress, and stop within a second of Ctrl-C."""
    bar = Bar()
    with stopping(bar), bar:
        yield bar


class Bar(CountedProgress):
    """Where long work reports to: a bar on a terminal, nothing elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: RichProgress | None = None
        self._closed = False
        self._timer = threading.Timer(AFTER, self._appear)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def on_disk(self) -> bool:
        """Tell whether files are being written."""
        return self.current in ON_DISK

    def farewell(self) -> None:
        """Take the bar away and say that the work was stopped."""
        self.close()
        explain(KeyboardInterrupt())

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
