"""How large the groups of a release are: what anybody can count in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.report._words import DASH
from shoal.typing import IntArray

_WANTED = 8
_PUBLIC = 11  # who hides among so many is at no more risk than regulators accept in public


@dataclass(frozen=True)
class SizeSlot:
    """Groups of some size: how many, and the share of the rows that is in them."""

    label: str
    groups: int
    share: float


@dataclass(frozen=True)
class GroupSizes:
    """Sizes of groups, in people where they are known, else in rows.

    ``alone`` and ``under_eleven`` are shares of them in groups of one, and of fewer than eleven.

    >>> frame = pl.DataFrame({"age": ["[20, 29]"] * 2 + ["[30, 39]"] * 3 + ["*"] * 3})
    >>> sizes = GroupSizes.count(frame, ["age"])
    >>> sizes.groups, sizes.smallest, sizes.largest, [slot.label for slot in sizes.slots]
    (3, 2, 3, ['2', '3'])
    """

    groups: int
    smallest: int
    largest: int
    average: float
    slots: tuple[SizeSlot, ...]
    alone: float = 0.0
    under_eleven: float = 0.0

    @classmethod
    def count(
        cls,
        released: pl.DataFrame,
        names: tuple[str, ...] | list[str],
        people: IntArray | None = None,
    ) -> GroupSizes:
        """Count the rows that are equal on the columns named, or their people.

        A negative number names nobody; a group of only such rows has one person.
        """
        if not names:
            everyone = (
                np.zeros(released.height) if people is None else np.unique(people[people >= 0])
            )
            return cls.of(np.array([max(1, everyone.size)]))
        fresh = "#" + "".join(names)  # longer than any of them, so the name of none
        frame, size = released.select(names), pl.len()
        if people is not None:
            frame = frame.with_columns(pl.Series(fresh, people))
            size = pl.col(fresh).filter(pl.col(fresh) >= 0).n_unique().clip(1)
        counted = frame.group_by(names).agg(size.alias(f"{fresh}#"))
        return cls.of(counted.to_series(-1).to_numpy().astype(np.int64))

    @classmethod
    def of(cls, sizes: IntArray) -> GroupSizes:
        """Sum up sizes that were counted elsewhere."""
        if sizes.size == 0:
            return cls(0, 0, 0, 0.0, ())
        smallest, largest = int(sizes.min()), int(sizes.max())
        total = int(sizes.sum())
        return cls(
            sizes.size,
            smallest,
            largest,
            float(sizes.mean()),
            _slots(sizes),
            alone=int(sizes[sizes == 1].sum()) / total,
            under_eleven=int(sizes[sizes < _PUBLIC].sum()) / total,
        )


def _slots(sizes: IntArray) -> tuple[SizeSlot, ...]:
    """Cut sizes into even steps, the largest five percent into an open one."""
    smallest, usual = int(sizes.min()), int(np.quantile(sizes, 0.95))
    step = -(-(usual - smallest + 1) // _WANTED)
    places = np.minimum((sizes - smallest) // step, _WANTED)
    found = []
    for place in range(int(places.max()) + 1):
        here = sizes[places == place]
        low, high = smallest + place * step, smallest + (place + 1) * step - 1
        label = f"{low}" if low == high else f"{low}{DASH}{high}"
        label = f"{low}+" if place == _WANTED else label
        found.append(SizeSlot(label, int(here.size), round(float(here.sum() / sizes.sum()), 4)))
    return tuple(found)
