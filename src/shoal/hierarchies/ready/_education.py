"""Education: what somebody finished, by levels like those of ISCED 2011 (UNESCO)."""

from __future__ import annotations

import re

from shoal.hierarchies.ready._base import ReadyLadder, simple

# Level, stage, and patterns in text without accents and capitals. The first line that has a word
# of a value decides, so what is said in more words stands higher.
_LEVELS = r"""
lower secondary; secondary; less than (a )?(high|hs)
doctoral; tertiary; doctor, \bphd\b, \bdr\b, doktor, dottorato
master; tertiary; master, magister, \bm ?sc\b, \bmba\b, diplom\b, prof school, \bpostgraduate
master; tertiary; professional (degree|school), graduate degree, laurea magistrale
bachelor; tertiary; bachelor, bakkalaure, \bb ?sc\b, college (graduate|degree), laurea, licence
bachelor; tertiary; licenciatura, fachhochschul, universit, universidad, hochschul, tertiary
short tertiary; tertiary; assoc, some college, junior college, \bbts\b, \bdut\b, kolleg\b
post-secondary; secondary; post ?secondary, \bmeister, vocational, fachschul, prof\w* course
upper secondary; secondary; upper secondary, hs grad, high school, \bged\b, abitur, matura
upper secondary; secondary; \bbaccalaureat, bachillerato, maturita, lehre\b, apprentice, gymnasium
upper secondary; secondary; \b1[0-2]th, \b9th, \bahs\b, \bbhs\b, \bbms\b, diploma\b
upper secondary; secondary; grade (9|1[012])
lower secondary; secondary; secondary, hauptschul, realschul, mittelschul, middle, \b[78]th, basic 9
lower secondary; secondary; pflichtschul, brevet, \beso\b, licenza media, secundari, secondaire
lower secondary; secondary; grade [78]
primary; primary or less; primar, elementar, volksschul, grundschul, \b(1st|2nd|3rd|[456]th)
primary; primary or less; grade [1-6], basic
early or none; primary or less; preschool, kindergarten, \bnone\b, \bno (schooling|education)
early or none; primary or less; no formal, children, illiterate, \bkein, \baucun, \bningun, \bnessun
"""
_PATTERNS = tuple(
    ((level, stage), re.compile(words.replace(", ", "|")))
    for level, stage, words in (line.split("; ") for line in _LEVELS.strip().splitlines())
)


def education_steps(value: str) -> tuple[str, ...] | None:
    """Level and stage of schooling in words.

    Reads usual words in English, German, French, Spanish and Italian. Systems differ: look at
    what ``shoal hierarchy scaffold`` makes of yours.

    >>> education_steps("Bachelors"), education_steps("Matura"), education_steps("blue")
    (('bachelor', 'tertiary'), ('upper secondary', 'secondary'), None)
    """
    words = simple(value)
    return next((above for above, pattern in _PATTERNS if pattern.search(words)), None)


EDUCATION = ReadyLadder("education", "levels of education", ("level", "stage"), education_steps)
