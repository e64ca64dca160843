"""Cosine to the hidden weights against answers, drawn from the results on file."""

from __future__ import annotations

from typing import Any

OURS, SOFT, OTHERS, PALE, INK = "#0d7f8a", "#5aa9b1", "#8d9aa8", "#c3ccd5", "#17202b"
STYLES: dict[str, dict[str, Any]] = {
    "asked what teaches most": {"color": OURS, "linewidth": 2.4},
    "asked what teaches most, 10 % wrong": {"color": OURS, "linewidth": 1.8, "linestyle": "--"},
    "random questions": {"color": OTHERS, "linewidth": 1.8},
    "random questions, 10 % wrong": {"color": OTHERS, "linewidth": 1.4, "linestyle": "--"},
    "cafebabe": {"color": "#b45309", "linewidth": 1.4},
    "cafedood, as intended": {"color": "#c08457", "linewidth": 1.4, "linestyle": "-."},
}


def draw(results: dict[str, Any]) -> None:
    """Draw one panel a table."""
    from matplotlib import pyplot as plt

    names = list(dict.fromkeys(record["table"] for record in results["records"]))
    figure, axes = plt.subplots(1, len(names), figsize=(10, 3.6), sharey=True, layout="constrained")
    for axis, name in zip(axes, names, strict=True):
        records = {r["curve"]: r for r in results["records"] if r["table"] == name}
        for curve, style in STYLES.items():
            axis.plot(records[curve]["cosine"], label=curve, **style)
        axis.axvline(20, color=PALE, linewidth=1)
        for wanted in (0.95, 0.9):
            axis.axhline(wanted, color=PALE, linewidth=1, linestyle=":")
        axis.set_title(name, fontsize=10, loc="left")
        axis.set_xlim(0, results["answers"])
    axes[0].set_ylabel("cosine to the hidden weights")
    axes[len(names) // 2].set_xlabel("answers")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    from figures import IMAGES

    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / "experts.svg", metadata={"Date": None})
    plt.close(figure)
