"""How much risk is too much: thresholds of regulators by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from shoal.exceptions import InvalidParameterError


@dataclass(frozen=True)
class Threshold:
    """The largest risk that is accepted for an audience.

    Parameters
    ----------
    name : str
        ``internal``, ``partner``, ``public``, or the name a regulator is known by.
    risk : float
        Largest chance of success, beyond what a guess or a control has.
    forms : bool
        Whether attacks on the way of writing (interval ends, downcoding, files) count too.
    source : str
        Where the number is from.
    """

    name: str
    risk: float
    forms: bool = False
    source: str = ""

    @property
    def k(self) -> int:
        """The smallest crowd whose members are at no higher risk."""
        return round(1 / self.risk)


THRESHOLDS: Mapping[str, Threshold] = MappingProxyType(
    {
        threshold.name: threshold
        for threshold in (
            Threshold("internal", 1 / 3, source="practice: cells of three"),
            Threshold("partner", 1 / 5, source="practice: cells of five"),
            Threshold("public", 1 / 11, True, "EMA policy 0070 and Health Canada: 0.09"),
            Threshold("ema", 1 / 11, True, "EMA policy 0070 (2014): 0.09 for public release"),
            Threshold(
                "health-canada", 1 / 11, True, "Public release of clinical information: 0.09"
            ),
            Threshold("cms", 1 / 11, True, "US CMS cell size policy: no cell under 11"),
        )
    }
)


def find_threshold(name: str | None) -> Threshold:
    """Return the threshold of a name; ``internal`` if none is given.

    >>> find_threshold("public").k, round(find_threshold("public").risk, 3)
    (11, 0.091)
    """
    if name is None:
        return THRESHOLDS["internal"]
    if name not in THRESHOLDS:
        raise InvalidParameterError(
            f"There is no threshold named {name!r}.", hint=f"Choose from {', '.join(THRESHOLDS)}."
        )
    return THRESHOLDS[name]
