"""What every recoder must do, whoever wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.random import Generator

from shoal.hierarchies import Hierarchy, infer_hierarchy
from shoal.recoding import Recoded, Recoder
from shoal.table import Grouping, Table
from shoal.testing._coverage import STAR, uncovered_rows
from shoal.testing._expect import expect
from shoal.testing._tables import random_table, with_frame


def check_recoder(recoder: Recoder, *, tables: int = 20, seed: int = 0) -> None:
    """Let a recoder publish random groups of random tables, and read what it published.

    Raises
    ------
    AssertionError
        With a sentence that says which promise is broken.

    Examples
    --------
    >>> from shoal.recoding import Generalize
    >>> check_recoder(Generalize(), tables=3)
    """
    for number in range(tables):
        rng = np.random.default_rng((seed, number))
        n_rows = int(rng.integers(1, 50))
        table = random_table(rng, n_rows=n_rows, n_quasi=int(rng.integers(1, 6)))
        grouping = random_grouping(rng, n_rows)
        before = table.frame.clone()
        recoded = recoder.recode(table, grouping)
        expect(table.frame.equals(before), "The table changed while it was recoded.")
        check_recoded(table, grouping, recoded, getattr(recoder, "hierarchies", None))
        _check_order_is_irrelevant(rng, recoder, table, grouping, recoded)


def check_recoded(
    table: Table,
    grouping: Grouping,
    recoded: Recoded,
    hierarchies: Mapping[str, Hierarchy] | None = None,
) -> None:
    """Check one recoding of one grouping against the original table."""
    names = table.roles.quasi_identifiers
    expect(list(recoded.columns) == list(names), "Every quasi-identifier is published, in order.")
    _check_groups_read_alike(table, grouping, recoded)
    _check_frames(table, grouping, recoded)
    kept = grouping.labels >= 0
    for name in names:
        text = recoded.columns[name]
        expect(text.dtype == pl.String, f"Column {name!r} is not published as text.")
        shown = set(text.filter(pl.Series(~kept)))
        expect(shown <= {STAR}, f"A suppressed row shows something of {name!r}.")
        tree = (hierarchies or {}).get(name) or infer_hierarchy(table.column(name))
        rows = uncovered_rows(table, name, text, tree)
        expect(not rows, f"In {len(rows)} rows, {name!r} lies outside of what is published for it.")
        _check_missing(table, grouping, name, text)


def random_grouping(rng: Generator, n_rows: int, suppressed: float = 0.1) -> Grouping:
    """Put rows into groups at random; a few are suppressed.

    >>> random_grouping(np.random.default_rng(0), 6).n_rows
    6
    """
    labels = rng.integers(max(1, n_rows // 3), size=n_rows)
    labels[rng.random(n_rows) < suppressed] = -1
    present = np.unique(labels[labels >= 0])
    return Grouping(np.where(labels < 0, -1, np.searchsorted(present, labels)))


def _check_groups_read_alike(table: Table, grouping: Grouping, recoded: Recoded) -> None:
    """Rows of one group read the same, and what reads the same is one crowd."""
    kept = np.flatnonzero(grouping.labels >= 0)
    crowds, groups = recoded.grouping.labels, grouping.labels[kept].tolist()
    same_rows = np.array_equal(np.flatnonzero(crowds >= 0), kept)
    expect(same_rows, "Recoding suppressed other rows than the grouping.")
    text = pl.DataFrame([recoded.columns[name] for name in table.roles.quasi_identifiers])
    cells = [text.row(int(row)) for row in kept]
    one_text = len(set(zip(groups, cells, strict=True))) == grouping.n_groups
    expect(one_text, "Rows of one group do not read the same.")
    expect(
        _partition(cells) == _partition(crowds[kept].tolist()),
        "Rows that read the same are not the crowds that the recoder tells of.",
    )


def _check_frames(table: Table, grouping: Grouping, recoded: Recoded) -> None:
    names = [name for name in table.column_names if name not in table.roles.dropped]
    aligned, released = recoded.aligned_frame(table), recoded.release_frame(table)
    expect(aligned.columns == names, "Columns are lost, added or moved.")
    expect(aligned.height == table.n_rows, "The aligned frame has other rows than the table.")
    left = table.n_rows - grouping.n_suppressed
    expect(released.height == left, "Rows are lost, or suppressed ones are released.")
    others = [name for name in names if name not in recoded.columns]
    same = aligned.select(others).equals(table.frame.select(others))
    expect(same, "A column that is no quasi-identifier changed.")


def _check_missing(table: Table, grouping: Grouping, name: str, text: pl.Series) -> None:
    """An all-missing group publishes the empty cell, a mixed one a star."""
    missing = table.text(name).is_null().to_numpy()
    for group in range(grouping.n_groups):
        rows = grouping.members(group)
        shown = text[int(rows[0])]
        if missing[rows].all():
            expect(shown is None, f"A group without any {name!r} publishes something of it.")
        elif missing[rows].any():
            expect(shown == STAR, f"A group with some {name!r} missing publishes more than a star.")


def _check_order_is_irrelevant(
    rng: Generator, recoder: Recoder, table: Table, grouping: Grouping, recoded: Recoded
) -> None:
    """Rows in another order and groups under other numbers publish the same cells."""
    order = rng.permutation(table.n_rows)
    number = np.append(rng.permutation(grouping.n_groups), -1)
    moved = with_frame(table, table.frame[order])
    again = recoder.recode(moved, Grouping(number[grouping.labels[order]]))
    for name, text in recoded.columns.items():
        same = again.columns[name].equals(text.gather(order), null_equal=True)
        expect(same, f"{name!r} is published differently once rows or groups are reordered.")


def _partition(labels: Sequence[object]) -> list[int]:
    """Number groups by their first row, so that equal partitions are equal lists."""
    seen: dict[object, int] = {}
    return [seen.setdefault(label, len(seen)) for label in labels]
