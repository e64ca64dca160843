"""The figure of growing tables, drawn from the results on file."""

from __future__ import annotations

from typing import Any

from figures import IMAGES, INK, OTHERS, OURS

TABLES = {
    "adult": "UCI Adult",
    "stays": "stays, made up",
    "registry": "registry",
    "real_stays": "stays in US hospitals",
}


WAYS = (
    ("after", "--after", OURS),
    ("anew", "made anew", OTHERS),
    ("refounded", "re-founded", INK),
)
ROWS = (("ngil", "loss"), ("single", "one possible value"), ("out", "% left out"))


def draw(results: dict[str, Any]) -> None:
    """Loss, people with one possible value and rows left out, delivery by delivery, three ways."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(3, 4, figsize=(10, 6.2), layout="constrained", sharex=True)
    for column, (name, words) in enumerate(TABLES.items()):
        for row, (key, label) in enumerate(ROWS):
            axis = axes[row, column]
            for way, said, colour in WAYS:
                told = list(enumerate(results[name].get(way, []), 1))
                at = [each.get("delivery", place) for place, each in told]
                points = [_left_out(each) if key == "out" else each[key] for _, each in told]
                axis.plot(at, points, "o-", ms=3, color=colour, label=said)
            axis.set_ylim(bottom=0)
            axis.set_xticks((1, 5, 10))
            axis.spines[["top", "right"]].set_visible(False)
            if not column:
                axis.set_ylabel(label)
        axes[0, column].set_title(words, fontsize=10)
        axes[-1, column].set_xlabel("delivery")
    said = axes[0, 0].get_legend_handles_labels()
    figure.legend(*said, loc="outside upper center", ncols=len(WAYS), frameon=False)
    figure.savefig(IMAGES / "growing.svg", metadata={"Date": None})
    plt.close(figure)


def _left_out(told: dict[str, Any]) -> float:
    """Share of the rows of a table that are not published, in percent."""
    if "of" in told:
        return 100 * (1 - told["rows"] / told["of"])
    missing = told.get("waiting", 0) + told.get("left_out", 0)
    return 100 * missing / (told["rows"] + missing) if missing else 0.0
