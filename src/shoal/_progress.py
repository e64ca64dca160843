"""Progress is an object: whoever does long work reports to it and asks whether to go on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from shoal.exceptions import CancelledError


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


class CountedProgress:
    """Progress that keeps count, and tells ``shown`` of it once somebody looks."""

    def __init__(self) -> None:
        self.cancelled = False
        self.enough = False
        self.current = "starting"
        self.total: int | None = None
        self.done = 0
        self.shown: Callable[[], None] | None = None
        self.lock = threading.Lock()

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
