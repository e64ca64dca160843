"""A cache that several processes fill side by side: each kernel is compiled by one, others wait."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from pathlib import Path

from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock

try:
    import fcntl
except ImportError:  # Windows: processes that begin side by side compile the same twice
    fcntl = None

WAITING = "shoal:waiting"  # an event, as numba has them: another process compiles the same


def share(kernel):
    """Cache what a kernel is compiled to where numba looks at the moment, for all processes."""
    kernel._cache = _SharedCache(kernel.py_func)
    kernel.compile = partial(_compile_once, kernel, kernel.compile)


def _compile_once(kernel, compile_here, signature):
    with global_compiler_lock:
        try:
            return compile_here(signature)
        finally:
            kernel._cache.unlock()


class _SharedCache(FunctionCache):
    """Whoever finds nothing locks a kernel, looks again, and compiles it.

    Nobody waits for ever: kernels do not call each other in a circle, and a lock ends with its
    process.
    """

    lock = None

    def load_overload(self, signature, context):
        found = super().load_overload(signature, context)
        if found is None:
            self._lock()
            found = super().load_overload(signature, context)
        return found

    def _lock(self):
        if fcntl is None or self.lock is not None:
            return
        with suppress(OSError):  # a folder that cannot be written to: compiled for this process
            self._impl.locator.ensure_cache_path()
            lock = open(Path(self.cache_path, f"{self._impl.filename_base}.lock"), "w")
            with event.trigger_event(WAITING):
                fcntl.flock(lock, fcntl.LOCK_EX)
            self.lock = lock

    def unlock(self):
        """Let others find what was compiled."""
        if self.lock is not None:
            with suppress(OSError):
                os.unlink(self.lock.name)
            fcntl.flock(self.lock, fcntl.LOCK_UN)  # also where a fork holds the file open
            self.lock.close()
            self.lock = None
