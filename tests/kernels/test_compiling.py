"""Compiling: where compiled kernels are kept."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from shoal.kernels import compiling


def test_a_change_in_a_family_of_kernels_is_compiled_anew(tmp_path, monkeypatch):
    """Compiled code of another state of the source cannot always be loaded."""
    (tmp_path / "proof").mkdir()
    monkeypatch.setattr(compiling, "PACKAGE", tmp_path)
    seen = set()
    for place, text in (("a.py", "1"), ("proof/b.py", "1"), ("proof/b.py", "2")):
        (tmp_path / place).write_text(text)
        seen.add(compiling._source_digest())
    assert len(seen) == 3


@pytest.mark.parametrize("version", [numba.__version__, "0.99.0"])
def test_kernels_that_call_each_other_say_the_same_with_any_numba(version, monkeypatch):
    monkeypatch.setattr(compiling.numba, "__version__", version)

    @compiling.njit(nogil=True, counted=False)
    def doubled(numbers, i):
        return 2 * numbers[i]

    @compiling.njit(nogil=True)
    def total(numbers):
        told = np.zeros(1, np.int64)
        for i in range(numbers.size):
            told[0] += doubled(numbers, i)
        return told

    assert total(np.arange(5)).tolist() == [20]
    assert doubled(np.arange(5), 3) == 6
    linked = "get_call_template" in vars(doubled)
    assert linked == compiling.knows_insides(version)
