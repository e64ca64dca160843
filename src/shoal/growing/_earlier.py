"""The earlier release: its rows as they lie in the folder, and the trace that the ledger keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np
import polars as pl

from shoal.exceptions import InputError, InvalidParameterError
from shoal.ledger import Ledger, Recorded, Trace
from shoal.release import ReleaseOnDisk, read_release
from shoal.table import Cells, Grouping, Table, hash_rows
from shoal.typing import IntArray

_ANEW = "Make a release anew; later deliveries can follow that one."


@dataclass(frozen=True, eq=False)
class Earlier:
    """A release that lies in its folder and stands in the ledger.

    Attributes
    ----------
    release : ReleaseOnDisk
        What was published.
    recorded : Recorded
        What the journal says of it.
    trace : Trace
        Who was in which crowd.
    crowds : IntArray
        The crowd of each published row, numbered as in the trace.
    texts : polars.DataFrame
        What each row publishes of its quasi-identifiers; null is missing.
    before : tuple of Trace
        The releases that it follows in turn, the last one first.
    beside : tuple of Trace
        All others: what was released before it was made anew, and whatever else left the house.
    """

    release: ReleaseOnDisk
    recorded: Recorded
    trace: Trace
    crowds: IntArray
    texts: pl.DataFrame
    before: tuple[Trace, ...] = ()
    beside: tuple[Trace, ...] = ()

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of the columns."""
        return self.release.roles.quasi_identifiers


def find_earlier(
    ledger: Ledger,
    folder: str | PathLike[str],
    table: Table,
    pseudonyms: Collection[str] = (),
) -> Earlier:
    """Read the earlier release and find it in the ledger, by what it publishes.

    ``pseudonyms`` are columns that publish other words than the table has.

    Raises
    ------
    InputError
        If there is no release, or not as it was written, or none that this ledger knows.
    InvalidParameterError
        If the table is not published in the same columns.
    """
    ledger.check()
    release = read_release(folder, texts_only=True)
    _refuse_other_columns(release, table, pseudonyms)
    found = replace(release.table, cells=Cells(release.table.frame, table.cells.missing))
    texts = pl.DataFrame([found.text(name) for name in release.roles.quasi_identifiers])
    labels = np.unique(hash_rows(texts), return_inverse=True)[1]
    told = ledger.trace(found, Grouping(labels), published=texts.__getitem__, people=False)
    traces = ledger.traces()
    standing = {recorded.id: recorded for recorded in ledger.standing()}
    for name in reversed(traces):
        if _same(told, traces[name], pseudonyms):
            crowds = _renumber(told, traces[name])[labels]
            before = _before(standing, traces, standing[name].after)
            chain = {id(trace) for trace in (traces[name], *before)}
            beside = tuple(trace for trace in traces.values() if id(trace) not in chain)
            return Earlier(release, standing[name], traces[name], crowds, texts, before, beside)
    raise _unknown(Path(folder).name, told, traces)


def _before(
    standing: Mapping[str, Recorded], traces: Mapping[str, Trace], name: str
) -> tuple[Trace, ...]:
    """Walk back from delivery to delivery."""
    found: list[Trace] = []
    while name:
        if name in traces:
            found.append(traces[name])
        name = standing[name].after if name in standing else ""
    return tuple(found)


def _same(told: Trace, known: Trace, pseudonyms: Collection[str]) -> bool:
    """Tell whether a folder shows what a trace says: boxes, their sizes, and every value."""
    shown = known.shown.keys() - {*pseudonyms}
    if told.boxes.size != known.boxes.size or told.shown.keys() != shown:
        return False
    ours, theirs = np.argsort(told.boxes), np.argsort(known.boxes)
    if not np.array_equal(told.boxes[ours], known.boxes[theirs]):
        return False
    whole = np.append(known.lost, np.zeros(known.n_groups, dtype=np.int32))[theirs] == 0
    if not np.array_equal(told.sizes[ours][whole], known.sizes[theirs][whole]):
        return False
    return all(
        np.array_equal(_values(told, name, ours), _values(known, name, theirs))
        for name in told.shown
    )


def _values(trace: Trace, name: str, order: IntArray) -> IntArray:
    """Which crowd shows which value, in one order whatever the crowds are numbered by."""
    column = trace.shown[name]
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    crowds = np.repeat(place, np.diff(column.starts)).astype(np.uint64)
    sorted_ = np.lexsort((column.values, crowds))
    return np.stack([crowds[sorted_], column.values[sorted_]])


def _renumber(told: Trace, known: Trace) -> IntArray:
    """For each crowd of a folder its number in the trace."""
    numbers = np.empty(told.boxes.size, dtype=np.int64)
    numbers[np.argsort(told.boxes)] = np.argsort(known.boxes)
    return numbers


def _refuse_other_columns(
    release: ReleaseOnDisk, table: Table, pseudonyms: Collection[str]
) -> None:
    """Refuse a table whose columns are not those of the earlier release, role by role."""
    roles = table.roles
    hidden = {*roles.dropped} - {*pseudonyms}
    now = {name: str(roles.role_of(name)) for name in table.column_names if name not in hidden}
    then = {name: str(release.roles.role_of(name)) for name in release.table.column_names}
    now |= dict.fromkeys(pseudonyms, "pseudonym")
    then |= {p["column"]: "pseudonym" for p in release.manifest.get("pseudonyms", ())}
    differing = sorted(name for name in now.keys() | then.keys() if now.get(name) != then.get(name))
    if differing:
        names = ", ".join(map(repr, differing[:5]))
        raise InvalidParameterError(
            f"The earlier release in {release.folder.name!r} has other columns, or gives them"
            f" another role: {names}.",
            hint="A later delivery publishes the same columns in the same roles.",
        )


def _unknown(name: str, told: Trace, traces: Mapping[str, Trace]) -> InputError:
    """Say why a release cannot be followed: another version, or nobody's."""
    sizes = np.sort(told.sizes)
    silent = [t for t in traces.values() if not t.boxes.size and t.n_groups == sizes.size]
    if any(np.array_equal(np.sort(t.sizes), sizes) for t in silent):
        return InputError(
            f"The release in {name!r} was entered into the ledger without its boxes, by Spark, by"
            " another version of Shoal, or because its values were moved: it cannot be followed.",
            hint=_ANEW,
        )
    return InputError(
        f"The ledger knows no release like the one in {name!r}: it was changed, withdrawn, or"
        " entered elsewhere.",
        hint=f"See 'shoal ledger show', and name the folder as it was written. {_ANEW}",
    )
