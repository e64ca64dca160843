"""A small town of made-up people, and a plain way to hide them in crowds, for the tests."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.privacy import DistinctLDiversity, KAnonymity, Verdict
from shoal.report import summarize
from shoal.table import Grouping, Roles, read_table

ROLES = Roles(
    identifiers=["name"],
    quasi_identifiers=["age", "sex", "zip", "job", "admitted"],
    sensitive=["disease"],
    target="readmitted",
)
JOBS = {"nurse": "care", "doctor": "care", "teacher": "school", "clerk": "office", "cook": "food"}
KINDS = {"age": "numeric", "zip": "code", "job": "nominal", "sex": "nominal", "admitted": "date"}


def town(n=3000, seed=3):
    """Make up people, as a frame of text."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(47, 19, n).round(), 0, 103).astype(int)
    jobs = [*JOBS, "astronaut"]
    job = np.array(jobs)[rng.choice(len(jobs), n, p=[0.25, 0.1, 0.2, 0.3, 0.149, 0.001])]
    day = np.datetime64("2021-01-01") + rng.integers(0, 1400, n)
    return pl.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "age": [None if i % 37 == 0 else str(a) for i, a in enumerate(age)],
            "sex": rng.choice(["f", "m"], n),
            "zip": [f"80{d}" for d in (10 + rng.integers(0, 30, n))],
            "job": job,
            "admitted": day.astype(str),
            "disease": rng.choice(["flu", "asthma", "diabetes", "none"], n),
            "ward": rng.choice(["north", "south"], n),
            "readmitted": rng.choice(["no", "yes"], n, p=[0.8, 0.2]),
        }
    )


def hide(table, k):
    """Group by cutting a sorted table into crowds; publish what each crowd has in common."""
    keys = [table.codes(name) for name in ("sex", "job", "zip", "age")]
    order = np.lexsort(keys[::-1])
    labels = np.empty(table.n_rows, dtype=np.int64)
    rng = np.random.default_rng(0)
    cuts, rest = [], table.n_rows
    while rest:
        size = k + int(rng.geometric(0.25)) - 1
        cuts.append(size if rest - size >= k else rest)
        rest -= cuts[-1]
    labels[order] = np.repeat(np.arange(len(cuts)), cuts)
    return Grouping(labels)


def publish(table, grouping):
    """Recode the quasi-identifiers of a table, in its own row order."""
    frame = table.frame.select(c for c in table.column_names if c not in table.roles.dropped)
    for name in table.roles.quasi_identifiers:
        column = table.column(name)
        texts = np.empty(grouping.n_groups, dtype=object)
        for group in range(grouping.n_groups):
            texts[group] = _common(column, np.unique(column.codes[grouping.members(group)]))
        frame = frame.with_columns(pl.Series(name, texts[grouping.labels], dtype=pl.String))
    return frame


def _common(column, codes):
    labels = [*column.labels, None]
    if codes.size == 1:
        return labels[codes[0]]
    if codes[-1] == len(column.labels):
        return "*"
    low, high = labels[codes[0]], labels[codes[-1]]
    if column.kind in ("numeric", "date"):
        return f"[{low}, {high}]"
    if column.name == "job":
        found = {JOBS.get(labels[code], "rare") for code in codes}
        return found.pop() if len(found) == 1 else "*"
    if column.kind == "code" and low[:3] == high[:3]:
        return low[:3] + "*"
    return "*"


def summarized(n=3000, k=10, seed=3, **extra):
    """Make, hide, publish and sum up a town."""
    table = read_table(town(n, seed), roles=ROLES, kinds=KINDS)
    grouping = hide(table, k)
    released = publish(table, grouping)
    models = [KAnonymity(k), DistinctLDiversity(2, "disease")]
    results = [model.judge(table, grouping).results[0] for model in models]
    losses = dict(zip(ROLES.quasi_identifiers, (0.062, 0.01, 0.41, 0.03, 0.78), strict=True))
    utility = {"ngil": 0.2585, "ngil_bound": 0.171, "discernibility": 31_200,
               "average_group_size": 13.3, "non_uniform_entropy": 0.31}  # fmt: skip
    summary = summarize(
        table,
        released,
        grouping.labels,
        k=k,
        verdict=Verdict(tuple(results)),
        losses=losses,
        utility=utility,
        protected=["disease"],
        method="best-first SaNGreeA, refined",
        why="it loses least for a table of this size",
        **extra,
    )
    return table, released, summary
