"""Small random problems for kernels and their twins: few codes, many ties, all forms of losses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from unittest.mock import patch

import numpy as np
from twins import Rule, Spans, Town

from shoal.hierarchies._base import arrange_sorted
from shoal.kernels.kdtree import build_tree
from shoal.kernels.rules import RULES, Rules
from shoal.spaces import IntervalSpace, TreeSpace, WeightedSpaces, _base

NO_CODES = np.zeros(0, dtype=np.int32)


@dataclass
class Case:
    """The same problem for a kernel (spaces, losses, rules) and for its twin (town)."""

    spaces: WeightedSpaces
    losses: object
    spans: Spans
    codes: np.ndarray
    copies: np.ndarray
    k: int
    rules: tuple[Rule, ...] = ()

    @property
    def town(self):
        """The problem as the twins see it, nobody grouped yet."""
        cells = [tuple(row) for row in self.codes.tolist()]
        return Town(self.spans, cells, self.copies.tolist(), self.k, self.rules)

    def tree(self):
        return build_tree(self.codes, self.copies, self.losses)

    def plain_rules(self, order):
        """The rules as kernels read them; ``order`` lists cells in the order of the kernel."""
        sizes = np.array([rule.size for rule in self.rules], dtype=np.int64)
        offsets = np.cumsum(sizes) - sizes
        meta = [
            (RULES.index(rule.kind), rule.size, offset, rule.l, rule.skip)
            for rule, offset in zip(self.rules, offsets.tolist(), strict=True)
        ]
        columns = [np.array(rule.values)[order] for rule in self.rules]
        return Rules(
            meta=np.array(meta, dtype=np.int64).reshape(len(meta), 5),
            bound=np.array([rule.bound for rule in self.rules], dtype=np.float64),
            reference=np.array([share for rule in self.rules for share in rule.reference]),
            codes=np.column_stack([*columns, np.zeros((len(order), 0), dtype=np.int64)]),
        )


def draw_case(rng, *, rules=(), most_rows=60, limits=True):
    """A problem of 5 to 60 rows and 1 to 6 attributes; ``rules`` are kinds to ask for as well."""
    n_attributes = int(rng.integers(1, 7))
    spaces = tuple(draw_space(rng, f"q{j}", limits=limits) for j in range(n_attributes))
    largest_table = int(rng.choice([0, 4, 1024]))
    weighted = WeightedSpaces(spaces, draw_weights(rng, n_attributes))
    n_rows = int(rng.integers(5, most_rows + 1))
    rows = np.column_stack([draw_codes(rng, space.n_codes, n_rows) for space in spaces])
    values = [rng.integers(rng.integers(2, 6), size=n_rows) for _ in rules]
    every = np.column_stack([rows, *values])
    cells, of_row = np.unique(every, axis=0, return_inverse=True)
    shuffled = rng.permutation(len(cells))  # ids say nothing about codes
    cells = cells[shuffled]
    copies = np.bincount(of_row.ravel())[shuffled]
    k = int(rng.integers(2, max(3, min(9, n_rows // 2 + 1))))
    drawn = [
        draw_rule(rng, kind, cells[:, n_attributes + i], copies) for i, kind in enumerate(rules)
    ]
    return case_of(weighted, cells[:, :n_attributes], copies, k, drawn, largest_table)


def case_of(weighted, codes, copies, k, rules=(), largest_table=1024):
    """A problem of given cells; attributes with more codes than a table holds take other forms."""
    with patch.object(_base, "LARGEST_TABLE", largest_table):
        losses = weighted.losses
    spans = Spans(weighted, largest_table)
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    return Case(weighted, losses, spans, codes, copies.astype(np.int64), k, tuple(rules))


def draw_codes(rng, n_codes, n_rows):
    """Codes of which some are common, so that rows repeat and costs tie."""
    few = rng.integers(0, n_codes, size=max(1, n_codes // 2))
    return np.where(
        rng.random(n_rows) < 0.6, rng.choice(few, n_rows), rng.integers(n_codes, size=n_rows)
    )


def draw_weights(rng, n):
    weights = rng.choice([0.0, 0.25, 0.5, 1.0], size=n, p=[0.1, 0.2, 0.2, 0.5])
    weights[rng.integers(n)] = 1.0
    return weights


def draw_space(rng, name, *, limits=True):
    draw = (numbers_space, numbers_space, grid_space, tree_space, tree_space, flat_space)
    space = draw[rng.integers(len(draw))](rng, name)
    if not limits or rng.random() < 0.8:
        return space
    widest = getattr(space, "width", 3)
    return replace(space, limit=float(rng.integers(0, int(widest) + 2)))


def numbers_space(rng, name):
    values = np.sort(rng.choice(40, size=rng.integers(1, 12), replace=False)).astype(float)
    return _intervals(rng, name, values, values, values[-1] - values[0])


def grid_space(rng, name):
    """Cells of five whole numbers each; the smallest and the largest value lie anywhere in them."""
    starts = 5.0 * np.sort(rng.choice(9, size=rng.integers(1, 7), replace=False))
    first, last = starts[0] + rng.integers(5), starts[-1] + rng.integers(5)
    return _intervals(rng, name, starts, starts + 4.0, max(last - first, 0.0))


def _intervals(rng, name, starts, ends, width):
    has_missing = bool(rng.random() < 0.3)
    text = tuple(f"{start:g}" for start in starts)
    return IntervalSpace(
        name, NO_CODES, starts.size + has_missing, starts.size if has_missing else -1, None,
        starts, ends, text, tuple(f"{end:g}" for end in ends), float(width),
    )  # fmt: skip


def tree_space(rng, name, height=None):
    n_leaves = int(rng.integers(1, 13))
    height = height or int(rng.integers(1, 5))
    gaps = rng.integers(1, height + 1, size=n_leaves - 1)
    labels = [f"{name}:{leaf}" for leaf in range(n_leaves)]
    tree = arrange_sorted(
        labels, np.arange(n_leaves), gaps, height=height, name=lambda h, leaf: f"{name}^{h}:{leaf}"
    )
    has_missing = bool(rng.random() < 0.3)
    missing = n_leaves if has_missing else -1
    return TreeSpace(name, NO_CODES, n_leaves + has_missing, missing, None, tree)


def flat_space(rng, name):
    return tree_space(rng, name, height=1)


def draw_rule(rng, kind, values, copies):
    """A rule that the whole table meets, or nearly."""
    size = int(values.max()) + 1
    counts = np.bincount(values, weights=copies, minlength=size)
    bounds = {  # odd numbers, that no share of a few rows comes near
        "distinct": range(1, size + 1),
        "entropy": (1.2131, 1.5171, 1.9191),
        "recursive": (1.5151, 2.0303, 3.0707),
        "alpha": (0.5153, 0.6161, 0.7577),
        "t_equal": (0.2131, 0.3573, 0.5191),
        "t_ordered": (0.1517, 0.2531, 0.4119),
        "basic_beta": (0.7171, 1.3191, 2.2313),
        "enhanced_beta": (0.7171, 1.3191, 2.2313),
        "delta_disclosure": (0.9191, 1.4141, 2.1313),
    }
    bound = rng.choice(list(bounds[kind])).item()
    skip = size - 1 if kind == "distinct" and size > 2 and rng.random() < 0.2 else -1
    reference = tuple((counts / counts.sum()).tolist())
    return Rule(kind, bound, 2, size, skip, reference, tuple(values.tolist()))
