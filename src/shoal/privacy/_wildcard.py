"""k if a missing cell matched anything: what tools that read missing as a wildcard report."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal.table import Grouping, Table
from shoal.typing import IntArray

LARGEST_WORK = 20_000_000  # patterns of missing cells * classes * columns: about two seconds


def wildcard_k(table: Table, classes: Grouping, most: int = LARGEST_WORK) -> int | None:
    """Fewest rows that any row matches, if a missing cell matched everything.

    None where it would take too long, or people are counted; see `wildcard_matches`.
    """
    matches = wildcard_matches(table, classes, most)
    return None if matches is None else int(matches.min())


def wildcard_matches(table: Table, classes: Grouping, most: int = LARGEST_WORK) -> IntArray | None:
    """Rows that the rows of each class match, if a missing cell matched everything.

    Only for information, beside k: it is safe only if no attacker can know which cells were
    missing at the source. None where it would take too long, or people are counted.

    Classes with the same cells missing match only themselves. For two different patterns, what
    matters are the columns filled in both: classes equal there match each other.

    >>> import polars as pl
    >>> from shoal.privacy import group_by_text
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": ["68", None, "70"], "sex": ["F", "F", "M"]})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers=["age", "sex"]))
    >>> wildcard_matches(table, group_by_text(table)).tolist()
    [2, 2, 1]
    """
    if table.roles.person is not None:
        return None
    examples = classes.order[classes.starts[:-1]]
    texts = [table.text(name).gather(examples) for name in table.roles.quasi_identifiers]
    absent = [text.is_null().to_numpy() for text in texts]
    patterns = Grouping.from_keys([where for where in absent if where.any()], examples.size)
    if patterns.n_groups == 1:
        return classes.sizes
    if patterns.n_groups * examples.size * len(texts) > most:
        return None
    codes: list[IntArray] = [
        text.rank("dense").fill_null(0).to_numpy().astype(np.int64) for text in texts
    ]
    matches = classes.sizes.copy()
    for one, other in combinations(range(patterns.n_groups), 2):
        pair = patterns.members(one), patterns.members(other)
        first, second = pair[0][0], pair[1][0]  # every class of a pattern lacks the same cells
        filled = [
            column
            for column, gone in zip(codes, absent, strict=True)
            if not (gone[first] or gone[second])
        ]
        _match(matches, classes.sizes, filled, pair)
    return matches


def _match(
    matches: IntArray, sizes: IntArray, filled: list[IntArray], pair: tuple[IntArray, IntArray]
) -> None:
    """Add to the classes of either pattern the rows of the other that agree where filled."""
    both = np.concatenate(pair)
    alike = Grouping.from_keys([codes[both] for codes in filled], both.size)
    one, other = np.split(alike.labels, [pair[0].size])
    matches[pair[0]] += _sum_by(other, sizes[pair[1]], alike.n_groups)[one]
    matches[pair[1]] += _sum_by(one, sizes[pair[0]], alike.n_groups)[other]


def _sum_by(labels: IntArray, sizes: IntArray, n_labels: int) -> IntArray:
    sums = np.zeros(n_labels, dtype=np.int64)
    np.add.at(sums, labels, sizes)
    return sums
