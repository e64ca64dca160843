"""What kernels keep in packed arrays, under names; tests read kernels through these only."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from shoal.kernels import slots


def view_tree(tree):
    """Cells and nodes of a tree; arrays are views, so they follow the tree."""
    cells, nodes = tree.cells, tree.nodes
    where = np.empty(len(cells), np.int64)
    where[cells[:, slots.IDS]] = np.arange(len(cells))
    return SimpleNamespace(
        codes=tree.codes,
        ids=cells[:, slots.IDS],
        where=where,
        copies=cells[:, slots.COPIES],
        leaf=cells[:, slots.LEAF],
        begin=nodes[:, slots.BEGIN],
        end=nodes[:, slots.END],
        left=nodes[:, slots.LEFT],
        free=nodes[:, slots.FREE],
        rows=nodes[:, slots.ROWS],
        first=nodes[:, slots.FIRST],
        lo=tree.box[:, 0],
        hi=tree.box[:, 1],
    )


def view_scratch(scratch):
    """Buffers of growing."""
    return SimpleNamespace(
        lo=scratch.box[0],
        hi=scratch.box[1],
        members=scratch.group[0],
        counts=scratch.group[1],
        costs=scratch.heap[0],
        ids=scratch.heap[1],
        items=scratch.heap[2],
        used=scratch.used,
        border=scratch.border,
    )


def view_groups(groups):
    """Pieces and groups."""
    pieces, state = groups.pieces, groups.state
    return SimpleNamespace(
        codes=groups.codes,
        cell=pieces[:, slots.CELL],
        count=pieces[:, slots.COUNT],
        group=pieces[:, slots.GROUP],
        after=pieces[:, slots.AFTER],
        ahead=pieces[:, slots.AHEAD],
        head=state[:, slots.HEAD],
        size=state[:, slots.SIZE],
        loss=state[:, slots.LOSS],
        lo=groups.box[:, 0],
        hi=groups.box[:, 1],
    )


def view_index(index):
    """The tree over groups."""
    return SimpleNamespace(
        order=index.order,
        leaf=index.leaf,
        begin=index.nodes[:, slots.BEGIN],
        end=index.nodes[:, slots.END],
        left=index.nodes[:, slots.LEFT],
        right=index.nodes[:, slots.RIGHT],
        low=index.box[:, 0],
        high=index.box[:, 1],
        depth=int(index.depth[0]),
    )
