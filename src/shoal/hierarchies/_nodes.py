"""Nodes: what the readers of ladders, JSON and parents hand to a taxonomy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from shoal.typing import IntArray


class Nodes(NamedTuple):
    """A tree as it was read: what each node publishes, its parent (-1: none), its value."""

    labels: Sequence[str]
    parents: IntArray
    values: Sequence[str]


def parent_nodes(parents: Mapping[str, str | None]) -> Nodes:
    """Turn a mapping from child to parent into nodes; the root has none, or itself, or no entry.

    >>> parent_nodes({"a": "A", "b": "A", "A": "*"}).parents.tolist()
    [2, 2, 3, -1]
    """
    names = list(dict.fromkeys([*parents, *(p for p in parents.values() if p is not None)]))
    number = {name: i for i, name in enumerate(names)}
    above = np.full(len(names), -1, dtype=np.int64)
    for child, parent in parents.items():
        if parent is not None and parent != child:
            above[number[child]] = number[parent]
    return Nodes(names, above, names)
