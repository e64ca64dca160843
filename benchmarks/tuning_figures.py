"""What tuned releases gain over the default, by target and k."""

from __future__ import annotations

from pathlib import Path
from typing import Any

IMAGES = Path(__file__).parents[1] / "docs" / "images"
COLOURS = ("#0d7f8a", "#c2571a", "#5b4b8a", "#8a7a0d", "#4b6b8a", "#8a4b6b", "#5a5a5a")


def draw(results: dict[str, Any]) -> None:
    """Draw the mean gain with its interval for every target and k."""
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 3.2), layout="constrained")
    places = sorted({k for t in results["targets"] for k in t["ks"]})
    for shift, told in enumerate(results["targets"]):
        gains = [*(told["by_k"].get(str(k)) for k in places), told]
        across = [
            i + 0.11 * (shift - len(results["targets"]) / 2) for i, gain in enumerate(gains) if gain
        ]
        there = [gain for gain in gains if gain]
        means = [gain["mean"] for gain in there]
        reach = [
            [gain["mean"] - (gain["low"] or gain["mean"]) for gain in there],
            [(gain["high"] or gain["mean"]) - gain["mean"] for gain in there],
        ]
        label = f"{told['table']}, {told['target']}"
        axis.errorbar(across, means, reach, fmt="o", color=COLOURS[shift], label=label, capsize=3)
    axis.axhline(0, color="#8d9aa8", linewidth=1)
    axis.set_xticks(range(len(places) + 1), [*(f"k = {k}" for k in places), "all k"])
    axis.set_ylabel("macro F1, tuned minus default")
    axis.legend(fontsize=7)
    figure.savefig(IMAGES / "tuning.svg", metadata={"Date": None})
    plt.close(figure)
