"""Stirring: values of a cluster change places, one column at a time, and its shape stays.

Paper: Miche et al. (2016), Eq. 10. The distribution of distances to the centroid is a histogram
of a few bins, both sides smoothed by half a row (Krichevsky and Trofimov, 1981); the bound is on
the Kullback-Leibler divergence of what was from what is, in nats.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.kernels.compiling import njit

MOST_BINS = 12
TRIES = 6  # swaps tried per row before values begin to return home


@njit(cache=True, nogil=True)
def bins_for(rows):
    """Bins for a histogram of so many rows: the square root of them, at least two."""
    return np.int64(min(MOST_BINS, max(2, round(math.sqrt(rows)))))


@njit(cache=True, nogil=True)
def bin_of(distance, top, bins):
    """Bin of a distance; all bins are equally wide from 0 to ``top``, the last takes the rest."""
    if top <= 0.0:
        return np.int64(0)
    return min(np.int64(bins * distance / (top * (1.0 + 1e-9))), bins - 1)


@njit(cache=True, nogil=True)
def divergence(old, new):
    """KL divergence of two histograms, smoothed by half a row in every bin."""
    bins = old.size
    all_old, all_new = old.sum() + 0.5 * bins, new.sum() + 0.5 * bins
    total = 0.0
    for b in range(bins):
        p = (old[b] + 0.5) / all_old
        total += p * math.log(p * all_new / (new[b] + 0.5))
    return max(total, 0.0)


@njit(cache=True, nogil=True)
def stir_clusters(order, starts, distances, columns, draws, seeds, bound, together, source, worst):
    """Permute the values of each column inside each cluster within the bound.

    ``distances[row, j]`` is the mapped distance of a row's value to the centroid of its cluster;
    ``draws`` are uniform numbers, one per row and column and one column more; ``seeds`` one per
    cluster. ``source[row, j]`` becomes the row whose value this one gets, ``worst[c]`` the
    divergence of cluster c. ``together`` moves whole stirred rows once more at the end: after it,
    which row is whose is uniform whatever the search for the bound preferred.
    """
    longest = np.int64(0)
    for c in range(starts.size - 1):
        longest = max(longest, starts[c + 1] - starts[c])
    sums = np.empty(longest)
    bins_now = np.empty(longest, np.int64)
    perm = np.empty(longest, np.int64)
    for c in range(starts.size - 1):
        rows = order[starts[c] : starts[c + 1]]
        n = rows.size
        top = 0.0
        for i in range(n):
            sums[i] = 0.0
            for j in range(distances.shape[1]):
                sums[i] += distances[rows[i], j]
            top = max(top, sums[i])
        old = np.zeros(bins_for(n), np.float64)
        for i in range(n):
            bins_now[i] = bin_of(sums[i], top, old.size)
            old[bins_now[i]] += 1.0
        now = old.copy()
        state = seeds[c]
        for at in range(columns.size):
            j = columns[at]
            _shuffle(perm[:n], draws, rows, at)
            state = _settle(
                rows, distances, j, perm[:n], sums, bins_now, old, now, top, bound, state
            )
            for i in range(n):
                source[rows[i], at] = rows[perm[i]]
        worst[c] = divergence(old, now)
        if together:
            _move_rows(rows, source, draws, perm[:n])


@njit(cache=True, nogil=True)
def _shuffle(perm, draws, rows, at):
    """A uniform permutation (Fisher and Yates, 1938; Durstenfeld, 1964)."""
    for i in range(perm.size):
        perm[i] = i
    for i in range(perm.size - 1, 0, -1):
        k = min(np.int64(draws[rows[i], at] * (i + 1)), i)
        perm[i], perm[k] = perm[k], perm[i]


@njit(cache=True, nogil=True)
def _settle(rows, distances, j, perm, sums, bins_now, old, now, top, bound, state):
    """Bring the permutation of one column within the bound; sums and bins follow it.

    First by swaps that lower the divergence, then by values that return to their own row: with
    all of them back, the column is as it was, and that is within the bound.
    """
    n = rows.size
    for i in range(n):
        sums[i] += distances[rows[perm[i]], j] - distances[rows[i], j]
        now[bins_now[i]] -= 1.0
        bins_now[i] = bin_of(sums[i], top, old.size)
        now[bins_now[i]] += 1.0
    far = divergence(old, now)
    tries = TRIES * n
    while far > bound and tries > 0:
        tries -= 1
        state, a = _draw(state, n)
        state, b = _draw(state, n)
        far = _try_swap(rows, distances, j, perm, sums, bins_now, old, now, top, a, b, far, False)
    place = 0
    while far > bound and place < n:
        home = place
        for k in range(place, n):
            if perm[k] == place:
                home = k
                break
        far = _try_swap(
            rows, distances, j, perm, sums, bins_now, old, now, top, place, home, far, True
        )
        place += 1
    return state


@njit(cache=True, nogil=True)
def _try_swap(rows, distances, j, perm, sums, bins_now, old, now, top, a, b, far, anyway):
    """Swap what two rows get if that lowers the divergence, or anyway; returns the divergence."""
    if a == b:
        return far
    shift = distances[rows[perm[b]], j] - distances[rows[perm[a]], j]
    new_a = bin_of(sums[a] + shift, top, old.size)
    new_b = bin_of(sums[b] - shift, top, old.size)
    now[bins_now[a]] -= 1.0
    now[bins_now[b]] -= 1.0
    now[new_a] += 1.0
    now[new_b] += 1.0
    after = divergence(old, now)
    if anyway or after < far:
        sums[a] += shift
        sums[b] -= shift
        bins_now[a], bins_now[b] = new_a, new_b
        perm[a], perm[b] = perm[b], perm[a]
        return after
    now[new_a] -= 1.0
    now[new_b] -= 1.0
    now[bins_now[a]] += 1.0
    now[bins_now[b]] += 1.0
    return far


@njit(cache=True, nogil=True)
def _move_rows(rows, source, draws, perm):
    """Let whole stirred rows change places."""
    last = draws.shape[1] - 1
    _shuffle(perm, draws, rows, last)
    before = np.empty((rows.size, source.shape[1]), np.int64)
    for i in range(rows.size):
        before[i] = source[rows[i]]
    for i in range(rows.size):
        source[rows[i]] = before[perm[i]]


@njit(cache=True, nogil=True)
def _draw(state, n):
    """Step a generator (SplitMix64, Steele et al., 2014) and give a number below n."""
    state += np.uint64(0x9E3779B97F4A7C15)
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return state, np.int64((z >> np.uint64(11)) % np.uint64(n))


@njit(cache=True, nogil=True)
def cluster_divergences(order, starts, before, core, after, old, worst):
    """Divergence of the distances of each cluster's core before from those of all rows after.

    ``old[c]`` receives the rows of its core in each bin.
    """
    for c in range(starts.size - 1):
        rows = order[starts[c] : starts[c + 1]]
        top, n = 0.0, 0
        for row in rows:
            if core[row]:
                top = max(top, before[row])
                n += 1
        bins = bins_for(n)
        then, now = np.zeros(bins), np.zeros(bins)
        for row in rows:
            now[bin_of(after[row], top, bins)] += 1.0
            if core[row]:
                then[bin_of(before[row], top, bins)] += 1.0
        old[c, :bins] = then
        worst[c] = divergence(then, now)
