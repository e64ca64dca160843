"""A made-up registry that is delivered again and again, and a recount that knows only files."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl

from shoal import Anonymizer, DistinctLDiversity, Generalize, KAnonymity
from shoal.growing import LaterDelivery
from shoal.hierarchies import Calendar, Intervals, Taxonomy
from shoal.table import Roles, read_table

QUASI = ("age", "born", "zip", "job", "sex")
LADDER = [
    *[(job, "care", "*") for job in ("nurse", "doctor", "midwife")],
    *[(job, "office", "*") for job in ("clerk", "judge")],
]
KINDS = {"zip": "code", "age": "numeric", "born": "date"}
CANARY = "Kanarie7731"
TREES = {
    "plain": {"job": Taxonomy.from_ladder(LADDER)},
    "steps": {
        "born": Calendar(),
        "age": Intervals([5, 10, 20]),
        "job": Taxonomy.from_ladder(LADDER),
    },
}


def people(n, seed, start=0):
    """Draw people; some lack an age, and codes have two lengths."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "id": [f"p{start + i:05}" for i in range(n)],
            "age": [None if rng.random() < 0.05 else int(a) for a in rng.integers(18, 90, n)],
            "born": (np.datetime64("1950-01-01") + rng.integers(0, 20_000, n)).astype(str),
            "zip": [
                f"{8 * 10 ** int(d) + int(z)}" for d, z in rng.integers((2, 0), (4, 90), (n, 2))
            ],
            "job": [LADDER[i][0] for i in rng.integers(0, len(LADDER), n)],
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["flu", "cold", "gout", CANARY], n),
            "pay": np.round(rng.normal(0, 2, n)) * 1.5,
        },
        schema_overrides={"age": pl.Int64},
    )


def read(frame, person="id", **roles):
    """Read a delivery."""
    named = {"person": person} if person else {"drop": "id"}
    roles = Roles(quasi_identifiers=QUASI, sensitive="ill", **{**named, **roles})
    return read_table(frame, roles=roles, kinds=KINDS)


def asked(k=3, l=2, trees="plain", **more):
    """Ask for k and l."""
    models = [KAnonymity(k), *([DistinctLDiversity(l, "ill")] if l > 1 else [])]
    return Anonymizer("auto", Generalize(TREES[trees], **more), models, bound=False)


def first(frame, folder, anonymizer=None, **reading):
    """Release a table for the first time."""
    fitted = (anonymizer or asked()).fit(read(frame, **reading))
    return fitted.release_.write(folder, ledger="refuse")


def later(frame, after, folder, anonymizer=None, *, person="id", **rules):
    """Deliver a table after an earlier release."""
    delivery = LaterDelivery(anonymizer or asked(), after, **rules).fit(read(frame, person))
    delivery.release_.write(folder)
    return delivery


def rows_of(folder):
    """Count the published rows of a folder, with nothing but a CSV reader."""
    with Path(folder, "data.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    width = [header.index(name) for name in QUASI]
    boxes = Counter((tuple(row[i] for i in width), tuple(row)) for row in rows)
    return boxes, header.index("ill")


def check_difference(before, after, k, l):
    """Recount two deliveries: what came is in crowds by itself, what left left whole."""
    (old, ill), (new, _) = rows_of(before), rows_of(after)
    came, left = new - old, old - new
    for box in {box for box, _ in came}:
        rows = [row for (place, row), n in came.items() if place == box for _ in range(n)]
        assert len(rows) >= k
        assert len({row[ill] for row in rows}) >= l
    for box in {box for box, _ in left}:
        assert not any(place == box for place, _ in new)
    return came, left


def holds(box, person):
    """Tell whether a published box may hold a person, reading texts as anybody would."""
    return all(
        _may_be(text, "" if person[name] is None else str(person[name]))
        for name, text in zip(QUASI, box, strict=True)
    )


def _may_be(text, value):
    if text in ("*", value):
        return True
    if text.startswith("["):
        low, high = text[1:-1].split(", ")
        number = len(low) < 6
        return bool(value) and (
            float(low) <= float(value) <= float(high) if number else low <= value <= high
        )
    if text.endswith("*"):
        bare = text.rstrip("*")
        return len(text) == len(value) and value.startswith(bare)
    return any(leaf == value and label == text for leaf, label, _ in LADDER)
