"""A slow twin of the ledger's arithmetic: rows as plain texts and numbers, matched one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import comb, sqrt

import numpy as np

from shoal.ledger import Trace
from shoal.ledger._trace import Shown


@dataclass
class Rows:
    """A release as its owner knows it: whose row, in which crowd, with which values."""

    people: list[str]
    crowds: list[int]
    known: list[int]
    columns: dict[str, list[str]] = field(default_factory=dict)
    quasi: tuple[str, ...] = ()
    k: int = 0
    named: bool = False
    lost: list[int] = field(default_factory=list)
    pseudonyms: str = ""

    @property
    def size(self) -> int:
        return len(self.people)

    @property
    def n_crowds(self) -> int:
        return max([*(crowd + 1 for crowd in self.crowds), len(self.lost)], default=0)

    @property
    def sizes(self) -> list[int]:
        """How many each crowd was published with, whoever was forgotten since."""
        here = Counter(self.crowds)
        lost = dict(enumerate(self.lost))
        return [here[crowd] + lost.get(crowd, 0) for crowd in range(self.n_crowds)]

    @property
    def whole(self) -> list[tuple]:
        """All that is known of each row."""
        told = [tuple(sorted((n, c[i]) for n, c in self.columns.items())) for i in range(self.size)]
        return [*zip(self.known, told, strict=True)]

    def shows(self, column: str, crowd: int) -> set[str]:
        values = self.columns[column]
        return {value for value, at in zip(values, self.crowds, strict=True) if at == crowd}


class Hashes(dict):
    """A number for everything, as a keyed hash would give."""

    def __missing__(self, what: object) -> int:
        number = int(np.random.default_rng(len(self)).integers(1, 2**31))
        self[what] = number
        return number

    def of(self, things, dtype=np.uint64):
        return np.array([self[thing] for thing in things], dtype=dtype)


def traced(rows: Rows, hashes: Hashes) -> Trace:
    """The trace of a release, from the numbers of its rows."""
    shown = {}
    for name, values in rows.columns.items():
        sets = [sorted(rows.shows(name, crowd)) for crowd in range(rows.n_crowds)]
        starts = np.cumsum([0, *map(len, sets)])
        told = hashes.of(("value", value) for one in sets for value in one)
        pairs = [("mark", *pair) for pair in zip(rows.known, values, strict=True)]
        common = max(Counter(values).values(), default=0) / max(1, rows.size)
        shown[name] = Shown(starts, told, hashes.of(pairs, np.uint32), common)
    return Trace(
        rows=hashes.of(("row", row) for row in rows.whole),
        people=hashes.of(("person", person) for person in rows.people),
        groups=np.array(rows.crowds, dtype=np.int32),
        shown=shown,
        k=rows.k,
        lost=np.array(rows.lost, dtype=np.int32),
        identity="id" if rows.named else "",
        canonical=hashes.of(("whole", row) for row in rows.whole),
        known=hashes.of(("known", known) for known in rows.known),
        quasi=rows.quasi,
        alignment=rows.pseudonyms,
    )


# ------------------------------------------------------------------ who is in both


def matched(ours, theirs) -> int:
    return (Counter(ours) & Counter(theirs)).total()


def nearly_all(ours, theirs) -> bool:
    return matched(ours, theirs) >= 0.95 * max(1, min(len(ours), len(theirs)))


def slow_deviations(ours, theirs) -> float:
    """How many standard deviations below its mean the sum of squared differences is."""
    a, b = Counter(ours), Counter(theirs)
    p = len(ours) / max(1, len(ours) + len(theirs))
    if not ours or not theirs:
        return 0.0
    excess = variance = 0.0
    for kind in a | b:
        t = a[kind] + b[kind]
        spread = t * p * (1 - p)
        excess += (a[kind] - t * p) ** 2 / spread - 1
        variance += spread * (1 + 3 * (t - 2) * p * (1 - p)) / spread**2 - 1  # of a binomial
    return -excess / sqrt(max(variance, 1e-9))


def slow_real(ours, theirs) -> bool:
    """Whether more rows are equal than two samples of one population would have by chance."""
    a, b = Counter(ours), Counter(theirs)
    n, m = len(ours), len(theirs)
    if n * m <= 400 or (len(a | b) >= 8 and a == b):
        return True
    alike = sum(comb(n, 2) for n in (*a.values(), *b.values())) + 1
    by_chance = alike / (comb(n, 2) + comb(m, 2)) * n * m
    equal = sum(a[kind] * b[kind] for kind in a)
    return by_chance <= 0.1 * equal or slow_deviations(ours, theirs) >= 4


def slow_columns(new: Rows, old: Rows) -> tuple[dict[str, str], dict[str, str]]:
    """Which columns have the same values for the same people, and which are taken for another."""
    agreeing: dict[str, str] = {}

    def same(name, other):
        ours = [*zip(new.known, new.columns[name], strict=True)]
        theirs = [*zip(old.known, old.columns[other], strict=True)]
        modes = [
            max(Counter(c).values()) / len(c) if c else 0.0
            for c in (new.columns[name], old.columns[other])
        ]
        differing = 1 - matched(ours, theirs) / max(1, matched(new.known, old.known))
        few = differing <= 0.1 * (1 - modes[0] * modes[1])
        return bool(ours and theirs) and few and slow_real(ours, theirs)

    if matched(new.known, old.known):
        agreeing |= {c: c for c in new.columns if c in old.columns and same(c, c)}
        for name in [c for c in new.columns if c not in agreeing]:
            free = [c for c in old.columns if c not in agreeing.values()]
            found = [c for c in free if same(name, c)]
            agreeing |= {name: found[0]} if found else {}
    taken = {*agreeing.values()}
    by_name = {c: c for c in new.columns if c in old.columns and c not in taken}
    return agreeing, by_name | agreeing


def slow_meeting(new: Rows, old: Rows) -> tuple[list[int], dict[str, str]] | None:
    """The earlier place of each row (-1 if it was not there), and what columns were called."""
    agreeing, called = slow_columns(new, old)
    found = _names_or_values(new, old, agreeing)
    if found is None or not matched(*found):
        return None
    ours, theirs = (_numbered(rows) for rows in found)
    where = {row: place for place, row in enumerate(theirs)}
    return [where.get(row, -1) for row in ours], called


def _names_or_values(new: Rows, old: Rows, agreeing):
    named = new.people, old.people
    once = all(r.named and len({*r.people}) == r.size for r in (new, old))
    if once and nearly_all(*named):
        return named
    values = _by_values(new, old, agreeing)
    if not once:
        return values
    if values is None or matched(*named) > 0.5 * matched(*values):
        return named
    return values if nearly_all(*values) and slow_deviations(*values) >= 5 else named


def _by_values(new: Rows, old: Rows, agreeing):
    if not (new.size and old.size):
        return new.whole, old.whole
    ways = [(new.whole, old.whole)]
    if agreeing and not nearly_all(*ways[0]):
        ways.append((_joined(new, agreeing), _joined(old, agreeing.values())))
    ways = [way for way in ways if matched(*way) and slow_real(*way)]
    quasi = new.known, old.known
    same_people = nearly_all(*quasi) and slow_deviations(*quasi) >= 5
    if any(nearly_all(*way) for way in ways) or not same_people:
        return max(ways, key=lambda way: matched(*way), default=None)
    return quasi


def _joined(rows: Rows, columns):
    return [*zip(rows.known, *(rows.columns[name] for name in columns), strict=True)]


def _numbered(rows):
    """The first of equal rows is the first, the second the second."""
    seen: Counter = Counter()
    numbered = []
    for row in rows:
        numbered.append((row, seen[row]))
        seen[row] += 1
    return numbered


# ------------------------------------------------------------------ what they tell together


def slow_composition(new: Rows, earlier: list[Rows]) -> dict:
    """Everything that `compose` says, row by row."""
    found = [(old, slow_meeting(new, old)) for old in earlier]
    met_at = [(old, *meeting) for old, meeting in found if meeting is not None]
    if not met_at:
        return {"compared": 0, "people": 0}
    shared = [
        (old, [old.crowds[place] if place >= 0 else -1 for place in places], called)
        for old, places, called in met_at
    ]
    met = [i for i in range(new.size) if any(crowds[i] >= 0 for _, crowds, _ in shared)]
    facts = {c: {i: _left(new, shared, c, i) for i in met} for c in new.columns}
    facts = {c: rows for c, rows in facts.items() if any(c in called for *_, called in shared)}
    ks = [rows.k for rows in (new, *(old for old, *_ in shared))]
    paths = [(new.crowds[i], *(crowds[i] for _, crowds, _ in shared)) for i in range(new.size)]

    def people(test):
        return len({new.people[i] for i in met if test(i)})

    def in_some(test):
        return people(lambda i: any(test(*rows[i]) for rows in facts.values()))

    def in_column(rows, test):
        return any(test(*fact) for fact in rows.values())

    def companions(i):
        with_me = [j for j in range(new.size) if paths[j] == paths[i]]
        return len({new.people[j] for j in with_me}) if new.named else len(with_me)

    changes = [_changes(new, old, places, max(ks)) for old, places, _ in met_at]
    changed, needed, _ = min(changes, key=lambda c: c[0] - c[1])
    return {
        "compared": len(shared),
        "people": people(lambda i: True),
        "single_before": in_some(lambda left, first, same: first == 1),
        "single": in_some(lambda left, first, same: left == 1 and first > 0),
        "disclosed": in_some(lambda left, first, same: left == 1 < first),
        "alone": people(lambda i: any(len(new.shows(c, new.crowds[i])) == 1 for c in new.columns)),
        "columns": tuple(
            c for c, rows in facts.items() if in_column(rows, lambda n, f, s: n == 1 < f)
        ),
        "recoded": tuple(c for c, rows in facts.items() if _is_recoded([*rows.values()])),
        "crossed": tuple(
            sorted(
                {c for old, *_ in shared for c in new.quasi if c in old.columns}
                | {c for old, *_ in shared for c in old.quasi if c in new.columns}
            )
        ),
        "shrunk": people(lambda i: companions(i) < min(filter(None, ks), default=0)),
        "fewest_candidates": min(
            (n for rows in facts.values() for n, *_ in rows.values()), default=0
        ),
        "invariant": sum(all(rows[i][2] for rows in facts.values()) for i in met) / len(met),
        "changed": changed,
        "needed": needed,
        "exposed": max(exposed for *_, exposed in changes),
    }


def _left(new: Rows, shared, column: str, i: int) -> tuple[int, int, bool]:
    """Values that are left for a row, how many there were first, and whether all show the same."""
    sets = [
        old.shows(called[column], crowds[i])
        for old, crowds, called in shared
        if column in called and crowds[i] >= 0
    ]
    now = new.shows(column, new.crowds[i])
    left = now.intersection(*sets)
    return len(left), len(sets[0]) if sets else 0, all(one == left for one in (now, *sets))


def _is_recoded(facts) -> bool:
    shown = [left for left, first, _ in facts if first]
    return bool(shown) and shown.count(0) > len(shown) / 2


def _changes(new: Rows, old: Rows, places: list[int], k: int) -> tuple[int, int, int]:
    """Who left and came, as sets of people: names, or else rows."""
    ours, theirs = _identities(new, old, places)
    here, there = range(new.size), range(old.size)
    lost = [*old.lost, *[0] * (old.n_crowds - len(old.lost))]
    leaving, coming = {*there} - {*places}, [i for i in here if places[i] < 0]
    left = [
        lost[c] + len({theirs[j] for j in leaving if old.crowds[j] == c})
        for c in range(old.n_crowds)
    ]
    came = [len({ours[i] for i in coming if new.crowds[i] == c}) for c in range(new.n_crowds)]
    pairs = {(old.crowds[places[i]], new.crowds[i]) for i in here if places[i] >= 0}
    whole = all(not left[then] for then, _ in pairs)
    if coming:
        whole &= len({then for then, _ in pairs}) == len(pairs) and min(filter(None, came)) >= k
    gone = len({theirs[j] for j in leaving}) + sum(lost)
    moves = [n for n in (gone, len({ours[i] for i in coming})) if n]

    def differing(a, b):
        then = {j for j in there if old.crowds[j] == a}
        now = {i for i in here if new.crowds[i] == b}
        changed = {theirs[j] for j in then - {places[i] for i in now}}
        return lost[a] + len(changed | {ours[i] for i in now if places[i] not in then})

    telling = [pair for pair in pairs if differing(*pair) < k]
    exposed = sum(left[a] for a in {a for a, _ in telling})
    exposed += sum(came[b] for b in {b for _, b in telling})
    return min(moves, default=0), k if whole else max(20, k), exposed


def _identities(new: Rows, old: Rows, places: list[int]) -> tuple[list, list]:
    """Whose each row is: by name if everybody in both keeps theirs, else nobody has two rows."""
    met = [(i, place) for i, place in enumerate(places) if place >= 0]
    several = any(len({*rows.people}) < rows.size for rows in (new, old))
    named = several and new.named and old.named
    if named and all(new.people[i] == old.people[j] for i, j in met):
        return new.people, old.people
    return [j if j >= 0 else -1 - i for i, j in enumerate(places)], [*range(old.size)]


def slow_split(new: Rows, earlier: list[Rows]) -> int:
    """People whom the same pseudonyms leave with fewer than k who shared all their crowds."""
    old = [rows for rows in earlier if new.pseudonyms and rows.pseudonyms == new.pseudonyms]
    if not old:
        return 0
    k = max(rows.k for rows in (new, *old))
    everybody = sorted({person for rows in (new, *old) for person in rows.people})

    def path(person, releases):
        return tuple(
            frozenset(c for p, c in zip(r.people, r.crowds, strict=True) if p == person)
            for r in releases
        )

    def companions(person, releases):
        mine = path(person, releases)
        if not any(mine):
            return float("inf")
        return sum(path(other, releases) == mine for other in everybody)

    split = 0
    for person in everybody:
        after = companions(person, [new, *old])
        before = min(companions(person, old), companions(person, [new]))
        split += after < k and after < before
    return split
