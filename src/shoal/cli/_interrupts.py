"""Ctrl-C stops the work within a second, whatever it is busy with."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

PATIENCE = 0.4  # seconds that the work has to stop by itself


class Stoppable(Protocol):
    """Work that can be asked to stop."""

    cancelled: bool

    @property
    def on_disk(self) -> bool:
        """Tell whether something on disk would be left half done."""

    def farewell(self) -> None:
        """Say that the work was stopped."""


@contextmanager
def stopping(work: Stoppable) -> Iterator[None]:
    """Stop the work, and if it does not stop soon the process, after Ctrl-C.

    Raising an exception wherever the work stands would get lost inside compilers and callbacks,
    and compiled code may run for seconds without hearing of a signal at all. So the work is asked
    to stop; a thread listens too, and ends the process if it still runs a moment later. Only while
    files are written the signal is an exception, so that they are cleared away.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    wakeup = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    handler = signal.signal(signal.SIGINT, lambda *_: _ask(work))
    done = threading.Event()
    listener = threading.Thread(target=_listen, args=(ear, done, work), daemon=True)
    listener.start()
    try:
        yield
    finally:
        done.set()
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(wakeup)
        mouth.close()
        listener.join()
        ear.close()


def _ask(work: Stoppable) -> None:
    work.cancelled = True
    if work.on_disk:
        raise KeyboardInterrupt


def _listen(ear: socket.socket, done: threading.Event, work: Stoppable) -> None:
    while heard := ear.recv(16):  # nothing once the work is over
        if signal.SIGINT not in heard:
            continue
        work.cancelled = True
        while not done.wait(PATIENCE):
            if not work.on_disk:
                work.farewell()
                sys.stderr.flush()
                os._exit(128 + signal.SIGINT)
