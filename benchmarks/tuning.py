"""What `shoal tune` hands over against the default release: Adult and four more tables.

For every table, target and split, `shoal.tune` searches on some rows, exactly as the command
does, and its one release (refined, verified) is set beside the default release of the same rows,
which has equal weights. Models learn from both in the same way (linear ones from ranges measured by
the domain of their column, all others from rows drawn out of the ranges) and are tested on rows
that neither has seen. Every split is measured at every k, and its gain is the mean over k and
models: one number a split. One k after the other is done, in an order that stands in the code; only
those that all splits of all tables have done are told. What is done is kept in
``results/tuning.jsonl`` and ``results/tuning.json``: delete both to begin again.

Splits of the large tables share no row: what is learned from and tested on in one is in no other,
so their gains are independent and need no correction. A fifth of Adult was set aside for
development (seeds from `DEVELOPED`). Splits of the small tables overlap, and their intervals are
corrected for that (Nadeau and Bengio, 2003).

What boosting keeps of its F1 is measured on Adult in full, too, on the divisions of `models.py`:
two thirds released, a third asked, development rows among both, intervals corrected alike.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

import shoal
from shoal.datasets import Dataset, adult, census_income, medical_cost, wisconsin
from shoal.datasets._store import PublicFile, fetch
from shoal.studies._verdicts import MeanEstimate, holm
from shoal.table import Roles
from shoal.tuning import Search, tune
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import train_and_test

DONE = Path(__file__).parent / "results" / "tuning.jsonl"
DEVELOPED = 100  # splits from this number on are of Adult's rows that are never measured on
MEASURED = 36_000  # rows of Adult that splits are cut from
SHUFFLE = 20261118  # which rows are in which split
SPLITS = 10
TRIALS = 8
DRAWS = 2  # times that each row is drawn out of its ranges, for trees
TOLD = ("logistic_regression", "random_forest")  # named to the search, and tested
BOOSTING = ("gradient_boosting",)


class Part(NamedTuple):
    """What is measured of one table: releases of ``rows`` rows, tests on ``asked`` others."""

    table: str
    target: str
    ks: tuple[int, ...]  # in the order they are done
    rows: int
    asked: int
    splits: int = SPLITS
    models: tuple[str, ...] = TOLD
    overlap: float = 0.0  # rows tested over rows learned from, where splits share rows


KS = (50, 5, 200, 100)
GRID = (
    *(
        Part("adult", target, KS, 2_000, 1_600)
        for target in ("income", "marital-status", "education")
    ),
    Part("census_income", "income class", KS, 2_000, 2_600),
    Part("cardio", "cardio", KS, 2_000, 2_600),
    Part("adult, large", "income", (50,), 9_000, 3_000, 3, BOOSTING),
    Part("adult, full", "income", (50,), 30_162, 15_060, 10, BOOSTING, overlap=15_060 / 30_162),
    Part("medical_cost", "smoker", (50, 5), 937, 401, overlap=401 / 937),
    Part("wisconsin", "diagnosis", (50, 5), 398, 171, overlap=171 / 398),
)
KEEPS = ("adult, large", "adult, full")  # these tell what boosting keeps, and no gain
#: Cardiovascular disease (Kaggle, 2019), a public copy of 69,301 rows; not passed on here.
CARDIO = PublicFile(
    "cardio/cardio_train.csv",
    "9a6b7f94276b89092f41eb6fa431121ba8ebb5e638ba9766bf532956e295ebcb",
)
PRESSURES = {"ap_hi": (60, 250), "ap_lo": (30, 200)}  # what a living person can have

_LEVELS = {
    "pre-high-school": "Preschool 1st-4th 5th-6th 7th-8th 9th 10th 11th 12th",
    "high school": "HS-grad",
    "up to bachelors": "Some-college Assoc-voc Assoc-acdm Bachelors",
    "advanced": "Masters Prof-school Doctorate",
}
FOUR_CLASSES = {old: new for new, olds in _LEVELS.items() for old in olds.split()}


def measure() -> dict[str, Any]:
    """Run whatever is not done yet, and sum up each k that all splits have done."""
    known = {_key(record): record for record in _done()}
    DONE.parent.mkdir(exist_ok=True)
    for unit in _units():
        if _key(unit) not in known and "--so-far" not in sys.argv:
            record = run(unit)
            known[_key(record)] = record
            with DONE.open("a") as file:
                file.write(json.dumps(record) + "\n")
            print(f"  {json.dumps(record)[:200]}", flush=True)
    records = [known[_key(unit)] for unit in _units() if _key(unit) in known]
    return {"trials": TRIALS, "draws": DRAWS, **summarize(records), "records": records}


def run(unit: dict[str, Any]) -> dict[str, Any]:
    """Do one table, target, k and split, on one core."""
    began = process_time()
    with threadpool_limits(1):
        found = _compare(_part(unit), unit["k"], unit["seed"])
    return {**unit, **found, "cpu_seconds": round(process_time() - began, 1)}


def summarize(records: list[dict[str, Any]]) -> dict[str, Any]:
    """One interval for each table and target; p-values corrected for all of them (Holm)."""
    gains = [
        (part, own)
        for few in (_large(), _small())
        for part in few
        if (own := [r for r in _of(records, part) if r["k"] in _together(records, few)])
    ]
    adjusted = holm([_gain(own, part.models, part.overlap).p_value(0.0) for part, own in gains])
    return {
        "targets": [
            {**_target(part, own), "p_adjusted": p}
            for (part, own), p in zip(gains, adjusted, strict=True)
        ],
        "planned_splits": SPLITS,
        "planned_ks": list(KS),
        "kept": [
            _kept(part, own, name) for part, own in _at_fifty(records) for name in part.models
        ],
    }


def _together(records: list[dict[str, Any]], parts: list[Part]) -> set[int]:
    """Each k that all splits of all these tables have done: none is told with more luck."""
    done = {(r["table"], r["target"], r["k"], r["seed"]) for r in records}
    return {
        k
        for k in parts[0].ks
        if all((p.table, p.target, k, seed) in done for p in parts for seed in range(p.splits))
    }


def _target(part: Part, own: list[dict[str, Any]]) -> dict[str, Any]:
    ks = sorted({r["k"] for r in own})
    by_k = {k: [r for r in own if r["k"] == k] for k in ks}
    return {
        **{name: getattr(part, name) for name in ("table", "target", "rows", "asked")},
        "splits": len({r["seed"] for r in own}),
        "ks": ks,
        "models": list(part.models),
        "default": _mean(own, "default", part.models),
        "original": _mean(own, "original", part.models),
        **_told(_gain(own, part.models, part.overlap)),
        "by_model": {n: _told(_gain(own, (n,), part.overlap)) for n in part.models},
        "by_k": {str(k): _told(_gain(few, part.models, part.overlap)) for k, few in by_k.items()},
        "kept_default": float(np.mean([r["kept_default"] for r in own])),
    }


def _at_fifty(records: list[dict[str, Any]]) -> Iterator[tuple[Part, list[dict[str, Any]]]]:
    """Adult's income at k = 50, by size of the table; only where splits are enough to compare."""
    for part in (part for part in GRID if part.target == "income"):
        own = [r for r in _of(records, part) if r["k"] == 50]
        if len(own) > 1:
            yield part, own


