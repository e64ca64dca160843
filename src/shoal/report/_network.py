"""A network in a report: what is published of it, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.graphs import Graph, MaskedGraph


@dataclass(frozen=True, eq=False)
class NetworkSummary:
    """A masked network and what can be told of it.

    Parameters
    ----------
    facts : mapping of str to number
        What anybody can count again in the files.
    masked : MaskedGraph
        The network as it is published.
    """

    facts: Mapping[str, int | float]
    masked: MaskedGraph = field(repr=False)


def summarize_network(
    graph: Graph, masked: MaskedGraph, facts: Mapping[str, int | float]
) -> NetworkSummary:
    """Sum up what a masked network tells."""
    return NetworkSummary(facts, masked)
