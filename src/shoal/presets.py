"""Presets: floors under a release for whom it is meant, after the practice of regulators."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.exceptions import InvalidParameterError


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

    Examples
    --------
    >>> PRESETS["public"].raise_k(None), PRESETS["public"].raise_l(5)
    (11, 5)
    """

    name: str
    k: int
    l: int | None = None
    grid: bool = False
    unlinkable: bool = False

    def raise_k(self, asked: int | None, default: int = 10) -> int:
        """Return the k to use; one below the floor is wrong usage."""
        self._refuse_lower("k", asked, self.k)
        return asked if asked is not None else max(default, self.k)

    def raise_l(self, asked: int | None) -> int | None:
        """Return the l to use for sensitive columns; one below the floor is wrong usage."""
        if self.l is not None:
            self._refuse_lower("l", asked, self.l)
        return asked if asked is not None else self.l

    def _refuse_lower(self, name: str, asked: int | None, floor: int) -> None:
        if asked is not None and asked < floor:
            raise InvalidParameterError(
                f"The preset {self.name!r} asks for {name} of at least {floor}.",
                hint=f"Raise {name}, or choose a preset for a smaller audience.",
            )


PRESETS = {
    preset.name: preset
    for preset in (
        Preset("internal", k=3),
        Preset("partner", k=5, l=2, unlinkable=True),
        Preset("public", k=11, l=3, grid=True, unlinkable=True),
    )
}


def find_preset(name: str | None) -> Preset | None:
    """Return the preset of a name; None stays None."""
    if name is None:
        return None
    if name not in PRESETS:
        raise InvalidParameterError(
            f"There is no preset named {name!r}.", hint=f"Choose from {', '.join(PRESETS)}."
        )
    return PRESETS[name]
