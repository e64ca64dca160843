"""Linked tables in the ledger: every table of a release is held against earlier ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from families import ROLES, family_of, plan_of

import shoal
from shoal.exceptions import (
    ReleaseRefusedError,
)
from shoal.ledger import Ledger
from shoal.linked import (
    anonymize_linked,
)


def rooms(n=60):
    """People with two stays each: any two ways to hide the stays differ in many cells."""
    rng = np.random.default_rng(0)
    who = [f"K{i:03}" for i in range(n)]
    patients = {"patient_no": who, "age": rng.integers(20, 80, n), "sex": rng.choice(["f", "m"], n)}
    stays = {
        "patient_no": who * 2,
        "day": rng.integers(1, 30, 2 * n),
        "ward": rng.choice(["A", "B"], 2 * n),
        "ill": rng.choice(["flu", "gout", "cold", "ms"], 2 * n),
    }
    return {"patients": pl.DataFrame(patients), "stays": pl.DataFrame(stays)}


@pytest.mark.parametrize("later", ["the same", "other cells", "the stays alone"])
@pytest.mark.parametrize("linked_first", [True, False])
def test_rows_of_linked_tables_are_held_against_earlier_releases_of_them(
    tmp_path, later, linked_first
):
    tables = rooms()
    few = ROLES | {"stays": replace(ROLES["stays"], quasi_identifiers=("day",), drop=("ward",))}

    def linked(roles=ROLES):
        plan = plan_of(tables, roles, crowd=15)
        return anonymize_linked(family_of(tables, plan, roles), plan)

    first, second = linked(), linked(few if later == "other cells" else ROLES)
    if later == "the stays alone":
        told = {"quasi_identifiers": ["day", "ward"], "sensitive": "ill", "person": "patient_no"}
        second = shoal.anonymize(tables["stays"], k=3, **told)
    pair = [first, second] if linked_first else [second, first]
    pair[0].write(tmp_path / "one", ledger="refuse")
    if later == "the same":
        pair[1].write(tmp_path / "two", ledger="refuse")
        return
    with pytest.raises(ReleaseRefusedError, match="one possible sensitive value"):
        pair[1].write(tmp_path / "two", ledger="refuse")
    assert not (tmp_path / "two").exists()
    with Ledger.open() as book:
        whole = book.releases()[0].id
        standing = [release.id for release in book.standing()]
        assert len(standing) == (1 if later == "the stays alone" and not linked_first else 2)
        assert book.verify().holds
        book.withdraw(whole)  # with all its tables
        assert book.standing() == []
    pair[1].write(tmp_path / "two", ledger="refuse")


def test_a_linked_release_that_was_cut_off_leaves_no_table_in_the_ledger(tmp_path, monkeypatch):
    plan = plan_of(rooms(), crowd=15)
    release = anonymize_linked(family_of(rooms(), plan), plan)
    monkeypatch.setattr("shoal.linked._release.recount_linked", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        release.write(tmp_path / "out", ledger="refuse")
    with Ledger.open() as book:
        assert book.releases() == []
        with book.releasing(release.source, release.crowds, name="a1-1") as _:
            book.abandon(["a1"])  # killed: its parts go with it
            assert book.releases() == []


def _interrupted(*_, **__):
    raise KeyboardInterrupt
