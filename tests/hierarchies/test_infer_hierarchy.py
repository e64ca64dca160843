"""What is proposed where no hierarchy is given."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from shoal.hierarchies import Flat, Mask, Taxonomy, infer_hierarchy


def column(kind: str, *labels: str) -> Any:
    return SimpleNamespace(name="x", kind=kind, labels=labels)


@pytest.mark.parametrize("kind", ["numeric", "ordinal", "date"])
def test_ordered_columns_need_no_tree(kind: str) -> None:
    assert infer_hierarchy(column(kind, "1", "2")) is None


def test_codes_are_masked_and_names_are_flat() -> None:
    assert infer_hierarchy(column("code", "8010")) == Mask()
    assert infer_hierarchy(column("nominal", "red", "green")) == Flat()
    assert infer_hierarchy(column("nominal")) == Flat()


def test_paths_spell_out_their_tree() -> None:
    labels = ["EU/AT/Graz", "EU/AT/Linz", "EU/DE", "US/NY", "US/TX"]
    tree = infer_hierarchy(column("nominal", *labels))
    assert isinstance(tree, Taxonomy)
    values = tree.arrange(labels)
    assert [values.node_labels[node] for node in values.gap_nodes] == [
        "EU/AT/*",
        "EU/*",
        "*",
        "US/*",
    ]


@pytest.mark.parametrize(
    "labels", [("a/b", "c"), ("a/b", "c/d"), ("a/b", "a/c"), ("a/*", "a/b", "b/c", "b/d")]
)
def test_what_only_looks_like_paths_stays_flat(labels: tuple[str, ...]) -> None:
    assert infer_hierarchy(column("nominal", *labels)) == Flat()
