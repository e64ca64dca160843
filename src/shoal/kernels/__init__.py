"""The only numba in Shoal: free functions on plain arrays, arrays and scalars in, arrays out.

Compiled code is kept in a folder named after the source of all kernels: numba itself notices a
change of the file a kernel stands in, but not of the kernels it calls in other files. The folder
lies beside these files or, where those are read-only (a system-wide install, a container), in
the user's cache. Numba must know it before its first decorator runs.

A folder in here is a family that nothing else calls: each of its files calls only itself and the
files beside this one, so that working on it does not compile everything else again.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _source_digest(package: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(package.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder(package: Path) -> Path:
    name = f"numba-{_source_digest(package)}"
    if os.access(package, os.W_OK):
        return package / "__pycache__" / name
    try:
        folder = _user_cache() / "shoal" / name
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or a read-only one: compile anew in every process
        folder = Path(tempfile.mkdtemp(prefix="shoal-numba-"))
    return folder


def _set_cache_folder(package: Path) -> None:
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = str(_cache_folder(package))
    os.environ["NUMBA_CACHE_DIR"] = folder
    if "numba" in sys.modules:  # too late for the environment: tell numba itself
        sys.modules["numba"].config.CACHE_DIR = folder


_set_cache_folder(Path(__file__).parent)
