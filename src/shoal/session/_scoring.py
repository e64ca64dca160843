"""F1 of a quick model: it learns from the groups and is tested on other rows, as they are.

The groups are of the whole table, the rows tested on among them: a hint, not a measurement.
"""

from __future__ import annotations

import numpy as np

from shoal.exceptions import ShoalError
from shoal.session._grouped import Grouped
from shoal.session._recipe import SessionRecipe
from shoal.table import Table
from shoal.typing import IntArray

MODEL = "logistic_regression"
TEST_SHARE = 4  # one row in four is only tested on
MOST_TRAIN, MOST_TEST = 6_000, 3_000
MOST_CLASSES = 20


def quick_f1(recipe: SessionRecipe, table: Table, grouped: Grouped) -> tuple[float, float] | None:
    """Macro F1 of the model and of the constant predictor; None where there is nothing to score.

    Which rows are tested on depends on their content alone, so that previews can be compared.
    """
    target = table.roles.target
    if target is None or target in grouped.spaces.names or not grouped.spaces.names:
        return None
    if not 2 <= len(table.column(target).labels) <= MOST_CLASSES:
        return None
    from shoal.utility import GeneralizedEncoder
    from shoal.utility.models import train_and_test

    names = list(grouped.spaces.names)
    published = recipe.recoder.recode(table, grouped.grouping, grouped.spaces)
    train, test = _split(table, target, published.grouping.labels)
    encoder = GeneralizedEncoder(
        recipe.recoder.hierarchies,
        {name: table.kinds[name] for name in names},
        orders={n: order for n, order in table.orders.items() if n in names},
    )
    shown = published.aligned_frame(table).select([*names, target])
    try:
        found = train_and_test(
            shown[train],
            table.frame.select([*names, target])[test],
            target=target,
            quasi_identifiers=names,
            encoder=encoder,
            model=MODEL,
        )
    except ShoalError:
        return None  # too few rows of a class to learn from
    return found.f1_macro.mean, found.f1_macro.constant


def _split(table: Table, target: str, labels: IntArray) -> tuple[IntArray, IntArray]:
    """Rows to learn from (released ones) and rows to test on, none of them without an answer."""
    hashes = table.row_hash()
    order = np.argsort(hashes, kind="stable")
    known = table.column(target).codes < len(table.column(target).labels)
    tested = hashes % np.uint64(TEST_SHARE) == 0
    train = order[(known & ~tested & (labels >= 0))[order]][:MOST_TRAIN]
    test = order[(known & tested)[order]][:MOST_TEST]
    return train, test
