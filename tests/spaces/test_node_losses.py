"""Losses of tree nodes by what they cover: against counting, and in every form kernels read."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Calendar, Flat, Mask, Taxonomy
from shoal.report import render_text
from shoal.spaces import build_spaces
from shoal.table import Grouping, Roles, read_table
from shoal.utility import measure_loss

TOWNS = Taxonomy.from_json(
    {"*": {"North": {"Coast": ["a", "b"], "Hills": ["c"]}, "South": ["d", "e", "f", "g"]}}
)


def space_of(cells, tree, loss, **options):
    table = read_table(
        pl.DataFrame({"q": cells}, schema={"q": pl.String}), roles=Roles(quasi_identifiers="q")
    )
    return build_spaces(table, hierarchies={"q": tree}, loss=loss, **options).spaces[0]


def counted(space, lo, hi, loss):
    """Loss of a span by opening the published label: which leaves lie below the common node?"""
    if lo == hi:
        return 0.0
    if hi == space.missing:
        return 1.0
    tree = space.tree
    node = tree.lca(lo, hi)
    if node == tree.root:
        return 1.0
    below = [
        leaf for leaf in range(tree.n_leaves) if tree.lca(min(leaf, lo), max(leaf, hi)) == node
    ]
    if loss == "leaves":
        return len(below) / tree.n_leaves
    present = space.codes[space.codes < tree.n_leaves]
    return np.isin(present, below).sum() / present.size


CELLS = {
    "towns": (TOWNS, st.sampled_from([*"abcdefg", None])),
    "days": (Calendar(), st.dates().map(str)),
    "codes": (Mask(), st.text("12", min_size=1, max_size=4)),
    "names": (Flat(), st.sampled_from("xyz")),
}


@settings(max_examples=60)
@given(st.sampled_from(sorted(CELLS)), st.sampled_from(["leaves", "people"]), st.data())
def test_a_node_loses_what_it_covers(which, loss, data):
    tree, cells = CELLS[which]
    space = space_of(data.draw(st.lists(cells, min_size=1, max_size=12)), tree, loss)
    assert space.measured_by == loss
    lo, hi = np.triu_indices(space.n_codes)
    wanted = [counted(space, a, b, loss) for a, b in zip(lo.tolist(), hi.tolist(), strict=True)]
    assert space.loss(lo, hi) == pytest.approx(wanted)
    for a, b in zip(lo.tolist(), hi.tolist(), strict=True):
        assert (space.loss(np.arange(a + 1), np.full(a + 1, b))[:-1] >= lost(space, a, b)).all()


def lost(space, a, b):
    return space.loss(np.array([a]), np.array([b]))[0] - 1e-12


def test_kernels_read_the_same_losses_from_both_forms():
    cells = [f"{1000 + 37 * i % 900}" for i in range(60)] + [None, None]
    spaces = [space_of(cells, Mask(), loss) for loss in ("height", "leaves", "people")]
    for space in spaces:
        full = 1 << 20
        table = space.span_form(full).values.reshape(space.n_codes, -1)
        gaps = space.large_form(full)[1][: space.n_codes]
        for a in range(space.n_codes):
            for b in range(a + 1, space.n_codes):
                assert table[a, b] == gaps[a:b].max()


def test_ngil_stays_that_of_the_papers():
    frame = pl.DataFrame({"town": list("abcdefg") * 3, "age": range(21)})
    roles = Roles(quasi_identifiers=["town", "age"])
    table = read_table(frame, roles=roles)
    spaces = {
        loss: build_spaces(table, hierarchies={"town": TOWNS}, loss=loss)
        for loss in ("height", "leaves", "people")
    }
    grouping = Grouping(np.arange(21) // 3)  # abc, def, gab, ...
    reports = {loss: measure_loss(found, grouping) for loss, found in spaces.items()}
    assert len({(r.ngil, tuple(r.loss_by_attribute.items())) for r in reports.values()}) == 1
    assert reports["height"].formed_loss == reports["height"].ngil
    assert reports["leaves"].formed_loss != reports["leaves"].ngil
    assert reports["people"].measured_by == {"town": "people", "age": "width"}


def test_a_loss_that_there_is_not_is_refused():
    with pytest.raises(InvalidParameterError, match="no loss 'leafs'"):
        space_of(["a"], TOWNS, "leafs")


def test_values_that_move_have_no_loss_to_choose():
    frame = pl.DataFrame({"town": list("abcdefg") * 3})
    with pytest.raises(InvalidParameterError, match="publish ranges"):
        shoal.anonymize(frame, quasi_identifiers="town", k=3, method="quantize", loss="leaves")
    with pytest.raises(InvalidParameterError, match="distances"):
        shoal.Plan(method="quantize", loss="leaves")
    with pytest.raises(InvalidParameterError, match="loss cannot be"):
        shoal.Plan(loss="leafs")


def test_a_release_says_which_loss_was_used(tmp_path):
    frame = pl.DataFrame({"town": list("abcdefg") * 6, "age": [i * 7 % 40 for i in range(42)]})
    made = shoal.anonymize(
        frame, quasi_identifiers=["town", "age"], hierarchies={"town": TOWNS}, k=3, loss="leaves"
    )
    manifest = made.write(tmp_path / "out", ledger="off").manifest
    assert manifest["loss_measured_by"] == {"town": "leaves", "age": "width"}
    assert manifest["formed_loss_bound"] <= manifest["formed_loss"]
    assert "ngil_bound" not in manifest
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "In town a label counted by the share of values of the column it covers" in report
    assert "of the range published" not in report


def test_spans_are_told_of_ranges_only():
    spans = shoal.anonymize(pl.DataFrame({"age": range(30)}), quasi_identifiers="age", k=3)
    assert "of the range published" in render_text(spans.summary)


def test_a_cluster_counts_values_but_not_people():
    parts = pytest.importorskip("shoal.spark._recipe")
    table = read_table(pl.DataFrame({"q": list("abcd")}), roles=Roles(quasi_identifiers="q"))
    for loss in ("height", "leaves"):
        parts._refuse_what_needs_all_rows(shoal.Anonymizer(loss=loss).resolve(table))
    with pytest.raises(InvalidParameterError, match="loss 'people' needs the rows"):
        parts._refuse_what_needs_all_rows(shoal.Anonymizer(loss="people").resolve(table))
