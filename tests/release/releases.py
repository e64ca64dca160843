"""Small releases for the tests, good and bad."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.privacy import DistinctLDiversity, KAnonymity, Verdict, claims_of
from shoal.release import Lineage, Release
from shoal.report import summarize
from shoal.spaces import build_spaces
from shoal.table import Grouping, Roles, read_table

ROLES = Roles(identifiers=["name"], quasi_identifiers=["age", "zip"], sensitive=["disease"])


def people(n=24):
    """Make up a table; three rows in a row are a crowd."""
    return pl.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "age": [str(20 + i) for i in range(n)],
            "zip": [f"{8000 + i // 6}" for i in range(n)],
            "disease": [["flu", "cold", "asthma"][i % 3] for i in range(n)],
            "note": [f"note {i % 5}" for i in range(n)],
        }
    )


def published(frame, k=3):
    """Widen ages over each crowd of ``k`` rows; drop the names."""
    age = frame["age"].to_list()
    spans = [
        f"[{age[i // k * k]}, {age[min(i // k * k + k, len(age)) - 1]}]" for i in range(len(age))
    ]
    return frame.drop("name").with_columns(age=pl.Series(spans))


def make_release(k=3, frame=None, released=None, roles=ROLES, l=2, **extra):
    """Put a release together as the anonymizer does."""
    frame = people() if frame is None else frame
    table = read_table(frame, roles=roles)
    grouping = Grouping(np.arange(frame.height) // k)
    released = published(frame, k) if released is None else released
    models = [KAnonymity(k), DistinctLDiversity(l, "disease")]
    verdict = Verdict(tuple(m.judge(table, grouping).results[0] for m in models))
    summary = summarize(
        table,
        released,
        grouping.labels,
        k=k,
        verdict=verdict,
        spaces=build_spaces(table),
        bound=0.04,
        protected=["disease"],
        method="by hand",
    )
    extra.setdefault("lineage", Lineage(table, grouping))
    return Release(
        given=released,
        verdict=verdict,
        summary=summary,
        claims=claims_of(models, table),
        give_back=table.give_back,
        provenance={"seed": 7, "weights": {"age": 2.0}},
        **extra,
    )
