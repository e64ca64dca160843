"""CFS: the best subset of columns by merit, searched best first."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from itertools import combinations

from shoal.selection._correlations import Correlations

FAILURES = 5  # expansions in a row that find nothing better: then the search ends


def cfs(
    known: Correlations, threshold: float | None = None, *, locally_predictive: bool = True
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Choose the subset that tells most of the target and least of itself.

    Hall, "Correlation-based feature selection for machine learning", 1999: best-first search
    from the empty set, one column at a time, by `merit`; it ends after five expansions in a row
    that find nothing better. Then columns that tell more of the target than of any chosen one
    may join (``locally_predictive``).

    Returns what `fcbf` returns; a column is redundant because of the chosen one that tells most
    of it, if that is at least as much as it tells of the target.
    """
    ranked = [c for c, value in known.ranking() if _candidate(known, c, value, threshold)]
    known.prepare(combinations(ranked, 2))
    chosen = _search(known, ranked)
    if locally_predictive:
        for column in (c for c in ranked if c not in chosen):
            closest = max((known.between(column, other) for other in chosen), default=0.0)
            if known.relevance(column) > closest:
                chosen = chosen | {column}
    selected = tuple(column for column in ranked if column in chosen)
    return selected, _repeats(known, ranked, selected)


def merit(known: Correlations, columns: Collection[str]) -> float:
    """Merit of a subset: ``k r_cf / sqrt(k + k (k - 1) r_ff)`` with mean uncertainties r."""
    if not columns:
        return 0.0
    ordered = sorted(columns)
    told = math.fsum(known.relevance(column) for column in ordered)
    shared = math.fsum(known.between(a, b) for a, b in combinations(ordered, 2))
    return told / math.sqrt(len(ordered) + 2 * shared)


def _search(known: Correlations, columns: list[str]) -> frozenset[str]:
    place = {column: i for i, column in enumerate(columns)}
    best, best_merit, failures = frozenset[str](), 0.0, 0
    seen = {best}
    queue: list[tuple[float, list[int], frozenset[str]]] = [(0.0, [], best)]
    while queue and failures < FAILURES:
        _, _, subset = heapq.heappop(queue)
        found = best_merit
        for column in columns:
            larger = subset | {column}
            if larger in seen:
                continue
            seen.add(larger)
            value = merit(known, larger)
            heapq.heappush(queue, (-value, sorted(place[c] for c in larger), larger))
            if value > best_merit:
                best, best_merit = larger, value
        failures = 0 if best_merit > found else failures + 1
    return best


def _candidate(known: Correlations, column: str, value: float, threshold: float | None) -> bool:
    return not known.is_chance(column) if threshold is None else value > threshold


def _repeats(known: Correlations, columns: list[str], selected: tuple[str, ...]) -> dict[str, str]:
    redundant = {}
    for column in (c for c in columns if c not in selected):
        closest = max(selected, key=lambda other: known.between(column, other))
        if known.between(column, closest) >= known.relevance(column):
            redundant[column] = closest
    return redundant
