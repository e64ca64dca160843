"""A session from the outside: what it learns, takes back, previews, limits and releases."""

from __future__ import annotations

import threading

import numpy as np
import polars as pl
import pytest
from wards import answer, recipe, session, table, vector, ward

import shoal
from shoal.exceptions import (
    CancelledError,
    ImpossibleError,
    InvalidParameterError,
    UnknownColumnError,
)
from shoal.plan import Plan
from shoal.quantize import EpsilonClusters
from shoal.session import Session


def test_the_contract():
    live = shoal.Session(table(), recipe())
    question = live.ask()
    assert isinstance(question, shoal.Question)
    assert set(question.cost["A"]) == set(question.cost["B"]) == set(live.names)
    live.tell(question, "A")
    assert sum(live.weights.values()) == pytest.approx(1)
    assert set(live.intervals) == set(live.weights)
    for name, (low, high) in live.intervals.items():
        assert 0 <= low <= live.weights[name] <= high <= 1
    assert live.release().verdict.holds


def test_nothing_said_is_equal():
    live = session()
    assert live.mode == "equal"
    assert vector(live.weights) == pytest.approx(1 / len(live.names))
    assert (live.answers, live.skipped, live.consistency, live.bias) == (0, 0, None, None)
    assert not live.suggests_stop
    assert live.sureness == 0
    assert live.answers_left > 5


def test_answers_teach():
    live = session()
    answer(live, 15, {name: 5.0 if name == "zip" else 0.5 for name in live.names})
    assert live.mode == "iml"
    assert max(live.weights, key=live.weights.get) == "zip"
    assert live.weights["zip"] > 0.3
    assert 0 < live.sureness <= 1
    assert live.carelessness < 0.2


def test_enough_answers_are_enough():
    live = session()
    before = live.answers_left
    answer(live, 40)
    assert live.sureness > 0.8
    assert live.answers_left < before / 2


def test_a_careful_answerer_is_consistent_a_careless_one_is_not():
    careful, careless = session(repeats=4), session(repeats=4)
    answer(careful, 24)
    assert careful.consistency == 1
    for _ in range(40):
        careless.tell(careless.ask(), "A")  # always the left side, whatever is there
    assert careless.consistency == 0
    assert careless.carelessness > 2 * careful.carelessness


def test_mirrored_questions_are_the_same_question():
    live = session(repeats=4)
    questions = []
    for _ in range(8):
        questions.append(live.ask())
        answer(live, 1)
    mirrored = questions[3]
    (original,) = [q for q in questions[:3] if q.row == mirrored.row and q is not mirrored]
    assert original.sides["A"].cost == mirrored.sides["B"].cost
    assert original.sides["B"].after == mirrored.sides["A"].after
    assert original.id != mirrored.id


def test_never_repeated_if_not_wanted():
    live = session(repeats=0)
    answer(live, 12)
    assert live.consistency is None


def test_a_skip_teaches_nothing_and_moves_on():
    live = session()
    question, before = live.ask(), live.weights
    live.tell(question, "skip")
    assert (live.weights, live.answers, live.skipped) == (before, 0, 1)
    assert live.ask().id != question.id


def test_undo_takes_back_as_if_it_had_never_been():
    live = session()
    answer(live, 3)
    before, question = live.weights, live.ask()
    live.tell(question, "A")
    changed = live.weights
    assert changed != before
    assert live.undo() == question
    assert (live.weights, live.answers) == (before, 3)
    assert live.ask() == question
    live.tell(question, "A")
    assert live.weights == changed


def test_undo_reaches_back_to_the_beginning_and_over_skips():
    live = session()
    first = live.ask()
    live.tell(first, "A")
    live.tell(live.ask(), "skip")
    live.ask()  # an open question is simply dropped
    live.undo()
    assert (live.answers, live.skipped) == (1, 0)
    assert live.undo() == first
    assert live.undo() is None
    assert vector(live.weights) == pytest.approx(1 / len(live.names))


