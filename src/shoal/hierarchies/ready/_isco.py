"""ISCO-08: occupations by the digits of their code (International Labour Office)."""

from __future__ import annotations

import re

from shoal.hierarchies.ready._base import ReadyLadder

_SUB_MAJOR = "0[1-3]|1[1-4]|2[1-6]|3[1-5]|4[1-4]|5[1-4]|6[1-3]|7[1-5]|8[1-3]|9[1-6]"
_CODE = re.compile(rf"(?:{_SUB_MAJOR})\d{{0,2}}")


def isco_steps(value: str) -> tuple[str, ...] | None:
    """Minor, sub-major and major group of a code.

    >>> isco_steps("2221"), isco_steps("9999")
    (('222*', '22**', '2***'), None)
    """
    code = value.strip()
    if _CODE.fullmatch(code) is None:
        return None
    return code[:3].ljust(4, "*"), code[:2].ljust(4, "*"), code[0].ljust(4, "*")


ISCO = ReadyLadder(
    "isco",
    "ISCO-08 codes of occupations",
    ("minor group", "sub-major group", "major group"),
    isco_steps,
    named=r"isco|occupation|profession|beruf|profesion|\bjob",  # four digits could be anything
)
