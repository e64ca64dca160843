"""Roles proposed for the made-up tables of the battery: nobody is published, little is missed."""

from functools import cache

import pytest
from battery import frame_of, names
from scoring import Score

from shoal.table import infer_roles, read_table

TABLES = names()


@cache
def guessed(name):
    """What is guessed of a table of the battery; several tests look at it."""
    return infer_roles(read_table(frame_of(name)[0]))


def proposed_for(name):
    return {column: guess.choice for column, guess in guessed(name).items()}


def test_the_battery_is_large_and_its_roles_are_met():
    score = Score()
    for name in TABLES:
        score.add(name, frame_of(name)[1], proposed_for(name))
    assert len(TABLES) >= 25
    assert score.leaked == []
    assert score.share("I") == 1.0
    assert score.share("Q") >= 0.95, score.misjudged
    assert score.share("S") >= 0.95, score.misjudged
    assert score.taken <= 0.15, score.misjudged


def test_a_second_opinion_may_find_harmless_what_only_stood_among_secrets():
    assert frame_of("clinical_trial")[1]["VISITNUM"] == "H"
    assert proposed_for("clinical_trial")["VISITNUM"] == "other"


@pytest.mark.parametrize("name", TABLES)
def test_what_singles_people_out_is_never_left_as_it_is(name):
    frame, _ = frame_of(name)
    for column, role in proposed_for(name).items():
        alone = (frame[column].drop_nulls().value_counts()["count"] == 1).sum() / frame.height
        assert role not in ("other", "publish_as_is") or alone <= 0.05, column


@pytest.mark.parametrize("name", TABLES)
def test_reasons_are_sentences_without_a_value(name):
    frame, _ = frame_of(name)
    for column, guess in guessed(name).items():
        assert guess.reason.endswith(".")
        long = [v for v in frame[column].drop_nulls().unique().head(20) if len(v) > 6]
        assert not any(value in guess.reason for value in long)


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("hospital_stays", "patient_nbr"),
        ("german_clinic", "Patientennummer"),
        ("members_of_congress", "bioguide"),
        ("donors", "donor_id"),
        ("library_users", "card_no"),
    ],
)
def test_several_rows_of_a_person_are_noticed(name, person):
    roles = proposed_for(name)
    assert [column for column, role in roles.items() if role == "person"] == [person]


@pytest.mark.parametrize("name", ["staff", "pupils", "survey", "census", "columns_without_names"])
def test_rows_are_people_where_no_key_repeats(name):
    assert "person" not in proposed_for(name).values()
