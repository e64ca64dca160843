"""Questions: real rows, real groups, costs that add up, and two sides that a person can tell."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wards import answer, session, table

from shoal.anonymizer import Anonymizer
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.hierarchies import Taxonomy
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.session import Session
from shoal.session._choosing import choose, draw_pool, teaching
from shoal.session.learners import Posterior
from shoal.spaces import build_spaces
from shoal.table import Grouping, Roles, read_table
from shoal.testing import random_hierarchies, random_table


@pytest.fixture(scope="module")
def asked():
    """A live session and its first twelve questions, all answered."""
    live, questions = session(repeats=0), []
    for _ in range(12):
        questions.append(live.ask())
        answer(live, 1)
    return live, questions


def slow_cost(spaces, rows, row):
    """Added loss of a row that joins rows, person by person: the twin of `added_loss`."""
    losses = []
    for space in spaces.spaces:
        codes = [int(space.codes[r]) for r in rows]
        joined = [*codes, int(space.codes[row])]
        before = space.loss(np.array([min(codes)]), np.array([max(codes)]))[0]
        after = space.loss(np.array([min(joined)]), np.array([max(joined)]))[0]
        people = [after - before] * len(codes) + [after]
        losses.append(sum(people) / len(people))
    return losses


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_costs_are_what_everybody_loses(seed):
    chance = np.random.default_rng(seed)
    made = random_table(chance, n_rows=40)
    spaces = build_spaces(made, hierarchies=random_hierarchies(chance, made))
    grouping = Grouping(np.arange(40) % 5)
    order = np.argsort(made.row_hash())
    pool = draw_pool(spaces, grouping, chance, k=4, order=order, n_rows=6, n_groups=8)
    for r in range(6):
        for g in range(8):
            twin = slow_cost(spaces, pool.members[g].tolist(), int(pool.rows[r]))
            assert pool.cost[r, g] == pytest.approx(twin)
            assert pool.allowed[r, g] == (pool.rows[r] not in pool.members[g])
            assert set(pool.members[g]) <= set(grouping.members(pool.groups[g]))


def test_a_question_shows_a_row_of_the_table(asked):
    live, questions = asked
    frame = table().frame.select(pl.col(live.names).cast(pl.String).fill_null(""))
    rows = set(frame.rows())
    for question in questions:
        assert tuple(question.row[name] for name in live.names) in rows


def test_costs_name_every_quasi_identifier_and_are_losses(asked):
    live, questions = asked
    for question in questions:
        assert set(question.cost) == {"A", "B"}
        for cost in question.cost.values():
            assert tuple(cost) == live.names
            assert all(0 <= value <= 1 for value in cost.values())


def test_two_sides_never_look_alike_and_each_has_something_for_it(asked):
    _, questions = asked
    for question in questions:
        a, b = question.sides["A"], question.sides["B"]
        assert a.after != b.after
        assert a.group != b.group
        gains = [b.cost[name] - a.cost[name] for name in a.cost]
        assert max(gains) > 0.05
        assert min(gains) < -0.05
        assert sum(abs(gain) > 0.02 for gain in gains) <= 4


def test_words_say_what_changes(asked):
    _, questions = asked
    for question in questions:
        for side in question.sides.values():
            assert set(side.words) == {name for name, loses in side.changed.items() if loses}
            for name, words in side.words.items():
                assert words.startswith(name)
                assert side.cost[name] > 0
                assert side.after[name] != question.row[name]
            for name, loses in side.changed.items():
                if not loses:
                    assert side.cost[name] == 0


def test_questions_are_about_all_attributes_in_turn(asked):
    live, questions = asked
    about = [
        {n for n in live.names if abs(q.cost["A"][n] - q.cost["B"][n]) > 0.02} for q in questions
    ]
    assert set.union(*about) == {*live.names}
    assert len({frozenset(names) for names in about}) >= 8
    assert len({question.id for question in questions}) == len(questions)


def test_a_question_is_the_same_until_it_is_answered():
    live = session()
    first = live.ask()
    assert live.ask() == first
    live.tell(first.id, "B")
    assert live.ask() != first


@pytest.mark.parametrize("choice", ["C", "", None, "a"])
def test_no_other_answers_exist(choice):
    live = session()
    with pytest.raises(InvalidParameterError, match="'A', 'B', 'same', 'neither' or 'skip'"):
        live.tell(live.ask(), choice)
    assert live.answers == 0


def test_a_question_is_answered_once():
    live = session()
    question = live.ask()
    live.tell(question, "A")
    with pytest.raises(InvalidParameterError, match="not open"):
        live.tell(question, "A")


def test_what_teaches_most_is_asked():
    """No other candidate of the pool teaches much more than the one chosen."""
    live = session(repeats=0)
    answer(live, 6)
    pool = live._bench.pool("question 7")
    belief = live._talk.belief()
    chosen = choose(pool, belief, np.random.default_rng(0))
    worth = teaching(belief, _gain(pool, *chosen)[None])[0]
    chance = np.random.default_rng(1)
    others = [
        choose(pool, belief, np.random.default_rng(seed), informative=False)
        for seed in chance.integers(10_000, size=40)
    ]
    values = teaching(belief, np.array([_gain(pool, *other) for other in others]))
    assert worth > np.quantile(values, 0.9)
    assert worth > 1.4 * values.mean()


def _gain(pool, row, a, b):
    return pool.cost[row, b] - pool.cost[row, a]


def test_what_an_answer_teaches_is_that_of_counting():
    """Against the definition: the best weights' expected cosine, before the answer and after it."""
    belief = Posterior.start(3, seed=1)
    gain = np.array([[0.3, -0.2, 0.0]])
    weights, chances = belief.draws, belief.chance(gain)[:, 0]

    def best_cosine(likely):
        """Of all weights those along the mean direction have the highest expected cosine."""
        along = sum(p * w / np.linalg.norm(w) for p, w in zip(likely, weights, strict=True))
        cosines = weights @ along / np.linalg.norm(weights, axis=1) / np.linalg.norm(along)
        return cosines @ likely / likely.sum()

    before = best_cosine(np.ones(len(weights)))
    after = sum(p.mean() * best_cosine(p) for p in (chances, 1 - chances))
    assert before < after < 1
    assert teaching(belief, gain)[0] == pytest.approx(-np.log((1 - after) / (1 - before)))


