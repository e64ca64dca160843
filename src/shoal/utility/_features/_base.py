"""What the features of every attribute can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from shoal.typing import BoolArray, FloatArray


class Features(ABC):
    """How one attribute is turned into numbers; learned once, then never changed."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """One name per feature."""

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        """Turn distinct texts into rows of features.

        Returns
        -------
        rows : FloatArray
            One row per text, and one more for a missing value.
        unseen : BoolArray
            Which texts could not be read; they are encoded as ``*``.
        """


def is_star(text: str) -> bool:
    """Tell whether a text says nothing: ``*``, or a code of which every character is masked.

    >>> is_star("*"), is_star("****"), is_star("80**")
    (True, True, False)
    """
    return text.strip("*") == "" and text != ""
