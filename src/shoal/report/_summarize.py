"""From a table and its release to a summary that may be shown to anybody.

Rows that are left out have no part in any number but the coarse step that says how many they are:
losses, charts and sizes speak of the released rows alone (decision 25).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.report._distributions import ColumnComparison
from shoal.report._network import NetworkSummary
from shoal.report._published import (
    GroupBoxes,
    GroupSizes,
    People,
    PublishedColumn,
    suppressed_step,
    two_digits,
)
from shoal.report._summary import Attribute, ModelSummary, Sample, SinglingSummary, Summary
from shoal.report._words import limits
from shoal.spaces import OF_PAPERS, WeightedSpaces, group_boxes
from shoal.table import CodedFrame, Column, Distinct, Grouping, Roles, Table
from shoal.typing import BoolArray, IntArray

if TYPE_CHECKING:
    from shoal.privacy import Verdict
    from shoal.risk import Exposure

_SAMPLE_ROWS = 8
FEWEST_PEOPLE = 5  # what a report never speaks of less than, whatever k is
_SETS = 3  # of columns that single out together; the smallest are told
_WORTH_IT = 0.005  # of people: a column that frees fewer is no advice


def summarize(
    original: Table,
    given: pl.DataFrame | CodedFrame,
    labels: IntArray,
    *,
    k: int | None,
    verdict: Verdict,
    spaces: WeightedSpaces,
    clusters: Grouping | None = None,
    formed_loss: float | None = None,
    bound: float | None = None,
    suppression: bool = False,
    risk: Mapping[str, float] | None = None,
    protected: Sequence[str] = (),
    moved: bool = False,
    least: int = 0,
    method: str = "",
    why: str = "",
    preset: str | None = None,
    stamps: Sequence[str] = (),
    exposure: Exposure | None = None,
    warnings: Sequence[str] = (),
    added: tuple[str, ...] = (),
    network: NetworkSummary | None = None,
) -> Summary:
    """Sum up a release in numbers that may be shown to anybody.

    Parameters
    ----------
    original : Table
        The table as it was; read for what the released people had before, and nothing else.
    given : polars.DataFrame or CodedFrame
        The released columns, one row for each original row that is kept, in the original order
        (a `shoal.release.Release` sorts them later).
    labels : IntArray
        The group of each original row, -1 if it is suppressed.
    k : int or None
        The k asked for; None if none is promised. Numbers that would speak of fewer people than
        k (or than 5) are pooled.
    verdict : Verdict
        What holds.
    spaces : WeightedSpaces
        The quasi-identifiers as they are published.
    clusters : Grouping, optional
        Who was grouped with whom, if not as ``labels`` say: where values were moved, their losses
        are those of clusters, which nobody can see in the release, and have two digits.
    formed_loss : float, optional
        The loss that groups were formed by, where that is not NGIL.
    bound : float, optional
        Least that any grouping must lose of that. It is told, in two digits, only where the loss
        told is of the same kind: nobody may be left out, and no grid hides the ends of intervals.
    suppression : bool
        Whether rows may be left out.
    risk : mapping of str to float, optional
        What linkage attacks achieved, told in two digits. The risks ``prosecutor_max_risk`` and
        ``avg_risk_per_record`` are counted here unless values were moved: how many rows look
        alike then says nothing about whose they are.
    protected : sequence of str
        Sensitive columns that a model beside k protects.
    moved : bool
        Whether published cells are values that were moved, not ranges that hold the original.
    least : int
        Fewest people that a number may speak of, where that is more than k.
    exposure : Exposure, optional
        Who is alone on all that is published; what nobody accepted is the first warning.
    added : tuple of str
        Columns that the original has not, by which rows are counted too: the group in a network.
    method, why, preset, stamps, warnings, network
        As in `Summary`.

    Returns
    -------
    Summary
    """
    kept = np.asarray(labels) >= 0
    released = CodedFrame.of(given) if isinstance(given, pl.DataFrame) else given
    if released.height != int(kept.sum()) or kept.size != original.n_rows:
        raise InvalidParameterError(
            f"{released.height} released rows for {int(kept.sum())} rows that are in groups."
        )
    roles, columns = original.roles, [original.column(space.name) for space in spaces.spaces]
    ids = None if roles.person is None else original.column(roles.person).known
    everybody = People(ids, max(k or 0, least, FEWEST_PEOPLE))
    people = everybody if ids is None else People(ids[kept], everybody.least)
    alike = (*roles.quasi_identifiers, *added)
    words = released.words(alike or [*released.columns])
    shown = [released.columns[space.name] for space in spaces.spaces]
    texts = [c if isinstance(c, Distinct) else Distinct.of(c.cast(pl.String)) for c in shown]
    ranked = [(column, column.ranks()[0]) for column in texts]
    crowds = words if alike else words.select()
    sizes = GroupSizes.count(crowds, crowds.columns, people.ids)
    formed = clusters or Grouping(np.asarray(labels))
    parts = (original, columns, ranked, kept, people, spaces, formed)
    attributes = tuple(_attributes(*parts, moved=moved)) if columns else ()
    step, told = 1 if people.ids is None else people.least, exposure
    if told is not None and (told.twins or step > 1):  # which are rough, or not told at all
        told = told.told_by(people.least, step=step)
    warned = exposure and exposure.warning
    whole = not suppression and kept.all()
    comparable = bound and whole and not moved and not any(s.on_grid for s in spaces.spaces)
    ranged = [c for c, s in zip(columns, spaces.spaces, strict=True) if not s.on_grid]
    return build_summary(
        roles,
        [*released.columns],
        k=k,
        people=people.ids is not None,
        rows=released.height,
        suppressed=0 if whole else _suppressed(~kept, everybody),
        models=tuple(ModelSummary(r.model, r.parameter, r.worst, r.holds) for r in verdict.results),
        attributes=attributes,
        group_sizes=sizes,
        row_sizes=sizes if people.ids is None else GroupSizes.count(crowds, crowds.columns),
        sample=_sample(released, alike or [*released.columns], words),
        protected=protected,
        formed_loss=formed_loss,
        bound=bound if comparable else None,
        risk=risk or {},
        method=method,
        why=why,
        preset=preset,
        stamps=tuple(stamps),
        singling=told and describe_exposure(told, step=step),
        warnings=tuple(filter(None, [warned, *warnings])),
        tight=not moved and any(column.numbers is not None for column in ranged),
        moved=moved,
        added=added,
        network=network,
    )


def build_summary(
    roles: Roles,
    columns: Sequence[str],
    *,
    attributes: tuple[Attribute, ...],
    group_sizes: GroupSizes,
    row_sizes: GroupSizes,
    protected: Sequence[str],
    tight: bool,
    moved: bool = False,
    formed_loss: float | None = None,
    bound: float | None = None,
    risk: Mapping[str, float] = MappingProxyType({}),
    added: tuple[str, ...] = (),
    **told: Any,
) -> Summary:
    """Build a summary from counts, whoever counted them: this process or a cluster.

    Utility, risks and what is not promised follow from the counts; ``told`` are fields of a
    `Summary` that are taken as they are.
    """
    losses = [attribute.loss for attribute in attributes]
    utility = {  # numbers that whoever has the release can compute
        "ngil": round(math.fsum(losses) / len(losses), 6) if losses else 0.0,
        "discernibility": float(row_sizes.squares),
        "average_group_size": round(row_sizes.average, 6),
    }
    if bound and all(part.measured_by in OF_PAPERS for part in attributes):
        utility["ngil_bound"] = _rounded_down(bound)
    elif bound and formed_loss:
        utility["formed_loss"] = -_rounded_down(-formed_loss)
        utility["formed_loss_bound"] = _rounded_down(bound)
    counted: dict[str, float] = {}  # risks that follow from the sizes of groups
    if group_sizes.groups and not (moved and told["k"] is None):
        counted = {
            "prosecutor_max_risk": round(1 / group_sizes.smallest, 6),
            "avg_risk_per_record": round(1 / group_sizes.average, 6),
            "sample_unique_fraction": group_sizes.alone,
            "share_above_public": group_sizes.under_eleven,
        }
    known = {*roles.quasi_identifiers, *roles.sensitive, *added}
    return Summary(
        columns={
            name: "quasi-identifier" if name in added else roles.role_of(name).replace("_", "-")
            for name in columns
        },
        columns_dropped=len(roles.dropped),
        attributes=attributes,
        group_sizes=group_sizes,
        protected=tuple(dict.fromkeys(protected)),
        utility=utility,
        risk=counted | {name: two_digits(value) for name, value in risk.items()},
        not_promised=limits(
            quasi_identifiers=(*roles.quasi_identifiers, *added),
            others=tuple(name for name in columns if name not in known | {*roles.dropped}),
            sensitive=roles.sensitive,
            protected=tuple(dict.fromkeys(protected)),
            tight=tight,
            people=told["people"],
            moved=moved,
            network=told.get("network") is not None,
        ),
        moved=moved,
        version=version("shoal"),
        **told,
    )


def describe_exposure(exposure: Exposure, step: int = 1) -> SinglingSummary:
    """Tell in two digits who is alone on all that is published, in whole ``step`` people."""
    found = exposure.found
    shares = {c.name: two_digits(max(c.alone, c.with_crowds)) for c in found.columns}
    several = [one for one in found.sets if len(one.columns) > 1]
    freed = two_digits(found.freed)
    return SinglingSummary(
        unique=two_digits(found.share_unique),
        plain=two_digits(found.share_unique_plain),
        columns={name: shares[name] for name in found.singling},
        accepted=exposure.accepted,
        open=exposure.open,
        twins=tuple((twin.telling, twin.told) for twin in exposure.twins),
        sets=tuple((one.columns, two_digits(one.share)) for one in several[:_SETS]),
        helps_most=(found.helps_most, freed) if found.helps_most and freed >= _WORTH_IT else None,
        step=step,
    )


def tell_suppressed(original: Table, gone: BoolArray, k: int) -> str:
    """Say roughly how many are left out, in people where a column names them."""
    person = original.roles.person
    ids = None if person is None else original.column(person).known
    return _suppressed(gone, People(ids, max(k, FEWEST_PEOPLE)))


def _suppressed(gone: BoolArray, people: People) -> str:
    everybody = people.count(np.ones(gone.size, dtype=np.bool_))
    return suppressed_step(people.count(gone), everybody, people.least)


def _attributes(
    original: Table,
    columns: Sequence[Column],
    ranked: Sequence[tuple[Distinct, IntArray]],
    kept: BoolArray,
    people: People,
    spaces: WeightedSpaces,
    formed: Grouping,
    *,
    moved: bool,
) -> Iterator[Attribute]:
    """Sum up each quasi-identifier; losses are of texts, or of clusters where values moved."""
    lo, hi = group_boxes(spaces.codes, formed)
    rows = slice(None) if kept.all() else kept  # no copies of all rows
    groups = formed.labels[rows]
    boxes = [
        GroupBoxes(space, lo[:, j], hi[:, j], space.codes[rows], groups)
        for j, space in enumerate(spaces.spaces)
    ]
    read = [
        PublishedColumn.read(*column, None if moved else box)
        for column, box in zip(ranked, boxes, strict=True)
    ]
    spans = [(b.lo, b.hi) if moved else p.spans for b, p in zip(boxes, read, strict=True)]
    lost = [b.space.released_loss(*span) for b, span in zip(boxes, spans, strict=True)]
    for column, box, published, losses in zip(columns, boxes, read, lost, strict=True):
        shares = published.counts / max(1, published.ids.size)
        hidden = float(shares[published.hidden].sum())
        if moved:
            texts = pl.Series(published.texts, dtype=pl.String).gather(published.ids)
            same = texts.eq_missing(original.text(column.name).filter(pl.Series(kept)))
            exact, digits = round(float(same.mean() or 0.0), 2), 2  # type: ignore[arg-type]
            loss = two_digits(mean_loss(losses, np.bincount(box.groups, minlength=losses.size)))
        else:
            first, last = published.spans
            exact, digits = round(float(shares[(losses == 0) & (first == last)].sum()), 4), 4
            loss = mean_loss(losses, published.counts)
        whole = not moved and not losses.any()
        compared = ColumnComparison(column, column.codes[rows], published, people, whole)
        yield Attribute(
            name=column.name,
            kind=column.kind,
            loss=round(loss, 6),
            exact=exact,
            widened=round(max(0.0, 1 - exact - hidden), digits),
            hidden=round(hidden, digits),
            distribution=compared.distribution(),
            measured_by=box.space.measured_by,
        )


def mean_loss(losses: Sequence[float] | np.ndarray, rows: Sequence[int] | np.ndarray) -> float:
    """Average loss over rows, the same in whatever order they come.

    >>> mean_loss([0.5, 0.0], [1, 3])
    0.125
    """
    lost = math.fsum(float(a) * int(n) for a, n in zip(losses, rows, strict=True))
    return lost / max(1, int(np.sum(rows)))


def _rounded_down(bound: float) -> float:
    """Keep two digits of a bound, so that it is still one.

    >>> _rounded_down(0.0769), _rounded_down(0.5), _rounded_down(-0.0761)
    (0.076, 0.5, -0.077)
    """
    unit = 10.0 ** (math.floor(math.log10(abs(bound))) - 1)
    return two_digits(math.floor(bound / unit + 1e-10) * unit)


def _sample(released: CodedFrame, names: Sequence[str], words: pl.DataFrame) -> Sample:
    """Take one row of groups at even distances in the sorted release."""
    groups = words.unique().sort(words.columns)
    places = np.unique(np.linspace(0, max(0, groups.height - 1), _SAMPLE_ROWS).astype(int))
    wanted = groups[places.tolist()]
    rows = words.with_row_index("row").join(wanted, on=words.columns, how="semi")["row"]
    chosen = released.part(rows.to_numpy())
    texts = chosen.sort(chosen.columns).select(pl.all().cast(pl.String).fill_null(""))
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row, key in zip(texts.rows(), texts.select(names).rows(), strict=True):
        found.setdefault(key, []).append(row)
    shown = [members[7 * i % len(members)] for i, members in enumerate(found.values())]
    return Sample(tuple(chosen.columns), tuple(shown))
