"""Public tables whose columns two stewards gave roles, apart, and how far they agree.

What the stewards agree on is the most that any proposal can reach. Both had this page: a *direct
identifier* names, numbers or reaches a person or a record (I); a *quasi-identifier* is what others
may know or look up: who somebody is, where, family, work, schooling, days, a body that is seen (Q);
*sensitive* is what people keep to themselves: health, money, law, beliefs, marks, habits (S); a
*target* is what a table is there to predict (T); all else is harmless (H). A letter behind the
first is accepted as well: an exact blood value may be kept or generalized. Both stewards are one
labeler in two passes, the second backwards through the tables and without the first at hand, who
knew how proposals are made but not what they are: two people may differ more. Questionnaires of
more than 45 columns and tables of places were left out.

Parts A, B and C were drawn by the names of files. Rules were mended on what was missed in A, then
in B; what was missed in C was never looked at. D was fetched and labeled after that, when rules
were done, so that no word of it was known to them.

Parts J1 and J2 (``roles_apart.toml``; halves of 73 tables by a hash) are by two labelers, apart, of
whom neither had seen a rule or what it proposes. So are K1 and K2 (``roles_unseen.toml``; 48
tables), L1 and L2 (``roles_blind.toml``; 62 tables, without four workbooks of several sheets), M1
and M2 (``roles_sealed.toml``; 56 tables, without four that look as if published by mistake and one
whose rows have a field more than its header).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from roles_public import PublicTable

HERE = Path(__file__).parent
LABELS = tuple(
    HERE / f"roles_{name}.toml" for name in ("stewards", "apart", "unseen", "blind", "sealed")
)


@dataclass(frozen=True)
class TwiceLabeled:
    """A table with the roles of two stewards."""

    part: str
    first: PublicTable
    second: PublicTable

    @property
    def fetched(self) -> str:
        """Name of the file."""
        return self.first.fetched

    def agreed(self, name: str) -> str | None:
        """Return the letters that both stewards accept, if they begin alike."""
        one, other = self.first.role_of(name), self.second.role_of(name)
        if one[0] != other[0]:
            return None
        return "".join(letter for letter in one if letter in other)

    def agreed_or_first(self, name: str) -> str:
        """Return the same, or else the letters of the first steward."""
        return self.agreed(name) or self.first.role_of(name)


@dataclass
class Agreement:
    """How often two stewards begin with the same letter, and how often one accepts the other's."""

    columns: int = 0
    same: int = 0
    accepted: int = 0
    apart: list[str] = field(default_factory=list)

    def add(self, table: TwiceLabeled, name: str) -> None:
        """Count one column."""
        one, other = table.first.role_of(name), table.second.role_of(name)
        self.columns += 1
        self.same += one[0] == other[0]
        self.accepted += one[0] in other
        if one[0] != other[0]:
            self.apart.append(f"{Path(table.fetched).stem}.{name}: {one} and {other}")


def stewards_tables() -> Iterator[TwiceLabeled]:
    """Yield every table that both stewards labeled."""
    files = (tomllib.loads(labels.read_text("utf-8"))["tables"] for labels in LABELS)
    for table in chain.from_iterable(files):
        about = table["fetched"], table["source"]
        both = (PublicTable(*about, table[who]) for who in ("first", "second"))
        yield TwiceLabeled(table["part"], *both)
