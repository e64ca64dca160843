"""The figure of forgetting, drawn from the results on file."""

from __future__ import annotations

from typing import Any

from figures import IMAGES, OTHERS, OURS


def draw(results: dict[str, Any]) -> None:
    """Lines of F1 against the share of forgotten people, with 95 % intervals."""
    from matplotlib import pyplot as plt

    study = results["degradation"]
    figure, axis = plt.subplots(figsize=(6, 3.2), layout="constrained")
    for way, label, colour in (
        ("regroup", "groups made anew", OURS),
        ("drop_crowds", "crowds leave with the forgotten", OTHERS),
    ):
        points = [(r["forgotten"], *r[way]) for r in study["told"] if r[way] is not None]
        shares, means, lows, highs = zip(*points, strict=True)
        axis.plot(shares, means, "o-", color=colour, label=label)
        axis.fill_between(shares, lows, highs, color=colour, alpha=0.2, linewidth=0)
    axis.set_xlabel("share of people forgotten")
    axis.set_ylabel("macro F1 on untouched rows")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False)
    figure.savefig(IMAGES / "forgetting.svg", metadata={"Date": None})
    plt.close(figure)
