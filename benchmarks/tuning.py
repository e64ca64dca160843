"""What `shoal tune` hands over against the default release: Adult and two more tables.

For every table, target and split, `shoal.tune` searches on some rows, exactly as the command
does, and its one release (refined, verified) is set beside the default release of the same rows,
which has equal weights. Models learn from both and are tested on rows that neither has seen. Splits
take turns with k. What is done is kept in ``results/tuning.jsonl``, and of whole splits in
``results/tuning.json``: delete both to begin again.

Adult has rows enough for splits that share none: what is learned from and tested on in one is in no
other, so their gains are independent and need no correction. A fifth of it is set aside for
development (seeds from `DEVELOPED`). Splits of the small tables overlap, and their intervals are
corrected for that (Nadeau and Bengio, 2003).
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

import shoal
from shoal.datasets import Dataset, adult, medical_cost, wisconsin
from shoal.studies._verdicts import MeanEstimate, holm
from shoal.table import Roles
from shoal.tuning import Search, tune
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import train_and_test

DONE = Path(__file__).parent / "results" / "tuning.jsonl"
SPLITS = 10
ROWS, ASKED = 1_000, 2_600  # of Adult: released, and others that are tested on
MEASURED = SPLITS * (ROWS + ASKED)  # its rows that splits are cut from; the rest was developed on
DEVELOPED = 100  # splits from this number on are of the rest
SHUFFLE = 20261118  # which rows are the rest
TRIALS = 12
CLASSIFIERS = ("logistic_regression", "gradient_boosting")  # named to the search, and tested
#: Table, target, values of k that splits take in turn; developed on Adult's income alone.
GRID = (
    *(("adult", target, (50, 5, 100)) for target in ("income", "marital-status", "education")),
    ("medical_cost", "smoker", (50, 5)),
    ("wisconsin", "diagnosis", (50, 5)),
)
TEST_SHARE = 0.3  # of the small tables

_LEVELS = {
    "pre-high-school": "Preschool 1st-4th 5th-6th 7th-8th 9th 10th 11th 12th",
    "high school": "HS-grad",
    "up to bachelors": "Some-college Assoc-voc Assoc-acdm Bachelors",
    "advanced": "Masters Prof-school Doctorate",
}
FOUR_CLASSES = {old: new for new, olds in _LEVELS.items() for old in olds.split()}


def measure() -> dict[str, Any]:
    """Run whatever is not done yet, split by split, and sum up."""
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
    whole = _whole_splits(records)
    return {
        "rows": ROWS,
        "trials": TRIALS,
        "tested_rows": ASKED,
        "classifiers": list(CLASSIFIERS),
        "splits": len({r["seed"] for r in whole}),
        "planned_splits": SPLITS,
        **summarize(whole),
        "records": whole,
    }


def run(unit: dict[str, Any]) -> dict[str, Any]:
    """Do one table, target, k and split, on one core."""
    began = process_time()
    with threadpool_limits(1):
        found = _compare(**unit)
    return {**unit, **found, "cpu_seconds": round(process_time() - began, 1)}


def summarize(records: list[dict[str, Any]]) -> dict[str, Any]:
    """One interval for each table and target; p-values corrected for all of them (Holm)."""
    targets = list(dict.fromkeys((r["table"], r["target"]) for r in records))
    found = {target: _gain(_of(records, target), CLASSIFIERS) for target in targets}
    adjusted = holm([gain.p_value(0.0) for gain in found.values()])
    return {
        "targets": [
            {
                "table": table,
                "target": target,
                "ks": sorted({r["k"] for r in _of(records, (table, target))}),
                "default": _mean(_of(records, (table, target)), "default"),
                "original": _mean(_of(records, (table, target)), "original"),
                **_told(found[table, target]),
                "p_adjusted": p,
                "by_model": {
                    name: _told(_gain(_of(records, (table, target)), (name,)))
                    for name in CLASSIFIERS
                },
                "by_k": {
                    str(k): _told(
                        _gain([r for r in _of(records, (table, target)) if r["k"] == k],
                              CLASSIFIERS)
                    )
                    for k in sorted({r["k"] for r in _of(records, (table, target))})
                },
                "kept_default": float(np.mean([r["kept_default"]
                                               for r in _of(records, (table, target))])),
            }
            for (table, target), p in zip(targets, adjusted, strict=True)
        ],
        "kept": _kept(records),
    }  # fmt: skip


def _kept(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Share of its F1 that gradient boosting keeps on income at k = 50."""
    own = [r for r in records if (r["target"], r["k"]) == ("income", 50)]
    shares = {
        way: MeanEstimate.of(
            r[way]["gradient_boosting"] / r["original"]["gradient_boosting"] for r in own
        )
        for way in ("default", "tuned")
    }
    return {way: _told(share) for way, share in shares.items()}


