"""What training does for the network: its narrow layer cut into fragments, trained or not.

One mapper, no Spark and no boundary pass, so that nothing mends what the network does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal._random import spawn
from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.spaces import WeightedSpaces, build_spaces
from shoal.studies._census._people import as_table, drawn_rows, people, quasi_identifiers
from shoal.table import Grouping, Table
from shoal.typing import FloatArray, IntArray
from shoal.utility import measure_loss

TARGET, K, FRAGMENTS, EPOCHS = "income", 10, 4, 10
MIDDLE = (16, 4, 16)
#: How points to cut are found; how a network is trained where one is.
RULES: dict[str, dict[str, Any] | None] = {
    "untrained network": None,
    "update as printed": {"momentum": 0.0, "batch": 1, "literal": True},
    "plain back-propagation": {"momentum": 0.0, "batch": 1},
    "momentum and mini-batches": {},
    "the columns themselves": None,
    "at random": None,
}


def run_ablation(rule: str, rows: int, draw: int) -> Mapping[str, Any]:
    """Cut a table into fragments by one rule and say what grouping inside them loses."""
    from shoal.grouping import cut_at_gaps

    table = as_table(drawn_rows(rows, draw), TARGET)
    spaces = build_spaces(table, hierarchies=people().hierarchies)
    codes = np.column_stack([table.codes(name) for name in quasi_identifiers(TARGET)])
    whole = _grouped(table, spaces)
    leaves: IntArray
    if rule == "at random":
        leaves = np.asarray(spawn(draw, "fragments").integers(FRAGMENTS, size=rows), dtype=int)
    else:
        own = rule == "the columns themselves"
        points = codes if own else _places(rule, table, spaces, codes, draw)
        leaves = _dealt(cut_at_gaps(points, whole, rows / FRAGMENTS).leaves(points), draw)
    lost = [
        measure_loss(spaces, Grouping(labels)).ngil for labels in (whole, _inside(table, leaves))
    ]
    return {"fragments": np.unique(leaves).size, "ngil": lost[1], "relative": lost[1] / lost[0]}


def _places(
    rule: str, table: Table, spaces: WeightedSpaces, codes: IntArray, draw: int
) -> IntArray:
    """Where the narrow layer puts each row."""
    from shoal.spark import Network, NetworkInputs

    shown = NetworkInputs.of(spaces)
    inputs = shown.rows(codes)
    flags = np.eye(2)[table.codes(TARGET)]
    wanted = np.concatenate([inputs, flags], axis=1)
    weights: FloatArray = np.concatenate([shown.weights, np.full(2, spaces.weights.sum())])
    network = Network.start([inputs.shape[1], *MIDDLE, weights.size], draw)
    if (how := RULES[rule]) is not None:
        network = network.train(inputs, wanted, weights, EPOCHS, **how)
    return network.places(codes, shown)


def _dealt(leaves: IntArray, draw: int) -> IntArray:
    """Deal a leaf that no cut made small enough into parts at random, as Spark does by hash."""
    most = -(-leaves.size // FRAGMENTS)
    chance, dealt = spawn(draw, "parts"), np.zeros(leaves.size, dtype=np.int64)
    made = 0
    for leaf in np.unique(leaves):
        rows = np.flatnonzero(leaves == leaf)
        parts = max(1, round(rows.size / most))
        dealt[rows] = made + chance.integers(parts, size=rows.size)
        made += parts
    return dealt


def _inside(table: Table, leaves: IntArray) -> IntArray:
    """Groups made inside each fragment; one that is too small joins the next."""
    labels = np.full(table.n_rows, -1, dtype=np.int64)
    made, waiting = 0, np.zeros(0, dtype=np.int64)
    fragments = np.unique(leaves)
    for leaf in fragments:
        rows = np.concatenate([waiting, np.flatnonzero(leaves == leaf)])
        if rows.size < K and leaf != fragments[-1]:
            waiting = rows
            continue
        waiting = np.zeros(0, dtype=np.int64)
        part = table.take(rows)
        found = _grouped(part, build_spaces(part, hierarchies=people().hierarchies))
        labels[rows] = found + made
        made += int(found.max()) + 1
    return labels


def _grouped(table: Table, spaces: WeightedSpaces) -> IntArray:
    problem = Problem(table, spaces, (KAnonymity(K),))
    return SaNGreeA(order="common", refine=False).fit(problem).grouping_.labels
