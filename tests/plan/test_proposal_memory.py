"""A proposal for very many people takes memory for their cells, not for copies of them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import polars as pl

MEASURED = """
import resource, sys
import shoal

shoal.propose(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""
TIMES = 12  # the bytes of the file, beyond what the same takes for a hundred people; measured: 5


def test_very_many_rows_are_proposed_for_in_a_few_times_their_file(tmp_path):
    small, large = (_people(tmp_path / f"{rows}.csv", rows) for rows in (100, 400_000))
    grown = _peak(large) - _peak(small)
    assert grown < TIMES * large.stat().st_size


def _peak(path):
    measured = [sys.executable, "-c", MEASURED, str(path)]
    return int(subprocess.run(measured, capture_output=True, text=True, check=True).stdout)


def _people(path, rows):
    drawn = np.random.default_rng(0)
    days = np.datetime64("2000-01-01") + drawn.integers(0, 8_000, rows).astype("timedelta64[D]")
    columns = {
        "id": np.arange(rows),
        "age": drawn.integers(18, 90, rows),
        "zip": drawn.integers(10_000, 10_400, rows),
        "sex": drawn.choice(["f", "m"], rows),
        "joined": days,
        "income": drawn.integers(900, 9_000, rows),
        "diagnosis": drawn.choice(["flu", "asthma", "gout"], rows),
        "score": drawn.normal(50, 9, rows).round(2),
    }
    pl.DataFrame(columns).write_csv(path)
    return path
