"""The same table released three ways (equal, bias, iml), and models trained on each release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from shoal._progress import Progress, stop_if_cancelled
from shoal.anonymizer import Anonymizer
from shoal.grouping import SaNGreeA
from shoal.hierarchies import Hierarchy
from shoal.plan import Plan
from shoal.session import Session
from shoal.table import Table

TESTED = 0.25  # share of the rows that no release sees
MOST_LEARNED = 6_000  # released rows a model learns from, so that stopping never takes long
SEED = 20170829  # the split is the same for every way, and every time


@dataclass(frozen=True)
class Way:
    """A release made with one set of weights.

    ``scores`` is macro F1 by model; empty without a target.
    """

    name: str
    weights: Mapping[str, float]
    ngil: float
    loss_by_attribute: Mapping[str, float]
    groups: int
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Comparison:
    """The ways side by side, with the originals and the constant predictor.

    Attributes
    ----------
    ways : tuple of Way
        ``equal`` always, ``bias`` if sliders were moved, ``iml`` if questions were answered.
    original : mapping of str to float
        Macro F1 by model, learned from the originals.
    constant : float or None
        Macro F1 of always saying the most frequent class.
    rows_learned, rows_tested : int
        Released rows a model learned from; untouched rows it was tested on.
    """

    ways: tuple[Way, ...]
    target: str | None
    original: Mapping[str, float]
    constant: float | None
    rows_learned: int
    rows_tested: int

    def facts(self) -> dict[str, Any]:
        """Return the numbers for a script."""
        return asdict(self)


def compare(session: Session, plan: Plan, table: Table, progress: Progress) -> Comparison:
    """Release three quarters of the rows each way; test models on the last quarter, untouched."""
    from shoal.utility.models import MODELS

    ways = dict(_weights(session))
    train, test = _split(table)
    scorer = _Scorer(plan, train, test)
    models = list(MODELS) if scorer.target else []
    progress.phase("comparing", (1 + len(ways)) * (1 + len(models)))
    original = dict(scorer.scores(train, models, progress))
    found = []
    for name, weights in ways.items():
        stop_if_cancelled(progress)
        made = _anonymized(plan, train, weights, session.limits, progress)
        progress.advance()
        released = made.recoded_.release_frame(train)
        found.append(
            Way(
                name,
                weights,
                made.loss_.ngil,
                dict(made.loss_.loss_by_attribute),
                made.grouping_.n_groups,
                dict(scorer.scores(released, models, progress)),
            )
        )
    learned = min(train.n_rows, MOST_LEARNED)
    return Comparison(tuple(found), scorer.target, original, scorer.constant, learned, test.n_rows)


def trees_of(plan: Plan, table: Table) -> dict[str, Hierarchy]:
    """Return the hierarchies a plan names, read and built."""
    return dict(getattr(plan.anonymizer(table).recoding, "hierarchies", None) or {})


def _weights(session: Session) -> Iterator[tuple[str, dict[str, float]]]:
    yield "equal", dict.fromkeys(session.names, 1.0)
    if session.bias is not None:
        yield "bias", session.bias
    if session.answers:
        yield "iml", session.weights


def _split(table: Table) -> tuple[Table, Table]:
    """Part the rows at random, the same way every time."""
    order = np.random.default_rng(SEED).permutation(table.n_rows)
    cut = int(table.n_rows * (1 - TESTED))
    return table.take(np.sort(order[:cut])), table.take(np.sort(order[cut:]))


def _anonymized(
    plan: Plan,
    table: Table,
    weights: Mapping[str, float],
    limits: Mapping[str, float],
    progress: Progress,
) -> Anonymizer:
    """Release by the fast method; what is compared is the weights."""
    made = replace(plan, weights={}, limits=limits).anonymizer(table)
    quick = SaNGreeA(dict(weights), "best-first", False)
    return Anonymizer(
        grouping=quick,
        recoding=made.recoding,
        privacy=made.privacy,
        suppression_limit=made.suppression_limit,
        bound=False,
    ).fit(table, _Quiet(progress))


class _Quiet:
    """Passes on the wish to stop, and none of the phases."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def phase(self, name: str, total: int | None = None) -> None:
        """Say nothing."""

    def advance(self, steps: int = 1) -> None:
        """Say nothing."""

    @property
    def cancelled(self) -> bool:
        """Whether to stop."""
        return self._progress.cancelled


class _Scorer:
    """Trains models on a release and tests them on the same untouched rows."""

    def __init__(self, plan: Plan, train: Table, test: Table) -> None:
        from shoal.utility import GeneralizedEncoder

        self.target = plan.roles.target
        self.constant: float | None = None
        self._test = test
        self._names = list(plan.roles.quasi_identifiers)
        trees = trees_of(plan, train)
        self._encoder = GeneralizedEncoder(hierarchies=trees, kinds=dict(train.kinds))

    def scores(
        self, rows: Table | pl.DataFrame, models: list[str], progress: Progress
    ) -> Iterator[tuple[str, float]]:
        """Score each model that learned from the originals or from a release."""
        from shoal.utility.models import train_and_test

        if self.target is None:
            return
        learned = _some(rows)
        for model in models:
            stop_if_cancelled(progress)
            found = train_and_test(
                learned,
                self._test,
                target=self.target,
                quasi_identifiers=self._names,
                encoder=self._encoder,
                model=model,
            )
            self.constant = found.scores["f1_macro"].constant
            progress.advance()
            yield model, found.scores["f1_macro"].mean


def _some(rows: Table | pl.DataFrame) -> Table | pl.DataFrame:
    """Draw as many rows as a model learns from, the same way every time."""
    if isinstance(rows, pl.DataFrame):
        return rows.sample(min(rows.height, MOST_LEARNED), seed=SEED)
    drawn = pl.Series(range(rows.n_rows)).sample(min(rows.n_rows, MOST_LEARNED), seed=SEED)
    return rows.take(drawn.to_numpy())
