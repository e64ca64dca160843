"""Attackers of linked tables: they know the person, and one, two or three of their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal._random import Seed, spawn
from shoal._words import plural
from shoal.linked._family import Family
from shoal.privacy import group_by_text
from shoal.risk import RowTokens, Threshold, sample_people
from shoal.typing import FloatArray, IntArray

KNOWN = (1, 2, 3)
AT_MOST = 2000


@dataclass(frozen=True)
class LinkedAttack:
    """How often an attacker points at the right person.

    Attributes
    ----------
    rates : mapping of int to float
        Knowing the facts of the person and m rows of any table.
    control : mapping of int to float
        The same where nothing joins rows: the smallest of the crowds of these rows.
    counts : float
        Knowing the facts of the person, and how many rows they have in each table.
    crowd : float
        Knowing the facts of the person alone.
    baseline : float
        Pointing at anybody.
    people : int
        How many were attacked.
    """

    rates: Mapping[int, float]
    control: Mapping[int, float]
    counts: float
    crowd: float
    baseline: float
    people: int

    @property
    def risks(self) -> dict[str, float]:
        """What the release adds to each attacker: the rate beyond what is known without it."""
        gained = {
            f"{plural(m, 'row')}": _beyond(rate, max(self.baseline, self.control[m]))
            for m, rate in self.rates.items()
        }
        known = max(self.baseline, self.crowd)
        return {**gained, "how many rows there are": _beyond(self.counts, known)}

    def exceeding(self, threshold: Threshold) -> list[str]:
        """What an attacker must know to gain more than is accepted."""
        return [known for known, risk in self.risks.items() if risk > threshold.risk]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "risks": self.risks,
            "rates": {f"m{m}": rate for m, rate in self.rates.items()},
            "control": {f"m{m}": rate for m, rate in self.control.items()},
            "counts": self.counts,
            "crowd": self.crowd,
            "baseline": self.baseline,
            "people": self.people,
        }


def _beyond(rate: float, known: float) -> float:
    return max(0.0, (rate - known) / (1 - known)) if known < 1 else 0.0


def attack_linked(
    family: Family, *, at_most: int = AT_MOST, random_state: Seed = 0
) -> LinkedAttack:
    """Attack tables as somebody who has them: the released ones, or the originals as a control.

    The attacker knows in which crowd a person is and in which cells some of their rows are, looks
    for the people who have them all, and points at one.
    """
    known = group_by_text(family.tables[family.root]).labels
    tokens, counts = _tokens(family, known)
    some = sample_people(family.n_people, at_most, spawn(random_state, "people"))
    sizes = np.bincount(known)[known]
    rates, control = {}, {}
    for m in KNOWN:
        joined, apart = _chances(tokens, m, some, sizes, random_state)
        rates[m], control[m] = float(joined.mean()), float(apart.mean())
    _, same = np.unique(np.column_stack([known, *counts]), axis=0, return_inverse=True)
    sharing = np.bincount(same.reshape(-1))[same.reshape(-1)]
    return LinkedAttack(
        rates,
        control,
        counts=float((1 / sharing[some]).mean()),
        crowd=float((1 / sizes[some]).mean()),
        baseline=1 / family.n_people,
        people=int(some.size),
    )


def _tokens(family: Family, known: IntArray) -> tuple[RowTokens, list[IntArray]]:
    """All rows of all people as tokens: cells of a table inside the crowd of the person."""
    people: list[IntArray] = []
    cells: list[IntArray] = []
    counts: list[IntArray] = []
    offset = 0
    for name in family.others:
        who = family.people[name]
        rows = group_by_text(family.own(name)).labels
        _, inside = np.unique(known[who] * (rows.max(initial=0) + 1) + rows, return_inverse=True)
        people.append(who)
        cells.append(inside + offset)
        offset += int(inside.max(initial=-1)) + 1
        counts.append(np.bincount(who, minlength=family.n_people))
    return RowTokens.of(np.concatenate(people), np.concatenate(cells)), counts


def _chances(
    tokens: RowTokens, m: int, people: IntArray, sizes: IntArray, random_state: Seed
) -> tuple[FloatArray, FloatArray]:
    """Chances for those who have rows, and by the crowd alone for those who have none."""
    held = np.zeros(sizes.size, dtype=np.int64)
    held[: tokens.n_people] = np.diff(tokens.starts)
    there = held[people] > 0
    joined = 1 / sizes[people]
    apart = joined.copy()
    found = tokens.chances(m, people[there], spawn(random_state, f"rows {m}"))
    joined[there], apart[there] = found
    return joined, apart
