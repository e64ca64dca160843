"""Findings kept as JSON beside a table: they survive a restart and name what they speak of."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import ConfigDict, TypeAdapter, ValidationError

from shoal.privacy import count_members, group_by_text
from shoal.release import Release
from shoal.report import Attribute, GroupSizes, Sample
from shoal.risk import AttackReport
from shoal.session import ReleaseComparison
from shoal.table import Grouping, Table
from shoal.tuning import AlphaChoice, Final, Trial

Finding = TypeVar("Finding")
WITH_ENDLESS = ConfigDict(ser_json_inf_nan="constants")  # an alpha may have no upper end


@dataclass(frozen=True)
class ReleaseCharts:
    """What the pages draw of a release.

    ``crowds_before`` and ``crowds_after`` count the crowds of each size among those who read alike
    on what describes people; nothing where values were moved and no crowd is promised.
    """

    attributes: tuple[Attribute, ...]
    group_sizes: GroupSizes
    sample: Sample
    crowds_before: Mapping[int, int]
    crowds_after: Mapping[int, int]

    @classmethod
    def of(cls, release: Release) -> ReleaseCharts:
        """Take from a release what is drawn."""
        summary, lineage = release.summary, release.lineage
        before: dict[int, int] = {}
        after: dict[int, int] = {}
        if lineage is not None:
            before = _sizes(lineage.table, group_by_text(lineage.table))
        if lineage is not None and not summary.moved:
            after = _sizes(lineage.table, lineage.grouping)
        return cls(summary.attributes, summary.group_sizes, summary.sample, before, after)


def _sizes(table: Table, grouping: Grouping) -> dict[int, int]:
    sizes, counts = np.unique(count_members(table, grouping), return_counts=True)
    return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


@dataclass(frozen=True)
class AttackedRelease:
    """What attackers gained, and from which release: another one is another story.

    ``before`` is how often the same attacks are right on the table as it was, by name.
    """

    report: AttackReport
    fingerprint: str
    before: Mapping[str, float]


@dataclass(frozen=True)
class KeptComparison:
    """Releases that were compared, and a digest of the plan they were made with."""

    found: ReleaseComparison
    made_with: str


@dataclass(frozen=True)
class KeptStudy:
    """Trials of a search, which was chosen, how it fared, and the plans it was held against."""

    __pydantic_config__ = WITH_ENDLESS

    fits: tuple[str, ...]  # digests of the plan that was searched, and of those that were used
    trials: tuple[Trial, ...]
    axes: tuple[str, str]
    train_rows: int
    alpha: AlphaChoice
    final: Final
    chosen: int
    finalists: Mapping[int, tuple[float, ...]]
    warnings: tuple[str, ...] = ()
    used: int | None = None


def keep(path: Path, finding: Any) -> None:
    """Write a finding, for this user only; whole or not at all."""
    draft = path.with_name(f"job-{path.name}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(TypeAdapter(type(finding)).dump_json(finding))
    draft.replace(path)


def find_kept(path: Path, kind: type[Finding]) -> Finding | None:
    """Read a finding; None if there is none, or one of another version."""
    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
