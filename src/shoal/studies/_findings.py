"""What a study found: tables, pictures, and each claim of the paper beside what was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from shoal.exceptions import InvalidParameterError

Answer: TypeAlias = Literal["holds", "holds in part", "does not hold", "cannot be told"]


@dataclass(frozen=True)
class ResultTable:
    """Records that share their columns; written as CSV and JSON, shown on the page if ``shown``."""

    name: str
    title: str
    records: Sequence[Mapping[str, Any]]
    note: str = ""
    shown: bool = True

    @property
    def columns(self) -> list[str]:
        """All columns, in the order in which they first appear."""
        return list(dict.fromkeys(name for record in self.records for name in record))


@dataclass(frozen=True)
class Picture:
    """A figure; ``draw`` returns a matplotlib figure, written as SVG and PNG."""

    name: str
    title: str
    draw: Callable[[], Any]
    note: str = ""


@dataclass(frozen=True)
class PaperClaim:
    """A sentence of the paper (or a question it left open) and what came out here.

    >>> PaperClaim("k=200 is surprisingly good.", "The constant is better.", "does not hold")
    PaperClaim(claimed='k=200 ...', measured='The ...', answer='does not hold', evidence=())
    """

    claimed: str
    measured: str
    answer: Answer
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """All that a study hands over.

    Attributes
    ----------
    summary : str
        A few sentences for someone who reads nothing else.
    tables, pictures, claims : sequence
        In the order they are shown.
    numbers : mapping
        Plain JSON values that documents quote.
    unknown : sequence of str
        What the paper does not say and could not be found out.
    """

    summary: str
    tables: Sequence[ResultTable] = ()
    pictures: Sequence[Picture] = ()
    claims: Sequence[PaperClaim] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)
    unknown: Sequence[str] = ()

    def __post_init__(self) -> None:
        names = [table.name for table in self.tables] + [p.name for p in self.pictures]
        cited = {name for claim in self.claims for name in claim.evidence}
        if len(set(names)) < len(names):
            raise InvalidParameterError("Two tables or pictures of a study have the same name.")
        if absent := sorted(cited - set(names)):
            raise InvalidParameterError(f"A claim cites {absent[0]!r}, which is not there.")
