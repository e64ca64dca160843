"""Attacks on networks: finding people by whom they know, and edges that are certain.

Somebody who knows the degree of a person, the degrees of their friends, or where some friends
are, asks of every published group how likely a member would look like that, if edges lay at random
within the published counts, and points at a member of the likeliest one (Hay et al., "Resisting
structural re-identification in anonymized social networks", VLDB 2008, have these kinds of
knowledge). On the network as it was, names taken off, the same knowledge points at everybody who
looks exactly so: that is the rate ``original`` among the details.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, TypeAlias

import numpy as np

from shoal._random import Seed, spawn
from shoal.exceptions import InvalidParameterError
from shoal.graphs import Graph, MaskedGraph, mask
from shoal.risk.attacks._base import Attack, AttackResult
from shoal.typing import FloatArray, IntArray

CITATION = (
    "M. Hay et al. Resisting structural re-identification in anonymized social networks. VLDB 2008."
)
FRIENDS = 3  # whom an attacker has found already
_LEAST = 1e-12

#: How likely each of some people (row) is in each group (column), by what the attacker knows.
Weigh: TypeAlias = "Callable[[NetworkScene, IntArray], FloatArray]"


@dataclass(frozen=True, eq=False)
class NetworkScene:
    """A network, how it was masked, and who is in which group.

    Parameters
    ----------
    graph : Graph
        The network as it was.
    labels : IntArray
        The group of each person, numbered as in ``masked``.
    at_most : int
        Most people to attack; drawn at random if there are more.
    random_state : int, Generator or None
        Draws them, and the networks that are held against it.
    """

    graph: Graph
    labels: IntArray
    at_most: int = 2000
    random_state: Seed = 0

    @cached_property
    def masked(self) -> MaskedGraph:
        """The network as it is published."""
        return mask(self.graph, self.labels)

    @cached_property
    def targets(self) -> IntArray:
        """The people who are attacked."""
        everybody = np.arange(self.graph.n_people)
        if everybody.size <= self.at_most:
            return everybody
        rng = spawn(self.random_state, "targets")
        return np.sort(rng.choice(everybody, self.at_most, replace=False))

    @cached_property
    def redrawn(self) -> NetworkScene:
        """The same groups with edges at random: whatever works here is no leak of a person."""
        drawn = self.masked.draw(spawn(self.random_state, "control"))
        groups = np.repeat(np.arange(self.masked.sizes.size), self.masked.sizes)
        return NetworkScene(drawn, groups, self.at_most, self.random_state)

    @cached_property
    def density(self) -> FloatArray:
        """Chance of an edge between members of two groups, or of one."""
        masked, n = self.masked, self.masked.sizes.size
        chance = np.zeros((n, n))
        a, b = masked.pairs.T
        chance[a, b] = chance[b, a] = masked.between / masked.possible_between
        chance[np.arange(n), np.arange(n)] = masked.inner / np.maximum(masked.possible_inside, 1)
        return chance

    @cached_property
    def others(self) -> FloatArray:
        """People of each group (column) whom a member of each (row) could know."""
        others = np.tile(self.masked.sizes.astype(float), (self.masked.sizes.size, 1))
        np.fill_diagonal(others, self.masked.sizes - 1)
        return others

    def degree_chances(self, met: int = 0) -> FloatArray:
        """Chance of each degree (column) in each group (row), ``met`` of the friends being known.

        As if edges to all whom a member could know were equally likely.
        """
        could = (self.others * (self.density > 0)).sum(axis=1)
        likely = (self.others * self.density).sum(axis=1) / np.maximum(could, 1)
        most = int(self.graph.degrees.max(initial=0))
        chances = np.zeros((could.size, most + 1))
        chances[:, met:] = _binomial(np.maximum(could - met, 0), likely, most - met)
        return chances


class LinkByDegree(Attack):
    """The attacker knows how many friends the target has."""

    name: ClassVar[str] = "network_degree"
    title: ClassVar[str] = "By how many friends somebody has"
    scenario: ClassVar[str] = (
        "Somebody knows how many friends a person has, and points at a member of the group where"
        " that many are likeliest."
    )
    citation: ClassVar[str] = CITATION

    def run(self, scene: NetworkScene) -> AttackResult:  # type: ignore[override]
        """Attack everybody; on the original, people with the same degree are all that fit."""
        degrees = scene.graph.degrees
        return _linked(self.name, scene, _by_degree, np.unique(degrees, return_inverse=True)[1])


class LinkByNeighbourhood(Attack):
    """The attacker knows how many friends the target has, and how many each of these has."""

    name: ClassVar[str] = "network_neighbourhood"
    title: ClassVar[str] = "By how many friends the friends have"
    scenario: ClassVar[str] = (
        "Somebody knows how many friends a person has and how many each of these has, and points"
        " at a member of the group where that is likeliest."
    )
    citation: ClassVar[str] = CITATION

    def run(self, scene: NetworkScene) -> AttackResult:  # type: ignore[override]
        """Attack everybody; on the original, people with the same degrees around them fit."""
        degrees, people = scene.graph.degrees, range(scene.graph.n_people)
        around = [tuple(sorted(degrees[_friends(scene, i)].tolist())) for i in people]
        kinds = {kind: i for i, kind in enumerate(dict.fromkeys(around))}
        return _linked(
            self.name, scene, _by_neighbourhood, np.array([kinds[kind] for kind in around])
        )


class LinkByFriends(Attack):
    """The attacker has found some friends of the target already, or is one of them."""

    name: ClassVar[str] = "network_friends"
    title: ClassVar[str] = "By friends who are known"
    scenario: ClassVar[str] = (
        f"Somebody knows where up to {FRIENDS} friends of a person are, and points at a member of"
        " the group that is joined closest with theirs."
    )
    citation: ClassVar[str] = (
        "L. Backstrom, C. Dwork, J. Kleinberg. Wherefore art thou R3579X? WWW 2007."
    )

    def run(self, scene: NetworkScene) -> AttackResult:  # type: ignore[override]
        """Attack whoever has friends; on the original, friends of all of these fit."""
        return _linked(self.name, scene, _by_friends, None)


class CertainEdges(Attack):
    """The attacker names two people who must know each other, by the published counts alone."""

    name: ClassVar[str] = "network_certain_edges"
    title: ClassVar[str] = "Edges that are certain"
    scenario: ClassVar[str] = (
        "Somebody who knows who is in which group looks for groups and pairs of groups with all"
        " the edges they could have: everybody there knows everybody."
    )
    goal: ClassVar[str] = "value"
    citation: ClassVar[str] = (
        "A. Campan, T. M. Truta. Data and structural k-anonymity in social networks. 2009."
    )

    def run(self, scene: NetworkScene) -> AttackResult:  # type: ignore[override]
        """Count edges that are certain; the baseline is the share of pairs with an edge."""
        n, edges = scene.graph.n_people, scene.graph.n_edges
        if edges == 0:
            return AttackResult.skipped(self.name, "There is no edge.")
        pairs = n * (n - 1) // 2
        return AttackResult(
            self.name,
            rate=_certain(scene.masked) / edges,
            baseline=edges / pairs,
            control=_certain(scene.redrawn.masked) / edges,
            people=edges,
            control_counts=False,
            details={
                "original": 1.0,
                "absent_for_certain": _absent(scene.masked, pairs) / max(1, pairs - edges),
                "groups_without_inner_edges": float((scene.masked.inner == 0).mean()),
            },
        )


NETWORK_ATTACKS: Mapping[str, Attack] = MappingProxyType(
    {a.name: a for a in (LinkByDegree(), LinkByNeighbourhood(), LinkByFriends(), CertainEdges())}
)


def run_network_attacks(
    scene: NetworkScene, names: Iterable[str] | None = None
) -> tuple[AttackResult, ...]:
    """Try what an attacker would on a masked network.

    >>> star = Graph.from_pairs([("0", str(i)) for i in range(1, 6)])
    >>> scene = NetworkScene(star, np.array([0, 0, 0, 1, 1, 1]))
    >>> found = run_network_attacks(scene, ["network_degree"])[0]
    >>> round(found.rate, 3), round(found.details["original"], 3)
    (0.222, 0.333)
    """
    wanted = list(NETWORK_ATTACKS if names is None else names)
    for name in wanted:
        if name not in NETWORK_ATTACKS:
            raise InvalidParameterError(
                f"There is no attack on networks named {name!r}.",
                hint=f"There are {', '.join(NETWORK_ATTACKS)}.",
            )
    return tuple(NETWORK_ATTACKS[name].run(scene) for name in wanted)  # type: ignore[arg-type]


def _linked(name: str, scene: NetworkScene, weigh: Weigh, kinds: IntArray | None) -> AttackResult:
    """Rate of a linkage: on the release, by guessing, with redrawn edges, on the original."""
    targets = scene.targets
    if weigh is _by_friends:
        targets = targets[scene.graph.degrees[targets] > 0]
    if not targets.size:
        return AttackResult.skipped(name, "Nobody has a friend.")
    redrawn = scene.redrawn
    others = redrawn.targets[redrawn.graph.degrees[redrawn.targets] > 0]
    alike = _same_friends(scene, targets) if kinds is None else np.bincount(kinds)[kinds[targets]]
    return AttackResult(
        name,
        rate=_right(scene, weigh, targets),
        baseline=1 / scene.graph.n_people,
        control=_right(redrawn, weigh, others),
        people=int(targets.size),
        control_counts=False,
        details={"original": float((1 / alike).mean())},
    )


def _right(scene: NetworkScene, weigh: Weigh, targets: IntArray) -> float:
    """How often the likeliest group is the right one, and the member pointed at the person."""
    right = 0.0
    sizes, own = scene.masked.sizes, scene.labels[targets]
    for begin in range(0, targets.size, 256):
        some = targets[begin : begin + 256]
        chances = weigh(scene, some)
        best = chances >= chances.max(axis=1, keepdims=True) - _LEAST
        pointed = np.take_along_axis(best, own[begin : begin + 256, None], axis=1)[:, 0]
        right += float((pointed / (best @ sizes)).sum())  # among equals, any member
    return right / max(1, targets.size)


def _by_degree(scene: NetworkScene, people: IntArray) -> FloatArray:
    chances: FloatArray = np.log(scene.degree_chances()[:, scene.graph.degrees[people]].T + _LEAST)
    return chances


def _by_neighbourhood(scene: NetworkScene, people: IntArray) -> FloatArray:
    """A friend is in a group as often as edges lead there, and one of their edges is known."""
    degrees, met = scene.graph.degrees, scene.degree_chances(met=1)
    expected = scene.others * scene.density
    share = expected / np.maximum(expected.sum(axis=1, keepdims=True), _LEAST)
    around = np.log(share @ met + _LEAST)
    seen = np.zeros((people.size, met.shape[1]))
    for row, person in enumerate(people):
        np.add.at(seen[row], degrees[_friends(scene, person)], 1)
    chances: FloatArray = _by_degree(scene, people) + seen @ around.T
    return chances


def _by_friends(scene: NetworkScene, people: IntArray) -> FloatArray:
    likely = np.log(scene.density + _LEAST)
    return np.array([likely[:, scene.labels[_known(scene, i)]].sum(axis=1) for i in people])


def _same_friends(scene: NetworkScene, people: IntArray) -> FloatArray:
    """How many have all the friends that the attacker knows of each person."""
    counts = np.zeros(people.size)
    for row, person in enumerate(people):
        found = [set(_friends(scene, friend).tolist()) for friend in _known(scene, person)]
        counts[row] = len(set.intersection(*found))
    return counts


def _friends(scene: NetworkScene, person: int) -> IntArray:
    return scene.graph.friends[scene.graph.starts[person] : scene.graph.starts[person + 1]]


def _known(scene: NetworkScene, person: int) -> IntArray:
    """Take a few friends, at even distances."""
    friends = _friends(scene, person)
    few: IntArray = np.linspace(0, friends.size - 1, min(FRIENDS, friends.size)).astype(np.int64)
    some: IntArray = friends[few]
    return some


def _certain(masked: MaskedGraph) -> int:
    inside = masked.inner[masked.inner == masked.possible_inside].sum()
    return int(inside + masked.between[masked.between == masked.possible_between].sum())


def _absent(masked: MaskedGraph, pairs: int) -> int:
    """Pairs of people who are known not to know each other."""
    inside = int(masked.possible_inside[masked.inner > 0].sum())
    return pairs - inside - int(masked.possible_between.sum())


def _binomial(tries: FloatArray, likely: FloatArray, most: int) -> FloatArray:
    """Chance of each count up to ``most``, one row for each number of tries."""
    from scipy.stats import binom

    return np.asarray(binom.pmf(np.arange(most + 1)[None, :], tries[:, None], likely[:, None]))
