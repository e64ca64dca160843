"""The same choices without the compiler: Python checks every index, numba checks none."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from shoal.grouping import Mondrian, SaNGreeA, _refine
from shoal.testing import random_case

GROUPERS = (SaNGreeA(), SaNGreeA(order="common"), Mondrian())


def digest(seeds):
    """Labels of all groupers on a few random cases; they are refined a little only."""
    before, _refine.PER_ROW = _refine.PER_ROW, 20
    try:
        return _labels(seeds)
    finally:
        _refine.PER_ROW = before


def _labels(seeds):
    cases = [random_case(np.random.default_rng((31, seed))) for seed in seeds]
    solved = [case.solve(grouper) for case in cases for grouper in GROUPERS]
    return [None if grouping is None else grouping.labels.tolist() for grouping in solved]


def test_uncompiled_kernels_make_the_same_groups():
    seeds = range(12)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run(
        [sys.executable, "-W", "ignore::RuntimeWarning", __file__, *map(str, seeds)],
        env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip() == str(digest(seeds))


if __name__ == "__main__":
    sys.stdout.write(str(digest([int(seed) for seed in sys.argv[1:]])))
