"""Figures 4 to 10 of the paper, redrawn from what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shoal.studies._drawing import COLOURS, new_figure
from shoal.studies.augusto2019._cases import CASES, rows_of
from shoal.studies.augusto2019._efforts import TREES, WHICH
from shoal.studies.augusto2019._hulls import Tried
from shoal.studies.augusto2019._regression import CROWDS, ENDS, curve_rows, fit, publish
from shoal.studies.augusto2019._schemes import SCHEMES, anonymize
from shoal.tuning import Point, best_quality, choose_alpha

GRID = 120
NO_END = 1e-3  # alpha to draw around where one effort is best for all of them


def draw_curves(curves: Sequence[Mapping[str, Any]]) -> Any:
    """Fig. 4 and 5: rows, what was published, and the curve learned from it."""
    figure, axes = new_figure(len(ENDS), len(CROWDS), sharex=True, sharey=True)
    x, y = curve_rows("train")
    line = np.linspace(0, x.max(), 200)
    told = {(c["k"], c["end"]): c for c in curves}
    for row, end in zip(axes, ENDS, strict=True):
        for axis, k in zip(row, CROWDS, strict=True):
            seen, published = publish(x, y, k, end)
            axis.plot(x, y, ".", color=COLOURS[4], markersize=3)
            axis.plot(seen, published, "o", color=COLOURS[1], markersize=4)
            axis.plot(line, fit(seen, published)[1](line), color=COLOURS[0])
            r2 = told[k, end]
            axis.set_title(
                f"k {k}, {end}\nR2 {r2['r2_anonymized']:.2f} / {r2['r2_original']:.2f}",
                fontsize=9,
            )
    figure.supxlabel("R2 on anonymized rows / on originals", fontsize=9)
    return figure


def draw_quality(curves: Sequence[Mapping[str, Any]]) -> Any:
    """Fig. 7: Q of the efforts for an alpha below, inside and above the usable range."""
    own = [c for c in curves if c["end"] == "lower end"]
    points = [Point(c["r2_original"], c["k"]) for c in own]
    choice = choose_alpha(points)
    alphas = (choice.alpha / 20, choice.alpha, choice.alpha * 20)
    figure, axes = new_figure(1, 3)
    for axis, alpha in zip(axes[0], alphas, strict=True):
        axis.plot(range(len(own)), [p.quality(alpha) for p in points], "o-", color=COLOURS[0])
        axis.plot(range(len(own)), [p.q_f for p in points], "--", color=COLOURS[1])
        axis.set_title(f"alpha {alpha:.3g}")
        axis.set_xlabel("effort (dashed: Q_F)")
    return figure


def draw_alphas(examples: Mapping[str, Tried]) -> Any:
    """Fig. 8: the best Q for every alpha, the usable range shaded."""
    figure, axes = new_figure(1, len(examples))
    for axis, (name, one) in zip(axes[0], examples.items(), strict=True):
        low, high = choose_alpha(one.points).usable
        last = high if math.isfinite(high) else NO_END
        alphas = np.geomspace(last / 1000, last * 100, 200)
        axis.semilogx(alphas, [best_quality(one.points, a) for a in alphas], color=COLOURS[0])
        if math.isfinite(high):
            axis.axvspan(max(low, alphas[0]), high, color=COLOURS[0], alpha=0.12)
        axis.set_title(name)
        axis.set_xlabel("alpha")
        axis.set_ylabel("best Q")
    return figure


def draw_case(one: Tried) -> Any:
    """Fig. 9 and 10: data and models of three degrees, then both qualities over the efforts."""
    case = CASES[one.case]
    figure, axes = new_figure(3, 3)
    shown = (0, case.stated_effort, len(one.efforts) - 1)
    for column, effort in enumerate(shown):
        _draw_rows(axes[0][column], axes[1][column], one, effort)
        axes[0][column].set_title(f"effort {effort}, k {one.efforts[effort]['k']}")
    choice = choose_alpha(one.points)
    efforts = range(len(one.efforts))
    q_f, k = [p.q_f for p in one.points], [p.q_nf for p in one.points]
    q = [p.quality(choice.alpha) for p in one.points]
    for axis, values, label in zip(
        axes[2], (q, q_f, k), (f"Q, alpha {choice.alpha:.3g}", f"Q_F: {case.metric}", "Q_NF: k"),
        strict=True,
    ):  # fmt: skip
        axis.plot(efforts, values, "o-", color=COLOURS[0])
        axis.set_title(label)
        axis.set_xlabel("effort")
    return figure


def _draw_rows(above: Any, below: Any, one: Tried, effort: int) -> None:
    """Draw the published rows, and where a forest that learned from them says what."""
    from sklearn.ensemble import RandomForestClassifier

    features, answers = rows_of(one.case)
    published, _ = anonymize(features, SCHEMES[one.scheme], effort, WHICH[one.columns])
    for value in (0, 1):
        own = published[answers == value]
        dots = {"color": COLOURS[value], "markersize": 3, "alpha": 0.6}
        above.plot(own[:, 0], own[:, 1], ".", **dots, rasterized=True)  # a picture holds no rows
    forest = RandomForestClassifier(n_estimators=TREES, random_state=0).fit(published, answers)
    sides = [np.linspace(side.min(), side.max(), GRID) for side in features.T]
    across, up = np.meshgrid(*sides)
    areas = forest.predict(np.column_stack([across.ravel(), up.ravel()])).reshape(across.shape)
    drawn = below.contourf(
        across, up, areas, levels=[-0.5, 0.5, 1.5], colors=COLOURS[:2], alpha=0.35
    )
    drawn.set_rasterized(True)
