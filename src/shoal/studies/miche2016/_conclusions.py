"""What came out of the paper's ideas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from shoal.studies._base import Finished, Size
from shoal.studies._findings import Findings, PaperClaim, ResultTable, judged
from shoal.studies.miche2016._pictures import pictures
from shoal.studies.miche2016._recipes import MODELS, M

PUSHED = ("push back: noise", "push back: centroid", "push back: member")
FLAT, ONE, STIRRED, DEFAULT = (
    "push back, flatten one column",
    "push back, stir one column",
    "push back, stir all",
    "Shoal's default",
)
UNKNOWN = (
    "The paper is a framework without an algorithm, an experiment or a number: how its authors "
    "would find clusters, draw noise under the bound of Eq. 6 or shuffle under that of Eq. 10, and "
    "which divergence they would allow, is not said. Shoal's choices stand in.",
    "Which attacker its authors had in mind; here one who knows the quasi-identifiers exactly.",
    "The paper's health data: its one table has five records.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Put together tables, pictures and answers."""
    recipes = means(done.records("recipe"), ("table", "recipe"))
    models = list(_models(done))
    example = done.records("example")
    numbers = {
        "relink_rate": {f"{r['table']}, {r['recipe']}": r["relink_rate"] for r in recipes},
        "bound": {r["table"]: r["relink_bound"] for r in recipes},
        "f1": {f"{r['table']}, {r['release']}": r["best"] for r in models},
    }
    return Findings(
        summary=_summary(size, recipes),
        tables=[
            ResultTable(
                "recipes",
                "Every way to move values, attacked and measured",
                recipes,
                "Re-link rate: former outliers whose own row an attacker who knows them points at; "
                "shifts are relative to the mean distance.",
            ),
            ResultTable(
                "models", "Models taught by a release, tested on untouched originals", models,
                "Macro F1; best of four models, and the constant predictor.",
            ),
            ResultTable(
                "remap", "Distances of each column before and after Eq. 1", list(_remap(done)),
                "Wasserstein distance to the Euclidean distribution.",
            ),
            ResultTable("example", "Record 05 of the paper's Table 1", list(_example(example))),
        ],
        pictures=list(pictures(done, recipes)),
        claims=list(_claims(done, recipes, models, example)),
        numbers=numbers,
        unknown=UNKNOWN,
    )  # fmt: skip


