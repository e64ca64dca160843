"""Roles proposed for the made-up tables of the battery: nobody is published, little is missed."""

import pytest
from battery import frame_of, names
from propose_roles import proposed
from scoring import Score

from shoal.table import infer_roles, read_table

TABLES = names()


def test_the_battery_is_large_and_its_roles_are_met():
    score = Score()
    for name in TABLES:
        frame, letters = frame_of(name)
        score.add(name, letters, proposed(frame))
    assert len(TABLES) >= 25
    assert score.leaked == []
    assert score.share("I") == 1.0
    assert score.share("Q") >= 0.95, score.misjudged
    assert score.share("S") >= 0.95, score.misjudged
    assert score.taken <= 0.15, score.misjudged


def test_a_second_opinion_may_find_harmless_what_only_stood_among_secrets():
    frame, letters = frame_of("clinical_trial")
    assert letters["VISITNUM"] == "H"
    assert proposed(frame)["VISITNUM"] == "other"


@pytest.mark.parametrize("name", TABLES)
def test_what_singles_people_out_is_never_left_as_it_is(name):
    frame, _ = frame_of(name)
    for column, role in proposed(frame).items():
        alone = (frame[column].drop_nulls().value_counts()["count"] == 1).sum() / frame.height
        assert role not in ("other", "publish_as_is") or alone <= 0.05, column


@pytest.mark.parametrize("name", TABLES)
def test_reasons_are_sentences_without_a_value(name):
    frame, _ = frame_of(name)
    for column, guess in infer_roles(read_table(frame)).items():
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
    frame, _ = frame_of(name)
    assert [column for column, role in proposed(frame).items() if role == "person"] == [person]


@pytest.mark.parametrize("name", ["staff", "pupils", "survey", "census", "columns_without_names"])
def test_rows_are_people_where_no_key_repeats(name):
    frame, _ = frame_of(name)
    assert "person" not in proposed(frame).values()
