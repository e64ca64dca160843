"""``shoal check`` agrees with a slow twin; ten thousand tables in ``benchmarks/checking.py``."""

from __future__ import annotations

import check_twin
import pytest
from check_twin import mismatches


@pytest.mark.parametrize("block", range(3))
def test_every_number_of_check_agrees(block, tmp_path):
    assert mismatches(range(20 * block, 20 * block + 20), tmp_path) == []


def test_a_wrong_number_would_be_found(tmp_path, monkeypatch):
    """The positive control: with a twin that is off by a little, every table differs."""
    monkeypatch.setattr(check_twin.Twin, "t_equal", lambda self: [0.123456])
    assert len(mismatches(range(5), tmp_path)) >= 5
