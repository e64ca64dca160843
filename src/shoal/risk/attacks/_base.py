"""What every attack is: a scenario in words, three rates, and an interval."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from shoal.risk.attacks._rates import wilson
from shoal.typing import FloatArray

if TYPE_CHECKING:
    from shoal.risk.attacks._scene import AttackScene


@dataclass(frozen=True)
class AttackResult:
    """How an attack went; rates are between 0 and 1, and speak of people.

    Parameters
    ----------
    name : str
        The attack.
    rate : float
        How often the attacker is right about a person of the release.
    baseline : float
        How often a guess is right that does not look at the release, or looks at no person in it.
    control : float or None
        How often the same attack is right about people who were held out before anonymizing: what
        is true of people at large is not a leak. None if nobody was held out.
    people : int
        How many people were attacked.
    note : str
        What a reader should know of this run.
    applies : bool
        False if there was nothing to attack.
    control_counts : bool
        Whether what succeeds on people held out is no leak. Not so for linkage: there the control
        says how often the attacker points at a row of somebody who is not there.
    upper_bound : bool
        Whether the rate is what an attacker claims at most, because values were moved and nobody
        here knows where to.
    details : mapping of str to float
        Further numbers by name.

    Examples
    --------
    >>> result = AttackResult("inference", rate=0.6, baseline=0.2, control=0.5, people=1000)
    >>> round(result.risk, 3), [round(end, 3) for end in result.interval]
    (0.2, [0.569, 0.63])
    """

    name: str
    rate: float
    baseline: float = 0.0
    control: float | None = None
    people: int = 0
    note: str = ""
    applies: bool = True
    control_counts: bool = True
    upper_bound: bool = False
    details: dict[str, float] = field(default_factory=dict)

    @classmethod
    def skipped(cls, name: str, why: str) -> AttackResult:
        """Say that an attack has nothing to attack here, and why."""
        return cls(name, rate=0.0, note=why, applies=False)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the rate lies with 95 % confidence, as far as the people attacked are a sample."""
        return wilson(self.rate * self.people, self.people)

    @property
    def risk(self) -> float:
        """What the release adds: the rate beyond baseline and control, as a share of the rest."""
        control = self.control if self.control_counts else None
        known = max(self.baseline, control or 0.0)
        return max(0.0, (self.rate - known) / (1 - known)) if known < 1 else 0.0

    @classmethod
    def of_chances(
        cls,
        name: str,
        everybody: int,
        joined: FloatArray,
        apart: FloatArray,
        *,
        note: str = "",
        details: Mapping[str, float] | None = None,
    ) -> AttackResult:
        """Sum up the chances to point at each person where a pseudonym joins, and where none does.

        The baseline points at anybody; the control is the same attacker for whom nothing joins.
        """
        return cls(
            name,
            rate=float(joined.mean()),
            baseline=1 / everybody,
            control=float(apart.mean()),
            people=int(joined.size),
            note=note,
            details=dict(details or {}),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON values."""
        return {
            "name": self.name,
            "rate": self.rate,
            "baseline": self.baseline,
            "control": self.control,
            "interval": list(self.interval),
            "people": self.people,
            "risk": self.risk,
            "applies": self.applies,
            "upper_bound": self.upper_bound,
            "note": self.note,
            **({"details": dict(self.details)} if self.details else {}),
        }

    def __str__(self) -> str:
        if not self.applies:
            return f"{self.name}: not tried. {self.note}"
        low, high = self.interval
        control = "" if self.control is None else f", held out {self.control:.4f}"
        return (
            f"{self.name}: {self.rate:.4f} [{low:.4f}, {high:.4f}]"
            f" (guessing {self.baseline:.4f}{control}; {self.people:,} people)"
        )


class Attack(ABC):
    """An attack: frozen knowledge of how to try it, and a `run` that tries it on a scene.

    ``goal`` says what the attacker wants: ``person`` (whose row is it), ``value`` (what is their
    secret), ``member`` (are they in it) or ``form`` (what the way of writing gives away).
    """

    name: ClassVar[str]
    title: ClassVar[str]
    scenario: ClassVar[str]
    goal: ClassVar[str] = "person"
    citation: ClassVar[str] = ""

    @abstractmethod
    def run(self, scene: AttackScene) -> AttackResult:
        """Attack the people of a scene."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
