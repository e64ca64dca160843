"""The compiler of kernels: numba's `njit`, with a folder of our own for what it compiled."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter

import numba
from numba import config
from numba.core import event

PACKAGE = Path(__file__).parent


def njit(**options):
    """Compile a function as numba does; only its own cache lies elsewhere.

    The folder is set while numba looks for one and set back at once, so that whatever else the
    process compiles stays where it was.
    """

    def decorate(function):
        before = config.CACHE_DIR
        config.CACHE_DIR = before or str(cache_folder())
        try:
            return numba.njit(**options)(function)
        finally:
            config.CACHE_DIR = before

    return decorate


@cache
def cache_folder():
    """Return the folder of compiled kernels: a new one for every state of their source."""
    name = f"numba-{_source_digest()}"
    if os.access(PACKAGE, os.W_OK):
        return PACKAGE / "__pycache__" / name
    from platformdirs import user_cache_path

    try:
        folder = user_cache_path("shoal", appauthor=False) / name
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or a read-only one: compile anew in every process
        folder = Path(tempfile.mkdtemp(prefix="shoal-numba-"))
    return folder


def _source_digest():
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def watch_compiling():
    """Note when kernels were compiled: a list of (begin, end), as `perf_counter` tells time."""
    watch = _Watch()
    with event.install_listener("numba:compile", watch):
        yield watch.spans


class _Watch(event.Listener):
    """Kernels that call others compile them on the way: only the outermost is noted."""

    def __init__(self):
        self.spans = []
        self.depth, self.began = 0, 0.0

    def on_start(self, _):
        if not self.depth:
            self.began = perf_counter()
        self.depth += 1

    def on_end(self, _):
        self.depth -= 1
        if not self.depth:
            self.spans.append((self.began, perf_counter()))
