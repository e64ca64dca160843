"""Train on one table, test on untouched original rows."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.exceptions import InputError, InvalidParameterError, RoleConflictError
from shoal.table import Table
from shoal.typing import IntArray
from shoal.utility._frames import read_columns
from shoal.utility.models._named import make_model
from shoal.utility.models._scores import ModelScores, Score

if TYPE_CHECKING:
    from shoal.utility._encoder import GeneralizedEncoder


def train_and_test(
    train: Any,
    test: Any,
    *,
    target: str,
    quasi_identifiers: Sequence[str],
    encoder: GeneralizedEncoder | None = None,
    model: Any = "random_forest",
    seeds: Sequence[int] = (0,),
    positive: str | None = None,
    n_jobs: int = 1,
    draws: int = 0,
) -> ModelScores:
    """Train a classifier on a release (or any table) and test it on original rows.

    Parameters
    ----------
    train : Table or pandas, polars or pyarrow frame
        Rows to learn from.
    test : the same
        Original rows that had no part in the release.
    target : str
        The column to predict, published as it was.
    quasi_identifiers : sequence of str
        Columns to predict from; columns that were never generalized may be among them.
    encoder : GeneralizedEncoder, optional
        How rows become numbers. It is copied and fitted on ``train`` alone. Give one with the
        hierarchies of the release: without them a label is a value of its own. Widths of
        intervals are never features here: the rows that are tested have none.
    model : str or classifier
        One of `MODELS`, or any scikit-learn classifier.
    seeds : sequence of int
        One model is trained for each.
    positive : str, optional
        The class ``f1_positive`` is about; if there are two, the one rarer in ``train`` (the last
        in the order of text if they tie).
    n_jobs : int
        Threads to use.
    draws : int
        If above 0, the model learns from rows drawn out of what is published, each so many times
        (`GeneralizedEncoder.draw`): better for trees.

    Examples
    --------
    >>> import polars as pl
    >>> release = pl.DataFrame({"age": ["[20, 29]"] * 9 + ["[60, 69]"] * 9,
    ...                         "retired": ["no"] * 9 + ["yes"] * 9})
    >>> people = pl.DataFrame({"age": [22, 64, 68], "retired": ["no", "yes", "yes"]})
    >>> print(train_and_test(release, people, target="retired", quasi_identifiers=["age"]))
    random_forest, 18 rows learned, 3 tested
      f1_macro     1.000, constant 0.250
      f1_positive  1.000, constant 0.000
      accuracy     1.000, constant 0.333
    """
    names = _checked_columns(quasi_identifiers, target)
    if not isinstance(seeds, Sequence) or not seeds:
        raise InvalidParameterError("seeds must list whole numbers, one for each model to train.")
    tables = [read_columns(source, [*names, target]) for source in (train, test)]
    answers = Answers.read(tables[0], tables[1], target, positive)
    fitted = _encoder(encoder, names).fit(tables[0])
    learned = fitted.transform(tables[0]), answers.train
    if draws:
        learned = fitted.draw(tables[0], draws), np.tile(answers.train, draws)
    asked = fitted.transform(tables[1])  # last: cells that it could not read are counted
    made = [make_model(model, seed, n_jobs=n_jobs, scaled=fitted.scaled) for seed in seeds]
    runs = [_run(one, n_jobs, learned, asked, answers) for one in made]
    complaints = [(seed, text) for seed, (_, text) in zip(seeds, runs, strict=True) if text]
    constant = answers.score(np.full(answers.test.size, answers.most_frequent))
    return ModelScores(
        model=model if isinstance(model, str) else type(model).__name__,
        **_over_seeds([scores for scores, _ in runs], constant),
        rows_train=answers.train.size,
        rows_test=answers.test.size,
        unseen={name: count for name, count in fitted.n_unseen_.items() if count},
        warnings=tuple(f"Seed {seed}: {text}" for seed, text in complaints),
    )


@dataclass(frozen=True, eq=False)
class Answers:
    """What is right: the classes of the training rows and of the test rows, as numbers."""

    train: IntArray
    test: IntArray
    classes: tuple[str, ...]
    positive: str | None

    @classmethod
    def read(cls, train: Table, test: Table, target: str, positive: str | None) -> Answers:
        """Read the target of both tables; the training rows must show two classes or more."""
        texts = [_classes(table, target) for table in (train, test)]
        counts = Counter(texts[0])
        if len(counts) < 2:
            raise InputError(
                f"Column {target!r} has only one class in the training rows.",
                hint="A model needs two or more classes to tell apart.",
            )
        classes = sorted({*texts[0], *texts[1]})
        number = {text: i for i, text in enumerate(classes)}
        if positive is None and len(classes) == 2:
            positive = min(reversed(classes), key=lambda text: counts[text])
        elif positive is not None and positive not in counts:
            raise InvalidParameterError(
                f"The positive class is not among the {len(counts)} classes of {target!r}."
            )
        codes = [np.array([number[text] for text in side], dtype=np.int64) for side in texts]
        return cls(codes[0], codes[1], tuple(classes), positive)

    @property
    def most_frequent(self) -> int:
        """The class that most training rows have; the first of those that tie."""
        return int(np.bincount(self.train).argmax())

    def score(self, predicted: IntArray) -> dict[str, float]:
        """Measure predictions for the test rows."""
        from sklearn.metrics import accuracy_score, f1_score

        scores = {
            "f1_macro": f1_score(self.test, predicted, average="macro", zero_division=0.0),
            "accuracy": accuracy_score(self.test, predicted),
        }
        if self.positive is not None:
            code = self.classes.index(self.positive)
            scores["f1_positive"] = f1_score(
                self.test == code, predicted == code, zero_division=0.0
            )
        return {name: float(score) for name, score in scores.items()}


def _run(
    made: Any, n_jobs: int, learned: tuple[Any, IntArray], asked: Any, answers: Answers
) -> tuple[dict[str, float], str]:
    """Train and test one model; say whether it did not converge."""
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with warnings.catch_warnings(record=True) as caught, threadpool_limits(n_jobs):
        warnings.simplefilter("always", ConvergenceWarning)
        made.fit(*learned)
        predicted = made.predict(asked)
    stuck = [w for w in caught if issubclass(w.category, ConvergenceWarning)]
    for other in (w for w in caught if w not in stuck):
        warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    return answers.score(predicted), "the model did not converge." if stuck else ""


def _over_seeds(runs: list[dict[str, float]], constant: dict[str, float]) -> dict[str, Any]:
    scores = {name: Score.of([run[name] for run in runs], constant[name]) for name in constant}
    return {"f1_positive": None, **scores}


def _classes(table: Table, target: str) -> list[str]:
    classes = table.text(target)
    absent = classes.is_null()
    if absent.any():
        raise InputError(
            f"Column {target!r} has {absent.sum():,} missing cells, "
            f"the first in row {int(absent.arg_max() or 0) + 1}.",
            hint="Leave out rows without an answer.",
        )
    texts: list[str] = classes.to_list()
    return texts


def _encoder(encoder: GeneralizedEncoder | None, names: list[str]) -> GeneralizedEncoder:
    """Copy the encoder, and let it see only the columns to predict from, without widths."""
    from sklearn.base import clone

    from shoal.utility._encoder import GeneralizedEncoder

    if encoder is not None and not isinstance(encoder, GeneralizedEncoder):
        raise InvalidParameterError("The encoder must be a GeneralizedEncoder.")
    copied: GeneralizedEncoder = clone(encoder) if encoder is not None else GeneralizedEncoder()
    copied.set_params(quasi_identifiers=names, widths=False)
    return copied


def _checked_columns(quasi_identifiers: Sequence[str], target: str) -> list[str]:
    one = isinstance(quasi_identifiers, str)
    names = [str(quasi_identifiers)] if one else list(quasi_identifiers)
    if target in names:
        raise RoleConflictError(
            f"Column {target!r} cannot be the target and a column to predict from at once."
        )
    return names