def means(records: list[dict[str, Any]], keys: tuple[str, ...]) -> list[dict[str, Any]]:
    """Average all numbers over draws."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        found[tuple(record[key] for key in keys)].append(record)
    return [
        {
            **dict(zip(keys, group, strict=True)),
            **{
                name: float(np.mean([r[name] for r in rows]))
                for name, value in rows[0].items()
                if isinstance(value, float | int) and name not in (*keys, "draw", "rows")
            },
            "draws": len(rows),
        }
        for group, rows in found.items()
    ]


def _claims(
    done: Finished,
    recipes: list[dict[str, Any]],
    models: list[dict[str, Any]],
    example: list[dict[str, Any]],
) -> Iterator[PaperClaim]:
    yield from _hiding(recipes, example)
    yield from _keeping(recipes)
    yield _usefulness(models)
    yield from _spaces(list(_remap(done)))


def _hiding(recipes: list[dict[str, Any]], example: list[dict[str, Any]]) -> Iterator[PaperClaim]:
    pushed = _of(recipes, PUSHED)
    moved = [[n for n, changed in r["changed"].items() if changed] for r in example]
    yield PaperClaim(
        "Record 05 of Table 1 can be blended in with the rest of the records.",
        f"It is the one outlier and is moved into the others' crowd ({', '.join(moved[0])} "
        "change); with four others in the table it is then one of five.",
        judged(all(moved)),
        ("example",),
    )
    yield PaperClaim(
        "Once outliers are moved back, the individuals are no longer as easy to re-identify.",
        "Pushing back alone moves only cells that stick out (Eq. 5); the others point home. "
        + _rates(recipes, PUSHED, "re-linked")
        + f" (before: {_range(recipes, PUSHED, 'unprotected')}).",
        judged(
            all(r["relink_rate"] <= r["relink_bound"] for r in pushed),
            in_part=all(r["relink_rate"] <= r["unprotected"] / 2 for r in pushed),
        ),
        ("recipes", "relinked"),
    )
    bounded = all(r["relink_rate"] <= r["relink_bound"] for r in _of(recipes, (DEFAULT,)))
    yield PaperClaim(
        "If a group is large enough and its records are stirred enough, identification of a single "
        "individual becomes impossible.",
        f"Stirring one column leaves {_rates(recipes, (ONE,), 're-linked')}; stirring all of them "
        f"{_rates(recipes, (STIRRED,), '')}; with extremes pulled in first, the default, "
        f"{_rates(recipes, (DEFAULT,), '')}. One in m = {M} by chance remains: hard, not "
        "impossible.",
        judged(False, in_part=bounded),
        ("recipes", "relinked"),
    )


def _keeping(recipes: list[dict[str, Any]]) -> Iterator[PaperClaim]:
    stirred = _of(recipes, (STIRRED,))
    shifts = [r[name] for r in stirred for name in ("pairwise_shift", "covariance_gap")]
    yield PaperClaim(
        "Flattening breaks the cluster's distribution and distances to the centroid (Fig. 1); "
        "shuffling preserves them (Fig. 2).",
        f"Distances to the centre of the cluster shift by {_range(recipes, (FLAT,), SHIFT)} of "
        f"their mean when one column is flattened, by {_range(recipes, (ONE,), SHIFT)} when the "
        f"same column is stirred, and by {_range(recipes, (STIRRED,), SHIFT)} when all columns are "
        "stirred.",
        _less(recipes, ONE, FLAT),
        ("recipes", "figure1", "figure2"),
    )
    yield PaperClaim(
        "Pairwise distances are preserved somewhat in any case, and global statistics are kept.",
        f"Stirring shifts pairwise distances by {_range(recipes, (STIRRED,), 'pairwise_shift')} of "
        f"their mean, and covariances by {_range(recipes, (STIRRED,), 'covariance_gap')}.",
        judged(max(shifts) <= SLIGHT, in_part=max(shifts) <= SOMEWHAT),
        ("recipes",),
    )


def _spaces(columns: list[dict[str, Any]]) -> Iterator[PaperClaim]:
    worst = max(columns, key=lambda r: r["after"])
    yield PaperClaim(
        "Any distance can be remapped so that its distribution becomes that of Euclidean "
        "distances (Eq. 1).",
        f"In the limit only where distances are continuous: of {len(columns)} columns the worst "
        f"keeps a Wasserstein distance of {worst['after']:.3f} ({worst['before']:.3f} before), "
        "since few different distances cannot follow a curve.",
        judged(worst["after"] <= SLIGHT, in_part=all(r["after"] < r["before"] for r in columns)),
        ("remap",),
    )
    yield PaperClaim(
        "Differential privacy aims at finding sets or clusters of samples (section 4).",
        "Eq. 2 is about clusters of a table; differential privacy is about mechanisms, and nothing "
        "here has its guarantee. Shoal never claims it for a quantized release.",
        "does not hold",
    )


SHIFT = "centre_distance_shift"
SLIGHT, SOMEWHAT = 0.05, 0.5  # shares by which something may change and be said to be kept


def _usefulness(models: list[dict[str, Any]]) -> PaperClaim:
    told, kept = [], 0
    for table in dict.fromkeys(r["table"] for r in models):
        best = {r["release"]: r["best"] for r in models if r["table"] == table}
        kept += best[DEFAULT] >= best["generalized"]
        told.append(
            f"{table}: {best[DEFAULT]:.3f} against {best['generalized']:.3f} generalized and "
            f"{best['original']:.3f} original"
        )
    tables = len(told)
    return PaperClaim(
        "Further processing that relies on group statistics finds them as intact as possible.",
        f"Best macro F1 of a model taught by the default recipe and tested on untouched "
        f"originals, {'; '.join(told)} (generalized at k = {M + 1}).",
        judged(kept == tables, in_part=kept > 0),
        ("models",),
    )


def _models(done: Finished) -> Iterator[dict[str, Any]]:
    flat = [
        {"table": r["table"], "release": r["release"], **r["f1"]} for r in done.records("models")
    ]
    for row in means(flat, ("table", "release")):
        yield {**row, "best": max(row[model] for model in MODELS)}


def _remap(done: Finished) -> Iterator[dict[str, Any]]:
    for r in done.records("remap"):
        for column, found in r["columns"].items():
            yield {"table": r["table"], "column": column, **found}


def _example(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for r in records:
        yield {"way": r["way"], "outliers": r["outliers"], **r["record_05"]}


def _of(recipes: list[dict[str, Any]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [r for r in recipes if r["recipe"] in names]


def _rates(recipes: list[dict[str, Any]], names: tuple[str, ...], word: str) -> str:
    parts = []
    for table in dict.fromkeys(r["table"] for r in recipes):
        rates = [r["relink_rate"] for r in _of(recipes, names) if r["table"] == table]
        parts.append(f"{_span(rates)} on {table}")
    return f"{', '.join(parts)}{' ' + word if word else ''}"


def _range(recipes: list[dict[str, Any]], names: tuple[str, ...], value: str) -> str:
    return _span([r[value] for r in _of(recipes, names)])


def _span(values: list[float]) -> str:
    low, high = f"{min(values):.0%}", f"{max(values):.0%}"
    return low if low == high else f"{low} to {high}"


def _less(recipes: list[dict[str, Any]], one: str, other: str) -> Any:
    pairs = [
        (a[SHIFT], b[SHIFT])
        for a in _of(recipes, (one,))
        for b in _of(recipes, (other,))
        if a["table"] == b["table"]
    ]
    smaller = sum(a < b for a, b in pairs)
    return judged(smaller == len(pairs), in_part=smaller > 0)


def _summary(size: Size, recipes: list[dict[str, Any]]) -> str:
    part = "" if size == "full" else f" This is the {size} run; --full runs all of it."
    return (
        "The paper proposes to hide people by moving values instead of widening them, and leaves "
        "algorithms and experiments to others. Tried on real tables, pushing outliers back is not "
        f"enough: {_range(recipes, PUSHED, 'relink_rate')} of them are found again by the cells "
        f"that stayed. With all columns stirred {_range(recipes, (DEFAULT,), 'relink_rate')} are, "
        f"against one in {M} by chance, and values stay realistic.{part}"
    )
