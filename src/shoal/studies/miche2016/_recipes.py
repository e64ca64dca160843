"""Every way the paper names to move values, tried and attacked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from shoal.anonymizer import Anonymizer
from shoal.privacy import KAnonymity
from shoal.quantize import EpsilonClusters, Flatten, PullIn, PushBack, Quantize, Step, Stir
from shoal.recoding import Generalize
from shoal.risk import Relinkage
from shoal.studies.miche2016._trials import SEED, MovingTrial, example_table, find_trial, numbers_of
from shoal.table import Grouping
from shoal.typing import FloatArray

M = 10
EXAMPLE_M = 2  # Table 1 has five records; docs/quantize.md prints the same
RECIPES: dict[str, list[Step]] = {
    "push back: noise": [PushBack("noise")],
    "push back: centroid": [PushBack("centroid")],
    "push back: member": [PushBack("member")],
    "push back, flatten one column": [PushBack(), Flatten([])],  # the first number of each table
    "push back, stir one column": [PushBack(), Stir([])],
    "push back, stir all": [PushBack(), Stir()],
    "push back, redraw all": [PushBack(), Stir(mode="redraw")],
    "Shoal's default": [PullIn(), PushBack(), Stir()],
}
MODELS = ("logistic_regression", "linear_svc", "random_forest", "gradient_boosting")
PAIRS = 20_000


def run_recipe(table: str, rows: int | None, recipe: str, draw: int) -> Mapping[str, Any]:
    """Quantize a table, attack it, and measure what of its structure is left."""
    trial = find_trial(table, rows, draw)
    made = _quantized(trial, recipe, draw)
    linked, moved = made.linked, made.recoder.moved_
    return {
        "relink_rate": linked.rate,
        "relink_low": linked.interval[0],
        "relink_high": linked.interval[1],
        "relink_bound": linked.bound,
        "unprotected": linked.unprotected,
        "outliers_attacked": linked.people,
        "everybody": linked.everybody,
        "outliers": moved.outliers,
        "clusters": moved.clusters,
        "pushed_cells": moved.pushed_cells,
        "unchanged_share": moved.unchanged_share,
        "divergence_max": moved.divergence_max,
        **_structure(trial, made),
    }


def run_models(table: str, rows: int | None, release: str, draw: int) -> Mapping[str, Any]:
    """Macro F1 of models that learned from a release, on untouched originals."""
    from shoal.utility import GeneralizedEncoder
    from shoal.utility.models import train_and_test

    trial = find_trial(table, rows, draw)
    found: dict[str, float] = {}
    for model in MODELS:
        scores = train_and_test(
            _frame(trial, release, draw),
            trial.test,
            target=trial.target,
            quasi_identifiers=trial.features,
            encoder=GeneralizedEncoder(trial.train.hierarchies, kinds=trial.train.kinds),
            model=model,
            seeds=(draw,),
        )
        found[model] = scores.f1_macro.mean
        found["constant"] = scores.f1_macro.constant
    return {"f1": found}


def run_example(way: str) -> Mapping[str, Any]:
    """Blend record 05 of the paper's Table 1 in; the table is the paper's, and nobody's."""
    table = example_table()
    recoder = Quantize([PushBack(way)], random_state=SEED)  # type: ignore[arg-type]
    clusters = EpsilonClusters(m=EXAMPLE_M, radii={"zip": 2, "age": 10, "nationality": 1})
    made = Anonymizer(clusters, recoder).fit(table)
    grouping = made.recipe_.grouper.grouping_
    after = made.recoded_.aligned_frame(table)
    changed = {name: table.text(name).to_list()[4] != after[name].to_list()[4] for name in
               table.roles.quasi_identifiers}  # fmt: skip
    return {
        "outliers": int(_steps_done(made).outliers_.sum()),
        "crowd": int(grouping.sizes[grouping.labels[4]]),
        "record_05": {name: str(after[name].to_list()[4]) for name in changed},
        "changed": changed,
    }


