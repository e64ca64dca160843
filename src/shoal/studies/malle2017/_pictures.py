"""The paper's figures 2 to 4, drawn again both ways, and the pictures of our answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from shoal.studies._base import Finished
from shoal.studies._census._gains import WAYS, grouped_mean
from shoal.studies._census._models import MODEL_NAMES, MODELS
from shoal.studies._census._people import KS, PUBLISHED_ROWS, TARGETS
from shoal.studies._drawing import COLOURS, INK, QUIET, legend_above, new_figure
from shoal.studies._findings import Picture
from shoal.studies.malle2017._beside import published_score
from shoal.studies.malle2017._scores import Scores
from shoal.studies.malle2017._tables import fewer_rows, gain_rows, made_up, repairs

FIGURES = {"marital-status": 2, "education-num": 3, "income": 4}
Curve = Callable[[str, str, int], float | None]


def pictures(done: Finished, scores: Scores) -> Iterator[Picture]:
    """Make the pictures there are results for."""
    yield Picture(
        "loss",
        "Information lost by the original code, by its formula as printed, and by Shoal",
        lambda: _draw_loss(done),
        f"Income, the first {PUBLISHED_ROWS:,} rows, equal weights; lower is better.",
    )
    for target, number in FIGURES.items():
        if any(r["target"] == target for r in scores.datasets):
            yield Picture(
                f"figure{number}",
                f"Figure {number} of the paper: {target}",
                lambda target=target: _draw_figure(scores, target),  # type: ignore[misc]
                "Top row: the numbers the authors published. Then re-runs with simulated experts. "
                "Dashed: the constant predictor by the same score; left: un-anonymized.",
            )
    if any(scores.gains(code, rows, "bias") for code, rows in scores.arms):
        yield Picture(
            "who_gains",
            "What weights gain over equal ones, by kind of expert",
            lambda: _draw_gains(scores),
            "Macro F1 on untouched originals, mean over k, models and targets, 95 % intervals.",
        )
    if done.records("made up"):
        yield Picture(
            "svc",
            "Linear SVC as k grows: its published score, and how often it says the commonest class",
            lambda: _draw_svc(done, scores),
            "Left: Adult, income, the original code. Others: made-up tables by share of the "
            "commoner class. Dashed: the constant predictor, as published.",
        )
    if done.records("fewer rows"):
        yield Picture(
            "few_rows",
            "How few rows suffice: un-anonymized, tested on untouched originals",
            lambda: _draw_fewer_rows(done),
        )


def _draw_figure(scores: Scores, target: str) -> Any:
    """A row for each way to run and score it, a column for each model."""
    rows = list(_rows_of_figure(scores, target))
    figure, axes = new_figure(len(rows), len(MODELS), size=(12, 2.5 * len(rows)), sharex=True)
    for i, (label, scoring, arm, curve) in enumerate(rows):
        for axis, model in zip(axes[i], MODELS, strict=True):
            for way, colour in WAYS.items():
                points = [(x, curve(model, way, k)) for x, k in enumerate(KS, 1)]
                there = [(x, y) for x, y in points if y is not None]
                if there:
                    axis.plot(*zip(*there, strict=True), color=colour, marker="o", ms=3, label=way)
            _original_and_constant(axis, scores, target, model, scoring, arm)
            if i == 0:
                axis.set_title(MODEL_NAMES[model], fontsize=10, loc="left")
        axes[i][0].set_ylabel(label, fontsize=9)
    for axis in axes[-1]:
        axis.set_xticks([0, *range(1, len(KS) + 1)], ["orig.", *map(str, KS)])
        axis.set_xlabel("k")
    legend_above(figure, axes[0][0])
    return figure


def _rows_of_figure(
    scores: Scores, target: str
) -> Iterator[tuple[str, str, tuple[str, int] | None, Curve]]:
    yield "the paper's numbers", "published", None, lambda m, w, k: published_score(target, m, w, k)
    for code, rows in scores.arms:
        named = "original code" if code == "legacy" else "Shoal"
        for scoring in ("published", "proper"):
            if code == "today" and scoring == "published" and rows != PUBLISHED_ROWS:
                continue  # one look at it is enough

            def curve(
                model: str, way: str, k: int, code: str = code, rows: int = rows,
                scoring: str = scoring,
            ) -> float | None:  # fmt: skip
                wanted = {"code": code, "rows": rows, "target": target, "way": way, "k": k}
                return scores.mean(model, scoring, **wanted)

            score = "F1 as published" if scoring == "published" else "macro F1, originals"
            yield f"{named}, {rows:,} rows\n{score}", scoring, (code, rows), curve


def _original_and_constant(
    axis: Any,
    scores: Scores,
    target: str,
    model: str,
    scoring: str,
    arm: tuple[str, int] | None,
) -> None:
    rows = arm[1] if arm else PUBLISHED_ROWS
    constant = scores.original(target, rows, "constant", scoring)
    if constant is not None:
        axis.axhline(constant, color=INK, linewidth=1, linestyle=(0, (4, 2)))
    before = scores.original(target, rows, model, scoring)
    if before is not None and arm is not None:
        axis.plot([0], [before], color=INK, marker="s", ms=4)


def _draw_loss(done: Finished) -> Any:
    figure, axes = new_figure(size=(7, 3.4))
    axis = axes[0, 0]
    for row, colour in zip(repairs(done), _shades(), strict=False):
        points = [(int(name.removeprefix("k=")), v) for name, v in row.items() if name != "code"]
        points.sort()
        axis.plot(*zip(*points, strict=True), color=colour, marker="o", ms=3, label=row["code"])
    axis.set_xscale("log")
    axis.set_xticks(KS, [str(k) for k in KS])
    axis.minorticks_off()
    axis.set_xlabel("k")
    axis.set_ylabel("information lost (NGIL)")
    axis.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _shades() -> list[str]:
    return ["#7a2e0e", "#c2571a", "#e09a5a", "#e8c39e", QUIET, "#8fc3c8", "#5aa9b1", COLOURS[0]]


def _draw_gains(scores: Scores) -> Any:
    rows = [r for r in gain_rows(scores) if r["target"] == "all"]
    arms = [arm for arm in scores.arms if any((r["code"], r["rows"]) == arm for r in rows)]
    figure, axes = new_figure(1, len(arms), size=(3 * len(arms), 3), sharex=True, sharey=True)
    for axis, (code, n) in zip(axes[0], arms, strict=True):
        here = [r for r in rows if (r["code"], r["rows"]) == (code, n)]
        for r in here:
            line = ["careless", "stereotyped", "knowing", "all"].index(r["experts"])
            y = line + (0.12 if r["way"] == "bias" else -0.12)
            if r["low"] is not None:
                axis.plot([r["low"], r["high"]], [y, y], color=WAYS[r["way"]], linewidth=2)
            axis.plot([r["gain"]], [y], color=WAYS[r["way"]], marker="o", ms=5)
        axis.axvline(0, color=INK, linewidth=1)
        named = "original code" if code == "legacy" else "Shoal"
        axis.set_title(f"{named}, {n:,} rows", fontsize=10, loc="left")
        axis.set_yticks(range(4), ["careless", "stereotyped", "knowing", "all"])
    axes[0][0].set_xlabel("gain in macro F1 (orange: bias, teal: iml)")
    return figure


def _draw_svc(done: Finished, scores: Scores) -> Any:
    shares = sorted({r["share"] for r in made_up(done)})
    figure, axes = new_figure(1, 1 + len(shares), size=(3.2 * (1 + len(shares)), 3), sharey=True)
    adult = [r for r in scores.datasets if (r["code"], r["target"]) == ("legacy", "income")]
    points: dict[str, list[tuple[int, float]]] = {
        "F1 as published": sorted((r["k"], r["published"]["f1"]["linear_svc"]) for r in adult
                                  if r["way"] == "equal"),
        "share of commonest answers": sorted(
            (r["k"], r["published"]["says_most_common"]["linear_svc"]) for r in adult
            if r["way"] == "equal"),
        "macro F1, originals": sorted((r["k"], r["proper"]["f1"]["linear_svc"]) for r in adult
                                      if r["way"] == "equal"),
    }  # fmt: skip
    constant = [r["published"]["f1"]["constant"] for r in adult]
    _lines(axes[0][0], points, sum(constant) / len(constant) if constant else None)
    axes[0][0].set_title("Adult, income", fontsize=10, loc="left")
    for axis, share in zip(axes[0][1:], shares, strict=True):
        rows = [r for r in made_up(done) if r["share"] == share]
        svc = [r for r in rows if r["model"] == "linear_svc"]
        named = {"F1 as published": "published", "share of commonest answers": "says_commonest",
                 "macro F1, originals": "proper"}  # fmt: skip
        lines = {
            label: sorted((r["k"], r[key]) for r in grouped_mean(svc, ["k"], key))
            for label, key in named.items()
        }
        base = [r["published"] for r in rows if r["model"] == "constant"]
        _lines(axis, lines, sum(base) / len(base))
        axis.set_title(f"made up, {share:.0%}", fontsize=10, loc="left")
    legend_above(figure, axes[0][-1])
    return figure


def _lines(axis: Any, lines: dict[str, list[tuple[int, float]]], constant: float | None) -> None:
    for (label, points), colour in zip(lines.items(), COLOURS, strict=False):
        if points:
            axis.plot(*zip(*points, strict=True), color=colour, marker="o", ms=3, label=label)
    if constant is not None:
        axis.axhline(constant, color=INK, linewidth=1, linestyle=(0, (4, 2)))
    axis.set_xscale("log")
    axis.set_xticks(KS, [str(k) for k in KS])
    axis.minorticks_off()
    axis.set_xlabel("k")


def _draw_fewer_rows(done: Finished) -> Any:
    rows = fewer_rows(done)
    targets = [target for target in TARGETS if any(r["target"] == target for r in rows)]
    figure, axes = new_figure(1, len(targets), size=(3.6 * len(targets), 3))
    for axis, target in zip(axes[0], targets, strict=True):
        for model, colour in zip(MODELS, COLOURS, strict=False):
            here = [r for r in rows if (r["target"], r["model"]) == (target, model)]
            points = sorted((r["rows"], r["f1"]) for r in here)
            label = MODEL_NAMES[model]
            axis.plot(*zip(*points, strict=True), color=colour, marker="o", ms=3, label=label)
        axis.axvline(1_500, color=QUIET, linestyle=":")
        axis.set_xscale("log")
        axis.set_title(target, fontsize=10, loc="left")
        axis.set_xlabel("rows to learn from")
    axes[0][0].set_ylabel("macro F1")
    legend_above(figure, axes[0][-1])
    return figure
