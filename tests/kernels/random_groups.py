"""Random groups of pieces for the kernels that search and improve them."""

from __future__ import annotations

import numpy as np
import twins
from views import view_groups, view_index

from shoal.kernels.groups import build_index, make_groups
from shoal.kernels.refining import new_workbench


class Crowd:
    """Groups of a case with all buffers, and the checks that must hold after any step."""

    def __init__(self, case, pieces, n_groups):
        self.case, self.town = case, case.town
        self.rules = case.plain_rules(np.arange(len(case.codes)))
        self.groups = make_groups(case.codes, pieces, n_groups, case.losses)
        self.index = build_index(self.groups, case.losses)
        self.bench = new_workbench(self.groups, self.index, self.rules)
        self.everybody = self.members(everywhere=True)

    def members(self, *, everywhere=False):
        """Groups as dicts of cells, by walking the links; or all copies of every cell."""
        view = view_groups(self.groups)
        found = []
        for group in range(view.size.size):
            cells, piece, ahead = {}, int(view.head[group]), -1
            while piece >= 0:
                assert view.group[piece] == group
                assert view.ahead[piece] == ahead
                cell = int(view.cell[piece])
                cells[cell] = cells.get(cell, 0) + int(view.count[piece])
                piece, ahead = int(view.after[piece]), piece
            found.append(cells)
        if not everywhere:
            return found
        together = {}
        for cell, count in zip(view.cell.tolist(), view.count.tolist(), strict=True):
            together[cell] = together.get(cell, 0) + count
        return together

    @property
    def total(self):
        """Total loss of all groups, from scratch."""
        return sum(self.loss(g) * sum(g.values()) for g in self.members() if g)

    def loss(self, group):
        return twins.loss_of(self.town, group)

    def assert_consistent(self, *, indexed=True):
        """Members, sizes, boxes, losses and the index say the same; k and rules hold."""
        view, made = view_groups(self.groups), self.members()
        assert self.everybody == self.members(everywhere=True)
        for g, group in enumerate(made):
            assert view.size[g] == sum(group.values())
            if not group:
                continue
            lo, hi = twins.box_of([self.town.cells[c] for c in group])
            assert view.lo[g].tolist() == lo
            assert view.hi[g].tolist() == hi
            assert view.loss[g] == self.loss(group)
        if indexed:
            self.assert_index_bounds(view)

    def assert_index_bounds(self, view):
        """No group below a node starts after its low or ends before its high."""
        index = view_index(self.index)
        for node in range(index.begin.size):
            below = index.order[index.begin[node] : index.end[node]]
            alive = below[view.size[below] > 0]
            assert (view.lo[alive] <= index.low[node]).all()
            assert (view.hi[alive] >= index.high[node]).all()

    def assert_whole(self):
        """Every group is as large and as diverse as asked, and within its limits."""
        for group in filter(None, self.members()):
            assert sum(group.values()) >= self.case.k
            assert twins.met(self.town.rules, group)
            assert self.loss(group) < twins.FORBIDDEN


def random_pieces(rng, case):
    """Cut the copies of cells into pieces and put them into groups at random; k rows or more."""
    cells = np.repeat(np.arange(len(case.codes)), case.copies)
    rng.shuffle(cells)
    n_groups = max(1, cells.size // (case.k + int(rng.integers(0, 4))))
    labels = np.append(
        np.repeat(np.arange(n_groups), case.k)[: cells.size],
        rng.integers(n_groups, size=max(0, cells.size - n_groups * case.k)),
    )
    if rng.random() < 0.5:  # groups of neighbours, as groupers make them
        cells = cells[np.lexsort(case.codes[cells].T)]
        labels = np.sort(labels)
    pairs, counts = np.unique(np.column_stack([cells, labels]), axis=0, return_counts=True)
    return np.column_stack([pairs[:, 0], counts, pairs[:, 1]]), n_groups


def draw_crowd(rng, case):
    """Groups that hold k rows, the rules and the limits; None if chance makes none."""
    pieces, n_groups = random_pieces(rng, case)
    crowd = Crowd(case, pieces, n_groups)
    bad = [g for g, group in enumerate(crowd.members()) if not whole(crowd, group)]
    if bad:  # all that are not whole become one
        pieces[np.isin(pieces[:, 2], bad), 2] = bad[0]
        kept, labels = np.unique(pieces[:, 2], return_inverse=True)
        pieces = np.column_stack([pieces[:, :2], labels])
        crowd = Crowd(case, pieces, kept.size)
    return crowd if all(whole(crowd, group) for group in crowd.members()) else None


def whole(crowd, group):
    enough = sum(group.values()) >= crowd.case.k
    return enough and twins.met(crowd.town.rules, group) and crowd.loss(group) < twins.FORBIDDEN
