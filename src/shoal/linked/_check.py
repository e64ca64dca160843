"""The joined view: how many people share whatever one row shows together with its person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.linked._family import Family
from shoal.privacy import group_by_text
from shoal.typing import BoolArray, IntArray


@dataclass(frozen=True)
class JoinedView:
    """What a join tells, people counted once.

    Attributes
    ----------
    people : int
        How many people there are.
    k_alone : mapping of str to int
        Fewest people who share a combination of quasi-identifiers, each table by itself.
    k_joined : mapping of str to int
        The same of each table joined with the facts of the person.
    k : int
        The smallest of them.
    singled : int
        People whom some row, joined with the facts of its person, tells from all others.
    only_joined : int
        Those of them whom no table tells by itself.
    """

    people: int
    k_alone: Mapping[str, int]
    k_joined: Mapping[str, int]
    singled: int
    only_joined: int

    @property
    def k(self) -> int:
        """Fewest people who share what any row tells, joined."""
        return min(self.k_joined.values())

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "people": self.people,
            "k": self.k,
            "k_alone": dict(self.k_alone),
            "k_joined": dict(self.k_joined),
            "singled_out": self.singled,
            "singled_out_by_joins_only": self.only_joined,
        }


def check_family(family: Family) -> JoinedView:
    """Measure the joined view of tables as they are, released or not.

    Whoever knows the quasi-identifiers of a person and one row of another table looks for people
    with both. Rows are compared as text, as an attacker compares them.
    """
    root = family.root
    known = group_by_text(family.tables[root]).labels
    alone, joined = {root: int(np.bincount(known).min())}, {}
    joined[root] = alone[root]
    by_table = (np.bincount(known) == 1)[known]
    by_join = by_table.copy()
    for name in family.others:
        people = family.people[name]
        if not people.size:
            continue
        rows = group_by_text(family.own(name)).labels
        alone[name], singled = _fewest(rows, people, family.n_people)
        by_table |= singled
        _, pairs = np.unique(known[people] * (rows.max() + 1) + rows, return_inverse=True)
        joined[name], singled = _fewest(pairs, people, family.n_people)
        by_join |= singled
    only = by_join & ~by_table
    return JoinedView(family.n_people, alone, joined, int(by_join.sum()), int(only.sum()))


def _fewest(labels: IntArray, people: IntArray, n_people: int) -> tuple[int, BoolArray]:
    """Count the people of each label; return the fewest, and who is alone with some label."""
    groups, who = np.divmod(np.unique(labels * n_people + people), n_people)
    counts = np.bincount(groups)
    singled = np.zeros(n_people, dtype=np.bool_)
    singled[who[counts[groups] == 1]] = True
    return int(counts[counts > 0].min()), singled
