"""Before and after in numbers: risks, attacks and losses as shares, to be ranked in one picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal._words import later, say
from shoal.privacy import average_risk, prosecutor_max_risk, sample_unique_fraction
from shoal.risk._population import PopulationUniqueness, population_uniqueness
from shoal.risk.attacks import ATTACKS, AttackReport
from shoal.typing import IntArray

What = Literal["risk", "attack", "loss"]
RISKS = {
    later("People who are alone on what describes them"): sample_unique_fraction,
    later("Chance to find the person who is easiest to find"): prosecutor_max_risk,
    later("Chance to find a person, on average"): average_risk,
}


@dataclass(frozen=True)
class Shift:
    """One share of all people or all detail, before and after; both from 0 to 1."""

    what: What
    name: str
    before: float
    after: float


@dataclass(frozen=True)
class ShiftedCrowds:
    """How many crowds of each size read alike before and after; none where none is promised."""

    before: Mapping[int, int]
    after: Mapping[int, int]

    def shifts(self, population: int | None = None) -> Iterator[Shift]:
        """Measure the risk of being found in them, also among so many people outside.

        >>> found = ShiftedCrowds(before={1: 3, 2: 1}, after={5: 1}).shifts()
        >>> [(shift.name[:12], shift.before, shift.after) for shift in found][:2]
        [('People who a', 0.6, 0.0), ('Chance to fi', 1.0, 0.2)]
        """
        if not self.before or not self.after:
            return
        before, after = _spread(self.before), _spread(self.after)
        for words, measure in RISKS.items():
            yield Shift("risk", say(words), measure(before), measure(after))
        if population is not None:
            was, now = (found.share for found in self._estimates(population))
            if was is not None and now is not None:
                yield Shift("risk", say("Alone in the whole population (estimated)"), was, now)

    def why_no_estimate(self, population: int) -> str:
        """Say why the population risk is not among the shares; nothing if it is."""
        if not self.before or not self.after:
            return ""
        reasons = [found.reason for found in self._estimates(population) if found.share is None]
        return reasons[0] if reasons else ""

    def _estimates(self, population: int) -> list[PopulationUniqueness]:
        before, after = _spread(self.before), _spread(self.after)
        fraction = min(1.0, int(before.sum()) / population)
        return [population_uniqueness(sizes, fraction) for sizes in (before, after)]


def attack_shifts(report: AttackReport, before: Mapping[str, float]) -> Iterator[Shift]:
    """Hold how often attacks are right against how often they were ``before``, by name."""
    for result in report.results:
        if result.applies and result.name in before:
            yield Shift("attack", say(ATTACKS[result.name].title), before[result.name], result.rate)


def loss_shifts(losses: Mapping[str, float]) -> Iterator[Shift]:
    """Say how much detail of each column is lost; before it was none."""
    for column, loss in losses.items():
        yield Shift("loss", say("Detail of {name} that is lost", name=column), 0.0, loss)


def rank_shifts(shifts: Iterable[Shift]) -> list[Shift]:
    """Put all that was measured into one ranking: what is left to worry about comes first."""
    return sorted(shifts, key=lambda shift: (-shift.after, -shift.before, shift.name))


def _spread(crowds: Mapping[int, int]) -> IntArray:
    """Write out the size of every crowd."""
    return np.repeat(np.array(list(crowds)), np.array(list(crowds.values())))
