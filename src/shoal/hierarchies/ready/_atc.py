"""ATC: substances by the anatomical therapeutic chemical classification (WHO)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shoal.hierarchies.ready._base import ReadyLadder

_CODE = re.compile(r"[ABCDGHJLMNPRSV][0-2]\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?")


def atc_steps(value: str) -> tuple[str, ...] | None:
    """Take the first five, four, three and one characters: a code is its own ladder.

    >>> atc_steps("A10BA02"), atc_steps("A10B"), atc_steps("aspirin")
    (('A10BA', 'A10B', 'A10', 'A'), ('A10B', 'A10B', 'A10', 'A'), None)
    """
    code = value.strip().upper()
    if _CODE.fullmatch(code) is None:
        return None
    return code[:5], code[:4], code[:3], code[0]


def mostly_coarse(values: Sequence[str]) -> bool:
    """Tell substances from what only looks like a therapeutic subgroup: B12 is a seat."""
    return 2 * sum(len(value.strip()) >= 5 for value in values) < len(values)


ATC = ReadyLadder(
    "atc",
    "ATC codes",
    (
        "chemical subgroup",
        "pharmacological subgroup",
        "therapeutic subgroup",
        "anatomical group",
    ),
    atc_steps,
    named=r"\batc|drug|substance|medic|pharma|arznei|wirkstoff",
    ambiguous=mostly_coarse,
)
