"""What every step of a quantized recoding is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from shoal._estimator import Estimator
from shoal.quantize._moving import MovingValues


class Step(Estimator, ABC):
    """Changes the published values of clusters in place; nothing but values of the column."""

    columns: Sequence[str] | str | None = (
        None  # columns beside the quasi-identifiers that the step speaks of
    )

    @abstractmethod
    def apply(self, crowds: MovingValues) -> None:
        """Change ``crowds.codes``, and tell about it in ``crowds.facts``."""
