"""Columns that nothing is known of, judged by the company they keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shoal.table._kinds import Guess
from shoal.table.recognizing._look import Look
from shoal.table.recognizing._secrets import HEALTH, LAW, MEASURED
from shoal.table.recognizing._vocabulary import ARRANGED, KEYS, TAUGHT, any_of

FEWEST = 3  # columns about one thing
SHARE = 0.3  # of the columns that are published
NAMED_SHARE = 0.1  # the same, if the name of the file says what the table is about
FEW = 15  # distinct values of an answer, or of a scale

MARKS = Guess("sensitive", "It stands among other subjects of a school, so its values are marks.")
#: What a table can be about -> words of names that say so.
SUBJECTS = {
    "health": f"{HEALTH} {MEASURED}",
    "crimes and courts": LAW,
}


def keep_company(
    looks: Mapping[str, Look], guesses: Mapping[str, Guess], titles: Iterable[str] = ()
) -> dict[str, Guess]:
    """Keep answers of which nothing is known to the people, in a table about what they keep.

    ``goitre``, ``lithium`` and ``Thal`` are in no vocabulary that is short enough to be read, but
    they stand beside ``tumor``, ``pregnant`` and ``cholesterol``. ``titles`` are the words of the
    table's own name.
    """
    published = [n for n, guess in guesses.items() if guess.choice not in ("identifier", "drop")]
    guesses = _keep_marks(looks, guesses, published)
    kept = [n for n in published if guesses[n].choice in ("sensitive", "target")]
    for subject, words in SUBJECTS.items():
        about = sum(looks[name].named(words) for name in kept)
        titled = any_of(words, titles)
        if about >= (max(1, NAMED_SHARE * len(published)) if titled else _enough(published)):
            reason = f"It stands among columns about {subject}, and its name says nothing."
            unknown = {n for n in published if _is_unknown(looks[n], guesses[n])}
            answer = Guess("sensitive", reason)
            return {name: answer if name in unknown else guess for name, guess in guesses.items()}
    return dict(guesses)


def _keep_marks(
    looks: Mapping[str, Look], guesses: Mapping[str, Guess], published: list[str]
) -> dict[str, Guess]:
    """Keep numbers under the names of what is taught at school, where there are several."""
    taught = [n for n in published if looks[n].named(TAUGHT) and looks[n].kind == "numeric"]
    enough = len(taught) >= _enough(published)
    unknown = {n for n in taught if enough and guesses[n].choice == "other"}
    return {name: MARKS if name in unknown else guess for name, guess in guesses.items()}


def _enough(published: list[str]) -> float:
    return max(FEWEST, SHARE * len(published))


def _is_unknown(look: Look, guess: Guess) -> bool:
    """Whether it is an answer, proposed as it is, that is not about how data were gathered."""
    answer = guess.choice == "other" and 1 < look.size <= FEW
    return answer and not (
        look.is_question or look.named(ARRANGED) or any_of(KEYS, look.words[-2:-1])
    )
