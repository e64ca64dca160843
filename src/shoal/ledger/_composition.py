"""What several releases give away together: intersections of crowds and of candidate values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from typing import Any

import numpy as np

from shoal._random import secret_generator
from shoal._words import plural
from shoal.ledger._trace import Trace
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
        Fewest people who left or came since an earlier release; 0 if nobody did.
    needed : int
        As many must leave or come, if anybody does.
    exposed : int
        People who left a crowd that comes back almost as it was: what it lacks is theirs.
    unscored : int
        Earlier releases of a table with these columns that it could not be held against, since
        one of the two was too large to be traced.
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
    exposed: int = 0
    unscored: int = 0

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
        return not (self.disclosed or self.differs_too_little or self.exposed)

    @property
    def reason(self) -> str:
        """Why not, in a sentence; empty if it may."""
        if self.differs_too_little:
            return (
                f"It differs from an earlier release by {plural(self.changed, 'person')}: the"
                " sensitive values of whoever changed are the difference of the two."
            )
        if self.exposed:
            return (
                f"{plural(self.exposed, 'person')} left crowds that come back almost as they were"
                " in an earlier release: what is missing there is theirs."
            )
        if self.disclosed:
            return (
                f"Together with {_releases(self.compared)} of these people it leaves one possible"
                f" sensitive value for {plural(self.disclosed, 'person')} more than before."
            )
        return ""

    @property
    def advice(self) -> str:
        """What would help."""
        if self.differs_too_little or self.exposed:
            return (
                f"Wait until at least {self.needed} people have changed, or let the crowds of those"
                " who left stay out with them (--hide-changes)."
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
    crowds = np.stack([new.groups, *(crowds_of(new, trace) for trace in shared)])
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
        **_changes(new, shared, max(trace.k for trace in (new, *shared))),
    )


def crowds_that_left(now: Trace, old: Trace) -> BoolArray:
    """Tell which rows of a table were in a crowd of an earlier release that somebody left.

    If that makes fewer than k people, whole crowds drawn at random go with them.
    """
    crowds = crowds_of(now, old)
    stayed = np.bincount(crowds[crowds >= 0], minlength=old.n_groups)
    sizes = np.bincount(old.groups, minlength=old.n_groups)
    sizes[: old.lost.size] += old.lost
    going = stayed < sizes
    if not going.any() or not (crowds >= 0).any():
        return np.zeros(crowds.size, dtype=np.bool_)
    for crowd in secret_generator().permutation(np.flatnonzero(~going)):
        if sizes[going].sum() >= max(old.k, 1):
            break
        going[crowd] = True
    return (crowds >= 0) & going[np.maximum(crowds, 0)]


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


def crowds_of(new: Trace, old: Trace) -> IntArray:
    """The crowd that each row of the new release had in an old one, -1 if it was not in it."""
    ours, theirs = new.ids(old)
    order = np.argsort(theirs, kind="stable")
    place = np.searchsorted(theirs[order], ours)
    place = np.minimum(place, theirs.size - 1)
    crowds: IntArray = np.where(theirs[order][place] == ours, old.groups[order[place]], -1)
    return crowds


def _share(new: Trace, old: Trace) -> bool:
    return bool(np.isin(*new.ids(old)).any())


def _changes(new: Trace, earlier: Sequence[Trace], k: int) -> dict[str, int]:
    """Who left or came since each earlier release; the worst of them counts."""
    found = [_change(new, old, k) for old in earlier]
    worst = min(found, key=lambda change: change.changed - change.needed)
    return {
        "changed": worst.changed,
        "needed": worst.needed,
        "exposed": max(change.exposed for change in found),
    }


@dataclass(frozen=True)
class _Change:
    changed: int
    needed: int
    exposed: int


def _change(new: Trace, old: Trace, k: int) -> _Change:
    """Hold who left and who came against each other: the two multisets are told apart.

    If only whole crowds left, their difference tells what their crowd told already, and k of them
    are enough. A crowd that comes back with fewer than k changes tells who left it.
    """
    ours, theirs = new.ids(old)
    crowds = crowds_of(new, old)
    stayed = np.bincount(crowds[crowds >= 0], minlength=old.n_groups)
    sizes = np.bincount(old.groups, minlength=old.n_groups)
    sizes[: old.lost.size] += old.lost
    left = sizes - stayed
    came = int(np.setdiff1d(ours, theirs).size)
    whole = bool((stayed[left > 0] == 0).all()) and not came
    moves = [int(n) for n in (left.sum(), came) if n]
    return _Change(
        changed=min(moves, default=0),
        needed=k if whole else max(FEWEST_CHANGES, k),
        exposed=_exposed(new, crowds, sizes, left, k),
    )


def _exposed(new: Trace, crowds: IntArray, sizes: IntArray, left: IntArray, k: int) -> int:
    """Count who left a crowd that some new crowd equals but for fewer than k people."""
    met = crowds >= 0
    pairs, common = np.unique(
        np.stack([crowds[met], new.groups[met].astype(np.int64)]), axis=1, return_counts=True
    )
    now = np.bincount(new.groups, minlength=new.n_groups)
    differing = sizes[pairs[0]] + now[pairs[1]] - 2 * common
    telling = np.unique(pairs[0][(left[pairs[0]] > 0) & (differing < k)])
    return int(left[telling].sum())


def _count(people: IntArray, flags: BoolArray) -> int:
    return int(np.unique(people[flags]).size)


def _releases(number: int) -> str:
    return "an earlier release" if number == 1 else f"{number} earlier releases"
