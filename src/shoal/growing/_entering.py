"""How a later delivery is entered: the trace of the earlier one goes on, newcomers are added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np

from shoal.growing._chosen import Chosen
from shoal.growing._earlier import Earlier
from shoal.growing._recognizing import Seen
from shoal.ledger import (
    Composition,
    Entered,
    Ledger,
    Mode,
    Shown,
    Trace,
    compose,
    enter_ledger,
    offending,
)
from shoal.release import Release, Stage
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, IntArray

PER_ROW = ("rows", "people", "canonical", "known", "rest")


def grown_trace(
    ledger: Ledger,
    release: Release,
    chosen: Chosen,
    seen: Seen,
    earlier: Earlier,
) -> Trace:
    """Take the trace: crowds as published now, people as each was when first published."""
    lineage = release.lineage
    assert lineage is not None
    k = release.summary.k or 0
    shown = ledger.trace(
        lineage.table,
        lineage.grouping,
        k=k,
        alignment=lineage.alignment,
        published=lineage.published,
        people=False,
    )
    then, now, arrived = earlier.trace, seen.now, chosen.arrived
    group_of = np.full(then.n_groups, -1, dtype=np.int64)
    group_of[chosen.crowds] = shown.groups[chosen.old]
    kept = group_of[then.groups] >= 0
    people: dict[str, Any] = {
        name: np.append(getattr(then, name)[kept], getattr(now, name)[arrived])
        for name in PER_ROW
        if getattr(then, name).size
    }
    columns = {
        name: replace(
            column, marks=np.append(then.shown[name].marks[kept], now.shown[name].marks[arrived])
        )
        for name, column in shown.shown.items()
    }
    for name in columns.keys() & chosen.joined.pseudonyms.keys():
        came = _values_of_arrived(ledger, chosen, shown.groups[~chosen.old], name)
        columns[name] = _carried(columns[name], then.shown[name], group_of, came)
    groups = np.append(group_of[then.groups[kept]], shown.groups[~chosen.old]).astype(np.int32)
    waits = seen.new.copy()
    waits[arrived] = False
    waiting, first = np.unique(now.people[waits], return_index=True)
    return replace(
        shown,
        **people,
        groups=groups,
        shown=columns,
        identity=now.identity,
        waiting=waiting,
        waited=(seen.waited[waits][first] + 1).astype(np.int32),
    )


def given_away(trace: Trace, beside: Sequence[Trace], arrived: int) -> BoolArray:
    """Tell which of those who arrived, last in the trace, must wait for the sake of other releases.

    Deliveries of one chain tell no more together. But who was left out of a release that was made
    anew is in crowds of releases before it: they come where that gives nobody away.
    """
    nobody: BoolArray = np.zeros(arrived, dtype=np.bool_)
    met = [old for old in beside if np.isin(trace.people, old.people).any()]
    if not met or not arrived:
        return nobody
    late = offending(trace, met)[-arrived:]
    if late.any() or compose(trace, met).holds:
        return late
    known = np.any([np.isin(trace.people[-arrived:], old.people) for old in met], axis=0)
    back: BoolArray = np.isin(trace.groups[-arrived:], trace.groups[-arrived:][known])
    return back


def _values_of_arrived(
    ledger: Ledger, chosen: Chosen, crowds: IntArray, name: str
) -> tuple[IntArray, IntArray]:
    """Tell which crowd shows which name of newcomers: the ledger knows names, not pseudonyms."""
    numbers, labels = np.unique(crowds, return_inverse=True)
    if not numbers.size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
    newcomers = chosen.joined.now.take(chosen.arrived)
    column = ledger.trace(newcomers, Grouping(labels), people=False).shown[name]
    return np.repeat(numbers, np.diff(column.starts)), column.values


def _carried(
    shown: Shown, then: Shown, group_of: IntArray, came: tuple[IntArray, IntArray]
) -> Shown:
    """Add the values of newcomers to those that crowds showed before."""
    old = group_of[np.repeat(np.arange(then.starts.size - 1), np.diff(then.starts))]
    crowds = np.append(old[old >= 0], came[0])
    values = np.append(then.values[old >= 0], came[1])
    order = np.lexsort((values, crowds))
    pairs = np.stack([crowds[order].astype(np.uint64), values[order]])
    first = np.append(True, (pairs[:, 1:] != pairs[:, :-1]).any(axis=0))[: order.size]
    counts = np.bincount(pairs[0][first].astype(np.int64), minlength=shown.starts.size - 1)
    starts = np.append(0, np.cumsum(counts)).astype(np.int64)
    return replace(shown, starts=starts, values=pairs[1][first])


def enter_after(
    table: Table, trace: Trace, earlier: Earlier
) -> Callable[[Mode, Stage, str], AbstractContextManager[Entered]]:
    """Return what enters the delivery as the one that follows the earlier release."""

    def enter(mode: Mode, stage: Stage, folder: str) -> AbstractContextManager[Entered]:
        def into(ledger: Ledger) -> AbstractContextManager[Composition]:
            subject = replace(ledger.subject(table, folder=folder), after=earlier.recorded.id)
            return ledger.entering(
                subject, trace, refuse=mode == "refuse", name=stage.release, stands=stage.stands
            )

        return enter_ledger(mode, into)

    return enter
