"""The figure of forgetting, drawn from the results on file."""

from __future__ import annotations

from typing import Any

from figures import IMAGES, OTHERS, OURS


def draw(results: dict[str, Any]) -> None:
    """Lines of F1 against the share of forgotten people."""
    from matplotlib import pyplot as plt

    study = results["degradation"]
    figure, axis = plt.subplots(figsize=(6, 3.2), layout="constrained")
    for way, label, colour in (
        ("regroup", "groups made anew", OURS),
        ("drop_crowds", "crowds leave with the forgotten", OTHERS),
    ):
        points = [(r["forgotten"], r[way]) for r in study["records"] if r[way] is not None]
        axis.plot(*zip(*points, strict=True), "o-", color=colour, label=label)
    axis.set_xlabel("share of people forgotten")
    axis.set_ylabel("macro F1 on untouched rows")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False)
    figure.savefig(IMAGES / "forgetting.svg", metadata={"Date": None})
    plt.close(figure)
