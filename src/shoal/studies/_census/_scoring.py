"""Two ways to score a release: as published, and on people nobody has touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from shoal.studies._census._models import MODELS, Counted, teach_and_ask
from shoal.studies._census._people import (
    NUMBERS,
    classes,
    first_rows,
    people,
    quasi_identifiers,
    untouched_rows,
)
from shoal.typing import FloatArray, IntArray

FOLDS = 10


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """Rows as published, in any order; ``look`` numbers rows that read the same."""

    frame: pl.DataFrame
    target: str

    @property
    def answers(self) -> IntArray:
        """Class of each row, as numbers in the order of their names."""
        return _codes(classes(self.frame, self.target), class_names(self.target))

    @property
    def look(self) -> IntArray:
        """Number how rows look."""
        return looks(self.frame.select(quasi_identifiers(self.target)))


def score_as_published(
    rows: PublishedTable, folds: int = FOLDS, trees: int = 30, seed: int = 0
) -> dict[str, Any]:
    """Score as the paper did: train and test on the same anonymized file, by the paper's F1.

    Ten folds are cut, ``folds`` of them are tested: fewer tests of models taught just as much.
    Numbers are midpoints, every published label is a feature of its own.
    """
    names = quasi_identifiers(rows.target)
    features = published_features(rows.frame.select(names))
    return score_folds(features, rows.look, rows.answers, folds, trees, seed)


def score_folds(
    features: FloatArray, look: IntArray, answers: IntArray, folds: int, trees: int, seed: int
) -> dict[str, Any]:
    """Cross-validate: mean F1 as the paper has it, and how often the commonest class is said."""
    from sklearn.model_selection import KFold

    splits = list(KFold(FOLDS, shuffle=True, random_state=seed).split(answers))[:folds]
    scores: dict[str, list[float]] = {name: [] for name in (*MODELS, "constant")}
    most: dict[str, list[float]] = {name: [] for name in MODELS}
    for taught, asked in splits:
        counted = Counted(features[taught], look[taught], answers[taught])
        common = int(np.bincount(answers[taught]).argmax())
        scores["constant"].append(swapped_f1(answers[asked], np.full(asked.size, common)))
        for name in MODELS:
            told = teach_and_ask(name, counted, features[asked], seed, trees)
            scores[name].append(swapped_f1(answers[asked], told))
            most[name].append(float((told == common).mean()))
    return {
        "f1": {name: float(np.mean(found)) for name, found in scores.items()},
        "says_most_common": {name: float(np.mean(found)) for name, found in most.items()},
    }


def score_properly(rows: PublishedTable, trees: int = 30, seed: int = 0) -> dict[str, Any]:
    """Score by standard macro F1 on Adult's test part, originals that are in no release."""
    features = encoder(rows.target).transform(rows.frame)
    counted = Counted(features, rows.look, rows.answers)
    truth, asked = untouched(rows.target)
    common = int(np.bincount(rows.answers).argmax())
    told = {name: teach_and_ask(name, counted, asked, seed, trees) for name in MODELS}
    told["constant"] = np.full(truth.size, common)
    return {
        "f1": {name: macro_f1(truth, answer) for name, answer in told.items()},
        "accuracy": {name: float((truth == answer).mean()) for name, answer in told.items()},
        "says_most_common": {name: float((told[name] == common).mean()) for name in MODELS},
    }


def swapped_f1(truth: IntArray, told: IntArray) -> float:
    """Give the paper's F1: 2PR / (P + R) of weighted P and R, predictions taken for the truth.

    Whoever always says the same is then perfectly precise:

    >>> truth = np.array([0, 0, 0, 1])
    >>> round(swapped_f1(truth, np.zeros(4, dtype=int)), 3), round(macro_f1(truth, truth * 0), 3)
    (0.857, 0.429)
    """
    from sklearn.metrics import precision_score, recall_score

    settings: dict[str, Any] = {"average": "weighted", "zero_division": 0.0}
    precision = precision_score(told, truth, **settings)
    recall = recall_score(told, truth, **settings)
    both = precision + recall
    return float(2 * precision * recall / both) if both else 0.0


def macro_f1(truth: IntArray, told: IntArray) -> float:
    """Standard F1, the mean over classes."""
    from sklearn.metrics import f1_score

    return float(f1_score(truth, told, average="macro", zero_division=0.0))


@cache
def class_names(target: str) -> tuple[str, ...]:
    """Name the classes of a target, in order."""
    return tuple(sorted(classes(people().frame, target).unique().to_list()))


@cache
def encoder(target: str) -> Any:
    """The encoder for all releases of a target: hierarchies and kinds, learned once.

    Widths are left out: the untouched rows that models are asked about have none (decision 19).
    """
    from shoal.utility import GeneralizedEncoder

    names = quasi_identifiers(target)
    made = GeneralizedEncoder(people().hierarchies, kinds=people().kinds, quasi_identifiers=names)
    return made.fit(first_rows(people().frame.height))


@cache
def untouched(target: str) -> tuple[IntArray, FloatArray]:
    """Classes and features of the test part."""
    frame = untouched_rows()
    answers = _codes(classes(frame, target), class_names(target))
    return answers, encoder(target).transform(frame)


def looks(frame: pl.DataFrame) -> IntArray:
    """Number rows by how they look: those that read the same get the same number.

    >>> looks(pl.DataFrame({"age": ["[1, 2]", "3", "[1, 2]"]})).tolist()
    [1, 0, 1]
    """
    found = frame.select(pl.struct(pl.all()).rank("dense") - 1).to_series()
    return found.to_numpy().astype(np.int64)


def published_features(frame: pl.DataFrame, numbers: Sequence[str] = NUMBERS) -> FloatArray:
    """Turn published rows into numbers as the paper did: midpoints, and a column for each label."""
    middle = [midpoints(frame[name]) for name in frame.columns if name in numbers]
    labels = frame.select(name for name in frame.columns if name not in numbers).to_dummies()
    return np.column_stack([*middle, labels.to_numpy()]).astype(np.float64)


def midpoints(column: pl.Series) -> FloatArray:
    """Read numbers and intervals as numbers.

    >>> midpoints(pl.Series(["41", "[17, 25]", "52.5"])).tolist()
    [41.0, 21.0, 52.5]
    """
    texts = column.cast(pl.String).str.strip_chars("[]").str.split(", ")
    ends = texts.list.eval(pl.element().cast(pl.Float64))
    return ends.list.mean().to_numpy().astype(np.float64)


def _codes(column: pl.Series, names: tuple[str, ...]) -> IntArray:
    number: Mapping[str, int] = {name: i for i, name in enumerate(names)}
    return np.array([number[value] for value in column.to_list()], dtype=np.int64)
