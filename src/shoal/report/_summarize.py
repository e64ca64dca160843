"""From a table and its release to a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.report._crowd import GroupPicture
from shoal.report._distributions import ColumnComparison, ColumnLike
from shoal.report._limits import LimitNote, limits
from shoal.report._published import HIDDEN, PublishedColumn
from shoal.report._sizes import GroupSizes
from shoal.report._summary import Attribute, ModelSummary, Sample, Summary
from shoal.typing import BoolArray, IntArray

if TYPE_CHECKING:
    from shoal.privacy import Verdict
    from shoal.table import Roles

_SAMPLE_ROWS = 8
_FEWEST_PEOPLE = 5  # what a report never speaks of less than, whatever k is


class TableLike(Protocol):
    """What is needed of the original (`shoal.table.Table`)."""

    @property
    def n_rows(self) -> int: ...
    @property
    def roles(self) -> Roles: ...
    def column(self, name: str, /) -> ColumnLike: ...
    def text(self, name: str, /) -> pl.Series: ...


def summarize(
    original: TableLike,
    released: pl.DataFrame,
    labels: IntArray,
    *,
    k: int | None,
    verdict: Verdict,
    losses: Mapping[str, float],
    utility: Mapping[str, float] | None = None,
    risk: Mapping[str, float] | None = None,
    protected: Sequence[str] = (),
    tight: bool = True,
    moved: bool = False,
    least: int = 0,
    method: str = "",
    why: str = "",
    preset: str | None = None,
    stamps: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> Summary:
    """Sum up a release in numbers that may be shown to anybody.

    Parameters
    ----------
    original : Table
        The table as it was; read for distributions only.
    released : polars.DataFrame
        The released columns, one row for each original row that is kept, in the original order
        (a `shoal.release.Release` sorts them later).
    labels : IntArray
        The group of each original row, -1 if it is suppressed.
    k : int or None
        The k asked for; None if none is promised. Numbers that would speak of fewer people than
        k (or than 5) are pooled.
    verdict : Verdict
        What holds.
    losses : mapping of str to float
        Loss of each quasi-identifier, 0 to 1.
    utility, risk : mapping of str to float, optional
        Further numbers, such as ``ngil``, ``ngil_bound``, ``discernibility``. The risks
        ``prosecutor_max_risk`` and ``avg_risk_per_record`` are counted here if not given, unless
        values were moved: how many rows look alike then says nothing about whose they are.
    protected : sequence of str
        Sensitive columns that a model beside k protects.
    tight : bool
        Whether ends of intervals may be values of real people (no grid was used).
    moved : bool
        Whether published cells are values that were moved, not ranges that hold the original.
    least : int
        Fewest people that a number may speak of, where that is more than k.
    method, why, preset, stamps, warnings
        As in `Summary`.

    Returns
    -------
    Summary
    """
    kept = np.asarray(labels) >= 0
    if released.height != int(kept.sum()) or kept.size != original.n_rows:
        raise InvalidParameterError(
            f"{released.height} released rows for {int(kept.sum())} rows that are in groups."
        )
    roles, crowd = original.roles, _crowd(original, max(k or 0, least))
    people = None if crowd.people is None else crowd.people[kept]
    sizes = GroupSizes.count(released, roles.quasi_identifiers, people)
    return Summary(
        k=k,
        people=people is not None,
        rows=released.height,
        suppressed=_suppressed(~kept, crowd),
        columns={name: roles.role_of(name).replace("_", "-") for name in released.columns},
        columns_dropped=len(roles.dropped),
        models=tuple(ModelSummary(r.model, r.parameter, r.worst, r.holds) for r in verdict.results),
        attributes=tuple(
            _attribute(original, released, kept, crowd, name, losses.get(name, 0.0))
            for name in roles.quasi_identifiers
        ),
        group_sizes=sizes,
        sample=_sample(released, roles.quasi_identifiers),
        protected=tuple(dict.fromkeys(protected)),
        utility=_rounded(utility),
        risk=_rounded(({} if moved and k is None else _risk(sizes)) | dict(risk or {})),
        method=method,
        why=why,
        preset=preset,
        stamps=tuple(stamps),
        warnings=tuple(warnings),
        not_promised=_not_promised(original, released, protected, tight=tight, moved=moved),
        moved=moved,
        version=version("shoal"),
    )


def _crowd(original: TableLike, k: int | None) -> GroupPicture:
    least = max(k or 0, _FEWEST_PEOPLE)
    if original.roles.person is None:
        return GroupPicture(None, least)
    person = original.column(original.roles.person)
    return GroupPicture(np.where(person.codes < len(person.labels), person.codes, -1), least)


def _suppressed(gone: BoolArray, crowd: GroupPicture) -> int | str:
    if not gone.any():
        return 0
    return int(gone.sum()) if crowd.enough(gone) else f"fewer than {crowd.least}"


def _attribute(
    original: TableLike,
    released: pl.DataFrame,
    kept: BoolArray,
    crowd: GroupPicture,
    name: str,
    loss: float,
) -> Attribute:
    texts = released[name].cast(pl.String)
    same = texts.eq_missing(original.text(name).filter(pl.Series(kept)))
    hidden = float((texts == HIDDEN).fill_null(value=False).mean() or 0.0)  # type: ignore[arg-type]
    exact = float((same & texts.ne_missing(HIDDEN)).mean() or 0.0)  # type: ignore[arg-type]
    column = original.column(name)
    chart = ColumnComparison(column, PublishedColumn.read(texts), kept, crowd).distribution()
    return Attribute(
        name=name,
        kind=column.kind,
        loss=round(float(loss), 6),
        exact=round(exact, 4),
        widened=round(max(0.0, 1 - exact - hidden), 4),
        hidden=round(hidden, 4),
        distribution=chart,
    )


def _sample(released: pl.DataFrame, quasi_identifiers: Sequence[str]) -> Sample:
    """Take one row of groups at even distances in the sorted release."""
    names = list(quasi_identifiers) or released.columns
    groups = released.select(names).unique().sort(names)
    places = np.unique(np.linspace(0, max(0, groups.height - 1), _SAMPLE_ROWS).astype(int))
    chosen = released.join(groups[places.tolist()], on=names, how="semi", nulls_equal=True)
    texts = chosen.sort(released.columns).select(pl.all().cast(pl.String).fill_null(""))
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row, key in zip(texts.rows(), texts.select(names).rows(), strict=True):
        found.setdefault(key, []).append(row)
    rows = [members[7 * i % len(members)] for i, members in enumerate(found.values())]
    return Sample(tuple(released.columns), tuple(rows))


def _risk(sizes: GroupSizes) -> dict[str, float]:
    if not sizes.groups:
        return {}
    return {
        "prosecutor_max_risk": 1 / sizes.smallest,
        "avg_risk_per_record": 1 / sizes.average,
        "sample_unique_fraction": sizes.alone,
        "share_above_public": sizes.under_eleven,
    }


def _rounded(numbers: Mapping[str, float] | None) -> dict[str, float]:
    return {name: round(float(value), 6) for name, value in (numbers or {}).items()}


def _not_promised(
    original: TableLike,
    released: pl.DataFrame,
    protected: Sequence[str],
    *,
    tight: bool,
    moved: bool,
) -> tuple[LimitNote, ...]:
    roles = original.roles
    known = {*roles.quasi_identifiers, *roles.sensitive}
    spans = (original.column(name).numbers is not None for name in roles.quasi_identifiers)
    return limits(
        quasi_identifiers=roles.quasi_identifiers,
        others=tuple(name for name in released.columns if name not in known),
        sensitive=roles.sensitive,
        protected=tuple(dict.fromkeys(protected)),
        tight=tight and any(spans),
        people=roles.person is not None,
        moved=moved,
    )
