"""Gate before a release: what would be published as it is, counted behind the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from shoal._progress import Progress
from shoal.plan import Plan
from shoal.presets import PRESETS, find_preset
from shoal.risk import Exposure, published_as_is
from shoal.table import Roles
from shoal.web._jobs import BackgroundJob
from shoal.web._workspace import Workspace

KIND = "gate"


class ReleaseGate:
    """Counts whom the columns published as they are would single out, for the plan as it is."""

    def __init__(self, space: Workspace) -> None:
        self.space = space
        self.found: Exposure | None = None  # the newest count; of an earlier plan if not `fresh`
        self._counted: Plan | None = None
        self._begun: Plan | None = None

    @classmethod
    def of(cls, space: Workspace) -> Self:
        """Return the gate of a workspace."""
        gate: Self = space.kept.setdefault(KIND, cls(space))
        return gate

    @property
    def fresh(self) -> bool:
        """Whether the newest count speaks of the plan as it is."""
        return self._counted == self.space.plan

    @property
    def job(self) -> BackgroundJob | None:
        """The newest count, at work or over."""
        return self.space.running(KIND)

    def poke(self) -> None:
        """Begin to count if that is due; returns at once."""
        idle = self.job is None or self.job.over
        if idle and not self.fresh and self._begun != self.space.plan:
            self._begun = self.space.plan
            self.space.start(KIND, self.count)

    def count(self, progress: Progress) -> Exposure:
        """Count, with the crowds of a quick grouping."""
        plan = self.space.plan
        found = self.space.session.exposure(progress)
        self.found, self._counted = found, plan
        return found

    @property
    def strict(self) -> bool:
        """Whether nothing is released before every column that singles out was decided about."""
        preset = find_preset(self.space.plan.preset)
        return preset is not None and preset.accounted

    @property
    def closed(self) -> bool:
        """Whether nothing may be released yet."""
        return self.strict and (not self.fresh or self.found is None or bool(self.found.open))

    @property
    def undecided(self) -> tuple[str, ...]:
        """Columns published as they are that nobody accepted."""
        table = self.space.table
        return tuple(n for n in published_as_is(table) if table.roles.role_of(n) == "other")

    @property
    def exact(self) -> tuple[str, ...]:
        """Secrets that are so exact that they tell who somebody is, accepted or not."""
        found = self.found
        return () if found is None else tuple(column.name for column in found.found.exact)

    @property
    def harmless(self) -> tuple[str, ...]:
        """Those of them that single out nobody and tell nothing again, as counted."""
        if not self.fresh or self.found is None:
            return ()
        return tuple(name for name in self.undecided if name not in self.found.open)

    def accept_harmless(self) -> None:
        """Accept by name all that needs no thought."""
        table = self.space.table
        choices: dict[str, str] = {n: table.roles.role_of(n) for n in table.column_names}
        accepted = dict.fromkeys(self.harmless, "publish_as_is")
        roles = Roles.from_choices({**choices, **accepted})
        self.space.decide(roles=roles.accepting(table.roles.accepted_secrets))


def choose_audience(space: Workspace, name: str) -> None:
    """Say for whom a release is; k and l rise to what that asks for."""
    if not name:
        space.decide(preset=None)
        return
    find_preset(name)
    preset, plan = PRESETS[name], space.plan
    raised: dict[str, Any] = {"preset": name}
    if plan.k is not None:
        raised["k"] = max(plan.k, preset.k)
    least = preset.l or 0
    if isinstance(plan.l, Mapping):
        raised["l"] = {column: max(asked, least) for column, asked in plan.l.items()}
    elif plan.l is not None:
        raised["l"] = max(plan.l, least)
    space.decide(**raised)
