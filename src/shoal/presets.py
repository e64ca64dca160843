"""Presets: floors under a release for whom it is meant, after the practice of regulators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.exceptions import BelowPresetError, InvalidParameterError

DEFAULT_K = 10  # where nothing is said; the only place that says so
HOW = {"k": "k = {0} (-k {0})", "l": "l = {0} (-l COLUMN={0})"}


@dataclass(frozen=True)
class Preset:
    """The least that a release for a certain audience must hold.

    Parameters
    ----------
    name : str
        ``internal``, ``partner`` or ``public``.
    k : int
        Smallest group; 11 for the public is the 0.09 of EMA policy 0070 and Health Canada.
    l : int or None
        Fewest distinct sensitive values in a group.
    grid : bool
        Whether interval ends must lie on a grid, so that none is a person's exact value.
    unlinkable : bool
        Whether moved values are refused if linkage attacks find people more often than one in m.
    accounted : bool
        Whether columns that single people out are refused unless they were accepted by name.

    Examples
    --------
    >>> PRESETS["public"].raise_value("l", None), PRESETS["public"].raise_value("l", 5)
    (3, 5)
    """

    name: str
    k: int
    l: int | None = None
    grid: bool = False
    unlinkable: bool = False
    accounted: bool = False

    def raise_value(self, key: str, asked: Any) -> Any:
        """Return what to use for a key such as ``k`` or ``l``; less than its floor is an error."""
        floor = {"k": self.k, "l": self.l}.get(key)
        if asked is not None and floor is not None and asked < floor:
            raise BelowPresetError(
                f"The preset {self.name!r} asks for {key} of at least {floor}.",
                hint=f"Ask for {HOW[key].format(floor)}, or take a preset for a smaller audience.",
            )
        return floor if asked is None else asked


PRESETS = {
    preset.name: preset
    for preset in (
        Preset("internal", k=3),
        Preset("partner", k=5, l=2, unlinkable=True, accounted=True),
        Preset("public", k=11, l=3, grid=True, unlinkable=True, accounted=True),
    )
}


def choose_k(asked: int | None, preset: str | None = None) -> int:
    """Return the k to use: what was asked for, else the default, raised to the floor of a preset.

    >>> choose_k(None), choose_k(None, "public"), choose_k(None, "internal"), choose_k(4)
    (10, 11, 10, 4)
    """
    floor = None if preset is None else find_preset(preset)
    least = floor.raise_value("k", asked) if floor is not None else asked
    return max(DEFAULT_K, least or 0) if asked is None else asked


def find_preset(name: str | None) -> Preset | None:
    """Return the preset of a name; None stays None."""
    if name is None:
        return None
    if name not in PRESETS:
        raise InvalidParameterError(
            f"There is no preset named {name!r}.", hint=f"Choose from {', '.join(PRESETS)}."
        )
    return PRESETS[name]
