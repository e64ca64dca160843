"""What came out of the paper's ideas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from shoal.studies._base import Finished, Size
from shoal.studies._findings import Findings, ResultTable
from shoal.studies._verdicts import (
    ClaimDraft,
    ClaimPart,
    MeanEstimate,
    ShareEstimate,
    decided_table,
    judge,
    told,
)
from shoal.studies.miche2016._pictures import pictures
from shoal.studies.miche2016._recipes import EXAMPLE_M, MODELS, M
from shoal.studies.miche2016._trials import TEST_SHARE

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
    drafts = _claims(done, models, example)
    numbers = {
        "relink_rate": {f"{r['table']}, {r['recipe']}": r["relink_rate"] for r in recipes},
        "bound": {r["table"]: r["relink_bound"] for r in recipes},
        "f1": {f"{r['table']}, {r['release']}": r["mean"] for r in models},
    }
    return Findings(
        summary=_summary(size, done.records("recipe")),
        tables=[
            ResultTable(
                "recipes",
                "Every way to move values, attacked and measured",
                recipes,
                "Re-link rate: former outliers whose own row an attacker who knows them points at; "
                "shifts are earth mover's distances over the mean distance.",
            ),
            ResultTable(
                "models", "Models taught by a release, tested on untouched originals", models,
                "Macro F1 without widths; best and mean of four models, and a constant answer.",
            ),
            ResultTable(
                "remap", "Distances of each column before and after Eq. 1", list(_remap(done)),
                "Wasserstein distance to the Euclidean distribution.",
            ),
            ResultTable("example", "Record 05 of the paper's Table 1", list(_example(example))),
            ResultTable("draws", "Every recipe, draw by draw", done.records("recipe"), shown=False),
            ResultTable("draws_of_models", "Every model, draw by draw",
                        [{**{n: r[n] for n in ("table", "release", "draw")}, **r["f1"]}
                         for r in done.records("models")], shown=False),
            decided_table(drafts),
        ],
        pictures=list(pictures(done, recipes)),
        claims=judge(drafts),
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
    done: Finished, models: list[dict[str, Any]], example: list[dict[str, Any]]
) -> list[ClaimDraft]:
    drawn = done.records("recipe")
    return [
        *_hiding(drawn, example),
        *_keeping(drawn),
        _usefulness(done.records("models"), models),
        *_spaces(list(_remap(done))),
    ]


def _hiding(drawn: list[dict[str, Any]], example: list[dict[str, Any]]) -> Iterator[ClaimDraft]:
    moved = [[n for n, changed in r["changed"].items() if changed] for r in example]
    crowds = {r["crowd"] for r in example}
    yield ClaimDraft(
        "Record 05 of Table 1 can be blended in with the rest of the records.",
        f"With m = {EXAMPLE_M} it is {'the one outlier' if _alone(example) else 'an outlier'} and "
        f"is moved into the others' crowd ({', '.join(moved[0])} change), which then has "
        f"{' or '.join(map(str, sorted(crowds)))} records.",
        counted=[all(moved), _alone(example)],
        evidence=("example",),
    )
    pushed = {table: [r for r in drawn if r["recipe"] in PUSHED and r["table"] == table]
              for table in _tables(drawn)}  # fmt: skip
    yield ClaimDraft(
        "Once outliers are moved back, the individuals are no longer as easy to re-identify.",
        "Pushing back alone moves only cells that stick out (Eq. 5); the others point home. "
        f"{_rates(pushed)} are found again, where the table as it was gives "
        + ", ".join(f"{_span([r['unprotected'] for r in own])} on {table}"
                    for table, own in pushed.items())
        + ".",
        [ClaimPart(table, _found(own), _mean_of(own, "unprotected"), above=False)
         for table, own in pushed.items()],
        evidence=("recipes", "relinked"),
    )  # fmt: skip
    yield ClaimDraft(
        f"Asked here: is pushing back enough, so that nobody is found more often than one in m = "
        f"{M}?",
        f"{_rates(pushed)} are found again.",
        [ClaimPart(table, _found(own), 1 / M, above=False) for table, own in pushed.items()],
        evidence=("recipes", "relinked"),
    )
    stirred = {
        name: {t: [r for r in drawn if (r["recipe"], r["table"]) == (name, t)]
               for t in _tables(drawn)}
        for name in (ONE, STIRRED, DEFAULT)
    }  # fmt: skip
    yield ClaimDraft(
        "If a group is large enough and its records are stirred enough, identification of a single "
        "individual becomes impossible.",
        f"One in m = {M} by chance always remains, so no more often than that is asked for. "
        f"Stirring one column leaves {_rates(stirred[ONE])}; stirring all of them "
        f"{_rates(stirred[STIRRED])}; with extremes pulled in first, the default, "
        f"{_rates(stirred[DEFAULT])}. Of everybody, outlier or not, the default leaves "
        + ", ".join(
            f"{_mean_of(own, 'everybody'):.0%} on {t}" for t, own in stirred[DEFAULT].items()
        )
        + ".",
        [
            ClaimPart(f"{name}, {table}", _found(own), 1 / M, above=False)
            for name in (STIRRED, DEFAULT)
            for table, own in stirred[name].items()
        ],
        evidence=("recipes", "relinked"),
    )


def _keeping(drawn: list[dict[str, Any]]) -> Iterator[ClaimDraft]:
    flatter = {table: MeanEstimate.of(_paired(drawn, table, FLAT, ONE, SHIFT), OVERLAP)
               for table in _tables(drawn)}  # fmt: skip
    stirred = {table: _mean_shift(drawn, ONE, table, SHIFT) for table in _tables(drawn)}
    yield ClaimDraft(
        "Flattening breaks the cluster's distribution and distances to the centroid (Fig. 1); "
        "shuffling preserves them (Fig. 2).",
        "Earth mover's distance between distances to the centre before and after, over their mean: "
        f"{_shares_of(drawn, FLAT, SHIFT)} when one numeric column is flattened, "
        f"{_shares_of(drawn, ONE, SHIFT)} when the same column is stirred (flattening more by "
        + ", ".join(f"{more} on {table}" for table, more in flatter.items())
        + f"), {_shares_of(drawn, STIRRED, SHIFT)} when all columns are stirred. Preserved is "
        f"called what shifts by less than {SLIGHT:.0%}; stirring one column shifts by "
        + ", ".join(f"{told(shift, '.0%')} on {table}" for table, shift in stirred.items())
        + ". The paper's own measure, the Kullback-Leibler divergence, is at most "
        f"{_most(drawn, 'divergence_max')} nats over the steps that are held to a bound by it "
        "(noise, stirring); of flattening it is not measured.",
        [
            *(ClaimPart(f"flattening more, {table}", more) for table, more in flatter.items()),
            *(
                ClaimPart(f"stirring preserves, {table}", shift, SLIGHT, above=False)
                for table, shift in stirred.items()
            ),
        ],
        evidence=("recipes", "figure1", "figure2"),
    )
    kept = {
        (value, table): _mean_shift(drawn, STIRRED, table, value)
        for value in ("pairwise_shift", "covariance_gap")
        for table in _tables(drawn)
    }
    yield ClaimDraft(
        "Pairwise distances are preserved somewhat in any case, and global statistics are kept.",
        "Stirring shifts pairwise distances by "
        f"{_shares_of(drawn, STIRRED, 'pairwise_shift')} of their mean, and covariances by "
        f"{_shares_of(drawn, STIRRED, 'covariance_gap')}; kept is called what changes by less "
        f"than {SLIGHT:.0%}: "
        + ", ".join(
            f"{told(found, '.0%')} ({value.replace('_', ' ')}, {table})"
            for (value, table), found in kept.items()
        )
        + ".",
        [ClaimPart(f"{value}, {table}", found, SLIGHT, above=False)
         for (value, table), found in kept.items()],
        evidence=("recipes",),
    )  # fmt: skip


def _spaces(columns: list[dict[str, Any]]) -> Iterator[ClaimDraft]:
    worst = max(columns, key=lambda r: r["after"])
    near = sum(r["after"] <= SLIGHT for r in columns)
    yield ClaimDraft(
        "Any distance can be remapped so that its distribution becomes that of Euclidean "
        "distances (Eq. 1).",
        f"In the limit only where distances are continuous: {near} of {len(columns)} columns come "
        f"as near as {SLIGHT}; the worst keeps a Wasserstein distance of {worst['after']:.3f} "
        f"({worst['before']:.3f} before), since few different distances cannot follow a curve.",
        counted=[near == len(columns)],
        evidence=("remap",),
    )
    yield ClaimDraft(
        "Differential privacy aims at finding sets or clusters of samples (section 4).",
        "A matter of definitions, which no measurement decides: Eq. 2 is about clusters of a "
        "table, differential privacy about mechanisms. Nothing here has its guarantee, "
        "and Shoal does not claim it for a quantized release.",
    )


SHIFT = "centre_distance_shift"
SLIGHT = 0.05  # share by which something may change and be said to be kept
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)  # of splits of one table


def _usefulness(drawn: list[dict[str, Any]], models: list[dict[str, Any]]) -> ClaimDraft:
    ahead, lines = {}, []
    for table in _tables(drawn):
        f1 = {
            (r["release"], r["draw"]): float(np.mean([r["f1"][m] for m in MODELS]))
            for r in drawn
            if r["table"] == table
        }
        draws = [draw for release, draw in f1 if release == DEFAULT]
        ahead[table] = MeanEstimate.of(
            (f1[DEFAULT, d] - f1["generalized", d] for d in draws), OVERLAP
        )
        mean = {r["release"]: r["mean"] for r in models if r["table"] == table}
        lines.append(
            f"{table}: {mean[DEFAULT]:.3f} against {mean['generalized']:.3f} generalized "
            f"({ahead[table]}) and {mean['original']:.3f} original"
        )
    return ClaimDraft(
        "Further processing that relies on group statistics finds them as intact as possible.",
        f"Read as: at least as useful as ranges at k = {M + 1}. Macro F1, mean of four models that "
        "see no widths, taught by the default recipe and tested on untouched originals, "
        f"{'; '.join(lines)} (splits: Nadeau and Bengio's interval).",
        [ClaimPart(table, more) for table, more in ahead.items()],
        evidence=("models",),
    )


def _models(done: Finished) -> Iterator[dict[str, Any]]:
    flat = [
        {"table": r["table"], "release": r["release"], **r["f1"]} for r in done.records("models")
    ]
    for row in means(flat, ("table", "release")):
        scores = [row[model] for model in MODELS]
        yield {**row, "best": max(scores), "mean": float(np.mean(scores))}


def _remap(done: Finished) -> Iterator[dict[str, Any]]:
    for r in done.records("remap"):
        for column, found in r["columns"].items():
            yield {"table": r["table"], "column": column, **found}


def _example(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for r in records:
        yield {"way": r["way"], "outliers": r["outliers"], **r["record_05"]}


def _alone(example: list[dict[str, Any]]) -> bool:
    return all(r["outliers"] == 1 for r in example)


def _tables(drawn: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(r["table"] for r in drawn))


def _found(own: list[dict[str, Any]]) -> ShareEstimate:
    """The share of outliers found again in a typical draw.

    Draws of one table attack much the same people: together they count as one of them.
    """
    people = round(float(np.mean([r["outliers_attacked"] for r in own])))
    return ShareEstimate(round(_mean_of(own, "relink_rate") * people), people)


def _rates(by_table: dict[str, list[dict[str, Any]]]) -> str:
    return ", ".join(f"{_found(own)} on {table}" for table, own in by_table.items())


def _mean_of(own: list[dict[str, Any]], value: str) -> float:
    return float(np.mean([r[value] for r in own]))


def _mean_shift(drawn: list[dict[str, Any]], recipe: str, table: str, value: str) -> MeanEstimate:
    """How much something changes, over splits of one table."""
    return MeanEstimate.of(
        (r[value] for r in drawn if (r["recipe"], r["table"]) == (recipe, table)), OVERLAP
    )


def _paired(
    drawn: list[dict[str, Any]], table: str, one: str, other: str, value: str
) -> list[float]:
    """Differences of two recipes, draw by draw."""
    at = {(r["recipe"], r["draw"]): r[value] for r in drawn if r["table"] == table}
    return [at[name, draw] - at[other, draw] for name, draw in at if name == one]


def _shares_of(drawn: list[dict[str, Any]], recipe: str, value: str) -> str:
    own = [[r[value] for r in drawn if (r["recipe"], r["table"]) == (recipe, table)]
           for table in _tables(drawn)]  # fmt: skip
    return _span([float(np.mean(values)) for values in own])


def _most(drawn: list[dict[str, Any]], value: str) -> str:
    return f"{max(r[value] for r in drawn):.2f}"


def _range(recipes: list[dict[str, Any]], names: tuple[str, ...], value: str) -> str:
    return _span([r[value] for r in recipes if r["recipe"] in names])


def _span(values: list[float]) -> str:
    low, high = f"{min(values):.0%}", f"{max(values):.0%}"
    return low if low == high else f"{low} to {high}"


def _summary(size: Size, drawn: list[dict[str, Any]]) -> str:
    part = "" if size == "full" else f" This is the {size} run; --full runs all of it."
    pushed, stirred = (
        _rates({t: [r for r in drawn if r["recipe"] in names and r["table"] == t]
                for t in _tables(drawn)})
        for names in (PUSHED, (DEFAULT,))
    )  # fmt: skip
    return (
        "The paper proposes to hide people by moving values instead of widening them, and leaves "
        "algorithms and experiments to others. Tried on real tables, pushing outliers back is not "
        f"enough: {pushed} are found again by the cells that stayed. With all columns stirred as "
        f"by default {stirred} are; chance alone finds up to one in {M}.{part}"
    )
