"""Figures 1 and 2 of Miche et al. (2016) redrawn on real tumors, and what models keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.datasets import wisconsin
from shoal.quantize import EpsilonClusters, Flatten, Quantize, Stir

COLUMNS = ("mean radius", "mean symmetry")
BEFORE, AFTER, CENTRE, REST = "#8d9aa8", "#0d7f8a", "#c2410c", "#dde3e8"


def draw(results: Any = None) -> None:
    """Draw the largest cluster of the Wisconsin tumors collapsed, and stirred.

    Nothing of the results is drawn: the figures show the method, on real rows.
    """
    table = wisconsin().table()
    clusters = EpsilonClusters(m=40, clusters=8).fit_table(table)
    rows = clusters.grouping_.members(int(clusters.grouping_.sizes.argmax()))
    rows = rows[clusters.core_[rows]]  # outliers that were not pushed back would only distract
    _draw(
        table, clusters, rows, [Flatten([COLUMNS[1]])], "flatten", "one column collapsed (Fig. 1)"
    )
    _draw(table, clusters, rows, [Stir(max_divergence=0.05)], "stir", "stirred (Fig. 2)")


def _draw(table: Any, clusters: Any, rows: Any, steps: Any, name: str, title: str) -> None:
    from matplotlib import pyplot as plt

    recoder = Quantize(steps, random_state=1)
    moved = recoder.recode(table, clusters.grouping_, grouper=clusters)
    before = [table.frame[c].to_numpy() for c in COLUMNS]
    after = [moved.columns[c].to_numpy() for c in COLUMNS]
    middle = [np.median(b[rows]) for b in before]
    figure, (plane, spread) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    plane.scatter(*before, s=6, color=REST, label="other clusters")
    plane.scatter(*(b[rows] for b in before), s=14, color=BEFORE, label="before")
    plane.scatter(*(a[rows] for a in after), s=14, color=AFTER, marker="x", label="after")
    plane.scatter(*middle, s=60, color=CENTRE, marker="+", label="centroid")
    plane.set(xlabel=COLUMNS[0], ylabel=COLUMNS[1])
    plane.set_title(f"A cluster of tumors, {title}", fontsize=10, loc="left")
    plane.legend(frameon=False, fontsize=8)
    scale = [b.std() for b in before]
    far = [
        sum(np.abs(side[rows] - m) / s for side, m, s in zip(values, middle, scale, strict=True))
        for values in (before, after)
    ]
    bins = np.linspace(0, max(f.max() for f in far), 12)
    spread.hist(far, bins=bins, color=[BEFORE, AFTER], label=["before", "after"])
    spread.set(xlabel="distance to the centroid", ylabel="tumors")
    spread.legend(frameon=False, fontsize=8)
    _save(figure, f"quantize-{name}.svg")


def _save(figure: Any, name: str) -> None:
    from matplotlib import pyplot as plt

    from figures import IMAGES

    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / name, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "shoal"
    draw()