def test_sliders_are_the_weights_until_answers_come():
    live = session()
    live.set_weights({"age": 3, "zip": 0})
    total = 3 + 0 + len(live.names) - 2
    assert live.weights["age"] == pytest.approx(3 / total)
    assert live.weights["zip"] == 0
    assert live.mode == "bias"
    assert live.bias == live.weights
    answer(live, 3)
    assert live.mode == "bias + iml"
    moved = live.weights
    live.set_weights(None)
    assert live.mode == "iml"
    assert live.weights != moved


def test_weights_of_the_recipe_are_the_first_sliders():
    given = recipe().set_params(grouping=shoal.SaNGreeA(weights={"age": 4.0}))
    live = Session(table(), given)
    assert live.mode == "bias"
    assert live.weights["age"] == pytest.approx(4 / (len(live.names) + 3))


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        ({"shoe": 1}, UnknownColumnError),
        ({"age": -1}, InvalidParameterError),
        ({"age": float("nan")}, InvalidParameterError),
        (dict.fromkeys(ward().roles.quasi_identifiers, 0), InvalidParameterError),
    ],
)
def test_sliders_that_mean_nothing_are_refused(weights, error):
    live = session()
    before = live.weights
    with pytest.raises(error):
        live.set_weights(weights)
    assert (live.weights, live.bias) == (before, None)


@pytest.mark.parametrize(
    "wrong",
    [{"learner": "oracle"}, {"questions": "nice"}, {"repeats": 1}, {"batch": 0}, {"seed": -1}],
)
def test_a_session_is_checked_at_birth(wrong):
    with pytest.raises(InvalidParameterError):
        Session(table(), recipe(), **wrong)


def test_a_session_needs_a_recipe_and_something_to_weigh():
    with pytest.raises(InvalidParameterError, match="Plan or an Anonymizer"):
        Session(table(), "plan.toml")
    with pytest.raises(InvalidParameterError, match="no quasi-identifiers"):
        Session(table().with_roles(shoal.Roles()), recipe())


# ---------------------------------------------------------------------- previews


def test_a_preview_is_the_table_grouped_with_what_is_known():
    live = session()
    assert live.preview_due
    first = live.preview()
    assert (first.answers, first.change, live.last_preview) == (0, None, first)
    assert not live.preview_due
    assert first.smallest >= 5
    assert first.ngil == pytest.approx(np.mean(list(first.loss_by_attribute.values())))
    live.set_weights({"age": 20})
    assert live.preview_due
    second = live.preview()
    assert second.loss_by_attribute["age"] < first.loss_by_attribute["age"]
    assert second.change.ngil == pytest.approx(second.ngil - first.ngil)
    assert second.change.groups == second.groups - first.groups
    assert second.change.loss_by_attribute["age"] < 0
    assert 0 < second.change.rows <= 1
    again = live.preview()
    assert again.change.rows == 0
    assert again.to_dict()["weights"] == live.weights


def test_a_preview_is_what_the_library_says_of_the_same_weights():
    live = session()
    live.set_weights({"age": 3})
    grouper = shoal.SaNGreeA(weights=live.weights, order="common", refine=False)
    fitted = recipe().set_params(grouping=grouper).fit(table())
    preview = live.preview()
    assert preview.ngil == fitted.loss_.ngil
    assert preview.loss_by_attribute == fitted.loss_.loss_by_attribute


def test_previews_come_in_batches():
    live = session(batch=3)
    live.preview(score=False)
    due = []
    for _ in range(4):
        answer(live, 1)
        due.append(live.preview_due)
    assert due == [False, False, True, True]


def test_f1_stands_beside_the_constant_predictor():
    preview = session().preview()
    assert preview.f1 > preview.f1_constant + 0.05
    assert session().preview(score=False).f1 is None


def test_no_f1_without_a_target_worth_predicting():
    frame = ward(300).frame
    roles = ward().roles
    for target in (None, "income" if "income" in frame.columns else None):
        made = shoal.read_table(
            frame, roles=shoal.Roles(quasi_identifiers=roles.quasi_identifiers, target=target)
        )
        assert Session(made, recipe()).preview().f1 is None


