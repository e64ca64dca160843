"""The figure of growing tables, drawn from the results on file."""

from __future__ import annotations

from typing import Any

from figures import IMAGES, OTHERS, OURS

TABLES = {
    "adult": "UCI Adult",
    "stays": "stays, made up",
    "registry": "registry",
    "real_stays": "stays in US hospitals",
}


def draw(results: dict[str, Any]) -> None:
    """Loss and people with one possible value, delivery by delivery, beside grouping anew."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 4, figsize=(10, 4.4), layout="constrained", sharex=True)
    for column, (name, words) in enumerate(TABLES.items()):
        for row, (key, label) in enumerate((("ngil", "loss"), ("single", "one possible value"))):
            axis = axes[row, column]
            for way, said, colour in (("after", "--after", OURS), ("anew", "made anew", OTHERS)):
                points = [each[key] for each in results[name][way]]
                axis.plot(range(1, len(points) + 1), points, "o-", ms=3, color=colour, label=said)
            axis.set_ylim(bottom=0)
            axis.spines[["top", "right"]].set_visible(False)
            if not column:
                axis.set_ylabel(label)
        axes[0, column].set_title(words, fontsize=10)
        axes[1, column].set_xlabel("delivery")
    axes[0, 0].legend(frameon=False)
    figure.savefig(IMAGES / "growing.svg", metadata={"Date": None})
    plt.close(figure)
