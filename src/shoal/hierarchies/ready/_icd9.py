"""ICD-9: diagnoses by category and chapter, as older tables of hospitals have them."""

from __future__ import annotations

import re
from bisect import bisect_right

from shoal.hierarchies.ready._base import ReadyLadder

_CODE = re.compile(r"(\d{1,3}|V\d\d|E\d{3})(?:\.\d{0,2})?")
# The first category of each chapter of numbers, and the last of all.
_CHAPTERS = (
    1,
    140,
    240,
    280,
    290,
    320,
    390,
    460,
    520,
    580,
    630,
    680,
    710,
    740,
    760,
    780,
    800,
    1000,
)


def icd9_steps(value: str) -> tuple[str, ...] | None:
    """Category and chapter of a code; V and E codes are chapters of their own.

    >>> icd9_steps("250.83"), icd9_steps("8"), icd9_steps("V57"), icd9_steps("E11.9")
    (('250', '240-279'), ('008', '001-139'), ('V57', 'V01-V91'), None)
    """
    code = _CODE.fullmatch(value.strip().upper())
    if code is None or code[1].strip("0") == "":
        return None
    if code[1][0] in "VE":
        return code[1], "V01-V91" if code[1][0] == "V" else "E000-E999"
    number = int(code[1])
    at = bisect_right(_CHAPTERS, number)
    return f"{number:03d}", f"{_CHAPTERS[at - 1]:03d}-{_CHAPTERS[at] - 1:03d}"


ICD9 = ReadyLadder(
    "icd9",
    "ICD-9 codes",
    ("category", "chapter"),
    icd9_steps,
    named=r"icd ?9|diag|\bdx",  # numbers up to 999 could be anything
)
