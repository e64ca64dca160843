"""Figures 4 to 7 of the paper, and what cutting a table costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from shoal.studies._census._gains import WAYS, Record, matching
from shoal.studies._census._models import MODEL_NAMES, MODELS
from shoal.studies._drawing import COLOURS, INK, legend_above, new_figure
from shoal.studies._findings import Picture
from shoal.studies.selvi2021._work import FIGURE_ROWS

FIGURES = {"marital-status": 5, "education-num": 6, "income": 7}


def pictures(
    releases: list[dict[str, Any]], routed: list[dict[str, Any]], times: list[dict[str, Any]]
) -> Iterator[Picture]:
    """Make the pictures there are results for."""
    yield Picture(
        "lost",
        "Information lost, relative to one machine",
        lambda: _draw_lost(routed),
        "Income, equal weights: the mean, and a dot for each draw and size; lower is better, 1 is "
        "as good as the whole table.",
    )
    yield Picture("seconds", "Figure 4: seconds of grouping", lambda: _draw_seconds(times))
    for target, number in FIGURES.items():
        wanted = {"target": target, "routing": "network", "rows": FIGURE_ROWS}
        here = matching(releases, wanted)
        if any(r["way"] == "bias" for r in here):
            yield Picture(
                f"figure{number}",
                f"Figure {number}: {target}, routed by the network",
                lambda here=here: _draw_models(here),  # type: ignore[misc]
                f"{FIGURE_ROWS:,} rows, macro F1 on untouched originals; dashed: the constant "
                "predictor.",
            )


def _draw_models(releases: list[Record]) -> Any:
    figure, axes = new_figure(1, len(MODELS), size=(12, 2.9))
    ks = sorted({r["k"] for r in releases})
    for axis, model in zip(axes[0], MODELS, strict=True):
        for way, colour in WAYS.items():
            points = [
                (x, float(np.mean([r["proper"]["f1"][model] for r in mine])))
                for x, k in enumerate(ks)
                if (mine := [r for r in releases if (r["way"], r["k"]) == (way, k)])
            ]
            if points:
                axis.plot(*zip(*points, strict=True), color=colour, marker="o", ms=3, label=way)
        constant = releases[0]["proper"]["f1"]["constant"]
        axis.axhline(constant, color=INK, linewidth=1, linestyle=(0, (4, 2)))
        axis.set_title(MODEL_NAMES[model], fontsize=10, loc="left")
        axis.set_xticks(range(len(ks)), [str(k) for k in ks])
        axis.set_xlabel("k")
    axes[0][0].set_ylabel("macro F1")
    legend_above(figure, axes[0][0])
    return figure


def _draw_lost(routed: list[dict[str, Any]]) -> Any:
    ks = sorted({r["k"] for r in routed})
    figure, axes = new_figure(1, len(ks), size=(3.4 * len(ks) + 1, 2.6), sharey=True)
    names = list(dict.fromkeys(r["routing"] for r in routed))
    for axis, k in zip(axes[0], ks, strict=True):
        for place, name in enumerate(names):
            found = [r["relative"] for r in routed if (r["k"], r["routing"]) == (k, name)]
            if found:
                axis.barh(place, float(np.mean(found)), color=COLOURS[0], height=0.6)
                axis.plot(found, [place] * len(found), "o", color=INK, ms=3)
        axis.axvline(1, color=INK, linewidth=1, linestyle=(0, (4, 2)))
        axis.set_title(f"k = {k}", fontsize=10, loc="left")
    axes[0][0].set_yticks(range(len(names)), names)
    return figure


def _draw_seconds(times: list[dict[str, Any]]) -> Any:
    figure, axes = new_figure(size=(5.5, 3))
    for columns, colour in zip(("all", "selected"), COLOURS, strict=False):
        points = sorted((r["rows"], r["cpu_seconds"]) for r in times if r["columns"] == columns)
        label = f"{columns} columns"
        axes[0][0].plot(*zip(*points, strict=True), color=colour, marker="o", ms=4, label=label)
    axes[0][0].set_xlabel("rows")
    axes[0][0].set_ylabel("CPU seconds")
    legend_above(figure, axes[0][0])
    return figure
