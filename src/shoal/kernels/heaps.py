"""Binary heaps on parallel arrays, ordered by (cost, id): ties never depend on position."""

from __future__ import annotations

from shoal.kernels.compiling import njit


@njit(cache=True, nogil=True, counted=False)
def before(cost_a, id_a, cost_b, id_b):
    return cost_a < cost_b or (cost_a == cost_b and id_a < id_b)


@njit(cache=True, nogil=True, counted=False)
def push_max(costs, ids, items, n, cost, id_, item):
    i = n
    while i > 0:
        up = (i - 1) >> 1
        if not before(costs[up], ids[up], cost, id_):
            break
        costs[i], ids[i], items[i] = costs[up], ids[up], items[up]
        i = up
    costs[i], ids[i], items[i] = cost, id_, item
    return n + 1


@njit(cache=True, nogil=True, counted=False)
def drop_max(costs, ids, items, n):
    """Remove the largest (at index 0); return the new length."""
    n -= 1
    cost, id_, item = costs[n], ids[n], items[n]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        if child + 1 < n and before(costs[child], ids[child], costs[child + 1], ids[child + 1]):
            child += 1
        if not before(cost, id_, costs[child], ids[child]):
            break
        costs[i], ids[i], items[i] = costs[child], ids[child], items[child]
        i = child
    costs[i], ids[i], items[i] = cost, id_, item
    return n


@njit(cache=True, nogil=True, counted=False)
def push_min(costs, ids, items, n, cost, id_, item):
    i = n
    while i > 0:
        up = (i - 1) >> 1
        if not before(cost, id_, costs[up], ids[up]):
            break
        costs[i], ids[i], items[i] = costs[up], ids[up], items[up]
        i = up
    costs[i], ids[i], items[i] = cost, id_, item
    return n + 1


@njit(cache=True, nogil=True, counted=False)
def drop_min(costs, ids, items, n):
    """Remove the smallest (at index 0); return the new length."""
    n -= 1
    if n > 0:
        sink_min(costs, ids, items, n, costs[n], ids[n], items[n])
    return n


@njit(cache=True, nogil=True, counted=False)
def sink_min(costs, ids, items, n, cost, id_, item):
    """Put an entry at the top of a heap of ``n`` and let it sink to its place."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        if child + 1 < n and before(costs[child + 1], ids[child + 1], costs[child], ids[child]):
            child += 1
        if not before(costs[child], ids[child], cost, id_):
            break
        costs[i], ids[i], items[i] = costs[child], ids[child], items[child]
        i = child
    costs[i], ids[i], items[i] = cost, id_, item
