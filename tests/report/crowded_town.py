"""A small town of made-up people, and a plain way to hide them in crowds, for the tests."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.hierarchies import Taxonomy
from shoal.privacy import DistinctLDiversity, KAnonymity, Verdict
from shoal.recoding import Generalize
from shoal.report import summarize
from shoal.table import Grouping, Roles, read_table

ROLES = Roles(
    identifiers=["name"],
    quasi_identifiers=["age", "sex", "zip", "job", "admitted"],
    sensitive=["disease"],
    target="readmitted",
)
JOBS = {"nurse": "care", "doctor": "care", "teacher": "school", "clerk": "office", "cook": "food"}
TREES = {
    "job": Taxonomy.from_ladder(
        [(job, field, "*") for job, field in [*JOBS.items(), ("astronaut", "rare")]]
        + [("CANARY-job", "rare", "*")]
    )
}
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
    return Generalize(TREES).recode(table, grouping)


def summarized(n=3000, k=10, seed=3, **extra):
    """Make, hide, publish and sum up a town."""
    table = read_table(town(n, seed), roles=ROLES, kinds=KINDS)
    recoded = publish(table, hide(table, k))
    models = [KAnonymity(k), DistinctLDiversity(2, "disease")]
    results = [model.judge(table, recoded.grouping).results[0] for model in models]
    summary = summarize(
        table,
        recoded.release_frame(table),
        recoded.grouping.labels,
        k=k,
        verdict=Verdict(tuple(results)),
        spaces=Generalize(TREES).spaces(table),
        **{
            "bound": 0.1,
            "protected": ["disease"],
            "method": "best-first SaNGreeA, refined",
            "why": "it loses least for a table of this size",
        }
        | extra,
    )
    return table, recoded, summary
