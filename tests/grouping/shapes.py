"""Shapes of tables for Hypothesis: it chooses the numbers, `shoal.testing` makes the table."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from shoal.grouping import Auto, Mondrian, SaNGreeA
from shoal.testing import random_table

GROUPERS = [
    Auto(),
    SaNGreeA(),
    SaNGreeA(refine=False),
    SaNGreeA(refine=False, rated=0.4),
    SaNGreeA(order="common"),
    SaNGreeA(order="content", refine=False),
    Mondrian(),
]
SHAPES = st.fixed_dictionaries(
    {
        "n_rows": st.integers(4, 60),
        "n_quasi": st.integers(1, 8),
        "n_values": st.sampled_from([1, 2, 3, 8, 40]),
        "missing": st.sampled_from([0.0, 0.1, 0.5, 1.0]),
        "duplicates": st.sampled_from([0.0, 0.4, 1.0]),
        "person": st.booleans(),
    }
)
SEEDS = st.integers(0, 2**32 - 1)


def quick(examples):
    """A few examples, the same in every run: tables come from seeds, so shrinking is of no use."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


def table_of(seed, shape):
    rng = np.random.default_rng(seed)
    return rng, random_table(rng, **shape)
