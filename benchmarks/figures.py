"""The figures of the README, drawn from the results on file."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
IMAGES = Path(__file__).parents[1] / "docs" / "images"
OURS, OTHERS, QUOTED, INK = "#0d7f8a", "#8d9aa8", "#c3ccd5", "#17202b"
BARS = {  # method: label, in the order drawn
    "anonypy": "anonypy",
    "mondrian": "Shoal, Mondrian",
    "content": "SaNGreeA, paper's order",
    "common": "SaNGreeA, common first",
    "arx": "ARX, best local (quoted)",
    "best-first": "SaNGreeA, best-first",
    "default": "Shoal's default",
}
LINES = {"best-first": OURS, "common": "#5aa9b1", "mondrian": OTHERS, "end to end": INK}


def read_results(name: str) -> dict[str, Any]:
    """Read the results of a benchmark."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text())["results"]
    return found


def prepare() -> None:
    """Say once how all figures look."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(
        {
            "svg.hashsalt": "shoal",  # the same numbers give the same bytes
            "font.size": 10,
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )


def draw_all() -> None:
    """Draw every figure whose results are there."""
    prepare()
    draws: dict[str, Callable[[dict[str, Any]], None]] = {"adult": draw_loss, "growth": draw_growth}
    for name in ("experts", "quantize", "tuning", "forgetting", "optimal", "growing"):
        draws[name] = import_module(f"{name}_figures").draw
    for name, draw in draws.items():
        if (RESULTS / f"{name}.json").exists():
            draw(read_results(name))
    import_module("spark_figures").draw_all()
    import_module("explain_figures").draw_all()


def losses(results: dict[str, Any], k: int) -> dict[str, float]:
    """NGIL of each method at one k, quoted ones too."""
    quoted = [{**r, "method": "arx"} for r in results["quoted"]["arx"]["records"]]
    return {r["method"]: r["ngil"] for r in [*results["records"], *quoted] if r["k"] == k}


def draw_loss(results: dict[str, Any]) -> None:
    """Bars of NGIL for each k, with the proven lower bound as a line."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(10, 3.1), sharey=True, layout="constrained")
    for axis, k in zip(axes, (5, 10, 50), strict=True):
        found = losses(results, k)
        bound = results["bounds"][str(k)]["ngil_bound"]
        room = 0.03 * max(found.values())
        for row, method in enumerate(reversed(BARS)):
            loss = found.get(method)
            colour = {"arx": QUOTED, "anonypy": QUOTED, "default": OURS}.get(method, "#5aa9b1")
            axis.barh(row, loss or 0, color=colour, height=0.68)
            text = "not measured" if loss is None else f"{loss:.3f}"
            axis.text((loss or bound) + room, row, text, va="center", fontsize=9)
        axis.axvline(bound, color=INK, linewidth=1.2, linestyle=(0, (4, 2)))
        axis.set_title(f"k = {k}", fontsize=11, loc="left")
        axis.set_xlim(0, 1.18 * max(found.values()))
        axis.tick_params(left=False)
        axis.spines["left"].set_visible(False)
    axes[0].set_yticks(range(len(BARS)), list(reversed(BARS.values())))
    axes[1].set_xlabel("information lost (NGIL, lower is better); dashed: no grouping can be lower")
    _save(figure, "loss.svg")


def draw_growth(results: dict[str, Any]) -> None:
    """Seconds against rows on two logarithmic axes."""
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for task, colour in LINES.items():
        points = [
            (r["rows"], r["seconds"])
            for r in results["records"]
            if r["task"] == task and r["table"] == "people"
        ]
        rows, seconds = zip(*points, strict=True)
        axis.loglog(rows, seconds, color=colour, marker="o", linewidth=2, label=_task(task))
    rows = [10_000, 1_000_000]
    axis.loglog(rows, [0.02, 2], color=QUOTED, linestyle=":", label="slope of linear growth")
    axis.set_xticks([10_000, 100_000, 1_000_000], ["10,000", "100,000", "1,000,000"])
    axis.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axis.set_xlabel("rows")
    axis.set_ylabel("seconds")
    axis.grid(axis="y", color="#e6eaee")
    axis.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    _save(figure, "growth.svg")


def _task(task: str) -> str:
    return "CSV to verified release, common" if task == "end to end" else f"grouping, {task}"


def _save(figure: Any, name: str) -> None:
    from matplotlib import pyplot as plt

    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / name, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    draw_all()
