"""What several releases give away together: intersections of crowds and of candidate values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np

from shoal._random import secret_generator
from shoal._words import plural
from shoal.ledger._alignment import count_split
from shoal.ledger._candidates import left_in_column, patterns
from shoal.ledger._changes import FEWEST_CHANGES, Changes, count_people
from shoal.ledger._recognition import Meeting, meet
from shoal.ledger._records import Recorded
from shoal.ledger._trace import Trace, sorted_once
from shoal.typing import BoolArray, IntArray


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
        Those with one candidate value in some column after the first release that shows it.
    single : int
        Those with one candidate value in some column after all of them, the new one included.
    alone : int
        Those with one candidate value in the new release alone.
    disclosed : int
        Those for whom a column has one candidate left that had several after the first release
        that shows it.
    columns : tuple of str
        The columns in which that is so.
    recoded : tuple of str
        Columns whose values are written otherwise than before: they cannot be compared.
    crossed : tuple of str
        Columns that are quasi-identifiers in one release and published as they are in another.
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
        People who left, or came to, a crowd that comes back almost as it was: what it lacks or has
        more is theirs.
    split : int
        People whom pseudonyms, the same as before, leave with fewer than k who shared all their
        crowds.
    unscored : int
        Earlier releases of a table with mostly these columns that it could not be held against:
        one of the two was too large to be traced, or was traced by another version of Shoal.
    resembling : int
        Earlier releases of a table with as many rows and mostly these columns of which nobody was
        recognized.
    release : str
        The id under which the new release was entered; empty if it was not.
    """

    compared: int = 0
    people: int = 0
    single_before: int = 0
    single: int = 0
    alone: int = 0
    disclosed: int = 0
    columns: tuple[str, ...] = ()
    recoded: tuple[str, ...] = ()
    crossed: tuple[str, ...] = ()
    shrunk: int = 0
    fewest_candidates: int = 0
    invariant: float = 1.0
    changed: int = 0
    needed: int = 0
    exposed: int = 0
    split: int = 0
    unscored: int = 0
    resembling: int = 0
    release: str = ""
    #: Whether the difference to an earlier release speaks of too few people.
    differs_too_little: bool = field(init=False)
    #: Whether the new release may be written.
    holds: bool = field(init=False)

    def __post_init__(self) -> None:
        differs_too_little = 0 < self.changed < self.needed
        told = self.disclosed or differs_too_little or self.exposed or self.split
        self.__dict__.update(differs_too_little=differs_too_little, holds=not told)

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
                f"{plural(self.exposed, 'person')} left or joined crowds that come back almost as"
                " they were in an earlier release: what is missing there, or new, is theirs."
            )
        if self.split:
            return (
                f"Pseudonyms of an earlier release come back: for {plural(self.split, 'person')}"
                " fewer than k have been in the same crowds each time."
            )
        if self.disclosed:
            return (
                f"Together with {_releases(self.compared)} of these people it leaves one possible"
                f" sensitive value for {plural(self.disclosed, 'person')} more than before"
                f" (in {', '.join(map(repr, self.columns))})."
            )
        return ""

    @property
    def advice(self) -> str:
        """What would help."""
        if self.differs_too_little or self.exposed:
            return (
                f"Wait until at least {self.needed} people have changed, let the crowds of those"
                " who left stay out with them (--hide-changes), or deliver those who came in"
                " crowds of their own (--after)."
            )
        if self.split:
            return (
                "Keep the crowds (--hide-changes), use pseudonyms of this release only, another"
                " project or a rotated key, or withdraw a release that never left the house"
                " ('shoal ledger withdraw')."
            )
        if self.disclosed:
            return (
                "Keep the weights and k of the earlier release, ask for more (a larger l), or"
                " withdraw a release that never left the house ('shoal ledger withdraw')."
            )
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        told = {name: list(getattr(self, name)) for name in ("columns", "recoded", "crossed")}
        return {**asdict(self), **told, "reason": "" if self.holds else self.reason}


