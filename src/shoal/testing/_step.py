"""What every recoding step that moves values must do, whoever wrote it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.quantize import EpsilonClusters, Quantize, Step
from shoal.recoding import Recoded
from shoal.table import Table
from shoal.testing._expect import expect
from shoal.testing._tables import random_table, shuffled


def check_steps(steps: Sequence[Step], *, tables: int = 12, seed: int = 0) -> None:
    """Let steps move the values of random tables, and read what they published.

    Nothing but values of the column is published, in the type it had; other columns stay; rows in
    another order publish the same rows under the same seed; without one, chance is fresh.

    Raises
    ------
    AssertionError
        With a sentence that says which promise is broken.

    Examples
    --------
    >>> from shoal.quantize import PushBack, Stir
    >>> check_steps([PushBack(), Stir()], tables=2)
    """
    for number in range(tables):
        rng = np.random.default_rng((seed, number))
        table = random_table(rng, n_rows=int(rng.integers(8, 60)), n_quasi=int(rng.integers(1, 5)))
        before = table.frame.clone()
        recoded = _recode(steps, table, number)
        expect(table.frame.equals(before), "The table changed while it was recoded.")
        check_moved(table, recoded)
        again = _recode(steps, other := shuffled(rng, table), number)
        same = _rows(recoded, table).equals(_rows(again, other), null_equal=True)
        expect(same, "The order of the input rows changes what is published under one seed.")


def check_moved(table: Table, recoded: Recoded) -> None:
    """Check that what was published are values of the columns, and that the rest stayed."""
    frame = recoded.aligned_frame(table)
    expect(frame.height == table.n_rows, "Rows are lost or added.")
    for name, column in recoded.columns.items():
        expect(column.dtype == table.frame.schema[name], f"Column {name!r} changed its type.")
        shown = set(column.drop_nulls().to_list())
        had = set(table.frame[name].drop_nulls().to_list())
        expect(shown <= had, f"Column {name!r} publishes what it never held.")
    for name in frame.columns:
        if name not in recoded.columns:
            expect(frame[name].equals(table.frame[name]), f"Column {name!r} changed.")
    sizes = frame.select(table.roles.quasi_identifiers).group_by(pl.all()).len()["len"]
    counted = sorted(recoded.grouping.sizes.tolist())
    expect(
        counted == sorted(sizes.to_list()), "Rows that read the same are not the crowds told of."
    )


def _recode(steps: Sequence[Step], table: Table, seed: int) -> Recoded:
    clusters = EpsilonClusters(m=2).fit_table(table)
    return Quantize(steps, random_state=seed).recode(table, clusters.grouping_, None, clusters)


def _rows(recoded: Recoded, table: Table) -> pl.DataFrame:
    frame = recoded.aligned_frame(table).select(pl.all().cast(pl.String))
    return frame.sort(frame.columns)
