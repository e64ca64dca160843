"""Numbers and lists as a reader expects them."""

from __future__ import annotations

import math

SPACE = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"


def percent(share: float) -> str:
    """Print a share; what is not zero is never printed as zero.

    >>> percent(0.0769), percent(1), percent(0), percent(0.0001)
    ('7.7\\xa0%', '100\\xa0%', '0\\xa0%', '<0.1\\xa0%')
    """
    if 0 < share < 0.001:
        return f"<0.1{SPACE}%"
    text = f"{100 * share:.1f}".removesuffix(".0")
    return f"{text}{SPACE}%"


def amount(number: float) -> str:
    """Print a number with its thousands apart, and as many decimals as it deserves.

    >>> amount(30162), amount(0.07651), amount(12.345), amount(math.inf)
    ('30,162', '0.0765', '12.3', 'unbounded')
    """
    if math.isinf(number):
        return "unbounded"
    if number == int(number):
        return f"{int(number):,}"
    return f"{number:,.1f}" if abs(number) >= 10 else f"{number:.3g}"
