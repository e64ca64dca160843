"""Taxonomies: every way in, every way out, and every shape that is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.exceptions import HierarchyGapError, HierarchyShapeError, InvalidParameterError
from shoal.hierarchies import Taxonomy

CANARY = "canary-4711"
LADDER = [(CANARY, "A", "X", "*"), ("b", "A", "X", "*"), ("c", "C", "X", "*"), ("d", "D", "D", "*")]


def entry(gen: object, level: object = None, name: object = None) -> dict[str, object]:
    found = {"gen": gen, "level": level, "name": name}
    return {key: value for key, value in found.items() if value is not None}


def test_nodes_of_a_ladder_are_labels_on_levels() -> None:
    tree = Taxonomy.from_ladder([("a", "a", "X", "*"), ("b", "B", "X", "*"), ("X", "B", "X", "*")])
    values = tree.arrange(["a", "b", "X"])
    assert values.node_labels == ("a", "b", "X", "B", "X", "*")
    assert values.node_heights.tolist() == [0, 0, 0, 1, 2, 3]
    assert values.node_levels.tolist() == values.node_heights.tolist()


def test_a_ladder_may_say_the_same_twice_and_end_with_any_label() -> None:
    tree = Taxonomy.from_ladder([("a", "Any"), ("b", "Any"), ("a", "Any")])
    assert (tree.n_leaves, tree.height) == (2, 1)
    assert tree.arrange(["b", "a"]).node_labels == ("a", "b", "Any")


def test_leaves_need_not_be_equally_deep() -> None:
    tree = Taxonomy.from_json({"*": {"A": {"AA": ["a", "b"]}, "c": None, "D": ["d", {"E": ["e"]}]}})
    values = tree.arrange(["e", "d", "c", "b", "a"])
    assert tree.height == 3
    labels = dict(zip(values.node_labels, values.node_heights.tolist(), strict=True))
    assert labels == {"a": 0, "b": 0, "c": 0, "d": 0, "e": 0, "AA": 1, "D": 2, "*": 3}


def test_the_three_ways_in_give_the_same_tree() -> None:
    ladder = Taxonomy.from_ladder([("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*")])
    nested = Taxonomy.from_json({"*": {"A": ["a", "b"], "C": ["c"]}})
    parents = Taxonomy.from_parents({"a": "A", "b": "A", "c": "C", "A": "*", "C": "*", "*": None})
    entries = Taxonomy.from_json(
        {"entries": {"all": entry("all", 0, "*"), "A": entry("all", 1), "C": entry("all", 1),
                     "a": entry("A", 2), "b": entry("A", 2), "c": entry("C", 2)}}
    )  # fmt: skip
    rows = {tuple(tree.to_ladder_rows()) for tree in (ladder, nested, parents, entries)}
    assert rows == {(("a", "A", "*"), ("b", "A", "*"), ("c", "C", "*"))}
    assert len({tree.draw() for tree in (ladder, nested, parents, entries)}) == 1


def test_entries_publish_their_name_unless_it_is_anothers() -> None:
    tree = Taxonomy.from_json(
        {"entries": {"all": entry("all", 0, "*"), "Hong": entry("all", 1, "Hong Kong"),
                     "France": entry("all", 1, "France"), "Hungary": entry("all", 1, "France")}}
    )  # fmt: skip
    values = tree.arrange(["Hungary", "France", "Hong"])
    assert values.node_labels == ("Hong Kong", "France", "Hungary", "*")


def test_a_column_may_use_part_of_a_tree() -> None:
    tree = Taxonomy.from_ladder(LADDER)
    values = tree.arrange(["d", "b"])
    assert values.node_labels == ("b", "d", "*")
    assert values.height == 3


@pytest.mark.parametrize("n_columns", [3, 4])
def test_values_that_are_not_leaves_are_counted_and_not_shown(n_columns: int) -> None:
    tree = Taxonomy.from_ladder([row[-n_columns:] for row in LADDER])
    with pytest.raises(HierarchyGapError) as caught:
        tree.arrange(["secret-1", "secret-2"], column="zip")
    assert str(caught.value) == "2 of 2 distinct values of column 'zip' are not in the hierarchy."
    assert "secret" not in f"{caught.value!r} {caught.value.hint}"


BROKEN: dict[str, tuple[Callable[[], Any], str]] = {
    "ladder: leaf with two paths": (
        lambda: Taxonomy.from_ladder([*LADDER, (CANARY, "D", "D", "*")], source="x.csv"),
        "values with two parents: 1 values affected",
    ),
    "ladder: two parents": (
        lambda: Taxonomy.from_ladder(
            [(CANARY, CANARY, "X", "*"), ("b", CANARY, "Y", "*"), ("c", "C", "Y", "*")],
            source="x.csv",
        ),
        "1 labels with two parents on level 1: 2 values affected",
    ),
    "ladder: finer again": (
        lambda: Taxonomy.from_ladder(
            [(CANARY, "A", CANARY, "*"), ("b", "A", "Y", "*")], source="x.csv"
        ),
        "finer again from level 1 to level 2: 2 values affected",
    ),
    "ladder: two roots": (
        lambda: Taxonomy.from_ladder([*LADDER, ("e", "E", "E", CANARY)], source="x.csv"),
        "2 roots: 1 of 5 rows",
    ),
    "ladder: ragged": (
        lambda: Taxonomy.from_ladder([*LADDER, (CANARY, "*")], source="x.csv"),
        "1 of 5 rows do not have 4 fields (the first is row 5)",
    ),
    "ladder: empty label": (
        lambda: Taxonomy.from_ladder([*LADDER, ("e", "", "X", "*")], source="x.csv"),
        "1 empty labels",
    ),
    "ladder: no level": (
        lambda: Taxonomy.from_ladder([(CANARY,), ("b",)], source="x.csv"),
        "no level above the values (2 rows)",
    ),
    "ladder: nothing": (lambda: Taxonomy.from_ladder([], source="x.csv"), "0 values"),
    "parents: cycle": (
        lambda: Taxonomy.from_parents({CANARY: "b", "b": CANARY, "c": "*"}, source="x.csv"),
        "a cycle: 2 nodes",
    ),
    "parents: only a cycle": (
        lambda: Taxonomy.from_parents({CANARY: "b", "b": CANARY}, source="x.csv"),
        "a cycle: 2 nodes",
    ),
    "parents: two roots": (
        lambda: Taxonomy.from_parents({CANARY: "A", "b": "B"}, source="x.csv"),
        "2 roots",
    ),
    "parents: one node": (
        lambda: Taxonomy.from_parents({CANARY: None}, source="x.csv"),
        "1 nodes",
    ),
    "json: two parents": (
        lambda: Taxonomy.from_json({"*": {"A": [CANARY], "B": [CANARY, "b"]}}, source="x.csv"),
        "1 values with two parents",
    ),
    "json: inner label twice": (
        lambda: Taxonomy.from_json(
            {"*": {"A": {CANARY: ["a"]}, "B": {CANARY: ["b"]}}}, source="x.csv"
        ),
        "1 labels with two parents",
    ),
    "json: two roots": (
        lambda: Taxonomy.from_json({"*": [CANARY], "+": ["b"]}, source="x.csv"),
        "2 roots",
    ),
    "json: not text": (
        lambda: Taxonomy.from_json({"*": {CANARY: 7, "A": [1.5]}}, source="x.csv"),
        "2 labels that are not text",
    ),
    "json: not an object": (
        lambda: Taxonomy.from_json([CANARY], source="x.csv"),  # type: ignore[arg-type]
        "no object at the top",
    ),
    "entries: cycle": (
        lambda: Taxonomy.from_json(
            {"entries": {"all": entry("all"), CANARY: entry("b"), "b": entry(CANARY)}},
            source="x.csv",
        ),
        "a cycle: 2 nodes",
    ),
    "entries: parent without entry": (
        lambda: Taxonomy.from_json(
            {"entries": {"all": entry("all"), "a": entry(CANARY), "b": entry(7)}}, source="x.csv"
        ),
        "2 entries name a parent",
    ),
    "entries: finer again": (
        lambda: Taxonomy.from_json(
            {"entries": {"all": entry("all", 0), "A": entry("all", 2), CANARY: entry("A", 1)}},
            source="x.csv",
        ),
        "finer again: 1 entries",
    ),
    "entries: two roots": (
        lambda: Taxonomy.from_json(
            {"entries": {"all": entry("all"), CANARY: entry(CANARY)}}, source="x.csv"
        ),
        "2 roots",
    ),
    "entries: malformed": (
        lambda: Taxonomy.from_json(
            {"entries": {"all": entry("all"), CANARY: CANARY, "b": entry("all", 1, 7)}},
            source="x.csv",
        ),
        "2 malformed entries",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_no_tree_is_refused_with_counts_and_no_values(fault: str) -> None:
    build, message = BROKEN[fault]
    with pytest.raises(HierarchyShapeError) as caught:
        build()
    assert message in str(caught.value)
    assert "'x.csv'" in str(caught.value)
    assert CANARY not in f"{caught.value!r} {caught.value.hint}"


def test_direct_construction_is_checked() -> None:
    with pytest.raises(InvalidParameterError, match="needs a label"):
        Taxonomy(["a", "*"], np.array([1]))
    with pytest.raises(InvalidParameterError, match="must be text"):
        Taxonomy.from_ladder([(1, "*")])  # type: ignore[list-item]
    with pytest.raises(InvalidParameterError, match="one of the nodes"):
        Taxonomy(["a", "*"], np.array([5, -1]))


def test_repr_shows_no_value() -> None:
    tree = Taxonomy.from_ladder(LADDER, source="x.csv")
    assert repr(tree) == "Taxonomy(4 leaves, height 3, source='x.csv')"


def test_draw_stops_after_some_nodes() -> None:
    tree = Taxonomy.from_parents({str(i): "*" for i in range(100)})
    assert tree.draw(max_nodes=3).splitlines() == ["*", "├── 0", "├── 1", "... 98 more"]
    assert len(tree.draw(max_nodes=101).splitlines()) == 101


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30))
def test_ladder_rows_keep_every_common_ancestor(draws: list[int]) -> None:
    parents = [-1, *(number % (i + 1) for i, number in enumerate(draws))]
    tree = Taxonomy([str(node) for node in range(len(parents))], np.array(parents))
    again = Taxonomy.from_ladder(tree.to_ladder_rows())
    values = [row[0] for row in tree.to_ladder_rows()]
    before, after = tree.arrange(values), again.arrange(values)
    assert again.height == tree.height
    assert after.node_labels == before.node_labels
    assert after.gap_nodes.tolist() == before.gap_nodes.tolist()
    assert after.node_heights.tolist() == before.node_heights.tolist()
    assert again.to_ladder_rows() == tree.to_ladder_rows()


def test_a_tree_whose_ladder_would_merge_nodes_is_not_written_as_one() -> None:
    tree = Taxonomy.from_json({"*": {"Other": [CANARY], CANARY: ["b"]}})
    assert tree.to_ladder_rows() == [(CANARY, "Other", "*"), ("b", CANARY, "*")]
    tree = Taxonomy.from_json({"*": {CANARY: ["a"], "B": {CANARY: None, "b": None}, "C": None}})
    assert tree.height == 2
    tree = Taxonomy.from_json({"*": [{CANARY: ["a"]}, CANARY]})
    with pytest.raises(HierarchyShapeError, match="1 labels repeat on a level") as caught:
        tree.to_ladder_rows()
    assert CANARY not in str(caught.value)


def test_a_deep_tree_is_no_problem() -> None:
    tree = Taxonomy.from_parents({str(i): str(i + 1) for i in range(5_000)})
    assert tree.height == 5_000
    assert tree.arrange(["0"]).height == 5_000
