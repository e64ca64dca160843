"""Before and after in numbers: risks, attacks and losses as shares, to be ranked in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal._words import later, say
from shoal.privacy import average_risk, prosecutor_max_risk, sample_unique_fraction
from shoal.risk import ATTACKS, PopulationUniqueness, population_uniqueness
from shoal.typing import IntArray
from shoal.web._kept import AttackedRelease, ReleaseCharts

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


def ranked_shifts(
    charts: ReleaseCharts, attacked: AttackedRelease | None, population: int | None
) -> list[Shift]:
    """Put all that was measured into one ranking: what is left to worry about comes first."""
    found = [*_risks(charts, population), *_attacks(attacked), *_losses(charts)]
    return sorted(found, key=lambda shift: (-shift.after, -shift.before, shift.name))


def _risks(charts: ReleaseCharts, population: int | None) -> Iterator[Shift]:
    if not charts.crowds_before or not charts.crowds_after:
        return
    before, after = _spread(charts.crowds_before), _spread(charts.crowds_after)
    for words, measure in RISKS.items():
        yield Shift("risk", say(words), measure(before), measure(after))
    if population is not None:
        was, now = (found.share for found in _estimates(charts, population))
        if was is not None and now is not None:
            yield Shift("risk", say("Alone in the whole population (estimated)"), was, now)


def why_no_estimate(charts: ReleaseCharts, population: int) -> str:
    """Say why the population risk is not among the shares; nothing if it is."""
    if not charts.crowds_before or not charts.crowds_after:
        return ""
    reasons = [found.reason for found in _estimates(charts, population) if found.share is None]
    return reasons[0] if reasons else ""


def _estimates(charts: ReleaseCharts, population: int) -> list[PopulationUniqueness]:
    before, after = _spread(charts.crowds_before), _spread(charts.crowds_after)
    fraction = min(1.0, int(before.sum()) / population)
    return [population_uniqueness(sizes, fraction) for sizes in (before, after)]


def _attacks(attacked: AttackedRelease | None) -> Iterator[Shift]:
    for result in () if attacked is None else attacked.report.results:
        before = attacked.before.get(result.name) if attacked else None
        if result.applies and before is not None:
            yield Shift("attack", say(ATTACKS[result.name].title), before, result.rate)


def _losses(charts: ReleaseCharts) -> Iterator[Shift]:
    for attribute in charts.attributes:
        name = say("Detail of {name} that is lost", name=attribute.name)
        yield Shift("loss", name, 0.0, attribute.loss)


def _spread(crowds: Mapping[int, int]) -> IntArray:
    """Write out the size of every crowd."""
    return np.repeat(np.array(list(crowds)), np.array(list(crowds.values())))
