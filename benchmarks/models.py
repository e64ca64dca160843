"""Models: what they keep of their F1 when they learn from a release of Adult, by way of reading it.

All complete rows of Adult, divided anew for every split: two thirds are released (the default
release), models learn from them and are tested on the untouched third. Every way to read ranges is
tried on the same releases, on the path that users have: numbers measured by their domain, no
widths. One pass after the other is done, what is cheap and asked for most before the rest. What is
done is kept in ``results/models.jsonl`` and ``results/models.json``: delete both to begin again.
Learning rows of splits overlap, and intervals are corrected for that (Nadeau and Bengio, 2003).
``python benchmarks/run.py models --so-far`` sums up what is done without running more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from shoal.anonymizer import Anonymizer
from shoal.datasets import Dataset, adult
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.studies._verdicts import MeanEstimate
from shoal.table import read_table
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import train_and_test

DONE = Path(__file__).parent / "results" / "models.jsonl"
JSON = DONE.with_suffix(".json")
SPLITS = 10
LEARNED, TESTED = 30_162, 15_060  # as many as in the two parts of the table
OVERLAP = TESTED / LEARNED
ORIGINAL = -1
RANGES = 0  # midpoints and shares; a larger number: rows drawn out of what is published
CHEAP: dict[str, tuple[int, ...]] = {
    "gradient_boosting": (ORIGINAL, RANGES, 2),
    "logistic_regression": (ORIGINAL, RANGES, 2),
}
DEAR: dict[str, tuple[int, ...]] = {
    "random_forest": (ORIGINAL, RANGES, 2),
    "gradient_boosting": (8,),
}
PASSES: tuple[tuple[int, dict[str, tuple[int, ...]]], ...] = (
    (50, CHEAP),
    (10, CHEAP),
    (50, DEAR),
    (10, DEAR),
)
WAYS = tuple(
    (model, k, way)
    for model in ("logistic_regression", "random_forest", "gradient_boosting")
    for k in (10, 50)
    for way in sorted({*CHEAP.get(model, ()), *DEAR.get(model, ())} - {ORIGINAL})
)


def measure() -> dict[str, Any]:
    """Do every pass on every split, and sum up."""
    DONE.parent.mkdir(exist_ok=True)
    done = {_key(record): record for record in _done()}
    for unit in _units():
        if _key(unit) not in done and "--so-far" not in sys.argv:
            done[_key(unit)] = _run(unit)
            with DONE.open("a") as file:
                file.write(json.dumps(done[_key(unit)]) + "\n")
            print(f"  {json.dumps(done[_key(unit)])}", flush=True)
    records = [done[_key(unit)] for unit in _units() if _key(unit) in done]
    return {
        "table": "UCI Adult, complete rows of both parts",
        "learned": LEARNED,
        "tested": TESTED,
        "target": "income",
        "planned_splits": SPLITS,
        "told": [*_told(records)],
        "records": records,
    }


def _units() -> Iterator[dict[str, Any]]:
    for number, (k, _) in enumerate(PASSES):
        for split in range(SPLITS):
            yield {"pass": number, "k": k, "split": split}


def _key(unit: dict[str, Any]) -> tuple[int, int]:
    return unit["pass"], unit["split"]


def _done() -> list[dict[str, Any]]:
    if DONE.exists():
        return [json.loads(line) for line in DONE.read_text().splitlines()]
    kept = json.loads(JSON.read_text())["results"]["records"] if JSON.exists() else []
    return [record for record in kept if "pass" in record]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """Release one division of the table, and let models learn in several ways; one core."""
    began, data = process_time(), adult(part="both")
    order = np.random.default_rng(unit["split"]).permutation(data.frame.height)
    train, test = data.frame[order[:LEARNED]], data.frame[order[LEARNED:][:TESTED]]
    recoding, k = Generalize(data.hierarchies), KAnonymity(unit["k"])
    with threadpool_limits(1):
        made = Anonymizer(recoding=recoding, privacy=k, bound=False).fit(
            read_table(train, roles=data.roles)
        )
        frames = (train, made.release_.frame)
        scores = [
            {
                "model": model,
                "way": way,
                "f1": _score(data, frames[way > ORIGINAL], test, model, way),
            }
            for model, ways in PASSES[unit["pass"]][1].items()
            for way in ways
        ]
    seconds = round(process_time() - began, 1)
    return {**unit, "ngil": made.loss_.ngil, "scores": scores, "cpu_seconds": seconds}


def _score(data: Dataset, train: pl.DataFrame, test: pl.DataFrame, model: str, way: int) -> float:
    found = train_and_test(
        train,
        test,
        target="income",
        quasi_identifiers=data.roles.quasi_identifiers,
        encoder=GeneralizedEncoder(data.hierarchies, kinds=data.kinds, scaled=True),
        model=model,
        draws=max(way, 0),
    )
    return found.f1_macro.mean


def _told(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What each model keeps, by k and way, over the splits that are done."""
    found = {
        (score["model"], r["k"], score["way"], r["split"]): score["f1"]
        for r in records
        for score in r["scores"]
    }
    for model, k, way in WAYS:
        pairs = [
            (found[model, k, ORIGINAL, split], found[model, k, way, split])
            for split in range(SPLITS)
            if {(model, k, ORIGINAL, split), (model, k, way, split)} <= found.keys()
        ]
        if len(pairs) < 2:
            continue
        kept = MeanEstimate.of([release / original for original, release in pairs], OVERLAP)
        low, high = kept.interval()
        original, release = np.mean(pairs, axis=0).tolist()
        yield {
            "model": model,
            "k": k,
            "draws": way,
            "splits": len(pairs),
            "original": original,
            "release": release,
            "kept": kept.value,
            "low": low,
            "high": high,
        }
