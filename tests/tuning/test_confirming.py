"""Which finalist is released: the default is left only for a clear gain."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.tuning import Effort, EffortOutcome, Trial
from shoal.tuning._effort_runner import FAITHFUL_UP_TO, REFINED_UP_TO, EffortRunner
from shoal.tuning._study import _ahead, _clearly_best


def trial(number: int, **weights: float) -> Trial:
    outcome = EffortOutcome(q_f=0.5, q_nf=1.0, k=5, ngil=0.1, groups=2, suppressed=0, seconds=0.0)
    return Trial(number, Effort(5, weights), outcome)


EQUAL, TUNED, OTHER = trial(0), trial(1, age=1.0, sex=0.1), trial(2, age=0.1, sex=1.0)


@pytest.mark.parametrize(
    ("ahead", "chosen"),
    [
        ([0.03, 0.02, 0.03, 0.02], TUNED),  # on every division
        ([0.05, -0.03, 0.04, -0.02], EQUAL),  # luck
        ([0.0, 0.0, 0.0, 0.0], EQUAL),
        ([-0.02, -0.01, -0.02, -0.01], EQUAL),
    ],
)
def test_the_default_is_left_only_for_a_clear_gain(ahead, chosen):
    base = np.array([0.70, 0.68, 0.71, 0.69])
    qualities = np.array([base, base + ahead, base - 0.1])
    assert _clearly_best([EQUAL, TUNED, OTHER], qualities) is chosen


def test_where_equal_weights_were_not_tried_or_failed_the_best_is_taken():
    qualities = np.array([[0.6, 0.6, 0.6, 0.6], [0.7, 0.5, 0.7, 0.6]])
    assert _clearly_best([TUNED, OTHER], qualities) is OTHER
    failed = np.array([[-np.inf] * 4, [0.7, 0.5, 0.7, 0.6]])
    assert _clearly_best([EQUAL, OTHER], failed) is OTHER


@pytest.mark.parametrize(
    ("rows", "method", "refined"),
    [(REFINED_UP_TO, "best-first", True), (REFINED_UP_TO + 1, "best-first", False),
     (FAITHFUL_UP_TO + 1, "auto", False)],
)  # fmt: skip
def test_finalists_are_judged_as_releases_where_that_takes_seconds(rows, method, refined):
    class Parts:
        class train:  # noqa: N801 - only its size is asked for
            n_rows = rows

    runner = EffortRunner(Parts, None, None)
    found = runner.faithful(Effort(5))
    assert (found.method, found.refine) == (method, refined)


def test_those_ahead_go_on_and_the_default_beside_them():
    found = [EQUAL, *(trial(n, age=1.0, sex=0.1 / n) for n in range(1, 9))]
    tried = np.full((9, 4), np.nan)
    assert _ahead(found, tried, 9) == list(range(9))
    tried[:, 0] = np.arange(9)  # the default is last, the newest best
    assert _ahead(found, tried, 4) == [8, 7, 6, 5, 0]
    tried[[8, 7, 6, 5, 0], 1] = [0, 0, 9, 0, 0]
    tried[4, 0] = 99  # was not tried on the second division
    assert _ahead(found, tried, 2) == [6, 8, 0]
