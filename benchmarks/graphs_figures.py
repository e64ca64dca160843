"""The growth of networks, drawn from the results on file."""

from __future__ import annotations

from typing import Any

from figures import IMAGES, OTHERS, OURS


def draw(results: dict[str, Any]) -> None:
    """CPU seconds against people on logarithmic axes, beside a line and a square."""
    from matplotlib import pyplot as plt

    people = [r["people"] for r in results["growth"]]
    seconds = [r["cpu_seconds"] for r in results["growth"]]
    figure, axis = plt.subplots(figsize=(6, 3.2), layout="constrained")
    axis.loglog(people, seconds, "o-", color=OURS, label="CSV to release")
    ends = (people[0], people[-1])
    for power, style in ((1, "--"), (2, ":")):
        line = [seconds[-1] * (n / people[-1]) ** power for n in ends]
        axis.loglog(ends, line, style, color=OTHERS, label=f"people to the {power}")
    axis.set_ylim(bottom=min(seconds) / 2)
    axis.set_xlabel("people (ten edges each)")
    axis.set_ylabel("CPU seconds")
    axis.legend(frameon=False)
    figure.savefig(IMAGES / "graphs.svg", metadata={"Date": None})
    plt.close(figure)
    _draw_beta(results)


def _draw_beta(results: dict[str, Any]) -> None:
    """What edges gain and attributes lose as beta outweighs alpha, at each number of people."""
    from matplotlib import pyplot as plt

    from quotes.graphs import _shares

    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained", sharey=True)
    for axis, town in zip(axes, results["beta"], strict=True):
        rows = [row for row in _shares(town["ways"]) if row[0] == "balance"]
        weights = [row[1] for row in rows]
        for place, colour, label in (
            (2, OURS, "gained for edges"),
            (3, OTHERS, "lost of attributes"),
        ):
            values = [float(row[place].split()[0]) for row in rows]
            axis.plot(weights, values, "o-", color=colour, label=label)
        axis.set_title(f"{town['people']:,} people")
        axis.set_xlabel("alpha : beta")
    axes[0].set_ylabel("% of what there is")
    axes[0].legend(frameon=False)
    figure.savefig(IMAGES / "graphs_beta.svg", metadata={"Date": None})
    plt.close(figure)