def test_a_preview_can_be_stopped():
    class Stop:
        cancelled = True

        def phase(self, name, total=None): ...

        def advance(self, steps=1): ...

    live = session()
    with pytest.raises(CancelledError):
        live.preview(Stop())
    assert live.last_preview is None


def test_questions_flow_while_previews_work():
    """Two threads: nothing is lost, nothing is mixed up."""
    live = session()
    failed = []

    def look():
        try:
            for _ in range(5):
                live.preview(score=False)
        except BaseException as error:
            failed.append(error)

    worker = threading.Thread(target=look)
    worker.start()
    answer(live, 10)
    worker.join()
    assert failed == []
    assert live.answers == 10
    assert live.last_preview.answers <= 10


# ---------------------------------------------------------------------- limits and release


def published_widths(release, name):
    cells = release.frame[name].to_list()
    spans = [cell.strip("[]").split(", ") for cell in cells]
    return [float(span[-1]) - float(span[0]) for span in spans]


def test_a_limit_holds_in_the_release():
    live = session()
    live.limit("age", 20)
    assert live.limits == {"age": 20}
    assert max(published_widths(live.release(), "age")) <= 20


def test_kept_exact_is_published_as_it_is():
    live = session()
    live.keep_exact("sex")
    assert set(live.release().frame["sex"].unique()) <= set(ward().frame["sex"].unique())
    live.release_limit("sex")
    assert live.limits == {}


def test_impossible_limits_are_refused_with_the_reason_and_leave_no_trace():
    live = session()
    live.keep_exact("sex")
    for column in ("zip", "occupation"):
        with pytest.raises(ImpossibleError, match=r"rows share what may be published of .*sex"):
            live.keep_exact(column)
    assert live.limits == {"sex": 0}
    assert live.release().verdict.holds


def test_an_impossible_recipe_is_refused_at_birth():
    with pytest.raises(ImpossibleError, match="'zip'"):
        Session(table(), recipe(limits={"zip": 0}))


def test_limits_of_the_recipe_count_and_can_be_lifted():
    live = Session(table(), recipe(limits={"age": 40}))
    assert live.limits == {"age": 40}
    live.release_limit("age")
    assert live.limits == {}


@pytest.mark.parametrize(
    ("column", "value"),
    [("shoe", 3), ("age", -1), ("age", float("nan")), ("age", "wide"), ("age", True)],
)
def test_limits_that_mean_nothing_are_refused(column, value):
    live = session()
    with pytest.raises(InvalidParameterError):
        live.limit(column, value)
    assert live.limits == {}


def test_values_that_are_moved_know_no_limits():
    clusters = shoal.Anonymizer(grouping=EpsilonClusters(), bound=False)
    live = Session(table(), clusters, seed=1)
    answer(live, 2)
    with pytest.raises(InvalidParameterError, match="no limits"):
        live.limit("age", 20)
    assert live.limits == {}
    assert live.anonymizer().grouping.weights == live.weights


def test_the_release_uses_what_was_learned():
    live = session()
    live.set_weights({"age": 50})
    equal = session().release()
    assert np.mean(published_widths(live.release(), "age")) < np.mean(
        published_widths(equal, "age")
    )
    assert live.anonymizer().grouping.weights == live.weights
    assert recipe().grouping == "auto"


def test_a_session_from_a_plan():
    frame = pl.DataFrame(
        {"age": [*range(40)] * 3, "job": ["a", "b", "c", "d"] * 30, "sex": ["f", "m", "f"] * 40}
    )
    made = shoal.read_table(frame, roles=shoal.Roles(quasi_identifiers=["age", "job", "sex"]))
    plan = Plan(roles=made.roles, k=4, weights={"job": 2.0}, limits={"age": 30})
    live = Session(made, plan, seed=1)
    assert live.bias == {"age": 0.25, "job": 0.5, "sex": 0.25}
    assert live.limits == {"age": 30}
    live.tell(live.ask(), "A")
    assert live.release().verdict.holds