def run_picture(recipe: str) -> Mapping[str, Any]:
    """Where the members of one real cluster lie before and after, in two columns of wisconsin."""
    trial = find_trial("wisconsin")
    made = _quantized(trial, recipe, 0)
    rows = made.clusters.members(int(np.argmax(made.clusters.sizes)))
    before = numbers_of(trial, trial.train.frame)[rows][:, :2]
    after = numbers_of(trial, made.aligned)[rows][:, :2]
    middle = before.mean(axis=0)
    return {
        "before": np.round(before - middle, 3).tolist(),
        "after": np.round(after - middle, 3).tolist(),
    }


def run_remap(table: str) -> Mapping[str, Any]:
    """How far from Euclidean the distances of each column are, before and after Eq. 1."""
    from shoal.spaces.metrics import build_metrics, remap

    trial = find_trial(table)
    spaces = build_metrics(trial.train.table(), hierarchies=trial.train.hierarchies)
    maps = {measured.name: remap(measured) for measured in spaces.measured}
    return {
        "columns": {
            name: {"before": m.wasserstein_before, "after": m.wasserstein}
            for name, m in maps.items()
        }
    }


@dataclass(frozen=True, eq=False)
class _Made:
    """A quantized table: its clusters, its rows where they stood, and who was found again."""

    recoder: Quantize
    clusters: Grouping
    aligned: pl.DataFrame
    release: pl.DataFrame
    linked: Relinkage


def _quantized(trial: MovingTrial, recipe: str, draw: int) -> _Made:
    steps = [_of_table(step, trial) for step in RECIPES[recipe]]
    recoder = Quantize(steps, trial.train.hierarchies, random_state=SEED + draw)
    clusters, table = EpsilonClusters(m=M), trial.train.table()
    made = Anonymizer(clusters, recoder).fit(table)
    assert made.relinkage_ is not None  # every quantized release is attacked
    aligned = made.recoded_.aligned_frame(table)
    found = made.recipe_.grouper.grouping_
    return _Made(_steps_done(made), found, aligned, made.release_.frame, made.relinkage_)


def _steps_done(made: Anonymizer) -> Quantize:
    """What the anonymizer ran: a copy of what it was given."""
    recoder = made.recipe_.recoder
    assert isinstance(recoder, Quantize)
    return recoder


def _of_table(step: Step, trial: MovingTrial) -> Step:
    """Let a step that speaks of one column speak of the first number of this table."""
    if isinstance(step, Flatten | Stir) and step.columns == []:
        return type(step)([trial.first_number])
    return step


def _frame(trial: MovingTrial, release: str, draw: int) -> pl.DataFrame:
    if release == "original":
        return trial.train.frame
    if release in RECIPES:
        return _quantized(trial, release, draw).release
    made = Anonymizer(
        recoding=Generalize(trial.train.hierarchies), privacy=KAnonymity(M + 1), bound=False
    )
    return made.fit(trial.train.table()).release_.frame


def _structure(trial: MovingTrial, made: _Made) -> dict[str, float]:
    """Distances to the centre of the cluster, covariances and pairwise distances of numbers."""
    before, after = (numbers_of(trial, frame) for frame in (trial.train.frame, made.aligned))
    one, other = (_to_centres(points, before, made.clusters) for points in (before, after))
    covariance = [np.atleast_2d(np.cov(points.T)) for points in (before, after)]
    lost = np.linalg.norm(covariance[0] - covariance[1]) / np.linalg.norm(covariance[0])
    pairs = [np.sort(_pairwise(points)) for points in (before, after)]
    return {
        "centre_distance_shift": float(np.abs(np.sort(one) - np.sort(other)).mean() / one.mean()),
        "covariance_gap": float(lost),
        "pairwise_shift": float(np.abs(pairs[0] - pairs[1]).mean() / pairs[0].mean()),
    }


def _to_centres(points: FloatArray, originals: FloatArray, clusters: Grouping) -> FloatArray:
    labels = clusters.labels
    centres = np.array([originals[labels == g].mean(axis=0) for g in range(clusters.n_groups)])
    found: FloatArray = np.linalg.norm(points - centres[labels], axis=1)
    return found


def _pairwise(points: FloatArray) -> FloatArray:
    chance = np.random.default_rng(SEED)
    a, b = chance.integers(len(points), size=(2, PAIRS))
    found: FloatArray = np.linalg.norm(points[a] - points[b], axis=1)
    return found
