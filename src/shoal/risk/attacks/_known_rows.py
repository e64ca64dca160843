"""Known rows: somebody knows several rows of a person, and pseudonyms say which belong together."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk._row_tokens import RowTokens, sample_people
from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene

MOST_ROWS = 3  # that an attacker knows of a person


class KnownRows(Attack):
    """The attacker knows one, two or three rows of a person, and looks for who has them all.

    A crowd hides one row. Where rows are joined by a pseudonym, a person is hidden only by those
    who have rows in the same crowds: k^m-anonymity (Terrovitis et al.) asks k of them for every
    combination of m rows. The rate is that of three known rows; the control is what
    the same attacker has where nothing joins rows: the smallest of the crowds known.
    """

    name: ClassVar[str] = "known_rows"
    title: ClassVar[str] = "By several rows of a person"
    scenario: ClassVar[str] = (
        "Somebody knows in which crowds up to three rows of a person are (three stays, say), looks"
        " for the pseudonyms that have rows in all of them, and points at one."
    )
    citation: ClassVar[str] = (
        "M. Terrovitis, N. Mamoulis, P. Kalnis. Privacy-preserving anonymization of set-valued"
        " data. VLDB 2008."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Look for everybody; the baseline points at anybody."""
        person = scene.released.roles.person
        if person is None:
            return AttackResult.skipped(self.name, "No pseudonym joins the rows of a person.")
        named = scene.released.text(person).is_not_null().to_numpy()
        people = np.unique(scene.released.codes(person)[named], return_inverse=True)[1]
        cells = scene.groups.labels[named]
        tokens, randomness = RowTokens.of(people, cells), scene.randomness(self.name)
        some = sample_people(tokens.n_people, scene.at_most, randomness)
        found = [tokens.chances(m, some, randomness) for m in range(1, MOST_ROWS + 1)]
        return AttackResult.of_chances(
            self.name,
            tokens.n_people,
            *found[-1],
            note="" if np.diff(tokens.starts).max() > 1 else "Nobody has more than one row.",
            details={f"m{m}": float(joined.mean()) for m, (joined, _) in enumerate(found, 1)},
        )
