"""The ledger's arithmetic against a slow twin: random releases of the same and other people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ledger_twin import Hashes, Rows, slow_composition, slow_split, traced

from shoal.ledger import Composition, compose
from shoal.ledger._alignment import count_split

VALUES = {"ill": "abc", "job": "de", "pay": "fghij", "old": "k"}


def town(rng, n, kinds):
    """Everybody there is: what an attacker knows of them, and what they keep to themselves."""
    known = rng.integers(0, kinds, n).tolist()
    columns = {c: rng.choice([*values], n).tolist() for c, values in VALUES.items()}
    return known, columns


def release(rng, known, columns, *, share, named, k, renamed):
    """Publish some of them, in crowds, with some columns; a few values change meanwhile."""
    n = len(known)
    who = [i for i in range(n) if rng.random() < share]
    size = max(1, int(rng.choice([2, 3, 5, 8])))
    order = rng.permutation(len(who)) if rng.random() < 0.5 else np.arange(len(who))
    crowds = (order // size).tolist()
    chosen = [c for c in columns if rng.random() < 0.75]
    wrong = rng.choice([0, 0, 0.04, 0.3])

    def value(c, i):
        return rng.choice([*VALUES[c]]) if rng.random() < wrong else columns[c][i]

    called = {c: f"{c}{renamed}" if rng.random() < 0.3 else c for c in chosen}
    told = {called[c]: [str(value(c, i)) for i in who] for c in chosen}
    other = [c for c in VALUES if c not in told]
    lost = rng.integers(0, 3, max(crowds, default=0) + 1).tolist() if rng.random() < 0.2 else []
    return Rows(
        people=[f"p{i}" for i in who],
        crowds=crowds,
        known=[known[i] for i in who],
        columns=told,
        quasi=("age", *other[:1]),
        k=k,
        named=named,
        lost=lost,
    )


def releases(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([6, 12, 18, 30, 60]))
    kinds = int(rng.choice([3, n, 4 * n, 1000]))
    known, columns = town(rng, n, kinds)
    share = rng.choice([0.5, 0.8, 0.97, 1.0])
    named = rng.random() < 0.4
    rows = [
        release(
            rng,
            known,
            columns,
            share=share,
            named=named,
            k=int(rng.choice([0, 2, 3, 5, 24])),
            renamed=at or "",
        )
        for at in range(int(rng.integers(2, 4)))
    ]
    return rng, rows


def wrong(found: Composition, twin: dict) -> dict:
    told = {name: getattr(found, name) for name in twin}
    return {n: (told[n], twin[n]) for n in twin if told[n] != pytest.approx(twin[n])}


@pytest.mark.parametrize("part", range(8))
def test_what_releases_tell_together_agrees_with_the_twin(part):
    met = 0
    for seed in range(part * 50, part * 50 + 50):
        hashes = Hashes()
        _, rows = releases(seed)
        *earlier, new = [with_several_rows(r, 2) if seed % 3 == 0 else r for r in rows]
        found = compose(traced(new, hashes), [traced(old, hashes) for old in earlier])
        twin = slow_composition(new, earlier)
        assert not wrong(found, twin), seed
        met += found.compared > 0
    assert met > 15


def with_several_rows(rows, each):
    """The same rows, of fewer people."""
    return replace(rows, people=[f"{p[0]}{int(p[1:]) // each}" for p in rows.people])


def grown(rng):
    """Crowds that come back as they were, but for a few who left and a few who came."""
    size, crowds, k = int(rng.integers(3, 6)), int(rng.integers(3, 9)), int(rng.integers(2, 7))
    n = size * crowds
    old = Rows(
        [f"p{i}" for i in range(n)],
        [i // size for i in range(n)],
        [*range(n)],
        {"ill": [str(i % 3) for i in range(n)]},
        k=k,
        named=True,
    )
    gone = {*rng.permutation(n)[: rng.choice([0, 0, 1, 2])].tolist()}
    leaving = rng.permutation(crowds)[: rng.choice([0, 0, 1, 2])].tolist()
    gone |= {i for i in range(n) if i // size in leaving}
    stay = [i for i in range(n) if i not in gone]
    came = int(rng.choice([0, 0, 1, k - 1, k, k + 1, 21]))
    where = rng.choice([*range(crowds + 2)], came).tolist() if rng.random() < 0.5 else [0] * came
    merged = rng.random() < 0.2
    labels = [*(0 if merged else i // size for i in stay), *where]
    _, packed = np.unique(labels, return_inverse=True)
    new = Rows(
        [*(f"p{i}" for i in stay), *(f"q{i}" for i in range(came))],
        packed.tolist(),
        [*stay, *range(n, n + came)],
        {"ill": [str(i % 3) for i in (*stay, *range(came))]},
        k=k,
        named=True,
    )
    return old, new


@pytest.mark.parametrize("part", range(3))
def test_who_left_and_who_came_agrees_with_the_twin(part):
    seen = set()
    for seed in range(part * 100, part * 100 + 100):
        old, new = (with_several_rows(r, 1 + seed % 3) for r in grown(np.random.default_rng(seed)))
        hashes = Hashes()
        found = compose(traced(new, hashes), [traced(old, hashes)])
        assert not wrong(found, slow_composition(new, [old])), seed
        seen |= {(found.exposed > 0, found.differs_too_little, found.needed >= 20)}
    assert len(seen) >= 4


def test_who_is_told_apart_by_pseudonyms_agrees_with_the_twin():
    found = []
    for seed in range(150):
        rng, rows = releases(seed)
        repeated = [replace(r, pseudonyms=str(rng.choice(["", "one", "one", "two"]))) for r in rows]
        several = [with_several_rows(r, 2) if seed % 3 == 0 else r for r in repeated]
        *earlier, new = several
        hashes = Hashes()
        split = count_split(traced(new, hashes), [traced(old, hashes) for old in earlier])
        assert split == slow_split(new, earlier), seed
        found.append(split)
    assert 20 < sum(n > 0 for n in found) < 130
