"""How near proposed roles come to those of a careful steward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FITS = {
    "I": ("identifier", "person", "drop"),
    "Q": ("quasi_identifier",),
    "S": ("sensitive",),
    "T": ("target",),
    "H": ("other", "publish_as_is"),
}
PUBLISHED = ("other", "publish_as_is", "sensitive", "target")


@dataclass
class Score:
    """Columns by the first letter of the steward, how many were met, and who was published.

    ``certain`` counts only columns that have one letter: there is one right answer.
    ``met_first`` accepts no letter but the first, ``tables`` has the shares met of each table.
    """

    columns: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FITS, 0))
    met: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FITS, 0))
    met_first: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FITS, 0))
    certain: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FITS, 0))
    certain_met: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FITS, 0))
    tables: list[dict[str, float]] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    misjudged: list[str] = field(default_factory=list)

    def add(self, table: str, letters: Mapping[str, str], proposed: Mapping[str, str]) -> None:
        """Count the columns of one table."""
        columns, met = dict(self.columns), dict(self.met)
        for column, role in proposed.items():
            wanted = letters[column]
            right = any(role in FITS[letter] for letter in wanted)
            self.columns[wanted[0]] += 1
            self.met[wanted[0]] += right
            self.met_first[wanted[0]] += role in FITS[wanted[0]]
            if len(wanted) == 1:  # no other role is accepted
                self.certain[wanted] += 1
                self.certain_met[wanted] += right
            if not right:
                self.misjudged.append(f"{table}.{column}: {role}, not {wanted}")
            if wanted[0] == "I" and not right and role in PUBLISHED:
                self.leaked.append(f"{table}.{column}")
        added = {letter: self.columns[letter] - columns[letter] for letter in FITS}
        self.tables.append({a: (self.met[a] - met[a]) / n for a, n in added.items() if n})

    def share(self, letter: str) -> float:
        """Share of the columns of a letter that were met."""
        return self.met[letter] / max(1, self.columns[letter])

    def by_table(self, letter: str) -> float:
        """Mean over tables of the share that was met, so that no wide table decides."""
        shares = [table[letter] for table in self.tables if letter in table]
        return sum(shares) / max(1, len(shares))

    @property
    def taken(self) -> float:
        """Share of harmless columns that were given a role."""
        return 1 - self.share("H")
