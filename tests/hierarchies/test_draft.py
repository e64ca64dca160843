"""Trees made by hand: what each step does, what is refused, and that every draft is a tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Flat, Mask, Taxonomy, TreeDraft, date_rows, prefix_rows

JOBS = ("baker", "day nurse", "night nurse", "surgeon", "teacher")
HEALTH = TreeDraft(JOBS).gather([1, 2]).gather([3, 5], "health")


def test_groups_stand_where_their_members_stood():
    assert HEALTH.names == {5: "nurse", 6: "health"}
    assert HEALTH.below[6] == [5, 3]
    assert HEALTH.levels == [1, 1]
    inside = HEALTH.gather([5, 3], "hospital")
    assert inside.below[6] == [7]
    assert inside.levels == [1, 1, 1]


def test_a_value_moves_and_a_group_without_values_goes():
    assert HEALTH.put([1, 2], 6).names == {6: "health"}
    assert HEALTH.put([4], 5).leaves(5) == [1, 2, 4]
    assert HEALTH.put([6], -1).above == HEALTH.above
    assert HEALTH.put([2], -1).leaves(6) == [1, 3]


def test_taking_out_dissolves_groups_and_lifts_values():
    assert HEALTH.take_out([5]).below[6] == [1, 2, 3]
    assert HEALTH.take_out([1]).below[6] == [5, 1, 3]
    assert HEALTH.take_out([6, 5, 1]).names == {5: "nurse"}  # what a group holds goes with it
    assert HEALTH.take_out([0]).above == HEALTH.above
    assert HEALTH.without_level(1).names == {6: "health"}
    assert HEALTH.without_level(2).names == {5: "nurse"}


@pytest.mark.parametrize("name", ["", "  ", "nurse", "baker", "*", "x" * 201])
def test_names_that_would_tell_something_false_are_refused(name):
    with pytest.raises(InvalidParameterError) as refused:
        HEALTH.rename(6, name)
    assert "baker" not in f"{refused.value} {refused.value.hint}"


def test_what_is_no_tree_is_refused():
    with pytest.raises(InvalidParameterError, match="inside itself"):
        HEALTH.put([6], 5)
    with pytest.raises(InvalidParameterError, match="no such group"):
        HEALTH.put([1], 99)
    with pytest.raises(InvalidParameterError, match="no such group"):
        HEALTH.rename(0, "x")
    with pytest.raises(InvalidParameterError, match="Nothing is picked"):
        HEALTH.gather([77])
    assert "nurse" not in repr(HEALTH)


def test_names_are_proposed_and_never_twice():
    again = TreeDraft(("nurse", "day nurse", "night nurse", "head nurse"))
    names = again.gather([1, 2]).gather([0, 3]).names
    assert sorted(names.values()) == ["nurse (2)", "nurse (3)"]  # "nurse" is a value


def test_a_ladder_says_what_the_draft_says():
    tree = Taxonomy.from_ladder(HEALTH.ladder_rows())
    again = TreeDraft.of(tree.arrange(JOBS), JOBS)
    assert again.ladder_rows() == HEALTH.ladder_rows()
    assert TreeDraft.of(Flat().arrange(JOBS), JOBS).names == {}
    codes = ("8010", "8045", "1190")
    assert TreeDraft.of(Mask().arrange(codes), codes).leaves(3) == [0, 1]


def test_rules_write_ladders():
    assert prefix_rows(["8010"], [1, 3]) == [("8010", "801*", "8***", "*")]
    with pytest.raises(InvalidParameterError):
        prefix_rows(["8010"], [0])
    with pytest.raises(InvalidParameterError):
        date_rows(["2020-01-01"], ["week"])


steps = st.tuples(
    st.sampled_from(["gather", "put", "take_out"]),
    st.lists(st.integers(0, 9), min_size=1, max_size=4),
    st.integers(-1, 9),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, max_size=8))
def test_every_draft_is_a_tree_over_all_values(taken):
    draft = TreeDraft(JOBS)
    for step, nodes, group in taken:
        try:
            draft = draft.put(nodes, group) if step == "put" else getattr(draft, step)(nodes)
        except InvalidParameterError:
            continue
    assert draft.leaves(-1) == list(range(len(JOBS)))
    assert all(draft.leaves(group) for group in draft.names)
    tree = Taxonomy.from_ladder(draft.ladder_rows())
    assert tree.arrange(JOBS).n_leaves == len(JOBS)
