"""Ready ladders: public systems whose codes or names say by themselves what stands above them.

===============  =====================================================================
``icd10``        code, category, block, chapter
``icd9``         code, category, chapter
``atc``          substance, chemical, pharmacological, therapeutic, anatomical group
``countries``    ISO 3166 or a name, UN sub-region, UN region
``us_states``    states of the US, division, region
``education``    words in some languages, level, stage
``isco``         occupation, minor, sub-major, major group
``postal:us``    ZIP, sectional centre, zone; ``postal:`` with other countries likewise
``ages``         years by 5, 10 and 20
===============  =====================================================================

A plan names one by its word, `ready_ladder` makes it in Python, and `recognize_ladder` tells which
one the values of a column fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal._checks import did_you_mean
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies._base import Hierarchy
from shoal.hierarchies.ready._ages import Ages
from shoal.hierarchies.ready._atc import ATC
from shoal.hierarchies.ready._base import OTHER, ReadyLadder
from shoal.hierarchies.ready._countries import COUNTRIES
from shoal.hierarchies.ready._education import EDUCATION
from shoal.hierarchies.ready._icd9 import ICD9
from shoal.hierarchies.ready._icd10 import ICD10, icd10_steps
from shoal.hierarchies.ready._isco import ISCO
from shoal.hierarchies.ready._postal import POSTAL
from shoal.hierarchies.ready._us_states import US_STATES

__all__ = [
    "OTHER",
    "READY",
    "Ages",
    "ReadyLadder",
    "RecognizedLadder",
    "icd10_steps",
    "ready_ladder",
    "recognize_ladder",
]

LADDERS = (ICD10, ICD9, ATC, COUNTRIES, US_STATES, EDUCATION, ISCO, *POSTAL)
READY: dict[str, Hierarchy] = {**{ladder.word: ladder for ladder in LADDERS}, "ages": Ages()}
FITS = 0.9  # of the distinct values, before a ladder is proposed
FEWEST = 3  # distinct values that are worth one


def ready_ladder(word: str) -> Hierarchy:
    """Return the ladder of a word.

    >>> ready_ladder("icd10").arrange(["E11.9", "E10.1", "J45"]).node_labels[3:]
    ('E10-E14', '*')
    """
    if word not in READY:
        raise InvalidParameterError(
            f"There is no ready ladder {word!r}.", hint=did_you_mean(word, READY)
        )
    return READY[word]


@dataclass(frozen=True)
class RecognizedLadder:
    """A ready ladder that fits a column, and how many of its distinct values it knows."""

    word: str
    title: str
    covered: int
    total: int

    @property
    def reason(self) -> str:
        """Say why it fits, and what does not.

        >>> RecognizedLadder("icd10", "ICD-10 codes", 528, 531).reason
        "Its values are ICD-10 codes; 3 of 531 are not and stand under 'other'."
        """
        rest = self.total - self.covered
        others = f"; {rest:,} of {self.total:,} are not and stand under {OTHER!r}" if rest else ""
        return f"Its values are {self.title}{others}."


def recognize_ladder(name: str, values: Sequence[str]) -> RecognizedLadder | None:
    """Find the ready ladder that knows most of a column's values; None if none knows enough.

    Parameters
    ----------
    name : str
        The column, for codes that look alike in several systems.
    values : sequence of str
        Its distinct values.

    Examples
    --------
    >>> recognize_ladder("diagnosis", ["E11.9", "E10.1", "J45", "A09.0"]).word
    'icd10'
    >>> recognize_ladder("state", ["CA", "IN", "GA"]).word  # and no countries
    'us_states'
    """
    if len(values) < FEWEST:
        return None
    sample = values[:: -(-len(values) // 500)]  # enough to see that a column holds something else
    fitting = [
        ladder
        for ladder in LADDERS
        if ladder.count_covered(sample) >= FITS * len(sample) and ladder.may_be(name, sample)
    ]
    if not fitting:
        return None
    covered, ladder = max(
        ((ladder.count_covered(values), ladder) for ladder in fitting), key=lambda pair: pair[0]
    )
    if covered < FITS * len(values):
        return None
    return RecognizedLadder(ladder.word, ladder.title, covered, len(values))
