"""The compiler of kernels: numba's `njit`, with a folder of our own for what it compiled."""

from __future__ import annotations

import gc
import hashlib
import os
import tempfile
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter

import numba
from numba import config
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from shoal.kernels.shared_cache import WAITING, share

PACKAGE = Path(__file__).parent
KNOWN_INSIDES = ("0.68",)  # versions of numba in which parts were linked and tested


def njit(counted=True, **options):
    """Compile a function as numba does; its cache lies elsewhere, and as a part it is only linked.

    Kernels that make no array and copy none as a whole need not be ``counted``: numba then leaves
    out the code that counts who holds an array, and that is half of all it would compile.
    Processes that begin side by side compile each kernel once: the others wait for it.
    All rely on insides of numba: with versions that were not tried, kernels are compiled as usual.
    The folder is set while numba looks for one and set back at once, so that whatever else the
    process compiles stays where it was.
    """

    def decorate(function):
        if config.DISABLE_JIT or not knows_insides(numba.__version__):
            return _cached(function, "", **options)
        options["_nrt"] = counted
        kernel = _shared(function, "", **options, **AS_WHOLE)
        if "inline" not in options:  # else callers take in its source
            part = cache(lambda: _shared(function, "parts", **options, **AS_PART))
            kernel.get_call_template = lambda *types: part().get_call_template(*types)
            kernel.get_overload = lambda types: part().get_overload(types)
        return kernel

    return decorate


def knows_insides(version):
    """Tell whether parts can be linked; with any other numba kernels are compiled as it does.

    >>> knows_insides("0.68.1"), knows_insides("0.70.0")
    (True, False)
    """
    return version.rpartition(".")[0] in KNOWN_INSIDES


def _cached(function, folder, **options):
    with _cache_at(folder):
        return numba.njit(**options)(function)


@contextmanager
def _cache_at(folder):
    before = config.CACHE_DIR
    config.CACHE_DIR = str(Path(before or cache_folder(), folder))
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _shared(function, folder, **options):
    cached = options.pop("cache", False)
    kernel = _cached(function, folder, **options)
    if cached:
        with _cache_at(folder):
            share(kernel)
    return kernel


class _Part(JITCodeLibrary):
    """What kernels link in: neither optimized alone nor made machine code, as each caller is.

    Numba does both for every function, though the optimizer sees it again inside each caller:
    a third of the time that a first run takes to compile.
    """

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _):
        return 0

    @property
    def codegen(self):
        return self  # for `set_env`, all that is asked of it

    def set_env(self, name, env):
        """Leave it to `_WholeCompiler`: no machine code has a place for it yet."""

    def serialize_using_object_code(self):
        return self.serialize_using_bitcode()


class _PartCompiler(Compiler):
    """Compile what other kernels call."""

    def compile_extra(self, func):
        self.state.library = _Part(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class _WholeCompiler(Compiler):
    """Compile what Python calls, with the parts that it calls."""

    def compile_extra(self, func):
        compiled = super().compile_extra(func)
        for env in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(env.env_name, env)
        return compiled


AS_WHOLE = {"no_cfunc_wrapper": True, "pipeline_class": _WholeCompiler}
AS_PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler}


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
    """Note when kernels were compiled: a list of (begin, end), as `perf_counter` tells time.

    Meanwhile nothing looks for garbage: that is a tenth of the time which compiling takes.
    """
    watch = _Watch()
    with ExitStack() as installed:
        for kind in ("numba:compile", WAITING):
            installed.enter_context(event.install_listener(kind, watch))
        yield watch.spans


class _Watch(event.Listener):
    """Kernels that call others compile them on the way: only the outermost is noted.

    Waiting for a process that compiles the same counts as well.
    """

    def __init__(self):
        self.spans = []
        self.depth, self.began = 0, 0.0

    def on_start(self, _):
        if not self.depth:
            self.began = perf_counter()
            gc.disable()
        self.depth += 1

    def on_end(self, _):
        self.depth -= 1
        if not self.depth:
            gc.enable()
            self.spans.append((self.began, perf_counter()))
