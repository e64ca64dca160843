"""The score of several releases, against a slow twin: person by person, with plain sets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.ledger import compose, trace_release
from shoal.table import Grouping, Roles, read_table

KEY = b"k" * 32
COLUMNS = {"ill": ["flu", "gout", "cold"], "job": ["a", "b"], "pay": [1, 2, 3, 4]}


@dataclass
class Publication:
    """Who is in a release, with whom, and what it shows."""

    people: list[int]
    labels: list[int]
    columns: list[str]

    def crowd(self, person: int) -> set[int]:
        mine = self.labels[self.people.index(person)]
        return {p for p, label in zip(self.people, self.labels, strict=True) if label == mine}


@st.composite
def publications(draw):
    """Values of a few people, and several releases of most of them, in any columns."""
    n = draw(st.integers(3, 12))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    values = {name: rng.choice(of, n).tolist() for name, of in COLUMNS.items()}
    released = []
    for _ in range(draw(st.integers(2, 4))):
        people = sorted(rng.permutation(n)[: rng.integers(max(1, n - 3), n + 1)].tolist())
        labels = np.unique(rng.integers(0, max(1, n // 2), len(people)), return_inverse=True)[1]
        columns = [name for name in COLUMNS if rng.random() < 0.7]
        released.append(Publication(people, labels.tolist(), columns))
    return values, released


def trace(values, told: Publication, k: int):
    frame = pl.DataFrame(
        {
            "id": [f"p{i}" for i in told.people],
            **{name: [values[name][i] for i in told.people] for name in told.columns},
        }
    )
    table = read_table(frame, roles=Roles(person="id"))
    return trace_release(table, Grouping(told.labels), KEY, k=k)


@settings(deadline=None, max_examples=40)  # more in test_ledger_twin.py, from traces
@given(publications(), st.integers(2, 4))
def test_composition_agrees_with_a_slow_twin(case, k):
    values, released = case
    *earlier, new = released
    found = compose(trace(values, new, k), [trace(values, old, k) for old in earlier])
    twin = slow_composition(values, earlier, new, k)
    assert {name: getattr(found, name) for name in twin} == dict(twin)


def slow_composition(values, earlier, new, k) -> Counter:
    earlier = [old for old in earlier if {*old.people} & {*new.people}]
    names = ["compared", "people", "single", "single_before", "disclosed", "alone", "shrunk"]
    twin = Counter(dict.fromkeys(names, 0))
    twin["compared"] = len(earlier)
    for person in new.people:
        with_them = [old for old in earlier if person in old.people]
        if not with_them:
            continue
        facts = [column_facts(values, [*with_them, new], person, c) for c in new.columns]
        twin["people"] += 1
        for name in ("single", "single_before", "disclosed", "alone"):
            twin[name] += any(fact[name] for fact in facts)
        common = set.intersection(*(told.crowd(person) for told in [*with_them, new]))
        absent = [old for old in earlier if person not in old.people]
        together = {p for p in common if not any(p in old.people for old in absent)}
        twin["shrunk"] += len(together) < k
    return twin


def column_facts(values, told, person, column):
    sets = [{values[column][p] for p in one.crowd(person)} for one in told if column in one.columns]
    before, left = sets[0], set.intersection(*sets)
    met = len(sets) > 1
    return {
        "single": met and len(left) == 1,
        "single_before": met and len(before) == 1,
        "disclosed": met and len(left) == 1 < len(before),
        "alone": len(sets[-1]) == 1,
    }
