"""The verifier, which shares no code with the privacy models, comes to the same answers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.hierarchies import Flat
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
    claims_of,
)
from shoal.table import Grouping, Roles, read_table
from shoal.verifier import verify
from thorough import times

VALUES = ["1", "2", "3", "10", None]
FINE = st.fractions(0, 1, max_denominator=12)
BOUND = st.fractions(0, 4, max_denominator=12).filter(lambda x: x > 0)
MODELS = st.one_of(
    st.integers(2, 5).map(KAnonymity),
    st.integers(2, 4).map(lambda l: DistinctLDiversity(l, "s")),
    st.sampled_from([1.5, 1.8, 2, 3, 4]).map(lambda l: EntropyLDiversity(l, "s")),
    st.builds(lambda c, l: RecursiveCLDiversity(c, l, "s"), BOUND, st.integers(2, 4)),
    st.builds(lambda t, d: TCloseness(t, "s", d), FINE, st.sampled_from(["equal", "ordered"])),
    st.builds(lambda a, k: AlphaK(a, k, "s"), FINE.filter(bool), st.integers(2, 4)),
    BOUND.map(lambda b: BasicBetaLikeness(b, "s")),
    BOUND.map(lambda b: EnhancedBetaLikeness(b, "s")),
    st.builds(lambda d, strict: DeltaDisclosure(d, "s", strict=strict), BOUND, st.booleans()),
)


@st.composite
def tables(draw, people=False):
    n = draw(st.integers(2, 16))
    row = st.tuples(st.sampled_from("abc"), st.sampled_from(VALUES))
    rows = draw(st.lists(row, min_size=n, max_size=n).filter(lambda r: any(s for _, s in r)))
    frame = pl.DataFrame({"q": [q for q, _ in rows], "s": [s for _, s in rows]})
    roles = Roles(quasi_identifiers="q", sensitive="s")
    if people:
        person = draw(st.lists(st.sampled_from("uvwxyz"), min_size=n, max_size=n))
        frame = frame.with_columns(p=pl.Series(person))
        roles = Roles(quasi_identifiers="q", sensitive="s", person="p")
    return read_table(frame, roles=roles, kinds={"s": "numeric", "q": "nominal"})


def both(table, model, folder):
    """Ask the model, and the verifier about a file with the same rows."""
    grouping = Grouping.from_keys([table.codes("q")], table.n_rows)
    path = folder / "data.csv"
    table.frame.select("q", "s").write_csv(path)
    person = table.roles.person
    people = None if person is None else table.codes(person).tolist()
    claims = claims_of([model], table)
    found = verify(path, claims, quasi_identifiers=["q"], people=people)
    return model.judge(table, grouping).holds, found.holds


@settings(max_examples=times(40), deadline=None)
@given(tables(), MODELS)
def test_the_verifier_agrees_with_every_model(tmp_path_factory, table, model):
    asked, recounted = both(table, model, tmp_path_factory.mktemp("claims"))
    assert asked == recounted


@settings(max_examples=times(20), deadline=None)
@given(tables(people=True), MODELS)
def test_they_agree_on_people_too(tmp_path_factory, table, model):
    asked, recounted = both(table, model, tmp_path_factory.mktemp("claims"))
    assert asked == recounted


def test_what_the_file_cannot_prove_is_not_claimed():
    frame = pl.DataFrame({"q": ["a", "a"], "s": ["x", "y"]})
    table = read_table(frame, roles=Roles(quasi_identifiers="q", sensitive="s"))
    assert claims_of([TCloseness(0.5, "s", "hierarchical", Flat())], table) == ()


def test_an_ordinal_column_brings_its_order():
    frame = pl.DataFrame({"s": ["mid", "low", "high"]})
    order = ["low", "mid", "high"]
    table = read_table(frame, kinds={"s": "ordinal"}, orders={"s": order})
    (claim,) = claims_of([TCloseness(0.5, "s", "ordered")], table)
    assert claim.order == tuple(order)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_numbers_of_frames_are_claimed_as_numbers(dtype):
    table = read_table(pl.DataFrame({"s": np.array([1, 2, 3], dtype=dtype)}))
    (claim,) = claims_of([DistinctLDiversity(2, "s")], table)
    assert claim.order == "numeric"
