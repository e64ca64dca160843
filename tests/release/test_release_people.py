from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.exceptions import ReleaseRefusedError
from shoal.privacy import KAnonymity, Verdict, claims_of
from shoal.release import Lineage, Release
from shoal.report import summarize
from shoal.spaces import build_spaces
from shoal.table import Grouping, Roles, read_table

ROLES = Roles(quasi_identifiers="age", sensitive="disease", person="patient")


def visits(patients):
    return pl.DataFrame(
        {
            "patient": patients,
            "age": ["30"] * 4 + ["40"] * 4,
            "disease": ["a", "b"] * 4,
        }
    )


def release_of(frame, k, *, codes=None):
    table = read_table(frame, roles=ROLES)
    grouping = Grouping(np.array([0] * 4 + [1] * 4))
    models = [KAnonymity(k)]
    verdict = Verdict(tuple(m.judge(table, grouping).results[0] for m in models))
    released = frame.drop("patient")
    summary = summarize(
        table, released, grouping.labels, k=k, verdict=verdict, spaces=build_spaces(table)
    )
    people = table.codes("patient") if codes is None else codes
    claims, lineage = claims_of(models, table), Lineage(table, grouping)
    return Release(released, verdict, summary, claims, people=people, lineage=lineage)


def test_k_counts_people(tmp_path):
    release = release_of(visits(list("aabcdefg")), 3)
    written = release.write(tmp_path / "out")
    assert written.verification.recount.k == 3
    assert written.manifest["counts"] == "people"
    assert release.summary.group_sizes.smallest == 3


def test_people_are_recounted_from_the_file_in_its_order(tmp_path):
    wrong = release_of(visits(list("aabcdefg")), 3, codes=np.array([0, 0, 0, 1, 3, 4, 5, 6]))
    with pytest.raises(ReleaseRefusedError, match=r"recounted: 2"):
        wrong.write(tmp_path / "out")
