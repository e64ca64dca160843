"""Epsilon clusters: cutting a table into boxes, their centroids, the nearest of them.

The widest box is cut first, along its widest attribute, where the two parts are narrowest. So
the clusters at any radius are a frontier of one and the same tree, and a wanted number of
clusters is reached by stopping early. The tree is also the index in which the nearest centroid
is looked for. Paper: Miche et al. (2016), Eq. 2 to 4.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import Losses, span_loss
from shoal.kernels.slots import MISSING, SIZE

KNOTS = 1024  # steps of a remapped distance between 0 and the largest of an attribute
TOO_WIDE = 1e9  # a box outside of a radius that was given is cut before all others
SLACK = 1e-6  # losses are fixed point: this much past a radius is still on it


class Yardsticks(NamedTuple):
    """Distances of every attribute as kernels read them; spans are shares of the largest one.

    ``losses`` are unweighted, ``facts`` (float) has a row per attribute: weight, radius (negative
    if free), whether codes lie on a line, where its exact distances begin in ``exact`` (-1: they
    are the losses of spans). ``maps`` holds the knots of each remapped distance.
    """

    losses: Losses
    unit: int
    facts: np.ndarray
    exact: np.ndarray
    maps: np.ndarray


WEIGHT, RADIUS, ON_LINE, EXACT_AT = 0, 1, 2, 3  # columns of facts
CHILD, PARENT, LARGEST, CLUSTER = 0, 1, 2, 3  # columns of a tree of boxes


@njit(cache=True, nogil=True)
def raw_distance(sticks, j, a, b):
    """Distance between two codes as a share of the largest distance of the attribute."""
    if a == b:
        return 0.0
    at = np.int64(sticks.facts[j, EXACT_AT])
    if at >= 0:
        return float(sticks.exact[at + a * sticks.losses.meta[j, SIZE] + b])
    return span_loss(sticks.losses, j, min(a, b), max(a, b)) / sticks.unit


@njit(cache=True, nogil=True)
def mapped_distance(sticks, j, raw):
    """Remapped and weighted distance (Eq. 1) by linear interpolation between knots."""
    place = min(max(raw, 0.0), 1.0) * KNOTS
    knot = min(np.int64(place), KNOTS - 1)
    low = sticks.maps[j, knot]
    return sticks.facts[j, WEIGHT] * (low + (place - knot) * (sticks.maps[j, knot + 1] - low))


@njit(cache=True, nogil=True)
def cut_tree(codes, copies, sticks, wanted, pool, spans, boxes):
    """Cut boxes, widest first, until ``wanted`` leaves are reached (Eq. 2); returns the nodes.

    Radii that were given are kept by all leaves whatever is wanted. Node i holds
    ``pool[spans[i, 0]:spans[i, 1]]`` in the box ``boxes[i]``; its children are ``spans[i, 2]`` and
    the next (-1 in a leaf).
    """
    line = np.empty((3, pool.size), np.int64)
    spans[0, 0], spans[0, 1], spans[0, 2] = 0, pool.size, -1
    _bound(codes, pool, spans, boxes, 0)
    heap = [(-_width(sticks, boxes, 0)[0], np.int64(0))]
    nodes = np.int64(1)
    while heap:
        rank, node = heap[0]
        if rank >= 0.0 or (-rank < TOO_WIDE and (nodes + 1) // 2 >= wanted):
            break
        heappop(heap)
        j = _width(sticks, boxes, node)[1]
        begin, end = spans[node, 0], spans[node, 1]
        middle = _cut(codes, copies, sticks, pool, begin, end, j, 1, line)
        nodes = _divide(codes, pool, spans, boxes, node, middle, nodes)
        for child in range(nodes - 2, nodes):
            heappush(heap, (-_width(sticks, boxes, child)[0], np.int64(child)))
    return nodes


@njit(cache=True, nogil=True)
def split_crowds(codes, copies, sticks, fewest, pool, spans, boxes, nodes):
    """Cut leaves on as long as both parts have ``fewest`` rows; returns the nodes.

    All pairs of a part are within the radii because all pairs of the whole were.
    """
    line = np.empty((3, pool.size), np.int64)
    tried = np.empty(codes.shape[1], np.bool_)
    node = np.int64(-1)
    while node + 1 < nodes:
        node += 1
        if spans[node, 2] >= 0:
            continue
        begin, end = spans[node, 0], spans[node, 1]
        tried[:] = False
        for _ in range(codes.shape[1]):
            j = _widest_untried(sticks, boxes, node, tried)
            if j < 0:
                break
            tried[j] = True
            middle = _cut(codes, copies, sticks, pool, begin, end, j, fewest, line)
            if middle > begin:
                nodes = _divide(codes, pool, spans, boxes, node, middle, nodes)
                break
    return nodes


@njit(cache=True, nogil=True)
def _widest_untried(sticks, boxes, node, tried):
    widest, at = 0.0, np.int64(-1)
    for j in range(tried.size):
        if not tried[j] and boxes[node, 0, j] < boxes[node, 1, j]:
            raw = span_loss(sticks.losses, j, boxes[node, 0, j], boxes[node, 1, j]) / sticks.unit
            width = mapped_distance(sticks, j, raw)
            if width > widest:
                widest, at = width, np.int64(j)
    return at


@njit(cache=True, nogil=True)
def _divide(codes, pool, spans, boxes, node, middle, nodes):
    """Make two nodes of one; returns how many there are now."""
    spans[node, 2] = nodes
    spans[nodes, 0], spans[nodes, 1], spans[nodes, 2] = spans[node, 0], middle, -1
    spans[nodes + 1, 0], spans[nodes + 1, 1], spans[nodes + 1, 2] = middle, spans[node, 1], -1
    _bound(codes, pool, spans, boxes, nodes)
    _bound(codes, pool, spans, boxes, nodes + 1)
    return nodes + 2


@njit(cache=True, nogil=True)
def _bound(codes, pool, spans, boxes, node):
    """Draw the smallest box around the cells of a node."""
    first = pool[spans[node, 0]]
    for j in range(codes.shape[1]):
        boxes[node, 0, j] = codes[first, j]
        boxes[node, 1, j] = codes[first, j]
    for i in range(spans[node, 0] + 1, spans[node, 1]):
        cell = pool[i]
        for j in range(codes.shape[1]):
            code = codes[cell, j]
            if code < boxes[node, 0, j]:
                boxes[node, 0, j] = code
            elif code > boxes[node, 1, j]:
                boxes[node, 1, j] = code


@njit(cache=True, nogil=True)
def _width(sticks, boxes, node):
    """Width of a box in the attribute where it is widest, and which one that is."""
    widest, at = 0.0, np.int64(0)
    for j in range(boxes.shape[2]):
        lo, hi = boxes[node, 0, j], boxes[node, 1, j]
        if lo == hi:
            continue
        raw = span_loss(sticks.losses, j, lo, hi) / sticks.unit
        radius = sticks.facts[j, RADIUS]
        if radius < 0.0:
            width = mapped_distance(sticks, j, raw)
        else:
            width = TOO_WIDE + raw / max(radius, SLACK) if raw > radius + SLACK else 0.0
        if width > widest:
            widest, at = width, np.int64(j)
    return widest, at


@njit(cache=True, nogil=True)
def _cut(codes, copies, sticks, pool, begin, end, j, fewest, line):
    """Cut along one attribute where rows times width is least; returns where the parts meet.

    Both parts have ``fewest`` rows; if that cannot be, nothing moves and ``begin`` is returned.
    """
    n = end - begin
    for i in range(n):
        line[0, i] = codes[pool[begin + i], j]
    order = np.argsort(line[0, :n], kind="mergesort")
    total = np.int64(0)
    for i in range(n):
        cell = pool[begin + order[i]]
        line[1, i], line[2, i] = cell, total
        total += copies[cell]
    first, last = codes[line[1, 0], j], codes[line[1, n - 1], j]
    best, where, balance = -1.0, np.int64(0), np.int64(0)
    for i in range(1, n):
        left, right = codes[line[1, i - 1], j], codes[line[1, i], j]
        even = min(line[2, i], total - line[2, i])
        if left == right or even < fewest:
            continue
        cost = float(line[2, i]) * span_loss(sticks.losses, j, first, left)
        cost += float(total - line[2, i]) * span_loss(sticks.losses, j, right, last)
        if best < 0.0 or cost < best or (cost == best and even > balance):
            best, where, balance = cost, np.int64(i), even
    if where > 0:
        for i in range(n):
            pool[begin + i] = line[1, i]
    return begin + where


@njit(cache=True, nogil=True)
def find_centroids(codes, copies, sticks, order, starts, centroids):
    """Find the value with the least sum of distances, per cluster and attribute (Eq. 3).

    Cluster c has the rows ``order[starts[c]:starts[c + 1]]``. A median on a line, running sums
    over the gaps of a tree, all pairs only where distances have no order.
    """
    longest = np.int64(0)
    for c in range(starts.size - 1):
        longest = max(longest, starts[c + 1] - starts[c])
    work = np.empty((5, longest + 1), np.float64)
    for c in range(starts.size - 1):
        for j in range(codes.shape[1]):
            n = _count_values(codes, copies, order[starts[c] : starts[c + 1]], j, work)
            if sticks.facts[j, EXACT_AT] >= 0.0:
                centroids[c, j] = _by_all_pairs(sticks, j, n, work)
            elif sticks.facts[j, ON_LINE] > 0.0:
                centroids[c, j] = _by_median(sticks, j, n, work)
            else:
                centroids[c, j] = _by_gaps(sticks, j, n, work)


@njit(cache=True, nogil=True)
def _count_values(codes, copies, rows, j, work):
    """Put the distinct codes of a cluster into ``work[0]``, sorted, and their rows beside them."""
    values = np.empty(rows.size, np.int64)
    for i in range(rows.size):
        values[i] = codes[rows[i], j]
    by_code = np.argsort(values, kind="mergesort")
    n = np.int64(0)
    for i in by_code:
        if n == 0 or work[0, n - 1] != values[i]:
            work[0, n], work[1, n] = values[i], 0.0
            n += 1
        work[1, n - 1] += copies[rows[i]]
    return n


@njit(cache=True, nogil=True)
def _by_median(sticks, j, n, work):
    """The lower median; nothing, if that is nearer to all those who have nothing."""
    missing = sticks.losses.meta[j, MISSING]
    known = n - 1 if work[0, n - 1] == missing else n
    if known == 0:
        return np.int64(missing)
    total = work[1, :known].sum()
    below, at = 0.0, np.int64(0)
    for i in range(known):
        below += work[1, i]
        if 2.0 * below >= total:
            at = np.int64(work[0, i])
            break
    if known < n:
        cost = work[1, n - 1]
        for i in range(known):
            cost += work[1, i] * raw_distance(sticks, j, at, np.int64(work[0, i]))
        if cost > total:
            return np.int64(missing)
    return at


@njit(cache=True, nogil=True)
def _by_gaps(sticks, j, n, work):
    """Sum of heights to all others from the left and from the right, over a stack of gaps."""
    sums = work[4]
    sums[:n] = 0.0
    for side in range(2):
        height, rows, top, total = work[2], work[3], 0, 0.0
        for step in range(1, n):
            i = step if side == 0 else n - 1 - step
            before = i - 1 if side == 0 else i + 1
            gap = raw_distance(sticks, j, np.int64(work[0, before]), np.int64(work[0, i]))
            count = work[1, before]
            total += gap * count
            while top > 0 and height[top - 1] <= gap:
                top -= 1
                total += (gap - height[top]) * rows[top]
                count += rows[top]
            height[top], rows[top] = gap, count
            top += 1
            sums[i] += total
    return np.int64(work[0, np.argmin(sums[:n])])


@njit(cache=True, nogil=True)
def _by_all_pairs(sticks, j, n, work):
    """Try every value of the domain."""
    best, least = np.int64(work[0, 0]), np.inf
    for code in range(sticks.losses.meta[j, SIZE]):
        total = 0.0
        for i in range(n):
            total += work[1, i] * raw_distance(sticks, j, np.int64(code), np.int64(work[0, i]))
        if total < least - 1e-9:
            best, least = np.int64(code), total
    return best


@njit(cache=True, nogil=True)
def distances_to(codes, centroids, labels, sticks, raw, mapped):
    """Distance of every row to the centroid of its cluster, by attribute; raw and mapped."""
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            raw[i, j] = raw_distance(sticks, j, codes[i, j], centroids[labels[i], j])
            mapped[i, j] = mapped_distance(sticks, j, raw[i, j])


@njit(cache=True, nogil=True)
def push_small(sticks, tree, boxes, homes, centroids, sizes, m, order, to):
    """Give every cluster of ``m`` rows or fewer to the nearest one it exceeds m with (Eq. 4).

    A row of ``tree`` is a node: its first child (-1 in a leaf), its parent, the largest cluster
    below it, its cluster (-1 above leaves). ``homes`` are the leaves of clusters. Clusters come
    in ``order``; sizes change as they are given away. ``to[c]`` becomes the cluster that takes c,
    -1 if there is none.
    """
    waiting = np.empty(len(tree) + 2, np.int64)
    bounds = np.empty(len(tree) + 2, np.float64)
    for c in order:
        if sizes[c] > m or sizes[c] == 0:
            continue
        found = _nearest(sticks, tree, boxes, centroids, sizes, m, c, waiting, bounds)
        to[c] = found
        if found < 0:
            continue
        sizes[found] += sizes[c]
        sizes[c] = 0
        node = homes[found]
        while node >= 0 and tree[node, LARGEST] < sizes[found]:
            tree[node, LARGEST] = sizes[found]
            node = tree[node, PARENT]


@njit(cache=True, nogil=True)
def _nearest(sticks, tree, boxes, centroids, sizes, m, c, waiting, bounds):
    """Nearest cluster that has more than m rows together with c; the lower number on a tie."""
    point, found, least = centroids[c], np.int64(-1), np.inf
    waiting[0], bounds[0], top = 0, 0.0, 1
    while top > 0:
        top -= 1
        node = waiting[top]
        if bounds[top] > least or tree[node, LARGEST] + sizes[c] <= m:
            continue
        if tree[node, CHILD] < 0:
            other = tree[node, CLUSTER]
            if other == c or sizes[other] == 0 or sizes[other] + sizes[c] <= m:
                continue
            total = _between(sticks, point, centroids[other], least)
            if total < least or (total == least and other < found):
                found, least = other, total
            continue
        first = tree[node, CHILD]
        near = _to_box(sticks, point, boxes, first, least)
        far = _to_box(sticks, point, boxes, first + 1, least)
        swap = near > far  # the nearer child lies on top
        waiting[top], bounds[top] = first + (0 if swap else 1), max(near, far)
        waiting[top + 1], bounds[top + 1] = first + (1 if swap else 0), min(near, far)
        top += 2
    return found


@njit(cache=True, nogil=True)
def _between(sticks, point, other, enough):
    """Mapped and weighted distance of two rows of codes (Eq. 4); stops past ``enough``."""
    total = 0.0
    for j in range(point.size):
        total += mapped_distance(sticks, j, raw_distance(sticks, j, point[j], other[j]))
        if total > enough:
            break
    return total


@njit(cache=True, nogil=True)
def _to_box(sticks, point, boxes, node, enough):
    """Least distance of a row of codes to anything in a box."""
    total = 0.0
    for j in range(point.size):
        lo, hi = boxes[node, 0, j], boxes[node, 1, j]
        code = point[j]
        if lo == hi or (sticks.facts[j, EXACT_AT] < 0.0 and (code < lo or code > hi)):
            near = lo if code < lo else hi
            total += mapped_distance(sticks, j, raw_distance(sticks, j, code, near))
            if total > enough:
                break
    return total
