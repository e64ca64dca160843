"""A ready ladder: the steps above a value follow from the value itself, and from a small table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from shoal.hierarchies._base import Arrangement, Hierarchy, distinct_labels, gap_error
from shoal.hierarchies._inferred import Flat
from shoal.hierarchies._taxonomy import Taxonomy

OTHER = "other"  # where values hang that a ladder does not know


@dataclass(frozen=True, repr=False)
class ReadyLadder(Hierarchy):
    """A ladder that comes with Shoal, for values that follow a public system.

    Values it does not know hang under ``other``. A column in which those are more than half is
    refused: it holds something else.

    Attributes
    ----------
    word : str
        What a plan calls it.
    title : str
        What it is for.
    steps : tuple of str
        What stands between a value and the root, finest first.
    climb : function of a value
        Its label on each step; None if it is not known.
    named : str
        A pattern that the name of a column must match before the ladder is proposed, where values
        alone could mean something else.
    ambiguous : function of values
        Whether they could, so that the name is asked for.
    """

    word: str
    title: str
    steps: tuple[str, ...]
    climb: Callable[[str], tuple[str, ...] | None] = field(compare=False)
    named: str = ""
    ambiguous: Callable[[Sequence[str]], bool] = field(default=bool, compare=False)

    def __repr__(self) -> str:
        return f"ready_ladder({self.word!r})"

    def count_covered(self, labels: Sequence[str]) -> int:
        """Count the values that the ladder knows."""
        return sum(self.climb(label) is not None for label in labels)

    def ladder_rows(self, labels: Sequence[str]) -> list[tuple[str, ...]]:
        """Write the ladder of these values: the value, its steps, and the root."""
        unknown = (OTHER,) * len(self.steps)
        return [(label, *(self.climb(label) or unknown), "*") for label in labels]

    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the values by their steps."""
        labels = distinct_labels(labels, column)
        unknown = len(labels) - self.count_covered(labels)
        if 2 * unknown > len(labels):
            hint = f"The ladder {self.word!r} is for {self.title}."
            raise gap_error(unknown, len(labels), column, hint=hint)
        if not labels:
            return Flat().arrange(labels, column=column)
        return Taxonomy.from_ladder(self.ladder_rows(labels)).arrange(labels, column=column)

    def published_tree(self, texts: Sequence[str]) -> Taxonomy:
        """Make the tree of a published column: a label is a leaf only if no value is below it."""
        rows = {text: steps for text in texts if (steps := self.climb(text)) is not None}
        labels = {label for steps in rows.values() for label in steps}
        unknown = [text for text in texts if text not in rows and text not in labels]
        rows |= {text: (text,) * len(self.steps) for text in unknown}
        return Taxonomy.from_ladder([(text, *steps, "*") for text, steps in rows.items()])

    def may_be(self, name: str, labels: Sequence[str]) -> bool:
        """Tell whether a column of this name may hold such values; they are looked at next."""
        return not self.ambiguous(labels) or re.search(self.named, simple(name)) is not None


def simple(text: str) -> str:
    """Write text in small letters, words apart, without accents and dots of initials.

    >>> simple(" États-Unis "), simple("U.S.A."), simple("high.school")
    ('etats unis', 'usa', 'high school')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    joined = re.sub(r"\b(\w)\.", r"\1", letters)
    return " ".join(re.sub(r"[\W_]+", " ", joined).split())
