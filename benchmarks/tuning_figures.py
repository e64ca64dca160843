"""Tuned against equal weights: the difference of macro F1 by target and k."""

from __future__ import annotations

from pathlib import Path
from typing import Any

IMAGES = Path(__file__).parents[1] / "docs" / "images"
COLOURS = ("#0d7f8a", "#c2571a", "#5b4b8a")


def draw(results: dict[str, Any]) -> None:
    """Draw the mean difference with its interval for every target and k."""
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 3.2), layout="constrained")
    places = [*(f"k={k}" for k in results["ks"]), "all"]
    for shift, (target, told) in enumerate(results["difference"].items()):
        across = [i + 0.16 * (shift - 1) for i in range(len(places))]
        means = [told[place]["mean"] for place in places]
        reach = [
            [told[p]["mean"] - told[p].get("low", told[p]["mean"]) for p in places],
            [told[p].get("high", told[p]["mean"]) - told[p]["mean"] for p in places],
        ]
        axis.errorbar(across, means, reach, fmt="o", color=COLOURS[shift], label=target, capsize=3)
    axis.axhline(0, color="#8d9aa8", linewidth=1)
    axis.set_xticks(range(len(places)), [p.replace("=", " = ") for p in places[:-1]] + ["all k"])
    axis.set_ylabel("macro F1, tuned minus equal")
    axis.legend()
    figure.savefig(IMAGES / "tuning.svg", metadata={"Date": None})
    plt.close(figure)