def compose(new: Trace, earlier: Sequence[Trace]) -> Composition:
    """Score a new release against earlier ones, oldest first.

    An attacker who knows the quasi-identifiers of a person finds their crowd in every release and
    keeps, column by column, the values that all of them show (S. Ganta, S. Kasiviswanathan,
    A. Smith, Composition attacks and auxiliary information in data privacy, KDD 2008).
    """
    return score(new, meetings(new, earlier))


def meetings(new: Trace, earlier: Sequence[Trace]) -> list[Meeting]:
    """Find the earlier releases that share people with a new one."""
    return [found for old in earlier if (found := meet(new, old)) is not None]


def score(new: Trace, shared: Sequence[Meeting]) -> Composition:
    """Score a new release against those that share people with it; see `compose`."""
    if not shared:
        return Composition()
    met: BoolArray = np.any([meeting.crowds >= 0 for meeting in shared], axis=0)
    views = {name: left_in_column(new, shared, name, met) for name in new.shown}
    scored = {name: view for name, view in views.items() if view is not None}
    people, nobody = new.people[met], np.zeros(int(met.sum()), dtype=np.bool_)
    disclosing = {name: view.disclosed for name, view in scored.items() if view.disclosed.any()}
    k = min((trace.k for trace in (new, *(m.old for m in shared)) if trace.k), default=0)
    return Composition(
        compared=len(shared),
        people=int(sorted_once(people).size),
        single_before=_count(people, _any(nobody, (v.first == 1 for v in scored.values()))),
        single=_count(people, _any(nobody, (v.single for v in scored.values()))),
        alone=_count(people, _any(nobody, (_alone(new, name)[met] for name in new.shown))),
        disclosed=_count(people, _any(nobody, disclosing.values())),
        columns=tuple(disclosing),
        recoded=tuple(name for name, view in scored.items() if view.recoded),
        crossed=_crossed(new, [meeting.old for meeting in shared]),
        shrunk=_count(people, _crowds_in_common(new, shared)[met] < k),
        fewest_candidates=min((int(v.sizes.min()) for v in scored.values()), default=0),
        invariant=float(1 - _any(nobody, (~v.same for v in scored.values())).mean()),
        **_changes(new, shared, max(new.k, *(m.old.k for m in shared))),
    )


def offending(new: Trace, earlier: Sequence[Trace]) -> BoolArray:
    """Tell of each row whether its crowd would give somebody away beside earlier releases.

    That is a crowd with somebody who would have one possible value left and had more before, one
    of too few who came since an earlier release, or one that comes back almost as it was there.
    Left out, it gives nobody away; others may then come back too much alike: ask again.
    """
    shared = meetings(new, earlier)
    found: BoolArray = np.zeros(new.groups.size, dtype=np.bool_)
    if not shared:
        return found
    met: BoolArray = np.any([meeting.crowds >= 0 for meeting in shared], axis=0)
    views = (left_in_column(new, shared, name, met) for name in new.shown)
    found[met] = _any(found[met], (view.disclosed for view in views if view is not None))
    for meeting in shared:
        k = max(new.k, meeting.old.k)
        changes = Changes(new, meeting, k)
        if 0 < changes.came < max(FEWEST_CHANGES, k) and not changes.by_crowds:
            found |= meeting.crowds < 0
        found |= np.isin(new.groups, changes.nearly_as_before)
    return np.isin(new.groups, new.groups[found])


def hold_against(
    new: Trace, earlier: Mapping[str, Trace], kin: Iterable[Recorded] = (), table_rows: int = 0
) -> Composition:
    """Score a new release against all earlier ones, given by their ids.

    ``kin`` are the releases of a table with mostly its columns, whether they were traced or not,
    and ``table_rows`` the rows of its own: what could not be compared is counted.
    """
    traces = list(earlier.values())
    met = meetings(new, traces)
    known = {id(meeting.old) for meeting in met}
    kin = list(kin)
    strangers = [r for r in kin if r.id in earlier and id(earlier[r.id]) not in known]
    return replace(
        score(new, met),
        split=count_split(new, traces) if new.alignment else 0,
        unscored=sum(r.id not in earlier for r in kin),
        resembling=sum(r.table_rows == table_rows > 0 for r in strangers),
    )


