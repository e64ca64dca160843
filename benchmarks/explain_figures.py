"""The pictures of the explanations: drawn from results on file, or from a town small enough to see.

``python benchmarks/explain_figures.py`` draws them all; no result is measured here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import shoal
from figures import IMAGES, INK, OTHERS, OURS, QUOTED, prepare, read_results

SOFT, WARM, GRID = "#5aa9b1", "#b45309", "#e6eaee"
Box = tuple[float, float, float, float]


def draw_all() -> None:
    """Draw every picture of the explanations."""
    prepare()
    for draw in (
        draw_near_linear,
        draw_best_first,
        draw_questions,
        draw_ranges,
        draw_not_promised,
        draw_composition,
    ):
        draw()


def draw_near_linear() -> None:
    """Left: the cells of a tree that one search opens. Right: seconds against rows."""
    from matplotlib import pyplot as plt
    from matplotlib.patches import Rectangle

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    people = town(260)
    crowd = people[np.argsort(np.abs(people - (0.36, 0.45)).sum(axis=1))[:5]]
    box = (*crowd.min(axis=0), *crowd.max(axis=0))
    opened = 0
    cells = list(cut(people))
    best = min(cost(box, one) for one in people if not any((one == c).all() for c in crowd))
    for cell, inside in cells:
        skipped = cost(box, nearest(box, cell)) > best
        opened += 0 if skipped else len(inside)
        place, size = cell[:2], (cell[2] - cell[0], cell[3] - cell[1])
        left.add_patch(
            Rectangle(place, *size, facecolor="none" if skipped else "#d8eef0", edgecolor=QUOTED)
        )
    left.scatter(*people.T, s=9, color=OTHERS)
    left.scatter(*crowd.T, s=16, color=OURS)
    left.add_patch(Rectangle(box[:2], box[2] - box[0], box[3] - box[1], fill=False, edgecolor=OURS))
    left.set_title(
        f"One step of one crowd: {opened} of {len(people)} people looked at",
        fontsize=10,
        loc="left",
    )
    left.set_xticks([])
    left.set_yticks([])
    left.set_xlabel("age")
    left.set_ylabel("ZIP code")
    draw_seconds(right)
    save(figure, "near-linear.svg")


def draw_seconds(axis: Any) -> None:
    """Seconds of exact SaNGreeA against rows; dotted, what looking at everybody would take."""
    records = read_results("growth")["records"]
    points = [
        (r["rows"], r["seconds"])
        for r in records
        if r["task"] == "common" and r["table"] == "people"
    ]
    adult = read_results("adult")
    scan = next(
        r["cpu_seconds"]
        for r in adult["records"]
        if r["method"] == "plain scan, common" and r["k"] == 10
    )
    rows = np.array([10_000, 1_000_000])
    axis.loglog(
        *zip(*points, strict=True), color=OURS, marker="o", linewidth=2, label="through the index"
    )
    axis.loglog(
        rows, scan * (rows / adult["rows"]) ** 2, color=WARM, linestyle=":",
        label="a full scan: Adult measured, then rows²",
    )  # fmt: skip
    axis.plot([adult["rows"]], [scan], color=WARM, marker="o", linestyle="none")
    axis.set_xticks([10_000, 100_000, 1_000_000], ["10,000", "100,000", "1,000,000"])
    axis.set_yticks([0.1, 1, 10, 100, 1_000], ["0.1 s", "1 s", "10 s", "100 s", "1,000 s"])
    axis.set_xlabel("rows (k = 10, the same choices)")
    axis.grid(axis="y", color=GRID)
    axis.legend(frameon=False, fontsize=9)


def draw_best_first() -> None:
    """The same seventy people in crowds of five: as they come, and cheapest crowd first."""
    import polars as pl
    from matplotlib import pyplot as plt
    from matplotlib.patches import Rectangle

    people = np.round(town(70) * (60, 100)).astype(int) + np.array([20, 100])
    frame = pl.DataFrame({"age": people[:, 0], "area": people[:, 1]})
    table = shoal.read_table(frame, roles=shoal.Roles(quasi_identifiers=["age", "area"]))
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.9), sharey=True, layout="constrained")
    ways = {"content": "as they come", "best-first": "the cheapest crowd first"}
    for axis, (order, name) in zip(axes, ways.items(), strict=True):
        grouping = shoal.SaNGreeA(order=order, refine=False)
        made = shoal.Anonymizer(grouping=grouping, privacy=shoal.KAnonymity(5)).fit(table)
        axis.scatter(*people.T, s=14, color=INK)
        for number, group in enumerate(sorted({*made.grouping_.labels.tolist()})):
            inside = people[made.grouping_.labels == group]
            low, high = inside.min(axis=0) - 0.7, inside.max(axis=0) + 0.7
            colour = plt.get_cmap("Set2")(number % 8)
            axis.add_patch(
                Rectangle(low, *(high - low), facecolor=colour, alpha=0.45, edgecolor=colour)
            )
        axis.set_title(f"{name}: {made.loss_.ngil:.0%} of the detail lost", fontsize=10, loc="left")
        axis.set_xlabel("age")
    axes[0].set_ylabel("area")
    save(figure, "best-first.svg")


def draw_questions() -> None:
    """Where the weights of three columns may lie, and how the next question cuts the cloud."""
    from matplotlib import pyplot as plt

    from shoal.datasets import people
    from shoal.session import WeighingExpert

    names = ("age", "zip", "education")
    patients = people(600)
    roles = shoal.Roles(quasi_identifiers=list(names))
    table = shoal.read_table(patients.frame.select(names), roles=roles)
    session = shoal.Session(table, shoal.Plan(roles=roles, k=5), seed=3)
    expert = WeighingExpert({"age": 0.6, "zip": 0.3, "education": 0.1}, np.random.default_rng(0))
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.5), layout="constrained")
    said = 0
    for axis, answers in zip(axes, (0, 4, 12), strict=True):
        while said < answers:
            question = session.ask()
            session.tell(question, expert.answer(question))
            said += 1
        draws = session._talk.belief().draws  # private: nobody else needs the particles
        draw_triangle(axis, names)
        axis.scatter(*corner(draws).T, s=5, color=SOFT, alpha=0.5, linewidths=0)
        axis.scatter(*corner(np.array([[0.6, 0.3, 0.1]])).T, s=70, marker="*", color=WARM, zorder=3)
        cost = session.ask().cost
        gain = np.array([cost["A"][name] - cost["B"][name] for name in names])
        axis.plot(*line_of(gain).T, color=INK, linewidth=1.4)
        axis.set_title(f"after {answers} answers", fontsize=10, pad=14)
    save(figure, "questions.svg")


def draw_ranges() -> None:
    """What a model is given of one person, as they are and as they are published."""
    import polars as pl
    from matplotlib import pyplot as plt

    tree = {"*": {"health": ["nurse", "surgeon"], "school": ["teacher", "janitor"]}}
    jobs = shoal.Taxonomy.from_json(tree)
    rows = {
        "the person: 37, nurse": {"age": "37", "job": "nurse"},
        "published: [30, 44], health": {"age": "[30, 44]", "job": "health"},
        "published: *, *": {"age": "*", "job": "*"},
    }
    known = pl.DataFrame({"age": ["20", "64", "[30, 44]"], "job": ["teacher", "janitor", "health"]})
    encoder = shoal.GeneralizedEncoder({"job": jobs}, kinds={"age": "numeric"}).fit(known)
    names = encoder.get_feature_names_out().tolist()
    keep = [i for i, name in enumerate(names) if "missing" not in name]
    figure, axes = plt.subplots(1, len(rows), figsize=(10, 2.7), sharey=True, layout="constrained")
    for axis, (title, row) in zip(axes, rows.items(), strict=True):
        values = encoder.transform(pl.DataFrame({key: [text] for key, text in row.items()}))[0][
            keep
        ]
        shares = [
            v / 64 if names[i].startswith("age") else v for i, v in zip(keep, values, strict=True)
        ]
        axis.barh(
            range(len(keep)), shares, color=[OURS if v else QUOTED for v in shares], height=0.6
        )
        for place, (share, value) in enumerate(zip(shares, values, strict=True)):
            axis.text(share + 0.03, place, f"{value:g}", va="center", fontsize=9)
        axis.set_xlim(0, 1.25)
        axis.set_xticks([])
        axis.spines["bottom"].set_visible(False)
        axis.set_title(title, fontsize=10, loc="left")
    axes[0].set_yticks(range(len(keep)), [names[i] for i in keep])
    axes[0].invert_yaxis()
    save(figure, "ranges.svg")


def draw_not_promised() -> None:
    """What attackers gain on Adult, raw and at k = 2, 5, 11: what falls with k and what stays."""
    from matplotlib import pyplot as plt

    shown = {
        "exact_linkage": "finds the row of a person",
        "singling_out": "writes a rule that fits one person",
        "attribute_inference": "guesses the occupation from the crowd",
        "background_knowledge": "the same, knowing one value it is not",
        "interval_ends": "reads a value off the end of a range",
        "membership": "tells who was in the table",
    }
    wanted = {"raw": QUOTED, "auto, k=2": "#9dcbd0", "auto, k=5": SOFT, "auto, k=11": OURS}
    results = read_results("attacks")
    records = {r["release"]: r["attacks"] for r in results["records"]}
    figure, axis = plt.subplots(figsize=(10, 4.1), layout="constrained")
    for place, (release, colour) in enumerate(wanted.items()):
        gains = [records[release].get(name, {}).get("risk", 0) for name in shown]
        rows = np.arange(len(shown)) + 0.19 * (place - 1.5)
        label = (
            "as it is" if release == "raw" else release.removeprefix("auto, ").replace("=", " = ")
        )
        axis.barh(rows, gains, height=0.17, color=colour, label=label)
    known = {
        r["release"]: r["attacks"].get("known_columns", {}).get("risk") for r in results["further"]
    }
    other = known["hours and census weight as they are"]
    axis.barh([len(shown)], [other], height=0.3, color=WARM)
    axis.text(other - 0.01, len(shown), "k = 5 holds, and does not help", ha="right", va="center",
              color="white", fontsize=9)  # fmt: skip
    names = [*shown.values(), "knows a column that is published as it is"]
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.set_xlabel("gain over guessing, as a share of what is left to gain (UCI Adult)")
    axis.legend(frameon=False, fontsize=9, loc="center right")
    save(figure, "not-promised.svg")


def draw_composition() -> None:
    """People with one candidate left, release by release, without and with the ledger."""
    from matplotlib import pyplot as plt

    found = read_results("composition")["all"]
    figure, axis = plt.subplots(figsize=(7, 3.4), layout="constrained")
    for name, colour in (("sangreea", OURS), ("mondrian", OTHERS)):
        shares = [100 * share for share in found[name]["share_with_one_candidate"]]
        kept = 100 * found[name]["with_ledger"]["share_with_one_candidate"]
        label = {"sangreea": "SaNGreeA", "mondrian": "Mondrian"}[name]
        axis.plot(range(1, 6), shares, color=colour, marker="o", linewidth=2, label=label)
        axis.plot(
            [1, 5], [kept, kept], color=colour, linestyle="--", label=f"{label}, with the ledger"
        )
    axis.set_xticks(range(1, 6))
    axis.set_xlabel("releases of the same 30,162 people, k = 5, other weights each time")
    axis.set_ylabel("people with one value left, %")
    axis.set_ylim(0)
    axis.grid(axis="y", color=GRID)
    axis.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, "composition.svg")


def town(n: int) -> np.ndarray:
    """Draw people who live in three quarters of a town, and a few who live nowhere near."""
    chance = np.random.default_rng(24)
    middles = np.array([(0.3, 0.4), (0.7, 0.7), (0.75, 0.2)])[chance.integers(3, size=n)]
    people = middles + chance.normal(0, 0.09, (n, 2))
    people[: n // 8] = chance.random((n // 8, 2))
    return np.clip(people, 0.01, 0.99)


def cut(people: np.ndarray, cell: Box = (0, 0, 1, 1), level: int = 0) -> Iterator[tuple[Box, Any]]:
    """Yield the leaves of a kd-tree: where each lies and who is in it."""
    if len(people) <= 6:
        yield cell, people
        return
    side = level % 2
    middle = float(np.median(people[:, side]))
    below = people[:, side] <= middle
    lower, upper = list(cell), list(cell)
    lower[2 + side], upper[side] = middle, middle
    yield from cut(people[below], tuple(lower), level + 1)
    yield from cut(people[~below], tuple(upper), level + 1)


def cost(box: Box, point: Any) -> float:
    """Return how much wider a box becomes with a point in it."""
    wider = [max(box[i + 2], point[i]) - min(box[i], point[i]) for i in (0, 1)]
    return sum(wider) - (box[2] - box[0]) - (box[3] - box[1])


def nearest(box: Box, cell: Box) -> tuple[float, float]:
    """Return the point of a cell that costs least: the bound by which it is skipped."""
    middle = [(box[i] + box[i + 2]) / 2 for i in (0, 1)]
    return tuple(min(max(middle[i], cell[i]), cell[i + 2]) for i in (0, 1))


def corner(weights: np.ndarray) -> np.ndarray:
    """Place weights of three columns in a triangle."""
    corners = np.array([(0, 0), (1, 0), (0.5, 0.87)])
    return weights @ corners


def draw_triangle(axis: Any, names: tuple[str, ...]) -> None:
    """Draw the triangle of all weights, a column at each corner."""
    axis.plot(*corner(np.eye(3)[[0, 1, 2, 0]]).T, color=QUOTED)
    for name, (x, y), lift in zip(names, corner(np.eye(3)), (-0.09, -0.09, 0.04), strict=True):
        axis.text(x, y + lift, name, ha="center", fontsize=9)
    axis.set_aspect("equal")
    axis.axis("off")


def line_of(gain: np.ndarray) -> np.ndarray:
    """Return where both sides of a question weigh the same: two ends on the triangle's sides."""
    ends = []
    for i, j in ((0, 1), (1, 2), (2, 0)):
        if gain[i] * gain[j] < 0:
            weights = np.zeros(3)
            weights[i], weights[j] = abs(gain[j]), abs(gain[i])
            ends.append(weights / weights.sum())
    if len(ends) < 2:  # a side of the triangle itself
        flat = np.eye(3)[np.flatnonzero(np.abs(gain) < 1e-12)]
        ends = [*ends, *flat][:2]
    return corner(np.array(ends))


def save(figure: Any, name: str) -> None:
    """Write a picture, the same bytes each time."""
    from matplotlib import pyplot as plt

    figure.savefig(IMAGES / name, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    draw_all()
