"""Minimality: a crowd larger than k needs was made so because of its secrets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._secrets import Secret, believe, guess
from shoal.typing import BoolArray, FloatArray


class Minimality(Attack):
    """The attacker knows that l or t widened some crowds, and asks which value made it necessary.

    A generalized crowd of 2k rows or more could have been split if k were all that was asked. In
    such a crowd the attacker bets on the value most over-represented there, elsewhere on the
    commonest. The baseline bets on the commonest everywhere. `minimality_posterior` does this
    exactly, for tables of a few rows.
    """

    name: ClassVar[str] = "minimality"
    title: ClassVar[str] = "Does the width of a crowd tell why?"
    goal: ClassVar[str] = "value"
    scenario: ClassVar[str] = (
        "Somebody knows the algorithm: it widens a crowd only if its sensitive values are too much"
        " alike. So a crowd that is wider than k needs had a reason, and the reason is a value."
    )
    citation: ClassVar[str] = "R. Wong et al. Minimality attack in privacy. VLDB 2007."

    def run(self, scene: AttackScene) -> AttackResult:
        """Bet on the reason in every crowd that is larger than needed."""
        results = [self._on(scene, Secret(scene, name)) for name in scene.secrets]
        if not results:
            return AttackResult.skipped(self.name, "No column is sensitive.")
        return max(results, key=lambda result: (result.risk, result.rate))

    def _on(self, scene: AttackScene, secret: Secret) -> AttackResult:
        rows = scene.rows
        values = scene.values_of_original(rows)
        told = believe(secret)
        posterior, truth = told.posterior, told.truth
        suspect = _mostly_splittable(scene.matching.sums(values, _two_columns(scene)))
        right = guess(_bets(posterior, secret.prior, suspect), truth)
        rate, people = mean_over_people(right, scene.people_of(rows))
        plain, _ = mean_over_people(guess(posterior, truth), scene.people_of(rows))
        return AttackResult(
            self.name,
            rate=rate,
            baseline=plain,
            people=people,
            note=f"Worst of all: {secret.name}.",
            details={"in_crowds_larger_than_needed": float(suspect.mean())},
        )


def _two_columns(scene: AttackScene) -> FloatArray:
    """Rows of each group, and those of them that are in groups k alone would have split."""
    sizes = scene.groups.sizes.astype(np.float64)
    k = scene.k or int(sizes.min())
    wide = np.zeros(sizes.size, dtype=np.bool_)
    for column, meaning in enumerate(scene.meanings.values()):
        wide |= (meaning.spans | meaning.anything)[scene.matching.texts[:, column]]
    return np.column_stack([sizes, sizes * ((sizes >= 2 * k) & wide)])


def _mostly_splittable(sums: FloatArray) -> BoolArray:
    mostly: BoolArray = (sums[:, 0] > 0) & (sums[:, 1] > sums[:, 0] / 2)
    return mostly


def _bets(posterior: FloatArray, prior: FloatArray, suspect: BoolArray) -> FloatArray:
    excess = np.where(posterior > 0, posterior / np.maximum(prior, 1e-12), 0.0)
    bets: FloatArray = np.where(suspect[:, None], excess, posterior)
    return bets


def minimality_posterior(
    people: Sequence[Any],
    secrets: Sequence[str],
    publish: Callable[[Sequence[tuple[Any, str]]], Any],
    released: Any,
) -> list[dict[str, Fraction]]:
    """What each person's secret is, to somebody who knows everybody and the algorithm.

    Every way to deal the secrets out to the people is tried; those that the algorithm turns into
    the release that was seen are as likely as each other. Exact, and factorial: 8 people at most.

    Parameters
    ----------
    people : sequence
        What is known of each person.
    secrets : sequence of str
        The multiset of secrets that the release shows.
    publish : callable
        The algorithm: from ``(person, secret)`` pairs to a release that can be compared.
    released : object
        The release that was seen.

    Examples
    --------
    One rule: publish the two crowds apart, unless one of them is all ill.

    >>> def publish(rows):
    ...     crowd = [secret for person, secret in rows if person == "q1"]
    ...     together = crowd == ["ill"] * len(crowd)
    ...     return sorted(("*" if together else person, secret) for person, secret in rows)
    >>> seen = publish([("q1", "ill"), ("q1", "ill"), ("q2", "well"), ("q2", "well")])
    >>> minimality_posterior(["q1", "q1", "q2", "q2"], ["ill", "ill", "well", "well"],
    ...                      publish, seen)[0]
    {'ill': Fraction(1, 1)}
    """
    if len(people) > 8 or len(people) != len(secrets):
        raise ValueError("Everybody needs one secret, and at most 8 people can be tried.")
    worlds = [
        deal
        for deal in set(permutations(secrets))
        if publish(list(zip(people, deal, strict=True))) == released
    ]
    return [
        {value: Fraction(n, len(worlds)) for value, n in Counter(w[i] for w in worlds).items()}
        for i in range(len(people))
    ]