def repeat_of(new: Trace, times: int) -> Composition:
    """Score a release that left before, just as it is, if nothing else ever did.

    Whoever has both has one: nobody came, nobody left, and no candidate is crossed out. These are
    the numbers that `compose` finds, without looking for anybody.
    """
    shown = [np.diff(column.starts)[new.groups] for column in new.shown.values()]
    alone = np.zeros(new.groups.size, dtype=np.bool_)
    for lengths in shown:
        alone |= lengths == 1
    single = _count(new.people, alone)
    return Composition(
        compared=times,
        people=int(sorted_once(new.people).size),
        single_before=single,
        single=single,
        alone=single,
        shrunk=_count(new.people, new.sizes[new.groups] < new.k),
        fewest_candidates=min((int(lengths.min()) for lengths in shown), default=0),
        needed=new.k,
    )


def _crossed(new: Trace, earlier: Sequence[Trace]) -> tuple[str, ...]:
    """Columns that one of two releases blurs and the other tells as they are."""
    found: set[str] = set()
    for old in earlier:
        found |= {*new.quasi} & {*old.shown} | {*old.quasi} & {*new.shown}
    return tuple(sorted(found))


def crowds_that_stay(earlier: Sequence[Meeting]) -> IntArray:
    """Give each row its crowd in the last release, -1 if it goes with whoever left one of them."""
    last = earlier[-1].crowds
    out = last < 0
    for meeting in earlier:
        out |= crowds_that_left(meeting)
    out |= np.isin(last, last[out & (last >= 0)])  # no crowd stays in part
    return np.where(out, -1, last)


def crowds_that_left(now: Meeting) -> BoolArray:
    """Tell which rows of a table were in a crowd of an earlier release that somebody left.

    If that makes fewer than k people, whole crowds drawn at random go with them.
    """
    crowds, old = now.crowds, now.old
    stayed = np.bincount(crowds[crowds >= 0], minlength=old.n_groups)
    going = stayed < old.sizes
    if not going.any() or not (crowds >= 0).any():
        return np.zeros(crowds.size, dtype=np.bool_)
    for crowd in secret_generator().permutation(np.flatnonzero(~going)):
        if old.sizes[going].sum() >= max(old.k, 1):
            break
        going[crowd] = True
    return (crowds >= 0) & going[np.maximum(crowds, 0)]


def _alone(new: Trace, name: str) -> BoolArray:
    """Tell whose crowd in the new release shows one value."""
    single: BoolArray = np.diff(new.shown[name].starts)[new.groups] == 1
    return single


def _crowds_in_common(new: Trace, shared: Sequence[Meeting]) -> IntArray:
    """How many people were with each row in every release."""
    which = patterns([new.groups, *(meeting.crowds for meeting in shared)])
    several = bool(new.identity) and not new.once
    common: IntArray = count_people(which, new.people if several else None)[which]
    return common


def _changes(new: Trace, shared: Sequence[Meeting], k: int) -> dict[str, Any]:
    """Who left or came since each earlier release; the worst of them counts."""
    found = [Changes(new, meeting, k) for meeting in shared]
    worst = min(found, key=lambda change: change.changed - change.needed)
    return {
        "changed": worst.changed,
        "needed": worst.needed,
        "exposed": max(change.exposed for change in found),
    }


def _any(nobody: BoolArray, flags: Iterable[BoolArray]) -> BoolArray:
    return reduce(np.logical_or, flags, nobody)


def _count(people: IntArray, flags: BoolArray) -> int:
    return int(sorted_once(people[flags]).size)


def _releases(number: int) -> str:
    return "an earlier release" if number == 1 else f"{number} earlier releases"
