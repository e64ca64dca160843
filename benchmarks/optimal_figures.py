"""How close to optimal, as one picture: what nobody can reach, what may be, what was lost."""

from __future__ import annotations

from typing import Any

from figures import IMAGES, INK, OTHERS, OURS, QUOTED
from peers import ARX

FORBIDDEN_ZONE, OPEN_ZONE = "#e7ebef", "#cfe8ea"


def draw(results: dict[str, Any]) -> None:
    """One strip for each k of Adult."""
    from matplotlib import pyplot as plt

    records = [r for r in results["records"] if r["table"] == "Adult"]
    arx = {r["k"]: r["ngil"] for r in ARX["records"]}
    figure, axes = plt.subplots(len(records), 1, figsize=(8.5, 3.6), layout="constrained")
    for axis, r in zip(axes, records, strict=True):
        bound, loss, other = r["bound"], r["ngil"], arx.get(r["k"])
        end = 1.12 * max(loss, other or 0)
        axis.barh(0, bound, color=FORBIDDEN_ZONE, height=0.7)
        axis.barh(0, loss - bound, left=bound, color=OPEN_ZONE, height=0.7)
        axis.axvline(bound, color=INK, linewidth=2)
        axis.axvline(r["quick_bound"], color=OTHERS, linewidth=1, linestyle=(0, (3, 3)))
        axis.plot(loss, 0, "o", color=OURS, markersize=10)
        axis.text(bound / 2, 0, "nobody can lose so little", ha="center", va="center", fontsize=9)
        axis.text(loss, 0.5, f"Shoal {loss:.3f}", ha="center", fontsize=9, color=OURS)
        axis.text(0.99 * bound, 0.5, f"proven {bound:.3f}", ha="right", fontsize=9)
        if other:
            axis.plot(other, 0, "s", color=QUOTED, markersize=9)
            axis.text(other, 0.5, f"ARX {other:.3f}", ha="center", fontsize=9, color=OTHERS)
        axis.set_xlim(0, end)
        axis.set_ylim(-0.45, 0.85)
        axis.set_yticks([0], [f"k = {r['k']}"])
        axis.tick_params(left=False)
        axis.spines["left"].set_visible(False)
    axes[-1].set_xlabel("information lost (0: nothing, 1: everything); dashed: the quick bound")
    figure.savefig(IMAGES / "optimal.svg", metadata={"Date": None})
    plt.close(figure)
