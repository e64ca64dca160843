"""Kernels that compare the values of each group with those of the whole table, in whole numbers.

They read the compressed histograms of `shoal.kernels.diversity` and a ``reference``: how often
each value occurs in the table (``rows`` times in all). Everything is scaled by group size times
``rows``, so distances are integers until one division at the very end. Values a group does not
hold are accounted for in one lump: the work grows with the rows, not with groups times values.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit

CARRY = np.int64(1) << 62


@njit(cache=True, nogil=True)
def ratio_extremes(starts, codes, counts, reference):
    """Of each group the value most and the value least over-represented, as count and reference.

    >>> parts = ratio_extremes(
    ...     np.array([0, 2]), np.array([0, 1]), np.array([1, 3]), np.array([4, 4])
    ... )
    >>> [part.tolist() for part in parts]
    [[3], [4], [1], [4]]
    """
    n_groups = starts.size - 1
    most, most_of = np.zeros(n_groups, np.int64), np.ones(n_groups, np.int64)
    least, least_of = np.ones(n_groups, np.int64), np.zeros(n_groups, np.int64)
    for group in range(n_groups):
        for j in range(starts[group], starts[group + 1]):
            count, of = counts[j], reference[codes[j]]
            if count * most_of[group] > most[group] * of:
                most[group], most_of[group] = count, of
            if count * least_of[group] < least[group] * of:
                least[group], least_of[group] = count, of
    return most, most_of, least, least_of


@njit(cache=True, nogil=True)
def gains_beyond_logarithm(starts, codes, counts, totals, reference, rows):
    """Tell which groups hold a value whose gain (q - p) / p is above -ln p; a near tie is above.

    >>> gains_beyond_logarithm(
    ...     np.array([0, 1]), np.array([0]), np.array([2]), np.array([2]), np.array([2]), 4
    ... ).tolist()
    [True]
    """
    beyond = np.zeros(starts.size - 1, dtype=np.bool_)
    for group in range(beyond.size):
        for j in range(starts[group], starts[group + 1]):
            expected = reference[codes[j]] * totals[group]
            surplus = counts[j] * rows - expected
            if surplus > 0:
                allowed = np.log(rows / reference[codes[j]])
                if surplus / expected > allowed * (1 - 1e-12):
                    beyond[group] = True
    return beyond


@njit(cache=True, nogil=True)
def equal_distances(starts, codes, counts, totals, reference, rows):
    """Sum |count * rows - reference * size| over all values; divide by 2 * size * rows for t.

    >>> equal_distances(
    ...     np.array([0, 1]), np.array([0]), np.array([2]), np.array([2]), np.array([2, 2]), 4
    ... ).tolist()
    [8]
    """
    distances = totals * rows  # as if the group held none of the table's values
    for group in range(starts.size - 1):
        for j in range(starts[group], starts[group + 1]):
            expected = reference[codes[j]] * totals[group]
            distances[group] += abs(counts[j] * rows - expected) - expected
    return distances


@njit(cache=True, nogil=True)
def ordered_distances(starts, codes, counts, totals, reference):
    """Sum |cumulated differences|; divide by size * rows * (values - 1) for t.

    Every value must occur in the table (reference above 0). Between two values of a group its
    cumulated count stands still while the table's grows, so the sign of the difference turns at
    most once: a binary search and prefix sums replace the walk over absent values.

    >>> ordered_distances(
    ...     np.array([0, 1]), np.array([0]), np.array([1]), np.array([1]), np.array([1, 1, 1])
    ... ).tolist()
    [3]
    """
    n_values = reference.size
    cumulated = np.cumsum(reference)
    prefix = np.zeros(n_values + 1, dtype=np.int64)
    prefix[1:] = np.cumsum(cumulated)
    rows = cumulated[-1]
    distances = np.zeros(starts.size - 1, dtype=np.int64)
    for group in range(distances.size):
        size, below, left = totals[group], 0, 0
        for j in range(starts[group], starts[group + 1] + 1):
            last = j == starts[group + 1]
            right = n_values if last else codes[j]
            turn = np.searchsorted(cumulated, below * rows // size, side="right")
            turn = min(max(turn, left), right)
            distances[group] += below * rows * ((turn - left) - (right - turn))
            distances[group] += size * (prefix[right] - 2 * prefix[turn] + prefix[left])
            if not last:
                below, left = below + counts[j], right
    return distances


@njit(cache=True, nogil=True)
def ordered_distance_wide(codes, counts, size, reference):
    """Do the same for one group whose sum may pass 2**62: returned as (times 2**62, remainder).

    >>> ordered_distance_wide(np.array([0]), np.array([1]), 1, np.array([1, 1, 1]))
    (0, 3)
    """
    rows = reference.sum()
    carries, rest = 0, np.int64(0)
    below, table_below, j = 0, 0, 0
    for value in range(reference.size):
        table_below += reference[value]
        if j < codes.size and codes[j] == value:
            below += counts[j]
            j += 1
        rest += abs(below * rows - table_below * size)
        if rest >= CARRY:
            carries, rest = carries + 1, rest - CARRY
    return carries, rest


@njit(cache=True, nogil=True)
def tree_of_gaps(gap_levels):
    """Build a tree from leaves in depth-first order and the level where neighbours meet.

    Leaves are nodes 0 .. m-1 on level 0. Return ``parents`` (-1 for the root) and ``levels``.

    >>> parents, levels = tree_of_gaps(np.array([1, 2, 1]))
    >>> parents.tolist(), levels.tolist()
    ([4, 4, 6, 6, 5, -1, 5], [0, 0, 0, 0, 1, 2, 1])
    """
    n_leaves = gap_levels.size + 1
    parents = np.full(2 * n_leaves, -1, dtype=np.int64)
    levels = np.zeros(2 * n_leaves, dtype=np.int64)
    path = np.empty(n_leaves + 1, dtype=np.int64)  # open inner nodes from the top to the last leaf
    depth, n_nodes = 0, n_leaves
    for leaf in range(n_leaves):
        below, closing = leaf, leaf == n_leaves - 1
        while depth > 0 and (closing or levels[path[depth - 1]] < gap_levels[leaf]):
            depth -= 1
            parents[below] = path[depth]
            below = path[depth]
        if closing:
            break
        if depth == 0 or levels[path[depth - 1]] > gap_levels[leaf]:
            levels[n_nodes] = gap_levels[leaf]
            path[depth] = n_nodes
            depth += 1
            n_nodes += 1
        parents[below] = path[depth - 1]
    return parents[:n_nodes].copy(), levels[:n_nodes].copy()


@njit(cache=True, nogil=True)
def tree_distances(starts, codes, counts, totals, reference, rows, parents, levels):
    """Sum (level of parent - own level) * |surplus of the subtree| over all nodes.

    Divide by 2 * size * rows * height for t. ``codes`` and ``reference`` speak of leaves.

    >>> tree_distances(
    ...     np.array([0, 1]), np.array([0]), np.array([2]), np.array([2]), np.array([2, 2]), 4,
    ...     np.array([2, 2, -1]), np.array([0, 0, 1]),
    ... ).tolist()
    [8]
    """
    expected = np.zeros(parents.size, dtype=np.int64)
    for leaf in range(reference.size):
        node = leaf
        while node >= 0:
            expected[node] += reference[leaf]
            node = parents[node]
    untouched = 0
    for node in range(parents.size):
        if parents[node] >= 0:
            untouched += (levels[parents[node]] - levels[node]) * expected[node]
    held = np.zeros(parents.size, dtype=np.int64)
    touched = np.empty(parents.size, dtype=np.int64)
    distances = totals * untouched
    for group in range(starts.size - 1):
        n_touched = 0
        for j in range(starts[group], starts[group + 1]):
            node = codes[j]
            while parents[node] >= 0:
                if held[node] == 0:
                    touched[n_touched] = node
                    n_touched += 1
                held[node] += counts[j]
                node = parents[node]
        for i in range(n_touched):
            node = touched[i]
            share = expected[node] * totals[group]
            step = levels[parents[node]] - levels[node]
            distances[group] += step * (abs(held[node] * rows - share) - share)
            held[node] = 0
    return distances
