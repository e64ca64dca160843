"""Best-first SaNGreeA with the paper's growth, for comparison.

Shoal's best-first order grows groups by the price per row gained. Here the same kernels are built
once more around the paper's growth, which takes the cheapest row whatever comes with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any
from unittest.mock import patch

from numba import njit

from shoal.grouping import _sangreea as ours
from shoal.kernels.growing import grow


@contextmanager
def plain_growth() -> Iterator[None]:
    """Let best-first order grow its groups as the paper does."""
    with (
        patch.object(ours, "first_costs", _first_costs),
        patch.object(ours, "group_cheapest_first", _group_cheapest_first),
    ):
        yield


def _rebuilt(kernel: Any) -> Any:
    """Compile a kernel again with another growth; numba has bound the first one for good."""
    names = {**kernel.py_func.__globals__, "grow_thrifty": grow}
    return njit(nogil=True)(FunctionType(kernel.py_func.__code__, names))


_first_costs = _rebuilt(ours.first_costs)
_group_cheapest_first = _rebuilt(ours.group_cheapest_first)
