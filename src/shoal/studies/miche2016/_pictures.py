"""Figures 1 and 2 of the paper on real data, and how often outliers are found again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.studies._base import Finished
from shoal.studies._drawing import COLOURS, INK, QUIET, new_figure
from shoal.studies._findings import Picture

DRAWN = {
    "push back, flatten one column": ("figure1", "Figure 1: one dimension collapsed"),
    "push back, stir all": ("figure2", "Figure 2: members stirred around the centre"),
}


def pictures(done: Finished, recipes: list[dict[str, Any]]) -> Iterator[Picture]:
    """Make all pictures."""
    for r in done.records("picture"):
        name, title = DRAWN[r["recipe"]]
        yield Picture(
            name,
            title,
            lambda r=r: _draw_cluster(r),  # type: ignore[misc]
            "The largest cluster of wisconsin in two of its ten columns, in multiples of the "
            "column's spread from the centre.",
        )
    yield Picture(
        "relinked",
        "Former outliers whose row is found again",
        lambda: _draw_relinked(recipes),
        "Dashed: the bound, one in m and three standard deviations.",
    )


def _draw_cluster(record: dict[str, Any]) -> Any:
    figure, axes = new_figure(1, 2, size=(7, 3), sharex=True, sharey=True)
    for axis, when, colour in zip(axes[0], ("before", "after"), (QUIET, COLOURS[0]), strict=True):
        axis.scatter(*zip(*record[when], strict=True), s=18, color=colour)
        axis.plot([0], [0], color=INK, marker="+", ms=10)
        axis.set_title(when, fontsize=10, loc="left")
    return figure


def _draw_relinked(recipes: list[dict[str, Any]]) -> Any:
    tables = list(dict.fromkeys(r["table"] for r in recipes))
    names = list(dict.fromkeys(r["recipe"] for r in recipes))
    figure, axes = new_figure(1, len(tables), size=(3.2 * len(tables) + 2, 3.2), sharey=True)
    for axis, table in zip(axes[0], tables, strict=True):
        here = {r["recipe"]: r for r in recipes if r["table"] == table}
        for line, name in enumerate(reversed(names)):
            axis.barh(line, here[name]["relink_rate"], color=COLOURS[0], height=0.65)
        axis.axvline(here[names[0]]["relink_bound"], color=INK, linestyle=(0, (4, 2)), linewidth=1)
        axis.set_title(table, fontsize=10, loc="left")
        axis.set_xlim(0, 1)
    axes[0][0].set_yticks(range(len(names)), list(reversed(names)))
    axes[0][0].set_xlabel("share found again")
    return figure
