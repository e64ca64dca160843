"""What the features of every attribute can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from shoal.typing import BoolArray, FloatArray, IntArray


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

    @abstractmethod
    def draw(self, texts: Sequence[str], codes: IntArray, rng: np.random.Generator) -> FloatArray:
        """Draw a single value out of what each row says, all it may stand for alike.

        Parameters
        ----------
        texts : sequence of str
            Distinct texts.
        codes : IntArray
            Which of them each row holds; one past the last where it is missing.
        rng : numpy.random.Generator
            Where chance comes from.
        """


def is_star(text: str) -> bool:
    """Tell whether a text says nothing: ``*``, or a code of which every character is masked.

    >>> is_star("*"), is_star("****"), is_star("80**")
    (True, True, False)
    """
    return text.strip("*") == "" and text != ""
