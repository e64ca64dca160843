"""ICD-10: diagnoses by category, block and chapter."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from shoal.hierarchies.ready._base import ReadyLadder

# Without a dot the fourth character is no letter but X: A10BA02 is a substance.
_CODE = re.compile(r"([A-Z]\d[0-9AB])(?:\.[0-9A-Z]{1,4}|[0-9X][0-9A-Z]{0,3}|\.?-)?[+*!\N{DAGGER}]?")

# Chapter, then its blocks, by their first and last category (WHO, 10th revision). Chapters reach
# as far as those of national modifications do; a category in no block stands under its chapter.
_CHAPTERS = """
A00-B99: A00-A09 A15-A19 A20-A28 A30-A49 A50-A64 A65-A69 A70-A74 A75-A79 A80-A89 A92-A99 B00-B09
  B15-B19 B20-B24 B25-B34 B35-B49 B50-B64 B65-B83 B85-B89 B90-B94 B95-B98 B99-B99
C00-D49: C00-C14 C15-C26 C30-C39 C40-C41 C43-C44 C45-C49 C50-C50 C51-C58 C60-C63 C64-C68 C69-C72
  C73-C75 C76-C80 C81-C96 C97-C97 D00-D09 D10-D36 D37-D49
D50-D90: D50-D53 D55-D59 D60-D64 D65-D69 D70-D77 D80-D90
E00-E90: E00-E07 E10-E14 E15-E16 E20-E35 E40-E46 E50-E64 E65-E68 E70-E90
F00-F99: F00-F09 F10-F19 F20-F29 F30-F39 F40-F48 F50-F59 F60-F69 F70-F79 F80-F89 F90-F98 F99-F99
G00-G99: G00-G09 G10-G14 G20-G26 G30-G32 G35-G37 G40-G47 G50-G59 G60-G64 G70-G73 G80-G83 G90-G99
H00-H59: H00-H06 H10-H13 H15-H22 H25-H28 H30-H36 H40-H42 H43-H45 H46-H48 H49-H52 H53-H54 H55-H59
H60-H95: H60-H62 H65-H75 H80-H83 H90-H95
I00-I99: I00-I02 I05-I09 I10-I15 I20-I25 I26-I28 I30-I52 I60-I69 I70-I79 I80-I89 I95-I99
J00-J99: J00-J06 J09-J18 J20-J22 J30-J39 J40-J47 J60-J70 J80-J84 J85-J86 J90-J94 J95-J99
K00-K95: K00-K14 K20-K31 K35-K38 K40-K46 K50-K52 K55-K64 K65-K67 K70-K77 K80-K87 K90-K95
L00-L99: L00-L08 L10-L14 L20-L30 L40-L45 L50-L54 L55-L59 L60-L75 L80-L99
M00-M99: M00-M25 M30-M36 M40-M54 M60-M79 M80-M94 M95-M99
N00-N99: N00-N08 N10-N16 N17-N19 N20-N23 N25-N29 N30-N39 N40-N51 N60-N64 N70-N77 N80-N98 N99-N99
O00-O9A: O00-O08 O10-O16 O20-O29 O30-O48 O60-O75 O80-O84 O85-O92 O94-O9A
P00-P96: P00-P04 P05-P08 P10-P15 P20-P29 P35-P39 P50-P61 P70-P74 P75-P78 P80-P83 P90-P96
Q00-Q99: Q00-Q07 Q10-Q18 Q20-Q28 Q30-Q34 Q35-Q37 Q38-Q45 Q50-Q56 Q60-Q64 Q65-Q79 Q80-Q89 Q90-Q99
R00-R99: R00-R09 R10-R19 R20-R23 R25-R29 R30-R39 R40-R46 R47-R49 R50-R69 R70-R79 R80-R82 R83-R89
  R90-R94 R95-R99
S00-T98: S00-S09 S10-S19 S20-S29 S30-S39 S40-S49 S50-S59 S60-S69 S70-S79 S80-S89 S90-S99 T00-T07
  T08-T14 T15-T19 T20-T32 T33-T35 T36-T50 T51-T65 T66-T78 T79-T79 T80-T89 T90-T98
U00-U99: U00-U49 U50-U79 U80-U89 U90-U99
V00-Y99: V00-V99 W00-X59 X60-X84 X85-Y09 Y10-Y34 Y35-Y38 Y40-Y84 Y85-Y89 Y90-Y99
Z00-Z99: Z00-Z13 Z20-Z29 Z30-Z39 Z40-Z54 Z55-Z65 Z66-Z69 Z70-Z76 Z77-Z99
"""


def icd10_steps(value: str) -> tuple[str, ...] | None:
    """Category, block and chapter of a code of the WHO or of a national modification (CM, GM).

    >>> icd10_steps("E11.9"), icd10_steps("e119"), icd10_steps("flu")
    (('E11', 'E10-E14', 'E00-E90'), ('E11', 'E10-E14', 'E00-E90'), None)
    """
    code = _CODE.fullmatch(value.strip().upper())
    chapter = None if code is None else _holding(code[1], list(_RANGES))
    if code is None or chapter is None:
        return None
    return code[1], _holding(code[1], _RANGES[chapter]) or chapter, chapter


def mostly_without_dot(values: Sequence[str]) -> bool:
    """Tell E11.9 from what only looks like a code without its dot: S200003 is a student."""
    return 2 * sum("." in value for value in values) < len(values)


ICD10 = ReadyLadder(
    "icd10",
    "ICD-10 codes",
    ("category", "block", "chapter"),
    icd10_steps,
    named=r"icd|diag|\bdx|disease|illness|morb|krank|cause|condition",
    ambiguous=mostly_without_dot,
)


def _read(text: str) -> dict[str, list[str]]:
    """Read chapters with their blocks."""
    found: dict[str, list[str]] = {}
    for part in text.replace("\n  ", " ").strip().splitlines():
        chapter, _, blocks = part.partition(": ")
        found[chapter] = blocks.split()
    return found


_RANGES = _read(_CHAPTERS)


def _holding(category: str, ranges: list[str]) -> str | None:
    """Find the range that holds a category; ranges ascend and do not overlap."""
    at = bisect_right(ranges, category, key=lambda name: name[:3]) - 1
    return ranges[at] if at >= 0 and category <= ranges[at][4:] else None