def _gain(records: list[dict[str, Any]], names: tuple[str, ...]) -> MeanEstimate:
    """Mean over models within each split, then over splits (which take turns with k)."""
    seeds = sorted({r["seed"] for r in records})
    gains = [
        float(
            np.mean(
                [r["tuned"][n] - r["default"][n] for r in records if r["seed"] == s for n in names]
            )
        )
        for s in seeds
    ]
    return MeanEstimate.of(gains, records[0]["overlap"])


def _told(found: MeanEstimate) -> dict[str, Any]:
    low, high = found.interval()
    finite = bool(np.isfinite(low))
    return {"mean": found.value, "low": low if finite else None, "high": high if finite else None}


def _mean(records: list[dict[str, Any]], way: str) -> float:
    return float(np.mean([r[way][n] for r in records for n in CLASSIFIERS]))


def _of(records: list[dict[str, Any]], target: tuple[str, str]) -> list[dict[str, Any]]:
    return [r for r in records if (r["table"], r["target"]) == target]


def _compare(table: str, target: str, k: int, seed: int) -> dict[str, Any]:
    """Release some rows by `shoal tune` and by default; learn from both, test on others."""
    data = _data(table, target)
    train, test = _split(data, seed)
    quasi = [name for name in train.columns if name != target]
    told = {
        "target": target,
        "quasi_identifiers": quasi,
        "hierarchies": {n: tree for n, tree in data.hierarchies.items() if n in quasi},
        "kinds": {name: data.kinds[name] for name in train.columns},
    }
    found = tune(
        train, **told, models=CLASSIFIERS, search=Search(k=(k, k)), alpha=0.0, trials=TRIALS,
        workers=1, seed=seed,
    )  # fmt: skip
    default = shoal.anonymize(train, k=k, **told)
    frames = {
        "original": train,
        "default": default.frame,
        "tuned": found.release.frame,
    }
    scores = {way: _scores(frame, test, told, seed) for way, frame in frames.items()}
    return {
        **scores,
        "weights": dict(found.chosen.effort.weights),
        "kept_default": float(found.chosen.effort.equal),
        "overlap": 0.0 if table == "adult" else test.height / train.height,
    }


def _scores(
    frame: pl.DataFrame, test: pl.DataFrame, told: dict[str, Any], seed: int
) -> dict[str, float]:
    """Macro F1 of each model that learned from a frame, on rows nobody touched."""
    return {
        model: train_and_test(
            frame,
            test,
            target=told["target"],
            quasi_identifiers=told["quasi_identifiers"],
            encoder=GeneralizedEncoder(told["hierarchies"], kinds=told["kinds"]),
            model=model,
            seeds=(seed,),
        ).f1_macro.mean
        for model in CLASSIFIERS
    }


def _split(data: Dataset, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows to release and others to test on."""
    if data.name != "adult":
        order = np.random.default_rng(seed).permutation(data.frame.height)
        learn = data.frame.height - round(TEST_SHARE * data.frame.height)
        return data.frame[order[:learn]], data.frame[order[learn:]]
    order = np.random.default_rng(SHUFFLE).permutation(data.frame.height)
    if seed < DEVELOPED:
        own = order[seed * (ROWS + ASKED) :][: ROWS + ASKED]
    else:
        own = np.random.default_rng(seed).permutation(order[MEASURED:])
    return data.frame[own[:ROWS]], data.frame[own[ROWS:]]


def _data(table: str, target: str) -> Dataset:
    if table == "medical_cost":
        return medical_cost()
    if table == "wisconsin":
        data = wisconsin()
        names = [n for n in data.frame.columns if n.startswith("mean ")]
        return _with(data, data.frame.select(*names, target), target)
    data = adult(part="both")
    quasi = [name for name in data.roles.quasi_identifiers if name != target]
    frame = data.frame.select(*quasi, target)
    if target == "education":
        frame = frame.with_columns(pl.col(target).replace_strict(FOUR_CLASSES))
    return _with(data, frame, target)


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


def _units() -> Iterator[dict[str, Any]]:
    for seed in range(SPLITS):
        for table, target, ks in GRID:
            yield {"table": table, "target": target, "k": ks[seed % len(ks)], "seed": seed}


def _whole_splits(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Only splits of which every cell is done: means over k must be of the same k."""
    done = {
        s: sum(r["seed"] == s for r in records) == len(GRID) for s in {r["seed"] for r in records}
    }
    return [r for r in records if done[r["seed"]]]


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
