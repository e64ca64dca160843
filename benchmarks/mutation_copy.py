"""A copy of the code and its tests, where faults do no harm."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path


def copied(root: Path, copy: Path) -> Path:
    """Copy what the tests need, and let this process and those it starts import from there."""
    for part in ("src", "tests", "benchmarks"):
        shutil.copytree(root / part, copy / part)
    for part in ("pyproject.toml", "conftest.py"):
        shutil.copy2(root / part, copy / part)
    _keep_compiled(root, copy)
    os.environ |= {
        "PYTHONPATH": str(copy / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",  # no change outlives its trial
        "OPENBLAS_NUM_THREADS": "1",
        "SHOAL_DATA": os.environ.get("SHOAL_DATA", str(root.parent / "shared" / "data")),
    }
    sys.path.insert(0, str(copy / "src"))
    sys.dont_write_bytecode = True
    return copy


def _keep_compiled(root: Path, copy: Path) -> None:
    """Give what numba compiled its new name: it names folders by the path of their source."""
    for part in ("src/shoal/kernels", "src/shoal/kernels/quantize"):
        old, new = (hashlib.sha1(str(place / part).encode()).hexdigest() for place in (root, copy))
        for folder in (copy / "src/shoal/kernels").rglob(f"*_{old}"):
            folder.rename(folder.with_name(folder.name.replace(old, new)))