def _kept(part: Part, own: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Share of its F1 on original rows that a model keeps."""
    shares = {
        way: _told(MeanEstimate.of([r[way][name] / r["original"][name] for r in own], part.overlap))
        for way in ("default", "tuned")
    }
    ahead = MeanEstimate.of([r["tuned"][name] - r["default"][name] for r in own], part.overlap)
    return {"model": name, "rows": part.rows, "splits": len(own), **shares, "gain": _told(ahead)}


def _gain(records: list[dict[str, Any]], names: tuple[str, ...], overlap: float) -> MeanEstimate:
    """One gain a split, the mean over its k and models; the interval is over splits."""
    splits: dict[int, list[float]] = {}
    for r in records:
        gains = [r["tuned"][n] - r["default"][n] for n in names]
        splits.setdefault(r["seed"], []).append(float(np.mean(gains)))
    return MeanEstimate.of([float(np.mean(gains)) for gains in splits.values()], overlap)


def _told(found: MeanEstimate) -> dict[str, Any]:
    low, high = found.interval()
    finite = bool(np.isfinite(low))
    return {"mean": found.value, "low": low if finite else None, "high": high if finite else None}


def _mean(records: list[dict[str, Any]], way: str, names: tuple[str, ...]) -> float:
    return float(np.mean([r[way][n] for r in records for n in names]))


def _of(records: list[dict[str, Any]], part: Part) -> list[dict[str, Any]]:
    return [r for r in records if (r["table"], r["target"]) == (part.table, part.target)]


def _part(unit: dict[str, Any]) -> Part:
    return next(p for p in GRID if (p.table, p.target) == (unit["table"], unit["target"]))


def _compare(part: Part, k: int, seed: int) -> dict[str, Any]:
    """Release some rows by `shoal tune` and by default; learn from both, test on others."""
    data = _data(part)
    train, test = _split(data, part, seed)
    quasi = [name for name in train.columns if name != part.target]
    told = {
        "target": part.target,
        "quasi_identifiers": quasi,
        "hierarchies": {n: tree for n, tree in data.hierarchies.items() if n in quasi},
        "kinds": {name: data.kinds[name] for name in train.columns},
    }
    found = tune(
        train, **told, models=part.models, search=Search(k=(k, k)), alpha=0.0, trials=TRIALS,
        workers=1, seed=seed,
    )  # fmt: skip
    frames = {
        "original": train,
        "default": shoal.anonymize(train, k=k, **told).frame,
        "tuned": found.release.frame,
    }
    return {
        **{
            way: {model: _score(frame, test, told, model, way) for model in part.models}
            for way, frame in frames.items()
        },
        "weights": dict(found.chosen.effort.weights),
        "kept_default": float(found.chosen.effort.equal),
    }


def _score(
    frame: pl.DataFrame, test: pl.DataFrame, told: dict[str, Any], model: str, way: str
) -> float:
    """Macro F1 of a model that learned from a frame, on rows nobody touched."""
    from_ranges = way == "original" or model == "logistic_regression"
    return train_and_test(
        frame,
        test,
        target=told["target"],
        quasi_identifiers=told["quasi_identifiers"],
        encoder=GeneralizedEncoder(told["hierarchies"], kinds=told["kinds"], scaled=True),
        model=model,
        draws=0 if from_ranges else DRAWS,
    ).f1_macro.mean


def _split(data: Dataset, part: Part, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows to release and others to test on."""
    order = np.random.default_rng(SHUFFLE).permutation(data.frame.height)
    size = part.rows + part.asked
    if part.overlap:
        own = np.random.default_rng(seed).permutation(data.frame.height)
    elif seed >= DEVELOPED:
        own = np.random.default_rng(seed).permutation(order[MEASURED:])
    else:
        own = order[seed * size :][:size]
    return data.frame[own[: part.rows]], data.frame[own[part.rows : size]]


def _data(part: Part) -> Dataset:
    table, target = part.table, part.target
    if table == "medical_cost":
        return medical_cost()
    if table == "cardio":
        return _cardio()
    if table == "wisconsin":
        data = wisconsin()
        names = [n for n in data.frame.columns if n.startswith("mean ")]
        return _with(data, data.frame.select(*names, target), target)
    data = census_income() if table == "census_income" else adult(part="both")
    quasi = [name for name in data.roles.quasi_identifiers if name != target]
    frame = data.frame.select(*quasi, target)
    if target == "education":
        frame = frame.with_columns(pl.col(target).replace_strict(FOUR_CLASSES))
    return _with(data, frame, target)


def _cardio() -> Dataset:
    """Read the table of the heart: age in years, no pressures that nobody can have."""
    frame = pl.read_csv(fetch(CARDIO), separator=";").drop("id")
    possible = [pl.col(name).is_between(*ends) for name, ends in PRESSURES.items()]
    frame = frame.filter(*possible).with_columns(age=pl.col("age") // 365)
    plain = ("gender", "smoke", "alco", "active", "cardio")
    return Dataset(
        name="cardio",
        frame=frame.with_columns(pl.col(name).cast(pl.String) for name in plain),
        roles=Roles(quasi_identifiers=frame.columns[:-1], target="cardio"),
        kinds={name: "nominal" if name in plain else "numeric" for name in frame.columns},
        hierarchies={},
        description="Cardiovascular disease, 69,301 rows.",
    )


def _with(data: Dataset, frame: pl.DataFrame, target: str) -> Dataset:
    quasi = [name for name in frame.columns if name != target]
    return Dataset(
        name=data.name,
        frame=frame,
        roles=Roles(quasi_identifiers=quasi, target=target),
        kinds={name: data.kinds[name] for name in frame.columns},
        hierarchies={n: tree for n, tree in data.hierarchies.items() if n in quasi},
        description=data.description,
    )


def _large() -> list[Part]:
    return [part for part in GRID if not part.overlap and part.table not in KEEPS]


def _small() -> list[Part]:
    return [part for part in GRID if part.overlap and part.table not in KEEPS]


def _units() -> Iterator[dict[str, Any]]:
    """One k of the large tables, what boosting keeps, every other k, then the small tables."""
    first, *others = KS
    yield from _passes(_large(), (first,))
    yield from _passes([part for part in GRID if part.table in KEEPS], (first,))
    yield from _passes(_large(), tuple(others))
    yield from _passes(_small(), (50, 5))


def _passes(parts: list[Part], ks: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    for k in ks:
        for part in parts:
            for seed in range(part.splits):
                yield {"table": part.table, "target": part.target, "k": k, "seed": seed}


def _done() -> list[dict[str, Any]]:
    whole = DONE.with_suffix(".json")
    told = json.loads(whole.read_text())["results"]["records"] if whole.exists() else []
    return told + (
        [json.loads(line) for line in DONE.read_text().splitlines()] if DONE.exists() else []
    )


def _key(record: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(record[name] for name in ("table", "target", "seed", "k"))


if __name__ == "__main__":
    print(json.dumps({k: v for k, v in measure().items() if k != "records"}, indent=2))
