"""What every metric must do, whoever wrote it."""

from __future__ import annotations

import numpy as np

from shoal.spaces.metrics import Metric, remap
from shoal.table import Table
from shoal.testing._expect import expect

_HAIR = 1e-6


def check_metric(metric: Metric, table: Table, name: str) -> None:
    """Measure a column of a table and check what metrics promise.

    Distances are finite, never negative, symmetric, zero between equals, keep the triangle
    inequality unless the metric says that it does not, and a missing value is as far from all
    others as any two are. The span between two codes is never narrower than their distance, so
    that clusters keep their radii; the remapped distance is monotone and keeps 0 at 0.

    Raises
    ------
    AssertionError
        With a sentence that says which promise is broken.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.spaces.metrics import Difference
    >>> from shoal.table import read_table
    >>> check_metric(Difference(), read_table(pl.DataFrame({"age": [1, 5, 9]})), "age")
    """
    column = table.column(name)
    measured = metric.measure(column, table)
    n = measured.space.n_codes
    expect(sorted(measured.column_codes.tolist()) == list(range(n)), "A value has no code.")
    back = measured.column_codes[measured.space.codes]
    expect(np.array_equal(back, column.codes), "Codes do not lead back to the column.")
    a, b = np.divmod(np.arange(n * n), max(n, 1))
    apart = measured.between(a, b).reshape(n, n)
    expect(np.isfinite(apart).all(), "A distance is not finite.")
    expect((apart >= 0).all(), "A distance is negative.")
    expect((apart <= measured.reach + _HAIR).all(), "A distance is larger than the largest.")
    expect(np.allclose(apart, apart.T), "A distance is not the same both ways.")
    expect(not apart.diagonal().any(), "A value has a distance from itself.")
    if metric.triangle:
        detour = (apart[:, :, None] + apart[None, :, :]).min(axis=1) if n else apart
        expect((apart <= detour + _HAIR * measured.reach).all(), "A detour is shorter.")
    if column.has_missing and n > 1:
        far = np.delete(apart[-1], -1)
        expect(np.allclose(far, measured.reach), "A missing value is nearer to some than to all.")
    spans = measured.space.loss(np.minimum(a, b), np.maximum(a, b)) * measured.reach
    expect((spans + _HAIR * measured.reach >= apart.ravel()).all(), "A span is too narrow.")
    mapped = remap(measured)
    expect(mapped.knots[0] == 0, "The remapped distance of equals is not 0.")
    expect((np.diff(mapped.knots) >= -_HAIR).all(), "The remapped distance falls.")
