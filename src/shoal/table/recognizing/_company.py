"""Columns that nothing is known of, judged by the company they keep."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.table._kinds import Guess
from shoal.table.recognizing._look import Look
from shoal.table.recognizing._secrets import HEALTH, MEASURED

FEWEST = 3  # columns about body and mind
SHARE = 0.3  # of the columns that are published
FEW = 11  # distinct values of an answer
ANSWERS = Guess("sensitive", "It stands among columns about health, and its name says nothing.")


def keep_company(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Keep answers of which nothing is known to the people, in a table that is about health.

    ``goitre``, ``lithium`` and ``Thal`` are in no vocabulary that is short enough to be read, but
    they stand beside ``tumor``, ``pregnant`` and ``cholesterol``.
    """
    published = [n for n, guess in guesses.items() if guess.choice not in ("identifier", "drop")]
    kept = [n for n in published if guesses[n].choice == "sensitive"]
    health = [n for n in kept if looks[n].named(HEALTH) or looks[n].named(MEASURED)]
    if len(health) < max(FEWEST, SHARE * len(published)):
        return dict(guesses)
    plain = {n for n in published if guesses[n].choice == "other"}
    unknown = {n for n in plain if 1 < looks[n].size <= FEW}
    return {name: ANSWERS if name in unknown else guess for name, guess in guesses.items()}