def test_limits_hold_in_questions_too():
    live = session(repeats=0)
    live.limit("age", 30)
    for _ in range(4):
        question = live.ask()
        for side in question.sides.values():
            low, _, high = side.after["age"].strip("[]").partition(", ")
            assert float(high or low) - float(low) <= 30
        answer(live, 1)


def test_a_table_with_one_attribute_has_nothing_to_ask():
    frame = pl.DataFrame({"age": [*range(20, 60)]})
    made = read_table(frame, roles=Roles(quasi_identifiers="age"))
    live = Session(made, Anonymizer(privacy=KAnonymity(3)))
    with pytest.raises(ImpossibleError, match="no question"):
        live.ask()
    assert live.weights == {"age": 1.0}


def test_missing_cells_are_shown_as_missing():
    chance = np.random.default_rng(0)
    n = 60
    frame = pl.DataFrame(
        {
            "age": [None if x < 0.3 else int(40 * x) for x in chance.random(n)],
            "job": chance.choice(["nurse", "smith", "cook"], n),
            "pet": chance.choice(["cat", "dog"], n),
        }
    )
    trees = {"job": Taxonomy.from_json({"*": {"hot": ["smith", "cook"], "ward": ["nurse"]}})}
    made = read_table(frame, roles=Roles(quasi_identifiers=["age", "job", "pet"]))
    recipe = Anonymizer(recoding=Generalize(trees), privacy=KAnonymity(3))
    live = Session(made, recipe, seed=3, repeats=0)
    seen = set()
    for _ in range(20):
        question = live.ask()
        seen.add(question.row["age"])
        live.tell(question, "A")
    assert "" in seen


def test_no_repr_shows_a_cell(asked):
    live, questions = asked
    shown = repr(questions[0]) + repr(live)
    assert not any(len(cell) > 2 and cell in shown for cell in questions[0].row.values())


@pytest.mark.parametrize("seed", range(8))
def test_any_table_has_questions_or_the_reason_why_not(seed):
    chance = np.random.default_rng(seed)
    made = random_table(chance, n_rows=60, n_quasi=int(chance.integers(1, 6)), person=seed % 2 == 1)
    recoding = Generalize(random_hierarchies(chance, made))
    live = Session(made, Anonymizer(recoding=recoding, privacy=KAnonymity(3)), seed=seed)
    with suppress(ImpossibleError):  # where attributes do not compete
        for _ in range(5):
            question = live.ask()
            assert question.sides["A"].after != question.sides["B"].after
            live.tell(question, "B")
    assert sum(live.weights.values()) == pytest.approx(1)
    assert live.preview().smallest >= 3
