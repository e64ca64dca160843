"""A summary as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from shoal.report._summary import Summary


def render_json(summary: Summary) -> str:
    """Write a summary as one JSON object; numbers without bound are the string ``"inf"``."""
    data = asdict(summary) | {"holds": summary.holds}
    return json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False)


def plain(value: Any) -> Any:
    """Turn values into what JSON can hold.

    >>> plain({"t": Fraction(1, 2), "beta": math.inf, "sizes": (1, 2)})
    {'t': 0.5, 'beta': 'inf', 'sizes': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, Fraction):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "inf" if value > 0 else "-inf"
    return value
