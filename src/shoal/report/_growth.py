"""What changed between an earlier release and a later delivery, in numbers that may be shown.

Crowds and rows are counted in the two published files, losses stand in their manifests; only how
many wait is known to nobody outside, and told in steps (decision 25).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from shoal._words import number, retell, say
from shoal.report._drawing import section, table
from shoal.report._words import percent


@dataclass(frozen=True)
class Growth:
    """A later delivery beside the release that it follows.

    Attributes
    ----------
    rows_before, rows_kept, rows_new : int
        Rows of the earlier release, those of them that are published again, and newcomers.
    crowds_before, crowds_kept, crowds_grown, crowds_new, crowds_left : int
        Crowds of the earlier release; those that come back word for word, those that newcomers
        joined, those that newcomers founded, and those that are published no more.
    loss_before, loss_now : float
        NGIL of either release, as its manifest says.
    waiting : int or str
        Who is in the table and not published yet: 0 where nobody may wait, else a coarse step.
    """

    rows_before: int
    rows_kept: int
    rows_new: int
    crowds_before: int
    crowds_kept: int
    crowds_grown: int
    crowds_new: int
    crowds_left: int
    loss_before: float
    loss_now: float
    waiting: int | str

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return asdict(self)


def growth_section(growth: Growth) -> str:
    """Draw what changed as a part of the report."""
    rows = [
        [say("Rows"), number(growth.rows_before), number(growth.rows_kept + growth.rows_new)],
        [say("Crowds"), number(growth.crowds_before), number(_crowds_now(growth))],
        [
            say("Of the detail lost, on average"),
            percent(growth.loss_before),
            percent(growth.loss_now),
        ],
    ]
    return section(
        say("Since the earlier release"),
        f"<p>{growth_sentence(growth)}</p>" + table(["", say("then"), say("now")], rows),
    )


def growth_sentence(growth: Growth) -> str:
    """Say what changed.

    >>> growth_sentence(Growth(40, 40, 25, 4, 3, 1, 1, 0, 0.2, 0.2, "fewer than 5 %"))
    'Of 4 crowds 3 are as they were and newcomers joined 1; newcomers founded 1. Waiting for others
    who fit: fewer than 5 %. Whoever has both releases learns of the people in the earlier one what
    it told.'
    """
    left = say(" {n:,} left it.", n=growth.crowds_left) if growth.crowds_left else ""
    return say(
        "Of {before:,} crowds {kept:,} are as they were and newcomers joined {grown:,}; newcomers"
        " founded {new:,}.{left} Waiting for others who fit: {waiting}. Whoever has both releases"
        " learns of the people in the earlier one what it told.",
        before=growth.crowds_before,
        kept=growth.crowds_kept,
        grown=growth.crowds_grown,
        new=growth.crowds_new,
        left=left,
        waiting=retell(str(growth.waiting)),
    )


def _crowds_now(growth: Growth) -> int:
    return growth.crowds_kept + growth.crowds_grown + growth.crowds_new
