"""Where a search begins: what tells about the target keeps its detail."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.anonymizer import as_table
from shoal.table import Roles
from shoal.tuning import permutation_importance, starting_weights
from shoal.tuning._effort_runner import EffortRunner
from shoal.tuning._judge import Judge
from shoal.tuning._parts import part
from shoal.tuning._privacy import PrivacyMeasure
from shoal.tuning._starts import GIVES_WAY
from shoal.tuning._target import Target

NAMES = ["tells", "echo", "noise", "more noise"]


@pytest.fixture(scope="module", params=["classes", "numbers"])
def runner(request):
    chance = np.random.default_rng(1)
    tells = chance.integers(0, 50, 600)
    answer = tells + chance.integers(-5, 6, 600)
    frame = pl.DataFrame(
        {
            "tells": tells,
            "echo": tells // 10,  # knows nothing that the first does not
            "noise": chance.integers(0, 50, 600),
            "more noise": chance.integers(0, 50, 600),
            "answer": np.where(answer > 25, "yes", "no") if request.param == "classes" else answer,
        }
    )
    table = as_table(frame, Roles(quasi_identifiers=NAMES, target="answer"), None)
    goal = Target.of(table, None)
    parts = part(table, classes=goal.strata(table))
    judge = Judge(goal, ("random_forest",))
    return EffortRunner(parts, judge, PrivacyMeasure("k", False), features=tuple(NAMES))


def test_importance_finds_what_only_one_column_tells(runner):
    found = permutation_importance(runner)
    assert found["tells"] > 5 * max(found["echo"], found["noise"], found["more noise"])
    assert min(found.values()) >= 0


def test_some_starts_let_a_few_columns_keep_their_detail(runner):
    starts = starting_weights(runner)
    assert set(starts[0].values()) == {1.0}
    few = [start for start in starts[1:] if set(start.values()) == {1.0, GIVES_WAY}]
    assert {sum(w == 1.0 for w in start.values()) for start in few} >= {1, 2, 3}
    assert all(start["tells"] == 1.0 for start in few)
