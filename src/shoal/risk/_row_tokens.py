"""What joins tell: the rows of a person as a set of tokens, and who else has the same ones.

A token is a published cell (all that a row shows of the quasi-identifiers) together with its
number among the person's rows there: whoever knows that somebody has two rows in a cell looks for
people with a second one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from shoal.table import Table
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class RowTokens:
    """Tokens of people: those of person p are ``tokens[starts[p]:starts[p + 1]]``.

    >>> made = RowTokens.of(np.array([0, 0, 1, 1, 2]), np.array([5, 5, 5, 5, 9]))
    >>> made.sharing(np.array([0, 1])).tolist(), made.n_people
    ([0, 1], 3)
    """

    starts: IntArray
    tokens: IntArray
    nth: IntArray  # number of each token among those of its cell, from 0

    @classmethod
    def of(cls, people: IntArray, cells: IntArray) -> RowTokens:
        """Make the tokens of rows; people are numbered from 0 without a gap."""
        order = np.lexsort((cells, people))
        who, what = people[order], cells[order]
        fresh = np.ones(who.size, dtype=np.bool_)
        fresh[1:] = (who[1:] != who[:-1]) | (what[1:] != what[:-1])
        begins = np.flatnonzero(fresh)
        nth = np.arange(who.size) - np.repeat(begins, np.diff(np.append(begins, who.size)))
        _, tokens = np.unique(what * (nth.max(initial=0) + 1) + nth, return_inverse=True)
        starts = np.append(0, np.cumsum(np.bincount(who)))
        return cls(starts, tokens, nth)

    @property
    def n_people(self) -> int:
        """How many people there are."""
        return int(self.starts.size - 1)

    @cached_property
    def _holders(self) -> tuple[IntArray, IntArray]:
        """For each token where its holders begin, and all holders, sorted."""
        who = np.repeat(np.arange(self.n_people), np.diff(self.starts))
        order = np.argsort(self.tokens, kind="stable")
        starts = np.append(0, np.cumsum(np.bincount(self.tokens)))
        return starts, who[order]

    def holders(self, token: int) -> IntArray:
        """People who have a token."""
        starts, holders = self._holders
        return holders[starts[token] : starts[token + 1]]

    def sharing(self, tokens: IntArray) -> IntArray:
        """People who have all of these tokens."""
        first, *others = sorted((self.holders(int(token)) for token in tokens), key=len)
        for other in others:
            first = np.intersect1d(first, other, assume_unique=True)
        return first

    def chances(
        self, m: int, people: IntArray, randomness: Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Chance to point at each person for an attacker who knows m of their rows (or all).

        The second is that of an attacker for whom nothing joins rows: the smallest of the crowds.
        """
        joined, apart = np.empty(people.size), np.empty(people.size)
        for place, person in enumerate(people):
            known = self._known(int(person), m, randomness)
            joined[place] = 1 / self.sharing(known).size
            apart[place] = 1 / min(self.holders(int(token)).size for token in known)
        return joined, apart

    def _known(self, person: int, m: int, randomness: Generator) -> IntArray:
        """Draw m rows of a person; c of them in one cell are its first c tokens."""
        own = slice(self.starts[person], self.starts[person + 1])
        tokens, nth = self.tokens[own], self.nth[own]
        if tokens.size <= m:
            return tokens
        drawn = np.sort(randomness.choice(tokens.size, m, replace=False))
        cells, firsts = np.unique(drawn - nth[drawn], return_index=True)
        counts = np.diff(np.append(firsts, m))
        return np.concatenate([tokens[c : c + n] for c, n in zip(cells, counts, strict=True)])


def sample_people(n: int, most: int, randomness: Generator) -> IntArray:
    """Number the people to attack: all of them, or so many at random."""
    everybody = np.arange(n)
    return everybody if n <= most else np.sort(randomness.choice(everybody, most, replace=False))


def count_companions(people: IntArray, cells: IntArray) -> IntArray:
    """Count for each person (numbered from 0) how many have rows in exactly the same cells.

    >>> count_companions(np.array([0, 0, 1, 1, 2]), np.array([5, 6, 6, 5, 5])).tolist()
    [2, 2, 1]
    """
    width = int(cells.max(initial=0)) + 1
    who, what = np.divmod(np.unique(people * width + cells), width)
    order = np.lexsort((what, who))
    held = np.split(what[order], np.cumsum(np.bincount(who))[:-1])
    _, which = np.unique([cells_of.tobytes() for cells_of in held], return_inverse=True)
    counts: IntArray = np.bincount(which)[which]
    return counts


def warn_of_joins(table: Table, crowds: IntArray, k: int) -> tuple[str, ...]:
    """Warn of people whose rows, joined by a pseudonym, are in crowds that few others share."""
    person = str(table.roles.person)
    kept = (crowds >= 0) & (table.codes(person) < len(table.column(person).labels))
    people = np.unique(table.codes(person)[kept], return_inverse=True)[1]
    few = float((count_companions(people, crowds[kept]) < k).mean()) if people.size else 0.0
    told = (
        f"Pseudonyms join the rows of a person: {few:.0%} of people share all their crowds with"
        f" fewer than {k}, and whoever knows their rows finds them ('shoal attack', known_rows)."
    )
    return (told,) if few else ()
