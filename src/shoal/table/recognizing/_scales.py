"""Questions answered on one scale, and measures with decimals: all or none are kept.

A questionnaire asks how people are and what they think, question by question with the same
answers. Where most of them are kept, so are the others, whatever a word in them reminds of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shoal.table._kinds import Guess
from shoal.table.recognizing._look import Look
from shoal.table.recognizing._second_opinion import LIKE_OTHERS

FEWEST = 4  # columns on one scale
MOST_KEPT = 0.5  # of them: then the others are kept, too
ANSWERS = range(3, 12)  # on a scale: yes and no is none, 0 to 10 is one
LARGEST = 20  # of measures with decimals, such as marks
TELLS_APART = ("It alone tells ", "It tells ")
ONE_SCALE = Guess("sensitive", "It is answered as most questions that people keep to themselves.")
MEASURES = Guess(
    "sensitive", "It is one of several numbers with decimals: measures or marks, known to few."
)


def keep_scales(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Keep columns that are answered or measured as those beside them are, which are kept.

    >>> import polars as pl
    >>> from shoal.table._cells import Distinct
    >>> answers = Distinct.of(pl.Series(["1", "2", "3", "4", "5"] * 9))
    >>> looks = {n: Look(n, "numeric", answers) for n in ("calm", "tired", "angry", "helped")}
    >>> kept, unknown = Guess("sensitive", "How people are."), Guess("other", "Unknown.")
    >>> found = keep_scales(looks, {**dict.fromkeys(looks, kept), "helped": unknown})
    >>> print(found["helped"])
    sensitive (It is answered as most questions that people keep to themselves.)
    """
    found = dict(guesses)
    for scale in _scales(looks):
        kept = [name for name in scale if guesses[name].choice == "sensitive"]
        if len(scale) >= FEWEST and len(kept) > MOST_KEPT * len(scale):
            found |= {n: ONE_SCALE for n in scale if _gives_way(looks[n], guesses[n])}
    unknown = [n for n, guess in guesses.items() if _is_measure(looks[n], guess)]
    return found | (dict.fromkeys(unknown, MEASURES) if len(unknown) >= FEWEST else {})


def _scales(looks: Mapping[str, Look]) -> Iterator[list[str]]:
    """Yield the columns that have the same answers; numbers, if they run as far."""
    scales: dict[object, list[str]] = {}
    for name, look in looks.items():
        if look.size in ANSWERS and look.kind != "date":
            whole = look.kind == "numeric" and look.are_whole
            scales.setdefault(look.most if whole else look.answers, []).append(name)
    yield from scales.values()


def _gives_way(look: Look, guess: Guess) -> bool:
    """Whether little is known of a column, or a whole question reminds of a fact by a word."""
    likened = guess == LIKE_OTHERS["quasi_identifier"]
    asked = look.is_question and (
        likened or (look.kind == "numeric" and guess.choice == "quasi_identifier")
    )
    return guess.choice == "other" or asked or _only_tells_apart(guess)


def _is_measure(look: Look, guess: Guess) -> bool:
    """Whether nothing is known of numbers with decimals but that they tell people apart."""
    numbers = look.kind == "numeric" and look.most <= LARGEST < look.size
    return numbers and _only_tells_apart(guess)


def _only_tells_apart(guess: Guess) -> bool:
    return guess.choice == "quasi_identifier" and guess.reason.startswith(TELLS_APART)
