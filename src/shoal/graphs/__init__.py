"""People and the edges between them: who hides with whom in a network, and what is published.

===================  =========================================================================
`Graph`              who knows whom, read from files, pairs, networkx, igraph or a matrix
`NetworkSaNGreeA`    groups that grow by attributes and neighbourhoods
`PublishNetwork`     ranges, the number of the group, and the masked network
`MaskedGraph`        the network as it is published: sizes, inner edges, edges between
===================  =========================================================================
"""

from shoal.graphs._as_graph import as_graph
from shoal.graphs._build import build_network, name_people
from shoal.graphs._graph import Graph
from shoal.graphs._grouper import SCALES, SEEDS, NetworkSaNGreeA
from shoal.graphs._masked import MaskedGraph, mask
from shoal.graphs._papers import (
    EDGES_FILE,
    GRAPH_FILE,
    GROUP,
    GROUPS_FILE,
    network_papers,
    read_masked,
)
from shoal.graphs._recoder import PublishNetwork

__all__ = [
    "EDGES_FILE",
    "GRAPH_FILE",
    "GROUP",
    "GROUPS_FILE",
    "SCALES",
    "SEEDS",
    "Graph",
    "MaskedGraph",
    "NetworkSaNGreeA",
    "PublishNetwork",
    "as_graph",
    "build_network",
    "mask",
    "name_people",
    "network_papers",
    "read_masked",
]
