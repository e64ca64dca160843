"""Questions on one scale and measures with decimals: what most of them are, the others are."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.table._cells import Distinct
from shoal.table._kinds import Guess
from shoal.table.recognizing import Look, keep_scales
from shoal.table.recognizing._second_opinion import LIKE_OTHERS

KEPT = Guess("sensitive", "How people are.")
UNKNOWN = Guess("other", "Neither its name nor its values point to a person.")
BY_NAME = Guess("quasi_identifier", "Its name is that of a family.")
APART = Guess("quasi_identifier", "It alone tells 30% of the rows from all others.")
HOW = "do you feel that your family is there for you"


def looks_of(**columns):
    return {
        name: Look(
            name,
            "numeric" if texts[0].replace(".", "").isdigit() else "nominal",
            Distinct.of(pl.Series(texts)),
        )
        for name, texts in columns.items()
    }


def points(low: int, high: int) -> list[str]:
    return [str(n) for n in range(low, high + 1)] * 9


@pytest.mark.parametrize(
    ("name", "guess", "texts", "kept"),
    [
        ("helped", UNKNOWN, points(1, 5), True),
        ("helped", APART, points(2, 5), True),  # nobody answered 1
        (HOW, BY_NAME, points(1, 5), True),  # a whole question reminds of a fact by a word
        ("family", BY_NAME, points(1, 5), False),
        ("year_of_study", BY_NAME, points(1, 5), False),
        ("children", UNKNOWN, points(0, 9), False),  # another scale
        ("name", Guess("identifier", "A name."), points(1, 5), False),
        ("left", Guess("target", "What is to be learned."), points(1, 5), False),
    ],
)
def test_what_is_answered_as_most_secrets_are_is_kept(name, guess, texts, kept) -> None:
    beside = {f"mood{letter}": points(1, 5) for letter in "abcd"}
    looks = looks_of(**beside, **{name: texts})
    found = keep_scales(looks, {**dict.fromkeys(beside, KEPT), name: guess})
    assert (found[name].choice == "sensitive") == kept
    assert kept or found[name] == guess


def test_words_are_a_scale_too_but_yes_and_no_are_none() -> None:
    often = ["never", "seldom", "often", "always"] * 9
    looks = looks_of(**dict.fromkeys(("a", "b", "c", "d", "e"), often))
    found = keep_scales(looks, {**dict.fromkeys("abcd", KEPT), "e": UNKNOWN})
    assert found["e"].choice == "sensitive"
    looks = looks_of(**dict.fromkeys(("a", "b", "c", "d", "e"), ["yes", "no"] * 9))
    found = keep_scales(looks, {**dict.fromkeys("abcd", KEPT), "e": UNKNOWN})
    assert found["e"] == UNKNOWN


def test_statements_in_words_are_answers_though_they_are_like_facts_elsewhere() -> None:
    often = ["never", "seldom", "often", "always"] * 9
    guess = LIKE_OTHERS["quasi_identifier"]
    for name, kept in ((HOW, True), ("family", False)):
        looks = looks_of(**dict.fromkeys(("a", "b", "c", "d", name), often))
        found = keep_scales(looks, {**dict.fromkeys("abcd", KEPT), name: guess})
        assert (found[name].choice == "sensitive") == kept


def test_where_half_are_kept_the_others_stay_as_they_are() -> None:
    looks = looks_of(**dict.fromkeys(("a", "b", "c", "d"), points(1, 5)))
    guesses = {"a": KEPT, "b": KEPT, "c": UNKNOWN, "d": UNKNOWN}
    assert keep_scales(looks, guesses) == guesses


@pytest.mark.parametrize(("names", "kept"), [("abcd", True), ("abc", False)])
def test_several_numbers_with_decimals_are_measures(names, kept) -> None:
    marks = [f"{n / 4}" for n in range(41)]
    found = keep_scales(looks_of(**dict.fromkeys(names, marks)), dict.fromkeys(names, APART))
    assert {guess.choice for guess in found.values()} == {
        "sensitive" if kept else "quasi_identifier"
    }
    counts = [str(n) for n in range(60)]
    looks = looks_of(**dict.fromkeys(names, counts))
    assert keep_scales(looks, dict.fromkeys(names, APART)) == dict.fromkeys(names, APART)
