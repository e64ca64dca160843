"""Questions that people were asked, and what they wrote."""

import polars as pl
import pytest
from propose_roles import proposed, pupils, repeated

import shoal


def test_numbered_questions_are_kept_to_the_people():
    health = {"tumor": ("0", "1"), "asthma": ("0", "1")}
    asked = {f"Q{n}": ("1", "2", "3", "4", *(["5"] if n % 2 else [])) for n in range(1, 9)}
    roles = proposed(repeated({"age": ("31", "45"), **health, **asked}))
    assert {roles[name] for name in asked} == {"sensitive"}
    few = {name: asked[name] for name in ("Q1", "Q2")}
    roles = proposed(repeated({"age": ("31", "45"), **health, **few}))
    assert {roles[name] for name in few} == {"sensitive"}


def test_a_question_is_known_by_its_label():
    asked = "Ansiedad: en una escala de 0 a 10, ¿cuánta ha tenido en los últimos meses?"
    assert proposed(repeated({asked: ("1", "2", "3")}))[asked] == "sensitive"


SAYINGS = (
    "Slept badly and it shows in everything I do.",
    "The new coach helps more than I thought.",
    "Nobody at home asks how the season goes.",
    "Best week since the knee was mended.",
    "I want to stop and cannot say so!",
    "We lost again, and I was late twice.",
    "My brother came to watch from far away.",
    "The doctor says two more weeks of rest.",
)


@pytest.mark.parametrize("name", ["text", "qqq", "mood_today"])
def test_sentences_are_never_published_however_often_they_repeat(name):
    frame = repeated({name: SAYINGS, "age": ("31", "45")}, rows=100)
    assert proposed(frame)[name] == "drop"


def test_few_long_answers_may_have_been_offered():
    assert proposed(repeated({"effort": SAYINGS[:5], "age": ("31", "45")}))["effort"] != "drop"


def test_several_answers_that_were_ticked_are_no_remarks():
    question = "Which of these do you or your household have in the place where you live?"
    things = ("a warm room to read", "a garden with some trees", "a very fast connection", "a car")
    ticked = [f"{a}, {b}, {c}" for a in things for b in things for c in things if a != b != c]
    frame = repeated({question: ticked, "age": ("31", "45")}, rows=60)
    assert proposed(frame)[question] == "quasi_identifier"


def test_long_answers_to_a_question_are_no_remarks():
    question = "Which of these sentences about the season would you agree with most?"
    roles = proposed(repeated({question: SAYINGS, "age": ("31", "45")}, rows=100))
    assert roles[question] in ("other", "sensitive")


def test_questions_about_a_subject_are_no_marks():
    scale = tuple(str(n) for n in range(11))
    asked = [f"I wish I could {what} the language I learn better" for what in ("read", "hear")]
    columns = {**dict.fromkeys(asked, scale), "years_of_sport": scale, "gender": ("f", "m")}
    roles = proposed(repeated(columns, rows=220))
    assert [roles[name] for name in asked] == ["other"] * 2
    assert roles["years_of_sport"] != "sensitive"


@pytest.mark.parametrize(
    "question",
    [
        "1. What age range do you fall in on the day of this survey?",
        "What year of study are you in at the moment?",
        "Are you an international or domestic student at this place?",
    ],
)
def test_questions_for_a_fact_are_read(question):
    roles = proposed(repeated({question: ("a", "b", "c"), "zzz": ("x", "y")}))
    assert roles[question] == "quasi_identifier"


def test_a_question_is_read_behind_its_heading():
    question = "About yourself and your home - What is your current occupation?"
    roles = proposed(repeated({question: ("a", "b", "c"), "zzz": ("x", "y")}))
    assert roles[question] == "quasi_identifier"


def test_suggestions_are_remarks_whatever_is_asked_about():
    question = "Have you any suggestions for the help with mental health at this school?"
    words = ("more", "quiet", "rooms", "open", "doors", "kind", "people")
    texts = [
        " ".join(words[(n + i) % 7] + str(n % 90) * (i == 2) for i in range(6)) for n in range(90)
    ]
    frame = repeated({question: [*texts, *texts[:40]], "age": ("31", "45")}, rows=130)
    assert proposed(frame)[question] == "drop"


def test_lists_of_codes_of_illnesses_are_no_remarks():
    codes = [f"{a}{n}.{n % 7}, {b}{n + 1}.1" for n in range(10, 40) for a, b in ("IM", "EF")]
    columns = {"diagnosis_codes": [*codes, *codes[:20]], "age": ("31", "45")}
    assert proposed(repeated(columns, rows=80))["diagnosis_codes"] == "sensitive"


def test_what_people_answered_is_kept_to_them():
    scale = tuple(str(n) for n in range(1, 8))
    felt = "I often feel that I have no strength left for my family"
    items = {f"neuro{n}": scale for n in range(1, 10)}
    numbered = {f"q{n}": scale for n in range(1, 10)}
    columns = {"sex": ("f", "m"), felt: ("never", "at times", "often"), **items, **numbered}
    roles = proposed(repeated(columns, rows=210))
    assert roles[felt] == roles["neuro3"] == roles["q3"] == "sensitive"


def test_reasons_in_own_words_are_dropped():
    asked = "If your answer to the last question was no, please explain why"
    said = [f"because of number {n}" if n < 12 else None for n in range(120)]
    frame = pl.DataFrame({asked: said, "sex": ["f", "m"] * 60})
    assert proposed(frame)[asked] == "drop"


@pytest.mark.parametrize("begun", ["Frage ", "Q", "pregunta_", "Вопрос "])
@pytest.mark.parametrize("more", [{}, {"Alter": [str(19 + i % 23) for i in range(120)]}])
def test_numbered_answers_are_their_own_even_if_they_single_out_together(begun, more):
    answers = {
        f"{begun}{n}": ["abcdef"[(i * n + i // 7) % (3 + n % 4)] for i in range(120)]
        for n in range(1, 26)
    }
    scale = {
        f"{begun}{n}": [str((i * n + i // 7) % (3 + n % 4)) for i in range(120)]
        for n in range(1, 26)
    }
    for asked in (answers, scale):
        columns = shoal.propose(pupils(**more, **asked)).columns
        roles = {part.name: part.role for part in columns}
        assert {roles[name] for name in asked} == {"sensitive"}


def test_a_table_of_nothing_but_answers_says_that_it_has_no_crowds():
    asked = {f"Frage {n}": [str((i + n) % 5) for i in range(120)] for n in range(1, 12)}
    proposal = shoal.propose(pupils(**asked))
    assert proposal.plan.roles.quasi_identifiers == ()
    assert "no crowds to form" in proposal.notes[0]
