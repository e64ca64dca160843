"""The plain Mondrian of the textbook: what our own one is compared with.

Values are numbered in alphabetical order; the widest attribute (weighted, in shares of its span)
that can be cut at its median is cut there, values equal to the median stay left (K. LeFevre,
D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006).
"""

from __future__ import annotations

import numpy as np

from shoal.table import Grouping, Table
from shoal.typing import FloatArray, IntArray


def plain_mondrian(table: Table, k: int, weights: FloatArray) -> Grouping:
    """Group the rows of a table on its quasi-identifiers."""
    cells = np.column_stack([_numbered(table, name) for name in table.roles.quasi_identifiers])
    scale = weights / np.maximum(np.ptp(cells, axis=0), 1e-9)
    labels = np.zeros(table.n_rows, dtype=np.int64)
    waiting, done = [np.arange(table.n_rows)], 0
    while waiting:
        rows = waiting.pop()
        halves = _cut(cells, rows, k, scale)
        waiting.extend(halves)
        if not halves:
            labels[rows], done = done, done + 1
    return Grouping(labels)


def _cut(cells: FloatArray, rows: IntArray, k: int, scale: FloatArray) -> list[IntArray]:
    widths = np.ptp(cells[rows], axis=0) * scale
    for attribute in np.argsort(-widths, kind="stable"):
        values = cells[rows, attribute]
        left = values <= np.median(values)
        if min(left.sum(), (~left).sum()) >= k:
            return [rows[left], rows[~left]]
    return []


def _numbered(table: Table, name: str) -> FloatArray:
    texts = table.text(name).fill_null("").to_list()
    if table.kinds[name] == "numeric":
        return np.array([float(text) for text in texts])
    known = {text: number for number, text in enumerate(sorted(set(texts)))}
    return np.array([known[text] for text in texts], dtype=np.float64)
