"""Marks of who brings a rule about t closer: found in two passes, as if each were tried."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.rules import NOISE, RULES, Rules, excess, mark_helpful
from shoal.kernels.slots import OFFSET, RULE, SIZE, SKIP


def draw_rule(rng, name):
    """One rule about a few values, and the counts of a group."""
    size = int(rng.integers(1, 9))
    meta = np.zeros((1, 5), np.int64)
    meta[0, RULE], meta[0, OFFSET], meta[0, SIZE], meta[0, SKIP] = RULES.index(name), 0, size, -1
    table = rng.integers(1, 20, size)
    counts = rng.integers(0, 6, size)
    counts[rng.integers(size)] += 1
    bound = np.array([rng.choice([0.0, 0.1, 0.3])])
    return Rules(meta, bound, table / table.sum(), np.zeros((1, 1), np.int64)), counts


@pytest.mark.parametrize("name", ["t_equal", "t_ordered"])
def test_whoever_is_marked_brings_the_group_closer_when_tried(name):
    marked = 0
    for seed in range(300):
        rules, counts = draw_rule(np.random.default_rng(seed), name)
        distinct, totals = np.zeros(1, np.int64), np.array([counts.sum()])
        helpful = np.ones(counts.size, np.bool_)
        mark_helpful(rules, counts, distinct, totals, helpful)
        now = excess(rules, 0, counts, distinct, totals)
        for code in range(counts.size):
            more = counts + (np.arange(counts.size) == code)
            closer = excess(rules, 0, more, distinct, totals + 1) < now - NOISE
            assert helpful[code] == (now > 0 and closer)
        marked += helpful.sum()
    assert marked > 100
