"""Symmetrical uncertainty, FCBF and CFS the slow way: dictionaries, loops, every subset."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations


def uncertainty(xs, ys):
    """2 I(X; Y) / (H(X) + H(Y)) straight from probabilities."""
    n = len(xs)
    px, py, pxy = Counter(xs), Counter(ys), Counter(zip(xs, ys, strict=True))
    hx = -sum(c / n * math.log(c / n) for c in px.values())
    hy = -sum(c / n * math.log(c / n) for c in py.values())
    told = sum(c / n * math.log(c * n / (px[x] * py[y])) for (x, y), c in pxy.items())
    return round(2 * told / (hx + hy), 12) if hx + hy else 0.0


def fcbf(columns, target, threshold):
    """Yu and Liu's figure 2, a list of columns walked with two positions."""
    relevance = {name: uncertainty(values, target) for name, values in columns.items()}
    ranked = sorted((n for n in columns if relevance[n] > threshold), key=lambda n: -relevance[n])
    gone = {}
    for i, p in enumerate(ranked):
        if p in gone:
            continue
        for q in ranked[i + 1 :]:
            if q not in gone and uncertainty(columns[p], columns[q]) >= relevance[q]:
                gone[q] = p
    return [name for name in ranked if name not in gone], gone


def best_merit(columns, target):
    """Largest merit of all subsets, each tried."""
    relevance = {name: uncertainty(values, target) for name, values in columns.items()}
    best = 0.0
    for size in range(1, len(columns) + 1):
        for subset in combinations(columns, size):
            told = sum(relevance[name] for name in subset) / size
            pairs = [uncertainty(columns[a], columns[b]) for a, b in combinations(subset, 2)]
            shared = sum(pairs) / len(pairs) if pairs else 0.0
            best = max(best, size * told / math.sqrt(size + size * (size - 1) * shared))
    return best


def mdl_cut(values, classes):
    """Fayyad and Irani's first cut: every boundary tried, with plain lists."""
    pairs = sorted(zip(values, classes, strict=True))
    n = len(pairs)

    def bits(part):
        counted = Counter(c for _, c in part)
        return -sum(c / len(part) * math.log2(c / len(part)) for c in counted.values())

    best = None
    for at in range(1, n):
        if pairs[at - 1][0] == pairs[at][0]:
            continue
        left, right = pairs[:at], pairs[at:]
        inside = (at * bits(left) + (n - at) * bits(right)) / n
        if best is None or inside < best[0] - 1e-12:
            best = inside, pairs[at][0], left, right
    if best is None:
        return None
    inside, cut, left, right = best
    k, k1, k2 = (len({c for _, c in part}) for part in (pairs, left, right))
    price = math.log2(3**k - 2) - (k * bits(pairs) - k1 * bits(left) - k2 * bits(right))
    return cut if bits(pairs) - inside > (math.log2(n - 1) + price) / n else None
