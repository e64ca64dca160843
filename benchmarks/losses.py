"""Losses of trees: what height, leaves and people make of releases, by models and by counts.

Each table is released with every loss; a model is trained on the release and tested on originals,
and counts are asked of it: how many people of these towns, or born then, and of that age? Whoever
answers knows the release and the hierarchy, and spreads a label evenly over the values below it.
"""

from __future__ import annotations

from copy import copy
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from shoal.anonymizer import Anonymizer
from shoal.datasets import adult, people
from shoal.exceptions import ShoalError
from shoal.grouping import group_boxes
from shoal.hierarchies import Calendar, Hierarchy, Taxonomy, ready_ladder
from shoal.hierarchies.ready import icd10_steps
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.spaces import Space, TreeSpace
from shoal.table import Roles, Table, read_table
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import compare

KS = (10, 50)
LOSSES = ("height", "leaves", "people")
MODELS = ("logistic_regression", "gradient_boosting")
QUESTIONS = 1_000
NEAR = 0.1  # an answer is right if it is off by no more than this


class Trial(NamedTuple):
    """A table with trees for some columns, and what a model predicts of it."""

    name: str
    train: pl.DataFrame
    test: pl.DataFrame
    quasi: tuple[str, ...]
    trees: dict[str, Hierarchy]
    target: str


def measure() -> dict[str, Any]:
    """Release every table with every loss, and with spans where that is possible."""
    records = []
    for trial in (births(), towns(), diagnoses(), countries(), zips(), *_adult()):
        for k in KS:
            ways = [*LOSSES, *(["spans"] if trial.name == "births" else [])]
            records += [_record(trial, k, way) for way in ways]
    return {"questions": QUESTIONS, "near": NEAR, "records": records}


def births(rows: int = 8_000) -> Trial:
    """People of a made-up town with the day they were born on, by a calendar."""
    frame = people(rows).frame
    rng = np.random.default_rng(1)
    days = frame["age"].to_numpy() * 365.25 + rng.integers(0, 365, rows)
    born = [(date(2025, 1, 1) - timedelta(days=int(day))).isoformat() for day in days]
    frame = frame.with_columns(pl.Series("born", born).str.to_date())
    quasi = ("born", "sex", "zip", "marital_status")
    trees: dict[str, Hierarchy] = {"born": Calendar()}
    return _halves("births", frame.select(*quasi, "readmitted"), quasi, trees, "readmitted")


def towns(rows: int = 10_000, places: int = 1_200) -> Trial:
    """People in towns of very different size, by county and state; some states are poor."""
    rng = np.random.default_rng(2)
    states = np.sort(rng.integers(0, 12, places))
    counties = states * 100 + rng.integers(0, 25, places)
    sizes = 1 / np.arange(1, places + 1)
    town = rng.choice(rng.permutation(places), rows, p=sizes / sizes.sum())
    age = rng.integers(18, 90, rows)
    poor = rng.normal(0, 1, 12)[states[town]] + rng.normal(0, 0.6, 2500)[counties[town]]
    chance = 1 / (1 + np.exp(-(poor + (age - 50) / 25)))
    frame = pl.DataFrame(
        {  # job and visits have nothing to say, and ask for their part of the loss
            "town": [f"t{i}" for i in town],
            "age": age,
            "sex": rng.choice(["f", "m"], rows),
            "job": rng.choice([f"j{i}" for i in range(9)], rows),
            "visits": rng.poisson(3, rows),
            "poor": np.where(rng.random(rows) < chance, "yes", "no"),
        }
    )
    ladder = [(f"t{i}", f"c{counties[i]}", f"s{states[i]}", "*") for i in range(places)]
    trees: dict[str, Hierarchy] = {"town": Taxonomy.from_ladder(ladder)}
    return _halves("towns", frame, ("town", "age", "sex", "job", "visits"), trees, "poor")


def diagnoses(rows: int = 8_000, codes: int = 600) -> Trial:
    """Patients with diagnoses of very different frequency; blocks and chapters tell who returns."""
    rng = np.random.default_rng(5)
    known = [f"{c}{d:02d}.{e}" for c in "ACEFGIJKMNRSZ" for d in range(0, 95, 2) for e in range(3)]
    steps = {code: icd10_steps(code) or () for code in rng.permutation(known).tolist()}
    found = [code for code, above in steps.items() if above][:codes]
    often = 1 / np.arange(1, codes + 1)
    chosen = rng.choice(codes, rows, p=often / often.sum())
    weight = {label: rng.normal(0, 1) for code in found for label in steps[code][1:]}
    ill = np.array([sum(weight[label] for label in steps[code][1:]) for code in found])
    age = rng.integers(18, 95, rows)
    chance = 1 / (1 + np.exp(-(ill[chosen] + (age - 55) / 25)))
    frame = pl.DataFrame(
        {
            "diagnosis": [found[i] for i in chosen],
            "age": age,
            "sex": rng.choice(["f", "m"], rows),
            "ward": rng.choice([f"w{i}" for i in range(8)], rows),
            "back": np.where(rng.random(rows) < chance, "yes", "no"),
        }
    )
    trees = {"diagnosis": ready_ladder("icd10")}
    return _halves("diagnoses", frame, ("diagnosis", "age", "sex", "ward"), trees, "back")


def countries(rows: int = 8_000) -> Trial:
    """People of a made-up town by the country they were born in."""
    quasi = ("birth_country", "age", "sex", "marital_status", "zip")
    trees = {"birth_country": ready_ladder("countries")}
    frame = people(rows).frame.select(*quasi, "readmitted")
    return _halves("countries", frame, quasi, trees, "readmitted")


