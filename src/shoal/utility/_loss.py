"""How much of a table a grouping gives up, in the measures of the literature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.spaces import OF_PAPERS, WeightedSpaces, group_boxes
from shoal.table import Grouping
from shoal.typing import FloatArray


@dataclass(frozen=True)
class LossReport:
    """What publishing a grouping loses; nothing here depends on weights.

    Attributes
    ----------
    gil : float
        General information loss: over all groups, rows times the sum over attributes of interval
        width / column range or node height / tree height (Malle et al., 2017; the formula is that
        of Campan and Truta, 2008). A suppressed row loses all of every attribute.
    ngil : float
        ``gil`` divided by input rows and attributes: 0 publishes everything, 1 nothing.
    loss_by_attribute : mapping of str to float
        The same for each attribute; their mean is ``ngil``.
    non_uniform_entropy : float
        Bits needed to tell each original value among the rows its published value may stand for,
        divided by the bits if all cells were ``*``; mean over attributes (Gionis and Tassa, 2009,
        after De Waal and Willenborg, 1999). On a grid a value is a cell of the grid.
    discernibility : int
        Pairs of rows that cannot be told apart: the sum of squared group sizes, and the number of
        rows for every suppressed one (Bayardo and Agrawal, 2005).
    average_group_size : float
        Released rows per group.
    c_avg : float
        ``average_group_size`` divided by k (LeFevre et al., 2006): 1 is the best there is.
    groups, suppressed : int
        Groups, and rows that are in none.
    formed_loss : float
        Mean of the loss that groups were formed by; ``ngil``, where trees lose their height.
    measured_by : mapping of str to str
        What that loss is a share of in each attribute: ``width`` or, of trees, ``height``,
        ``leaves`` or ``people``.
    """

    gil: float
    ngil: float
    loss_by_attribute: Mapping[str, float]
    non_uniform_entropy: float
    discernibility: int
    average_group_size: float
    c_avg: float
    groups: int
    suppressed: int
    formed_loss: float
    measured_by: Mapping[str, str]

    def __str__(self) -> str:
        return (
            f"NGIL {self.ngil:.4f}, entropy {self.non_uniform_entropy:.4f}, "
            f"{self.groups:,} groups of {self.average_group_size:.1f} rows on average, "
            f"{self.suppressed:,} rows suppressed"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return asdict(self)


def measure_loss(spaces: WeightedSpaces, grouping: Grouping, *, k: int | None = None) -> LossReport:
    """Measure what is lost when every group publishes the box around its rows.

    Parameters
    ----------
    spaces : WeightedSpaces
        The quasi-identifiers; their weights play no part.
    grouping : Grouping
        Who hides with whom, one label per row of the table.
    k : int, optional
        The k asked for, which ``c_avg`` is relative to; the smallest group if not given.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.spaces import build_spaces
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [20, 25, 40, 60], "sex": ["f", "f", "f", "m"]})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers=["age", "sex"]))
    >>> report = measure_loss(build_spaces(table), Grouping(np.array([0, 0, 1, 1])))
    >>> report.gil, report.ngil, report.loss_by_attribute
    (3.25, 0.40625, {'age': 0.3125, 'sex': 0.5})
    >>> print(report)
    NGIL 0.4062, entropy 0.6221, 2 groups of 2.0 rows on average, 0 rows suppressed
    """
    if k is not None and (isinstance(k, bool) or k < 1):
        raise InvalidParameterError("k must be 1 or more.")
    n_rows, suppressed, sizes = grouping.n_rows, grouping.n_suppressed, grouping.sizes
    for space in spaces.spaces:
        if space.codes.size != n_rows:
            raise InvalidParameterError(
                f"The grouping has {n_rows} rows, column {space.name!r} has {space.codes.size}."
            )
    lost: FloatArray = np.zeros(len(spaces.spaces))
    formed, hidden = lost, lost
    measured_by = {space.name: space.measured_by for space in spaces.spaces}
    if spaces.spaces:
        lo, hi = group_boxes(spaces.codes, grouping)
        lost = formed = sizes @ spaces.loss_by_attribute(lo, hi) + suppressed
        if not {*measured_by.values()} <= {*OF_PAPERS}:
            lost = sizes @ spaces.by_height().loss_by_attribute(lo, hi) + suppressed
        hidden = spaces.entropy_by_attribute(lo, hi, sizes, suppressed)
    shares = lost / max(n_rows, 1)
    average = (n_rows - suppressed) / grouping.n_groups if grouping.n_groups else 0.0
    return LossReport(
        gil=float(lost.sum()),
        ngil=float(shares.mean()) if shares.size else 0.0,
        loss_by_attribute=dict(zip(spaces.names, shares.tolist(), strict=True)),
        non_uniform_entropy=float(hidden.mean()) if hidden.size else 0.0,
        discernibility=int((sizes**2).sum()) + suppressed * n_rows,
        average_group_size=average,
        c_avg=average / (max(grouping.smallest, 1) if k is None else k),
        groups=grouping.n_groups,
        suppressed=suppressed,
        formed_loss=float((formed / max(n_rows, 1)).mean()) if formed.size else 0.0,
        measured_by=measured_by,
    )
