"""Where each row goes: fragments of people who look alike, learned on a sample."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.exceptions import InvalidParameterError
from shoal.grouping import CutTree, Packing
from shoal.spark._network import Network, NetworkInputs
from shoal.typing import IntArray

ROUTINGS = ("network", "mondrian", "random")


def check_routing(routing: str) -> None:
    """Refuse a routing that does not exist."""
    if routing not in ROUTINGS:
        raise InvalidParameterError(
            f"There is no routing named {routing!r}.", hint=f"Choose from {', '.join(ROUTINGS)}."
        )


@dataclass(frozen=True, eq=False)
class Router:
    """Finds the fragment of a row from its codes and a hash of its content, and nothing else.

    Parameters
    ----------
    tree : CutTree
        Cuts of the points that rows are seen as.
    packing : Packing
        Which fragment each leaf belongs to.
    network : Network, optional
        Turns codes into points (its bottleneck); without one, codes are points.
    features : Features, optional
        What the network is shown.
    """

    tree: CutTree
    packing: Packing
    network: Network | None = None
    features: NetworkInputs | None = None

    def points(self, codes: IntArray) -> IntArray:
        """See rows as points."""
        if self.network is None or self.features is None:
            return codes
        return self.network.places(codes, self.features)

    def leaves(self, codes: IntArray) -> IntArray:
        """Leaf of each row."""
        return self.tree.leaves(self.points(codes))

    def fragments(self, codes: IntArray, hashes: IntArray) -> IntArray:
        """Fragment of each row."""
        return self.packing.fragments(self.leaves(codes), hashes)
