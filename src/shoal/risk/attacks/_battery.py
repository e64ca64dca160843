"""The whole battery: every attack, one after the other, judged by the threshold of a preset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from shoal._plugins import Members
from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import InvalidParameterError
from shoal.risk._thresholds import Threshold, find_threshold
from shoal.risk.attacks._background import BackgroundKnowledge
from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._date_gaps import DateGaps
from shoal.risk.attacks._downcoding import Downcoding
from shoal.risk.attacks._exact import ExactLinkage
from shoal.risk.attacks._homogeneity import Homogeneity
from shoal.risk.attacks._inference import AttributeInference
from shoal.risk.attacks._interval_ends import IntervalEnds
from shoal.risk.attacks._known_columns import KnownColumns
from shoal.risk.attacks._known_rows import KnownRows
from shoal.risk.attacks._membership import Membership
from shoal.risk.attacks._metadata import FileMetadata
from shoal.risk.attacks._minimality import Minimality
from shoal.risk.attacks._model import ModelInference
from shoal.risk.attacks._nearest import NearestLinkage
from shoal.risk.attacks._papers import PublicPapers
from shoal.risk.attacks._pseudonym_linkage import PseudonymLinkage
from shoal.risk.attacks._relinking import Relinking
from shoal.risk.attacks._row_order import RowOrder
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._singling import LoneDescription
from shoal.risk.attacks._skewness import Skewness
from shoal.risk.attacks._suppression import Suppression

#: Every attack by name, in the order in which a reader wants them.
ATTACKS: Members[Attack] = Members(
    "shoal.attacks",
    Attack,
    {
        attack.name: attack
        for attack in (
            ExactLinkage(),
            NearestLinkage(),
            Relinking(),
            KnownColumns(),
            KnownRows(),
            PseudonymLinkage(),
            DateGaps(),
            LoneDescription(),
            AttributeInference(),
            ModelInference(),
            Homogeneity(),
            BackgroundKnowledge(),
            Skewness(),
            Membership(),
            IntervalEnds(),
            Downcoding(),
            Minimality(),
            Suppression(),
            RowOrder(),
            FileMetadata(),
            PublicPapers(),
        )
    },
    lambda attack: (attack.name, attack()),
)


@dataclass(frozen=True)
class AttackReport:
    """What a battery found, and which attacks gain more than the threshold allows."""

    results: tuple[AttackResult, ...]
    threshold: Threshold

    @property
    def exceeding(self) -> tuple[str, ...]:
        """Names of the attacks that gain too much."""
        return tuple(r.name for r in self.results if self.exceeds(r))

    @property
    def holds(self) -> bool:
        """Whether no attack gains too much."""
        return not self.exceeding

    def exceeds(self, result: AttackResult) -> bool:
        """Tell whether an attack gains more than allowed; a claim is no gain."""
        judged = attack_named(result.name).goal != "form" or self.threshold.forms
        known = result.applies and not result.upper_bound
        return judged and known and result.risk > self.threshold.risk

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "holds": self.holds,
            "preset": self.threshold.name,
            "threshold": self.threshold.risk,
            "exceeding": list(self.exceeding),
            "attacks": [
                {**r.to_dict(), "goal": attack_named(r.name).goal, "exceeds": self.exceeds(r)}
                for r in self.results
            ],
        }


def run_attacks(
    scene: AttackScene,
    names: Iterable[str] | None = None,
    *,
    preset: str | None = None,
    progress: Progress = SILENT,
) -> AttackReport:
    """Run attacks on a scene; all of them if none is named.

    Parameters
    ----------
    scene : Scene
        What was released, and about whom.
    names : iterable of str, optional
        Names of attacks, as in `ATTACKS`.
    preset : str, optional
        Whose threshold judges; ``internal`` if not given.
    progress : Progress
        Whom to tell.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> raw = read_table(pl.DataFrame({"age": [20, 30, 40]}), roles=Roles(quasi_identifiers="age"))
    >>> report = run_attacks(AttackScene(raw, raw), ["exact_linkage"])
    >>> report.holds, report.results[0].rate
    (False, 1.0)
    """
    attacks = [_find(name) for name in (ATTACKS if names is None else names)]
    threshold = find_threshold(preset)
    results = []
    for attack in attacks:
        progress.phase(f"attacking: {attack.name.replace('_', ' ')}")
        stop_if_cancelled(progress)
        results.append(attack.run(scene))
    return AttackReport(tuple(results), threshold)


def attack_named(name: str) -> Attack:
    """Return the attack of a result, on rows or on a network."""
    if name in ATTACKS:
        return ATTACKS[name]
    from shoal.risk.networks import NETWORK_ATTACKS

    return NETWORK_ATTACKS[name]


def _find(name: str) -> Attack:
    if name in ATTACKS:
        return ATTACKS[name]
    raise InvalidParameterError(
        f"There is no attack named {name!r}.", hint=f"There are {_listed(list(ATTACKS))}."
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
