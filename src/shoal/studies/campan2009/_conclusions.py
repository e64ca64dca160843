"""What attributes and edges lose: tables, pictures, and what the paper says of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from shoal.studies._base import Finished, Size
from shoal.studies._drawing import COLOURS, legend_above, new_figure
from shoal.studies._findings import Findings, Picture, ResultTable
from shoal.studies._verdicts import ClaimDraft, judge

PAPER = "as in the paper"
UNKNOWN = (
    "The paper draws its graphs from Adult and from edges of its own, which are not published: "
    "shapes can be compared, numbers cannot.",
    "The edges of this graph are random (B. Malle's): what grouping by structure keeps where "
    "neighbourhoods are alike, as among people, is not told.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Put together the table, the pictures and the answers."""
    records = sorted(done.records("release"), key=lambda r: (r["way"], r["beta"], r["k"]))
    first, last = _ends(records)
    part = "" if size == "full" else f" This is the {size} run; --full runs all of it."
    return Findings(
        summary=(
            f"With alpha = beta = 1, NGIL grows from {first['ngil']:.3f} at k = {first['k']} to "
            f"{last['ngil']:.3f} at k = {last['k']} and NSIL from {first['nsil']:.4f} to "
            f"{last['nsil']:.4f}, groups made as in the paper.{part}"
        ),
        tables=[
            ResultTable(
                "losses",
                "Losses against k and alpha : beta",
                records,
                "300 people, 1,597 random edges, six attributes with Malle's hierarchies.",
            )
        ],
        pictures=[
            Picture("ngil", "Attributes: NGIL against k", lambda: _draw(records, "ngil")),
            Picture("nsil", "Edges: NSIL against k", lambda: _draw(records, "nsil")),
        ],
        claims=judge(_claims(records)),
        numbers={
            f"{value}, {r['way']}, {r['alpha']:g}:{r['beta']:g}, k {r['k']}": r[value]
            for r in records
            for value in ("ngil", "nsil")
        },
        unknown=UNKNOWN,
    )


def _claims(records: Sequence[dict[str, Any]]) -> list[ClaimDraft]:
    """Counted on one graph: nothing here is drawn by chance, nor told of other graphs."""
    own = [r for r in records if r["way"] == PAPER]
    even = [_at(own, k, 1.0, 1.0) for k in sorted({r["k"] for r in records})]
    steps = {v: sum(b[v] > a[v] for a, b in pairwise(even)) for v in ("ngil", "nsil")}
    ks = sorted({r["k"] for r in records})
    data = {k: _at(own, k, 1.0, 0.0) for k in ks}
    structure = {k: _at(own, k, 0.0, 1.0) for k in ks}
    fewer_ngil = sum(data[k]["ngil"] < structure[k]["ngil"] for k in ks)
    fewer_nsil = sum(structure[k]["nsil"] < data[k]["nsil"] for k in ks)
    better = [
        _sum(_at(records, k, 1.0, 1.0, way="refined")) - _sum(_at(own, k, 1.0, 1.0)) for k in ks
    ]
    return [
        ClaimDraft(
            "Both losses grow with k.",
            f"On this graph from k = {ks[0]} to {ks[-1]}, alpha = beta = 1: NGIL "
            f"{even[0]['ngil']:.3f} to {even[-1]['ngil']:.3f}, NSIL {even[0]['nsil']:.4f} to "
            f"{even[-1]['nsil']:.4f}. Step by step NGIL grows in {steps['ngil']} and NSIL in "
            f"{steps['nsil']} of {len(even) - 1}: groups of another size are other groups.",
            counted=[
                *(even[-1][value] > even[0][value] for value in steps),
                *(steps[value] == len(even) - 1 for value in steps),
            ],
            evidence=("losses", "ngil", "nsil"),
        ),
        ClaimDraft(
            "Alpha and beta let a user trade attributes against structure.",
            f"On this graph: by attributes alone NGIL is lower in {fewer_ngil} of {len(ks)} k; by "
            f"structure alone NSIL is lower in {fewer_nsil} of {len(ks)}.",
            counted=[fewer_ngil == len(ks), fewer_nsil == len(ks)],
            evidence=("losses", "ngil", "nsil"),
        ),
        ClaimDraft(
            "Asked here: does refinement lower the sum of both (alpha = beta = 1)?",
            f"On this graph, at every k, by {-max(better):.3f} to {-min(better):.3f}."
            if max(better) < 0
            else f"The change lies between {min(better):.3f} and {max(better):.3f}.",
            counted=[change < 0 for change in better],
            evidence=("losses",),
        ),
    ]


def _ends(records: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    own = [r for r in records if r["way"] == PAPER and r["alpha"] == r["beta"]]
    return min(own, key=lambda r: r["k"]), max(own, key=lambda r: r["k"])


def _at(
    records: Sequence[dict[str, Any]], k: int, alpha: float, beta: float, way: str = PAPER
) -> dict[str, Any]:
    wanted = (k, alpha, beta, way)
    return next(r for r in records if (r["k"], r["alpha"], r["beta"], r["way"]) == wanted)


def _sum(record: dict[str, Any]) -> float:
    return float(record["ngil"] + record["nsil"])


def _draw(records: Sequence[dict[str, Any]], value: str) -> Any:
    ways = list(dict.fromkeys(r["way"] for r in records))
    figure, axes = new_figure(1, len(ways), size=(5.2 * len(ways), 3.2), sharey=True)
    ratios = sorted({(r["alpha"], r["beta"]) for r in records}, key=lambda r: (r[1], -r[0]))
    for axis, way in zip(axes[0], ways, strict=True):
        for (alpha, beta), colour in zip(ratios, COLOURS, strict=False):
            points = sorted(
                (r["k"], r[value])
                for r in records
                if (r["way"], r["alpha"], r["beta"]) == (way, alpha, beta)
            )
            label = f"alpha : beta = {alpha:g} : {beta:g}"
            axis.plot(*zip(*points, strict=True), color=colour, marker="o", ms=4, label=label)
        axis.set_title(way, fontsize=10, loc="left")
        axis.set_xlabel("k")
    axes[0][0].set_ylabel(value.upper())
    legend_above(figure, axes[0][0])
    return figure