def zips(rows: int = 6_000) -> Trial:
    """People of a made-up town by their ZIP code."""
    quasi = ("age", "sex", "zip", "marital_status")
    trees = {"zip": ready_ladder("postal:us")}
    frame = people(rows).frame.select(*quasi, "readmitted")
    return _halves("zips", frame, quasi, trees, "readmitted")


def _adult() -> list[Trial]:
    """UCI Adult, where it is at hand."""
    try:
        train, test = adult(part="train"), adult(part="test")
    except ShoalError:
        return []
    quasi = train.roles.quasi_identifiers
    return [Trial("adult", train.frame, test.frame, quasi, dict(train.hierarchies), "income")]


def _halves(
    name: str,
    frame: pl.DataFrame,
    quasi: tuple[str, ...],
    trees: dict[str, Hierarchy],
    target: str,
) -> Trial:
    half = frame.height // 2
    return Trial(name, frame[:half], frame[half:], quasi, trees, target)


def _record(trial: Trial, k: int, way: str) -> dict[str, Any]:
    trees = {name: _counting(tree, way) for name, tree in trial.trees.items() if way != "spans"}
    roles = Roles(quasi_identifiers=trial.quasi, target=trial.target)
    table = read_table(trial.train, roles=roles)
    made = Anonymizer(recoding=Generalize(trees), privacy=KAnonymity(k), bound=False).fit(table)
    hidden = {
        part.name: part.hidden for part in made.summary_.attributes if part.name in trial.trees
    }
    right, error = _answers(made, table, np.random.default_rng(3))
    record = {
        "table": trial.name,
        "k": k,
        "loss": way,
        "ngil": made.loss_.ngil,
        "formed_loss": made.loss_.formed_loss,
        "entropy": made.loss_.non_uniform_entropy,
        "hidden": sum(hidden.values()) / len(hidden),
        "counts_right": right,
        "median_error": error,
        "models": {model: _kept(trial, trees, made, model) for model in MODELS},
    }
    print(record, flush=True)
    return record


def _counting(tree: Hierarchy, loss: str) -> Hierarchy:
    """Return the same tree with a loss of its own; all other columns keep theirs."""
    tree = copy(tree)
    object.__setattr__(tree, "loss", loss)
    return tree


def _kept(trial: Trial, trees: dict[str, Hierarchy], made: Anonymizer, model: str) -> float:
    """What is kept of a model's gain over the constant answer."""
    scores = compare(
        trial.train,
        made.release_.frame,
        trial.test,
        target=trial.target,
        quasi_identifiers=trial.quasi,
        encoder=GeneralizedEncoder(trees),
        model=model,
        seeds=(0, 1),
    )
    return float(scores.kept_over_constant["f1_macro"])


def _answers(made: Anonymizer, table: Table, rng: np.random.Generator) -> tuple[float, float]:
    """Ask for counts; return the share that is answered right, and the median relative error."""
    spaces, groups = made.recipe_.spaces, made.grouping_
    lo, hi = group_boxes(spaces.codes, groups)
    as_is = table.codes(str(table.roles.target))  # published as it is
    errors = []
    while len(errors) < QUESTIONS:
        truth, guess = np.ones(table.n_rows, dtype=bool), np.ones(table.n_rows)
        for j in rng.choice(len(spaces.spaces) + 1, 2, replace=False):
            if j == len(spaces.spaces):
                here = as_is == as_is[rng.integers(table.n_rows)]
                truth, guess = truth & here, guess * here
                continue
            space = spaces.spaces[j]
            asked = _asked(space, rng)
            truth &= asked[spaces.codes[:, j]]
            guess *= _shares(space, lo[:, j], hi[:, j], asked)[groups.labels]
        if truth.sum() >= 0.01 * truth.size:
            errors.append(abs(guess.sum() - truth.sum()) / truth.sum())
    return float(np.mean(np.array(errors) <= NEAR)), float(np.median(errors))


def _asked(space: Space, rng: np.random.Generator) -> np.ndarray:
    """Choose values: neighbours that hold a tenth to a half of the people, or one frequent name."""
    counts = np.bincount(space.codes, minlength=space.n_codes)
    asked = np.zeros(space.n_codes, dtype=bool)
    if space.n_codes < 20:
        asked[rng.choice(space.n_codes, p=counts / counts.sum())] = True
        return asked
    ends = np.cumsum(counts) / counts.sum()
    width = rng.uniform(0.1, 0.5)
    begin = rng.uniform(0, 1 - width)
    first, last = np.searchsorted(ends, [begin, begin + width])
    asked[first : last + 1] = True
    return asked


def _shares(space: Space, lo: np.ndarray, hi: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Share of the values below each published label that were asked for."""
    spans, which = np.unique(np.column_stack([lo, hi]), axis=0, return_inverse=True)
    found = []
    for a, b in spans.tolist():
        covered = np.zeros(space.n_codes, dtype=bool)
        if b == space.missing_code and a != b:
            covered[:] = True
        elif isinstance(space, TreeSpace) and a != b:
            every = np.arange(space.tree.n_leaves)
            node = space.tree.lca(a, b)
            covered[: every.size] = (
                space.tree.lca(np.minimum(every, a), np.maximum(every, b)) == node
            )
        else:
            covered[a : b + 1] = True
        found.append(asked[covered].mean())
    return np.array(found)[which.ravel()]
