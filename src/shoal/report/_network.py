"""A network in a report: what is published of it, what it is still good for, and how it looks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from shoal._words import number, retell, say
from shoal.report._drawing import draw_svg, section, table
from shoal.report._published import two_digits
from shoal.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from shoal.graphs import Graph, MaskedGraph
    from shoal.utility.networks import NetworkMeasure

MOST_GROUPS = 150  # in a drawing that can be read
SIDE = 360


@dataclass(frozen=True, eq=False)
class NetworkSummary:
    """A masked network and what can be told of it.

    Parameters
    ----------
    facts : mapping of str to number
        What anybody can count again in the files.
    masked : MaskedGraph
        The network as it is published.
    measures : tuple of NetworkMeasure
        Numbers of the original in two digits, and of graphs drawn from the release; none of a
        network that is too large to be measured on the way.
    """

    facts: Mapping[str, int | float]
    masked: MaskedGraph = field(repr=False)
    measures: tuple[NetworkMeasure, ...] = ()


def summarize_network(
    graph: Graph, masked: MaskedGraph, labels: IntArray, facts: Mapping[str, int | float]
) -> NetworkSummary:
    """Sum up what a masked network tells; what the original was like is rounded."""
    from shoal.utility.networks import MOST_PEOPLE, measure_network

    if graph.n_people > MOST_PEOPLE:
        return NetworkSummary(facts, masked)
    measures = measure_network(graph, masked, labels)
    return NetworkSummary(facts, masked, tuple(_rough(measure, masked) for measure in measures))


def _rough(measure: NetworkMeasure, masked: MaskedGraph) -> NetworkMeasure:
    """Keep two digits of what needs the original; a share of people is one of whole crowds."""
    from dataclasses import replace

    from shoal.utility.networks import LARGEST

    original = measure.original
    if measure.name == LARGEST:
        step = int(masked.sizes.min(initial=masked.n_people))
        original = int(original * masked.n_people + 1e-9) // step * step / masked.n_people
    told = replace(measure, original=two_digits(original))
    if not measure.compares:
        return told
    drawn, low, high = map(two_digits, (measure.drawn, measure.low, measure.high))
    return replace(told, drawn=drawn, low=low, high=high)


def network_section(network: NetworkSummary) -> str:
    """Draw a network as a part of a page."""
    facts, masked = network.facts, network.masked
    told = say(
        "{edges:,} edges of {people:,} people, {inner_edges:,} of them inside groups, the others"
        " between {joined_pairs:,} pairs of groups. Structural loss (NSIL, 0 to 1): {nsil:.4g}; of"
        " what edges could lose: {lost:.0f} %.",
        **facts,
        lost=100 * facts["edge_loss"],
    )
    drawn = f"<p>{say('There are too many groups to draw.')}</p>"
    if masked.sizes.size <= MOST_GROUPS:
        drawn = network_picture(masked)
    return section(
        say("The network"),
        f'<p class="quiet">{escape(told)}</p><div class="columns"><div>{drawn}</div>'
        f"<div>{_measures(network.measures)}</div></div>",
    )


def network_picture(masked: MaskedGraph) -> str:
    """Draw groups as discs as large as they are, darker with more inner edges; lines join them."""
    places = lay_out(masked.sizes.size, masked.pairs, masked.between / masked.possible_between)
    most = max(masked.between.max(initial=1), 1)
    faint = min(1.0, 8 * masked.sizes.size / max(1, masked.between.size))  # of a dense network
    lines = [
        f'<line class="edge" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        f' stroke="currentColor" stroke-opacity="{faint * (0.15 + 0.6 * count / most):.2f}"'
        f' stroke-width="{0.5 + 1.5 * count / most:.2f}"/>'
        for (x1, y1), (x2, y2), count in zip(
            places[masked.pairs[:, 0]], places[masked.pairs[:, 1]], masked.between, strict=True
        )
    ]
    tips = [
        say("group {n}: {size} people, {edges} edges inside", n=n, size=size, edges=edges)
        for n, (size, edges) in enumerate(
            zip(masked.sizes.tolist(), masked.inner.tolist(), strict=True), 1
        )
    ]
    inside = masked.inner / np.maximum(masked.possible_inside, 1)
    discs = [
        f'<circle class="bar" cx="{x:.1f}" cy="{y:.1f}" r="{1.6 * math.sqrt(size) + 1:.1f}"'
        f' fill-opacity="{0.6 + 0.4 * share:.2f}"><title>{tip}</title></circle>'
        for (x, y), size, share, tip in zip(places, masked.sizes, inside, tips, strict=True)
    ]
    words = say(
        "The network as published: a disc is a group, darker with more edges inside; a line is"
        " edges between two"
    )
    return draw_svg(SIDE, words, [*lines, *discs])


def people_picture(graph: Graph) -> str:
    """Draw a network as it is, a dot a person: for whoever may see it, never for a release.

    Dots are as large as leaves lines between them; whoever knows many is drawn larger.
    """
    side, n = 2 * SIDE, graph.n_people
    places = lay_out(n, graph.pairs, np.ones(graph.n_edges), side=side)
    faint = min(0.6, 4 * n / max(1, graph.n_edges) * 0.2)
    lines = [
        f'<line class="edge" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        f' stroke="currentColor" stroke-opacity="{faint:.2f}" stroke-width="1"/>'
        for (x1, y1), (x2, y2) in zip(
            places[graph.pairs[:, 0]], places[graph.pairs[:, 1]], strict=True
        )
    ]
    most = max(1, int(graph.degrees.max(initial=1)))
    size = min(9.0, 0.25 * side / math.sqrt(max(n, 1)) / 2)
    dots = [
        f'<circle class="bar" cx="{x:.1f}" cy="{y:.1f}"'
        f' r="{size * (0.5 + 0.5 * degree / most):.1f}"/>'
        for (x, y), degree in zip(places, graph.degrees.tolist(), strict=True)
    ]
    words = say(
        "The network as it is: a dot is a person, larger with more edges; a line is an edge"
    )
    return draw_svg(side, words, [*lines, *dots], width=side)


def lay_out(
    n: int, pairs: IntArray, pull: FloatArray, *, rounds: int = 150, side: int = SIDE
) -> FloatArray:
    """Place points so that those joined are near each other (Fruchterman and Reingold, 1991).

    >>> places = lay_out(4, np.array([[0, 1], [2, 3]]), np.ones(2))
    >>> near, far = places[0] - places[1], places[0] - places[2]
    >>> bool(np.hypot(*near) < np.hypot(*far)), bool(places.min() >= 0)
    (True, True)
    """
    turn = np.arange(n) * math.pi * (3 - math.sqrt(5))  # a sunflower: no two points alike
    places = np.sqrt((np.arange(n) + 0.5) / max(n, 1))[:, None] * np.column_stack(
        [np.cos(turn), np.sin(turn)]
    )
    weights = 0.2 + 0.8 * pull / max(float(pull.max(initial=0)), 1e-9)
    ideal = math.sqrt(4 / max(n, 1))
    for step in range(rounds):
        apart = places[:, None] - places[None]
        distance = np.maximum(np.hypot(*apart.T).T, 1e-3)
        force = (apart * (ideal**2 / distance**2)[:, :, None]).sum(axis=1)
        along = apart[pairs[:, 0], pairs[:, 1]]
        drag = along * (weights * np.hypot(*along.T) / ideal)[:, None]
        np.add.at(force, pairs[:, 0], -drag)
        np.add.at(force, pairs[:, 1], drag)
        force -= 0.5 * places  # parts that nothing joins stay on the paper
        length = np.maximum(np.hypot(*force.T), 1e-9)[:, None]
        places = places + force / length * np.minimum(length, 0.1 * (1 - step / rounds))
    low, high = places.min(axis=0), places.max(axis=0)
    spread: FloatArray = 14 + (side - 28) * (places - low) / np.maximum(high - low, 1e-9)
    return spread


def _measures(measures: Sequence[NetworkMeasure]) -> str:
    if not measures:
        return f"<p>{say('A network of this size is not measured on the way.')}</p>"
    rows = [
        [
            escape(retell(measure.name)),
            number(measure.original, "g"),
            number(measure.drawn, ".3g"),
            say("{low:.3g} to {high:.3g}", low=measure.low, high=measure.high),
        ]
        for measure in measures
    ]
    words = say(
        "Of graphs drawn at random from the release, beside the original (rounded). A rank kept in"
        " full would be 1."
    )
    head = ["", say("original"), say("drawn"), say("between")]
    return f'<p class="quiet">{words}</p>{table(head, rows)}'
