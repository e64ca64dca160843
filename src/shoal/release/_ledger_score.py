"""What several releases give away together: intersections of crowds and of candidate values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from typing import Any

import numpy as np

from shoal.release._ledger_trace import Trace
from shoal.typing import BoolArray, IntArray

#: Fewest people by whom two releases may differ: their values are told by the plain difference,
#: and one of m people has a given value with at most 1/m more than it is common.
FEWEST_CHANGES = 20


@dataclass(frozen=True)
class Composition:
    """A new release against earlier ones of the same or an overlapping table.

    Attributes
    ----------
    compared : int
        Earlier releases that share people with it.
    people : int
        People it shares with them.
    single_before : int
        Those with one candidate value after the first of these releases.
    single : int
        Those with one candidate value after all of them, the new one included.
    alone : int
        Those with one candidate value in the new release alone.
    shrunk : int
        Those whose crowds have fewer than k people in common.
    fewest_candidates : int
        The smallest set of candidates that is left: the m of m-invariance (Xiao and Tao, 2007).
    invariant : float
        Share of these people whose candidates are the same in every release.
    changed : int
        Fewest people by whom the new release differs from an earlier one; 0 if from none.
    needed : int
        People by whom it must differ, if it differs.
    """

    compared: int = 0
    people: int = 0
    single_before: int = 0
    single: int = 0
    alone: int = 0
    shrunk: int = 0
    fewest_candidates: int = 0
    invariant: float = 1.0
    changed: int = 0
    needed: int = 0

    @property
    def disclosed(self) -> int:
        """People whose value becomes certain by putting the releases together."""
        return max(0, self.single - self.single_before)

    @property
    def differs_too_little(self) -> bool:
        """Whether the difference to an earlier release speaks of too few people."""
        return 0 < self.changed < self.needed

    @property
    def holds(self) -> bool:
        """Whether the new release may be written."""
        return not self.disclosed and not self.differs_too_little

    @property
    def reason(self) -> str:
        """Why not, in a sentence; empty if it may."""
        if self.differs_too_little:
            return (
                f"It differs from an earlier release by {self.changed} people: their sensitive"
                " values are the difference of the two."
            )
        if self.disclosed:
            return (
                f"Together with {_releases(self.compared)} of these people it leaves one possible"
                f" sensitive value for {self.disclosed:,} people more than before."
            )
        return ""

    @property
    def advice(self) -> str:
        """What would help."""
        if self.differs_too_little:
            return (
                f"Wait until {self.needed} people have changed, or let others be left out with"
                " them (--hide-changes)."
            )
        if self.disclosed:
            return (
                "Keep the weights and k of the earlier release, ask for more (a larger l), or"
                " withdraw a release that never left the house ('shoal ledger withdraw')."
            )
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        more = {"disclosed": self.disclosed, "holds": self.holds, "reason": self.reason}
        return {**asdict(self), **more}


def compose(new: Trace, earlier: Sequence[Trace]) -> Composition:
    """Score a new release against earlier ones, oldest first.

    An attacker who knows the quasi-identifiers of a person finds their crowd in every release and
    keeps the sensitive values that all of them show (S. Ganta, S. Kasiviswanathan, A. Smith,
    Composition attacks and auxiliary information in data privacy, KDD 2008).
    """
    shared = [trace for trace in earlier if _share(new, trace)]
    if not shared:
        return Composition()
    crowds = np.stack([new.groups, *(_crowds_of(new, trace) for trace in shared)])
    met = (crowds[1:] >= 0).any(axis=0)
    patterns, which, counts = np.unique(
        crowds[:, met], axis=1, return_inverse=True, return_counts=True
    )
    which = which.reshape(-1)
    left = _left(patterns, [new, *shared])
    people = new.people[met]
    first = _first_release(crowds[:, met])
    k = min((trace.k for trace in (new, *shared) if trace.k), default=0)
    return Composition(
        compared=len(shared),
        people=int(np.unique(people).size),
        single_before=_count(people, _single_in(crowds[:, met], first, [new, *shared])),
        single=_count(people, (left.sizes == 1)[which]),
        alone=_count(people, _single_in(crowds[:, met], np.zeros_like(first), [new, *shared])),
        shrunk=_count(people, (counts < k)[which]),
        fewest_candidates=int(left.sizes.min()) if left.sizes.size else 0,
        invariant=float(left.same[which].mean()),
        changed=_fewest_changes(new, shared),
        needed=max(FEWEST_CHANGES, k),
    )


@dataclass(frozen=True, eq=False)
class _Left:
    """Candidates left for each pattern of crowds, and whether they are the same everywhere."""

    sizes: IntArray
    same: BoolArray


def _left(patterns: IntArray, traces: Sequence[Trace]) -> _Left:
    """Intersect the candidates of each pattern; the worst column counts, more than one value."""
    columns = [c for c in traces[0].secrets if all(c in trace.secrets for trace in traces)]
    sizes = np.full(patterns.shape[1], np.iinfo(np.int64).max)
    same = np.ones(patterns.shape[1], dtype=np.bool_)
    for column in columns:
        shown = [trace.candidates(column) for trace in traces]
        for place, pattern in enumerate(patterns.T.tolist()):
            sets = [shown[i][group] for i, group in enumerate(pattern) if group >= 0]
            common = reduce(frozenset.intersection, sets)
            sizes[place] = min(sizes[place], len(common))
            same[place] &= all(found == sets[0] for found in sets)
    return _Left(np.where(sizes == np.iinfo(np.int64).max, 0, sizes), same)


def _single_in(crowds: IntArray, release: IntArray, traces: Sequence[Trace]) -> BoolArray:
    """Tell who has one candidate in one release each, given by its number."""
    single = np.zeros(crowds.shape[1], dtype=np.bool_)
    for number, trace in enumerate(traces):
        here = release == number
        for starts, _ in trace.secrets.values():
            sizes = np.diff(starts)
            single[here] |= sizes[crowds[number, here]] == 1
    return single


def _first_release(crowds: IntArray) -> IntArray:
    """Number of the first earlier release that each row is in."""
    found: IntArray = 1 + (crowds[1:] >= 0).argmax(axis=0)
    return found


def _crowds_of(new: Trace, old: Trace) -> IntArray:
    """The crowd that each row of the new release had in an old one, -1 if it was not in it."""
    ours, theirs = new.ids(old)
    order = np.argsort(theirs, kind="stable")
    place = np.searchsorted(theirs[order], ours)
    place = np.minimum(place, theirs.size - 1)
    crowds: IntArray = np.where(theirs[order][place] == ours, old.groups[order[place]], -1)
    return crowds


def _share(new: Trace, old: Trace) -> bool:
    return bool(np.isin(*new.ids(old)).any())


def _fewest_changes(new: Trace, earlier: Sequence[Trace]) -> int:
    """Fewest people, beyond none, by whom the new release differs from an earlier one."""
    changes = [_changes(new, old) for old in earlier]
    return int(min((n for n in changes if n), default=0))


def _changes(new: Trace, old: Trace) -> int:
    alike = new.identity == old.identity
    ours, theirs = (new.people, old.people) if alike else (new.rows, old.rows)
    return int(np.setxor1d(np.unique(ours), np.unique(theirs)).size) + old.forgotten


def _count(people: IntArray, flags: BoolArray) -> int:
    return int(np.unique(people[flags]).size)


def _releases(number: int) -> str:
    return "an earlier release" if number == 1 else f"{number} earlier releases"
