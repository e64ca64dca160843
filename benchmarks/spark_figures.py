"""Pictures of the Spark benchmarks: ``python benchmarks/spark_figures.py``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
IMAGES = Path(__file__).parents[1] / "docs" / "images"


def draw_all() -> None:
    """Draw what was measured."""
    for name, draw in (("spark_quality", quality), ("spark_growth", growth)):
        file = RESULTS / f"{name}.json"
        if file.exists():
            draw(json.loads(file.read_text())["results"])


def quality(found: dict[str, Any]) -> None:
    """Bars: NGIL over the local engine's, before and after the boundary pass."""
    from matplotlib import pyplot as plt

    records = found["records"]
    figure, axis = plt.subplots(figsize=(8, 3.6))
    for i, record in enumerate(records):
        before = record["ngil_before_boundary"] / record["local_ngil"]
        axis.bar(i - 0.2, before, 0.4, color="#9db4c0", label="cut" if i == 0 else None)
        after = record["over_local"]
        axis.bar(i + 0.2, after, 0.4, color="#1f6f8b", label="mended" if i == 0 else None)
    names = [f"{r['table']}\nk={r['k_asked']}\n{r['routing']}" for r in records]
    axis.set_xticks(range(len(records)), names, fontsize=7)
    axis.axhline(1.05, color="#c0392b", linewidth=0.8)
    axis.set_ylabel("NGIL over local")
    axis.set_ylim(0.9, None)
    axis.legend(frameon=False)
    _save(figure, "spark-quality.svg")


def growth(found: dict[str, Any]) -> None:
    """Seconds against megabytes, and NGIL against k."""
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2))
    rows = found["by_rows"]
    left.loglog([r["megabytes"] for r in rows], [r["seconds"] for r in rows], "o-")
    left.set_xlabel("megabytes of CSV")
    left.set_ylabel("seconds")
    right.semilogx([r["k_asked"] for r in found["by_k"]], [r["ngil"] for r in found["by_k"]], "o-")
    right.set_xlabel("k")
    right.set_ylabel("NGIL")
    _save(figure, "spark-growth.svg")


def _save(figure: Any, name: str) -> None:
    figure.tight_layout()
    figure.savefig(IMAGES / name, metadata={"Date": None})


if __name__ == "__main__":
    draw_all()
