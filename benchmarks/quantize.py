"""Quantization: what it keeps of a table, what an attacker finds, what it costs at a million rows.

Models are trained on a quantized release and on generalized ones of equal measured re-linkage,
and tested on the same untouched originals.
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from quantize_tables import Trial, trials
from shoal.anonymizer import Anonymizer
from shoal.privacy import KAnonymity
from shoal.quantize import EpsilonClusters, PushBack, Quantize, Stir
from shoal.recoding import Centroid, Generalize
from shoal.risk import measure_relinkage
from shoal.table import Grouping
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import train_and_test

M = 10
MODELS = ("logistic_regression", "linear_svc", "random_forest", "gradient_boosting")
SEEDS = (0, 1, 2)
SIZES = (10_000, 100_000, 1_000_000)
RECIPES = {
    "default": None,
    "push back alone": [PushBack()],
    "stir the target alone": "target",
    "redraw": [PushBack(), Stir(mode="redraw")],
}


def measure() -> dict[str, Any]:
    """Usefulness and re-linkage on three tables, growth on people."""
    found = [_try(trial) for trial in trials()]
    return {"m": M, "seeds": list(SEEDS), "tables": found, "growth": [_grow(n) for n in SIZES]}


def _try(trial: Trial) -> dict[str, Any]:
    made = _quantized(trial, None)
    rate = made.relinkage_.everybody
    k, beside = _equally_linked(trial, rate)
    centroids = Anonymizer(
        recoding=Centroid(trial.train.hierarchies), privacy=KAnonymity(k), bound=False
    ).fit(trial.train.table())
    frames = {
        "original": trial.train.frame,
        "quantize": made.release_.frame,
        "generalize": beside.release_.frame,
        "centroid": centroids.release_.frame,
    }
    scores = {name: _scores(trial, frame) for name, frame in frames.items()}
    best = {name: max(s["f1_macro"] for s in each.values()) for name, each in scores.items()}
    print(f"  {trial.name}: linked {rate:.3f} as k={k}; best F1 {best}", flush=True)
    return {
        "table": trial.name,
        "rows": trial.train.frame.height,
        "columns": len(trial.features),
        "moved": dataclasses.asdict(made.recipe_.recoder.moved_),
        "relinkage": made.relinkage_.to_dict(),
        "recipes": {name: _recipe(trial, steps) for name, steps in RECIPES.items()},
        "generalize_k": k,
        "generalize_rate": _linked(trial, beside),
        "scores": scores,
        "structure": structure(trial, made),
    }


def _quantized(trial: Trial, steps: Any) -> Anonymizer:
    steps = [Stir([trial.target])] if steps == "target" else steps
    recoder = Quantize(steps, trial.train.hierarchies)
    return Anonymizer(EpsilonClusters(m=M), recoder).fit(trial.train.table())


def _recipe(trial: Trial, steps: Any) -> dict[str, float]:
    linked = _quantized(trial, steps).relinkage_
    return {"rate": linked.rate, "bound": linked.bound, "unprotected": linked.unprotected}


def _equally_linked(trial: Trial, rate: float) -> tuple[int, Anonymizer]:
    """The generalized release whose measured re-linkage is nearest to a rate."""
    runs = []
    for k in sorted({max(2, round(part / rate)) for part in (0.7, 0.85, 1.0)}):
        made = Anonymizer(
            recoding=Generalize(trial.train.hierarchies), privacy=KAnonymity(k), bound=False
        ).fit(trial.train.table())
        runs.append((abs(_linked(trial, made) - rate), k, made))
    _, k, made = min(runs, key=lambda run: run[:2])
    return k, made


def _linked(trial: Trial, made: Anonymizer) -> float:
    """Re-linkage of everybody in a generalized release, by the same attacks."""
    table = trial.train.table()
    nobody = np.zeros(table.n_rows, dtype=np.bool_)
    aligned = made.recoded_.aligned_frame(table)
    hierarchies = trial.train.hierarchies
    return measure_relinkage(
        table, aligned, made.grouping_, nobody, M, hierarchies=hierarchies
    ).everybody


def _scores(trial: Trial, frame: pl.DataFrame) -> dict[str, dict[str, float]]:
    found = {}
    for model in MODELS:
        scores = train_and_test(
            frame,
            trial.test,
            target=trial.target,
            quasi_identifiers=trial.features,
            encoder=GeneralizedEncoder(trial.train.hierarchies, kinds=trial.train.kinds),
            model=model,
            seeds=SEEDS,
        )
        found[model] = {"f1_macro": scores.f1_macro.mean, "constant": scores.f1_macro.constant}
    return found


def structure(trial: Trial, made: Anonymizer) -> dict[str, float]:
    """Cluster-level means, covariances and pairwise distances of numbers, before and after."""
    table = trial.train.table()
    names = [n for n in trial.features if table.kinds[n] == "numeric"]
    after = made.recoded_.aligned_frame(table).select(pl.col(names).cast(pl.Float64)).to_numpy()
    before = table.frame.select(pl.col(names).cast(pl.Float64)).to_numpy()
    spread = before.std(axis=0)
    before, after = before / spread, after / spread
    clusters: Grouping = made.recipe_.grouper.grouping_
    means, covariances = [], []
    for group in range(clusters.n_groups):
        rows = clusters.members(group)
        means.append(np.abs(before[rows].mean(axis=0) - after[rows].mean(axis=0)).mean())
        gap = np.atleast_2d(np.cov(before[rows].T)) - np.atleast_2d(np.cov(after[rows].T))
        covariances.append(np.linalg.norm(gap))
    whole = np.linalg.norm(
        np.atleast_2d(np.cov(before.T)) - np.atleast_2d(np.cov(after.T))
    ) / np.linalg.norm(np.atleast_2d(np.cov(before.T)))
    return {
        "cluster_mean_shift": float(np.average(means, weights=clusters.sizes)),
        "cluster_covariance_gap": float(np.average(covariances, weights=clusters.sizes)),
        "covariance_gap": float(whole),
        "pairwise_wasserstein": _pairwise(before, after),
        "pairwise_mean": float(_distances(before).mean()),
    }


def _pairwise(before: np.ndarray, after: np.ndarray) -> float:
    """Wasserstein distance between the distributions of distances of the same pairs of rows."""
    one, other = np.sort(_distances(before)), np.sort(_distances(after))
    return float(np.abs(one - other).mean())


def _distances(points: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(1)
    a, b = rng.integers(len(points), size=(2, 20_000))
    return np.linalg.norm(points[a] - points[b], axis=1)


def _grow(rows: int) -> dict[str, Any]:
    """Clusters, push back and stir in a process of its own, so that its memory is its own."""
    worker = Path(__file__).with_name("quantize_worker.py")
    out = subprocess.run(
        [sys.executable, str(worker), str(rows)], capture_output=True, check=True, text=True
    )
    found: dict[str, Any] = json.loads(out.stdout)
    print(f"  {rows:,} rows: {found['seconds']:.1f} s", flush=True)
    return found
