"""Of a large table only the groups that lose most are refined."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import anonymize
from shoal.datasets import people
from shoal.grouping import SaNGreeA, _refine


@pytest.fixture(scope="module")
def town():
    return people(1_200)


def lost(town, *, refine=True):
    release = anonymize(
        town.frame,
        quasi_identifiers=["age", "sex", "zip", "education"],
        identifiers=town.roles.identifiers,
        k=5,
        method=SaNGreeA(refine=refine),
        bound=False,
    )
    assert release.summary.group_sizes.smallest >= 5
    return release.summary.utility["ngil"]


def test_refining_a_part_gains_a_part(town, monkeypatch):
    whole, none = lost(town), lost(town, refine=False)
    monkeypatch.setattr(_refine, "REFINED_ROWS", 300)
    part = lost(town)
    assert whole < part < none
    assert none - part > 0.25 * (none - whole)  # a quarter of the rows, and those that lose most


def test_the_order_of_rows_does_not_choose_who_is_refined(town, monkeypatch):
    monkeypatch.setattr(_refine, "REFINED_ROWS", 300)
    shuffled = town.frame[np.random.default_rng(4).permutation(town.frame.height)]
    settings = {
        "quasi_identifiers": ["age", "sex", "zip"],
        "identifiers": town.roles.identifiers,
        "k": 5,
        "bound": False,
    }
    first, again = (anonymize(frame, **settings).frame for frame in (town.frame, shuffled))
    assert first.equals(again)
