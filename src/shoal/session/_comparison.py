"""Comparison of releases: the same table with equal weights, with sliders, and with answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal._progress import Progress, stop_if_cancelled
from shoal.anonymizer import Anonymizer
from shoal.recipe import as_grouper
from shoal.session._session import Session
from shoal.table import Table

if TYPE_CHECKING:
    import polars as pl

TESTED = 0.25  # share of the rows that no release sees
MOST_LEARNED = 6_000  # rows a model learns from, so that stopping never takes long
SEED = 20170829  # the split is the same for every way, and every time


@dataclass(frozen=True)
class ComparedRelease:
    """A release made with one set of weights; ``scores`` is macro F1 by model, if any."""

    name: str
    weights: Mapping[str, float]
    ngil: float
    loss_by_attribute: Mapping[str, float]
    groups: int
    scores: Mapping[str, float]


@dataclass(frozen=True)
class ReleaseComparison:
    """Releases side by side, with the originals and the constant predictor.

    Attributes
    ----------
    ways : tuple of ComparedRelease
        ``equal`` always, ``bias`` if sliders were moved, ``iml`` if questions were answered.
    target : str or None
        What models predict; without one there are no scores.
    original : mapping of str to float
        Macro F1 by model, learned from the originals.
    constant : float or None
        Macro F1 of always saying the most frequent class.
    rows_learned, rows_tested : int
        Released rows a model learned from; untouched rows it was tested on.
    """

    ways: tuple[ComparedRelease, ...]
    target: str | None
    original: Mapping[str, float]
    constant: float | None
    rows_learned: int
    rows_tested: int

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return asdict(self)


def compare_releases(session: Session, progress: Progress) -> ReleaseComparison:
    """Release three quarters of the rows each way; test models on the last quarter, untouched."""
    from shoal.utility.models import MODELS

    train, test = _split(session.table)
    ways = dict(_weights(session))
    models = tuple(MODELS) if session.table.roles.target else ()
    progress.phase("comparing", len(ways) + len(models) * (1 + len(ways)))
    made = {}
    for name, weights in ways.items():
        made[name] = _anonymized(session, train, weights, progress)
        progress.advance()
    releases = {name: _some(each.recoded_.release_frame(train)) for name, each in made.items()}
    scores = _scores(session, train, releases, test, models, progress)
    found = tuple(
        ComparedRelease(
            name,
            ways[name],
            each.loss_.ngil,
            dict(each.loss_.loss_by_attribute),
            each.grouping_.n_groups,
            {model: by_release[name].release.f1_macro.mean for model, by_release in scores.items()},
        )
        for name, each in made.items()
    )
    firsts = {model: by_release["equal"].original.f1_macro for model, by_release in scores.items()}
    return ReleaseComparison(
        found,
        session.table.roles.target,
        {model: score.mean for model, score in firsts.items()},
        next((score.constant for score in firsts.values()), None),
        min(train.n_rows, MOST_LEARNED),
        test.n_rows,
    )


def _scores(
    session: Session,
    train: Table,
    releases: Mapping[str, pl.DataFrame],
    test: Table,
    models: tuple[str, ...],
    progress: Progress,
) -> dict[str, dict[str, Any]]:
    """Score each model on each release; all are tested on the same untouched rows."""
    from shoal.utility import GeneralizedEncoder
    from shoal.utility.models import compare_all

    names, orders = list(session.names), train.orders
    encoder = GeneralizedEncoder(
        getattr(session.anonymizer().recoding, "hierarchies", None),
        {name: train.kinds[name] for name in names},
        orders={name: order for name, order in orders.items() if name in names},
    )
    rows = np.random.default_rng(SEED).permutation(train.n_rows)[:MOST_LEARNED]
    learned, target = train.take(np.sort(rows)), session.table.roles.target or ""
    return {
        model: compare_all(
            learned,
            releases,
            test,
            target=target,
            quasi_identifiers=names,
            encoder=encoder,
            model=model,
            progress=progress,
        )
        for model in models
    }


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


def _some(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.sample(min(frame.height, MOST_LEARNED), seed=SEED)


def _anonymized(
    session: Session, table: Table, weights: Mapping[str, float], progress: Progress
) -> Anonymizer:
    """Release by the fast method; what is compared is the weights."""
    stop_if_cancelled(progress)
    made = session.anonymizer()
    return Anonymizer(
        grouping=as_grouper("sangreea", weights=dict(weights), refine=False),
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
