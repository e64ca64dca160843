"""FCBF: the fast correlation-based filter of Yu and Liu."""

from __future__ import annotations

from shoal.selection._correlations import Correlations


def fcbf(
    known: Correlations, threshold: float | None = None
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Choose columns that tell most of the target, none of which repeats another.

    Yu and Liu, "Feature selection for high-dimensional data: a fast correlation-based filter
    solution", ICML 2003: columns are taken from the most relevant down; one is redundant if a
    predominant column tells at least as much of it as it tells of the target.

    Parameters
    ----------
    known : Correlations
        What columns tell of each other.
    threshold : float, optional
        Relevance (symmetrical uncertainty with the target) that a column must exceed; by default
        what unrelated columns would show by chance.

    Returns
    -------
    selected : tuple of str
        The predominant columns, the most relevant first.
    redundant : dict of str to str
        What was left out because of which selected column.
    """
    ranked = [column for column, value in known.ranking() if _relevant(known, column, threshold)]
    selected: list[str] = []
    redundant: dict[str, str] = {}
    while ranked:
        best = ranked.pop(0)
        selected.append(best)
        known.prepare((best, other) for other in ranked)
        repeats = [c for c in ranked if known.between(best, c) >= known.relevance(c)]
        redundant |= dict.fromkeys(repeats, best)
        ranked = [column for column in ranked if column not in redundant]
    return tuple(selected), redundant


def _relevant(known: Correlations, column: str, threshold: float | None) -> bool:
    if threshold is None:
        return not known.is_chance(column)
    return known.relevance(column) > threshold
