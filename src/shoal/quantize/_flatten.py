"""Flattening columns (Miche et al., 2016, Eq. 9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from shoal.exceptions import InvalidParameterError
from shoal.quantize._moving import MovingValues
from shoal.quantize._step import Step

To = Literal["centroid", "blank"]


class Flatten(Step):
    """Give every row of a cluster the same value in chosen columns: its centroid, or none.

    With all quasi-identifiers flattened this is microaggregation, and k-anonymous.

    Parameters
    ----------
    columns : sequence of str, or "all"
        The columns: quasi-identifiers or any other; ``"all"`` stands for all quasi-identifiers.
    to : {"centroid", "blank"}
        What they show.
    """

    def __init__(self, columns: Sequence[str] | str = "all", to: To = "centroid") -> None:
        self.columns = columns
        self.to = to

    def apply(self, crowds: MovingValues) -> None:
        """Flatten the columns."""
        if self.to not in get_args(To):
            raise InvalidParameterError("A column is flattened to 'centroid' or 'blank'.")
        names = crowds.chosen(self.columns or ())
        if self.to == "blank":
            crowds.blank.update(names)
            return
        crowds.flat.update(names)
        centroids, rows = crowds.centroids(), crowds.order
        for j in crowds.places(names):
            crowds.codes[rows, j] = centroids[crowds.grouping.labels[rows], j]
