"""Nothing is thrown away unasked, every change can be taken back, words and bars agree."""

from __future__ import annotations

import re

import pytest
from serving import table_of

from shoal.report import verdict_sentence
from shoal.risk import AttackReport, AttackResult, find_threshold
from shoal.web.pages._page import update_page
from shoal.web.pages._question import draw_question
from shoal.web.pages._result import ResultPage
from shoal.web.pages._table import TablePage


@pytest.fixture
def space(steward, site):
    answer = steward.post("/api/tables", params={"name": "people.csv"}, content=table_of(120))
    return next(s for (_, id), s in site._open.items() if id == answer.json()["id"])


def test_what_throws_answers_away_asks_first(space):
    page = TablePage(space)
    update_page(page, "k", "4", {}, agreed=False)  # nothing to lose: nobody is asked
    assert space.plan.k == 4
    for _ in range(2):
        space.answer(space.session.ask().id, "A")
    asked = update_page(page, "k", "5", {}, agreed=False)
    assert asked["kind"] == "ask"
    assert "the session with 2 answers away. What was learned from them stays." in asked["say"]
    assert 'value="4"' in asked["fragments"]["privacy"]["html"]  # the field shows what holds
    assert (space.plan.k, space.session.answers) == (4, 2)
    told = update_page(page, "k", "5", {}, agreed=True)
    assert told["kind"] == "info"
    assert (space.plan.k, space.session.answers) == (5, 0)


def test_what_was_learned_stays_when_a_role_changes(space):
    space.decide(k=3, l=None)
    for _ in range(3):
        space.answer(space.session.ask().id, "A")
    learned = space.session.weights
    column = space.table.column_names.index("disease")
    told = update_page(TablePage(space), f"role:{column}", "drop", {}, agreed=True)
    assert told["kind"] == "info"
    assert space.session.answers == 0
    assert space.session.weights == pytest.approx(learned, abs=1e-4)
    assert len(set(learned.values())) > 1


def test_what_throws_a_release_away_asks_first_on_the_gate_too(space):
    space.decide(k=3, l=None)
    space.make_release()
    column = space.table.column_names.index("disease")
    asked = update_page(ResultPage(space), f"gate:{column}", "drop", {}, agreed=False)
    assert asked["kind"] == "ask"
    assert "the release that lies ready" in asked["say"]
    assert space.released is not None
    update_page(ResultPage(space), f"gate:{column}", "drop", {}, agreed=True)
    assert space.released is None


def test_answers_stay_when_a_column_beside_the_crowds_is_decided_about(space):
    """The gate comes after teaching: accepting a column must not undo what was taught."""
    space.decide(k=3, l=None)
    page = TablePage(space)
    column = space.table.column_names.index("readmitted")
    update_page(page, f"role:{column}", "other", {})
    for _ in range(2):
        space.answer(space.session.ask().id, "A")
    weights = space.session.weights
    for role in ("publish_as_is", "drop"):
        told = update_page(ResultPage(space), f"gate:{column}", role, {}, agreed=False)
        assert told["kind"] == "info", told["say"]
        assert space.table.roles.role_of("readmitted") == role
        assert space.session.answers == 2
        assert space.session.weights == weights
    released = space.make_release()
    assert "readmitted" not in (released.folder / "data.csv").read_text().splitlines()[0]
    asked = update_page(page, f"role:{column}", "quasi_identifier", {}, agreed=False)
    assert "the release that lies ready and the session with 2 answers" in asked["say"]


def test_every_change_of_the_plan_goes_back_and_forth(space):
    page = TablePage(space)
    first = space.plan
    assert update_page(page, "", "", {})["fragments"]["steps"]["html"] == ""
    for act, value in (("k", "7"), ("role:1", "other"), ("kind:3", "nominal")):
        update_page(page, act, value, {})
    last = space.plan
    drawn = update_page(page, "", "", {})["fragments"]["steps"]["html"]
    assert "Undo: the kind of zip" in drawn
    for words in ("Redo: the kind of zip", "Redo: the role of age", "Redo: k"):
        drawn = update_page(page, "step", "back", {})["fragments"]["steps"]["html"]
        assert words in drawn
    assert space.plan == first
    refused = update_page(page, "step", "back", {})
    assert refused["kind"] == "trouble"
    for _ in range(3):
        update_page(page, "step", "forth", {})
    assert space.plan == last
    assert space.table.kinds["zip"] == "nominal"
    update_page(page, "step", "back", {})
    update_page(page, "k", "9", {})  # another way: what was taken back is gone
    assert not space.steps.future


@pytest.mark.parametrize(("act", "value"), [("k", "1"), ("k", "many"), ("t", "7"), ("l", "-1")])
def test_refused_input_returns_to_what_holds(space, act, value):
    page, held = TablePage(space), space.plan
    have = {p.name: p.version for p in page.fragments()}
    told = update_page(page, act, value, have)
    assert told["kind"] == "trouble"
    assert "privacy" in told["fragments"]  # sent again, though it reads as before
    assert space.plan == held


def test_equal_words_have_bars_of_equal_length(space):
    seen: dict[tuple[str, str], set[str]] = {}
    for _ in range(12):
        question = space.session.ask()
        for side in question.sides.values():
            for name, words in side.words.items():
                assert 0 <= side.loss[name] <= 1
                seen.setdefault((name, words), set()).add(f"{side.loss[name]:.6f}")
        drawn = draw_question(question)
        bars = re.findall(r'class="loss"[^>]*><rect width="([\d.]+)%"', drawn)
        losing = [s.loss[n] for n in question.row for s in question.sides.values() if s.changed[n]]
        assert [f"{100 * loss:.2f}" for loss in losing] == bars
        space.answer(question.id, "A")
    assert len(seen) > 5
    assert all(len(lengths) == 1 for lengths in seen.values())


def test_a_long_bar_is_explained_where_none_gains_much():
    results = (
        AttackResult("exact_linkage", rate=0.1, people=100),
        AttackResult("model_inference", rate=0.384, baseline=0.37, people=100),
    )
    told = verdict_sentence(AttackReport(results, find_threshold("internal")))
    assert "None gains more than" in told
    assert "model inference reaches 38.4" in told
    assert "a guess without the release is right in 37" in told
    short = verdict_sentence(AttackReport(results[:1], find_threshold("internal")))
    assert "longest bar" not in short


def test_what_the_writing_gives_away_is_told_where_no_preset_counts_it():
    results = (AttackResult("interval_ends", rate=0.6, baseline=0.1, people=100),)
    told = verdict_sentence(AttackReport(results, find_threshold("internal")))
    assert "Not counted for it: interval ends." in told
    assert "nothing about a person" not in told
    assert not AttackReport(results, find_threshold("public")).holds
