"""The walk from a table to a release: group, recode, judge, measure, sum up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Self

import numpy as np

from shoal._estimator import Estimator
from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import InvalidParameterError
from shoal.grouping import Auto, Grouper, Problem, lower_bound
from shoal.hierarchies import Hierarchy
from shoal.presets import DEFAULT_K, choose_k, find_preset
from shoal.privacy import KAnonymity, PrivacyModel, Verdict, build_models, claims_of
from shoal.quantize import EpsilonClusters, Quantize, Step, default_steps
from shoal.recoding import Centroid, Generalize, Recoded
from shoal.release import Lineage, Release
from shoal.report import Summary, summarize
from shoal.risk import Relinkage, measure_relinkage
from shoal.spaces import WeightedSpaces, default_step
from shoal.table import Roles, Table, read_table
from shoal.typing import Kind
from shoal.utility import LossReport, measure_loss


class Anonymizer(Estimator):
    """Hides every person of a table in a crowd.

    Parameters
    ----------
    grouping : "auto" or Grouper
        Who hides with whom; ``"auto"`` picks what loses least for the size of the table.
    recoding : Generalize, Centroid, Quantize or a list of steps, optional
        What is published; by default intervals, masks and stars without any hierarchy. A list
        such as ``[PushBack(), Stir()]`` moves values inside clusters (`Quantize`), which is the
        default for `EpsilonClusters`.
    privacy : PrivacyModel or sequence of PrivacyModel
        What must hold in every group of rows that read the same. Values that were moved promise
        none by default: what an attacker achieves is measured instead.
    suppression_limit : float
        Largest share of rows that may be left out of the release.
    bound : bool
        Whether to prove how low the loss of any grouping could be (``ngil_bound``).
    preset : str, optional
        The preset this was built for; recorded in the release.

    Attributes
    ----------
    release_ : Release
        What may be written and shared.
    grouping_ : Grouping
        Who looks alike in what is published, by row of the table.
    recoded_ : Recoded
        The recoded quasi-identifiers, by row of the table.
    loss_ : LossReport
        What was lost.
    ngil_bound_ : float or None
        Loss that no grouping can go below.
    relinkage_ : Relinkage or None
        How often linkage attacks find a person again, where values were moved.
    seconds_ : dict of str to float
        Time spent in each phase.

    Examples
    --------
    >>> import polars as pl
    >>> table = read_table(
    ...     pl.DataFrame({"age": [30, 31, 50, 52], "sex": ["f", "f", "m", "m"]}),
    ...     roles=Roles(quasi_identifiers=["age", "sex"]),
    ... )
    >>> anonymizer = Anonymizer(privacy=KAnonymity(2)).fit(table)
    >>> print(anonymizer.release_.verdict)
    2-anonymity holds (smallest group: 2)
    >>> anonymizer.release_.data.rows()
    [('[30, 31]', 'f'), ('[30, 31]', 'f'), ('[50, 52]', 'm'), ('[50, 52]', 'm')]
    """

    release_: Release
    loss_: LossReport
    ngil_bound_: float | None
    relinkage_: Relinkage | None
    seconds_: dict[str, float]

    def __init__(
        self,
        grouping: Grouper | str = "auto",
        recoding: Generalize | Centroid | Quantize | Sequence[Step] | None = None,
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        suppression_limit: float = 0.0,
        bound: bool = True,
        preset: str | None = None,
    ) -> None:
        self.grouping = grouping
        self.recoding = recoding
        self.privacy = privacy
        self.suppression_limit = suppression_limit
        self.bound = bound
        self.preset = preset

    def fit(self, table: Table, progress: Progress = SILENT) -> Self:
        """Anonymize a table; the release is in ``release_``."""
        grouper, clock = self._grouper(), _Clock()
        recoder = self._recoder(grouper)
        models = self._models(recoder)
        with clock("coding"):
            spaces = _spaces(recoder, table, grouper)
            problem = Problem(table, spaces, self._grouped(grouper, models), self.suppression_limit)
        with clock("grouping"):
            grouper.fit(problem, progress)
        stop_if_cancelled(progress)
        with clock("recoding"):
            progress.phase("recoding")
            self.recoded_ = _recode(recoder, table, grouper, spaces)
            self.grouping_ = self.recoded_.grouping
        with clock("measuring"):
            progress.phase("measuring")
            self.relinkage_ = _attack(recoder, table, grouper, self.recoded_, problem.k)
            self.verdict_ = self._judge(models, table)
            self.loss_ = measure_loss(spaces, grouper.grouping_)
            proves = self.bound and not isinstance(recoder, Quantize)
            self.ngil_bound_ = lower_bound(problem, progress) if proves else None
        with clock("summing up"):
            progress.phase("summing up")
            self.summary_ = self._summary(table, problem, grouper, recoder)
            self.release_ = self._release(table, models, grouper)
        self.seconds_ = clock.seconds
        return self

    def _grouper(self) -> Grouper:
        if isinstance(self.grouping, Grouper):
            return self.grouping
        if self.grouping == "auto":
            return Auto()
        raise InvalidParameterError(
            f"There is no grouping named {self.grouping!r}.",
            hint="Use 'auto' or a grouper such as shoal.SaNGreeA().",
        )

    def _recoder(self, grouper: Grouper) -> Generalize | Centroid | Quantize:
        given = self.recoding
        if isinstance(given, Generalize | Centroid | Quantize):
            return given
        if given is None and not isinstance(grouper, EpsilonClusters):
            return Generalize()
        return Quantize(None if given is None else tuple(given))

    def _models(self, recoder: Generalize | Centroid | Quantize) -> tuple[PrivacyModel, ...]:
        given = self.privacy
        models = (given,) if isinstance(given, PrivacyModel) else tuple(given)
        return models if models or isinstance(recoder, Quantize) else (KAnonymity(DEFAULT_K),)

    def _grouped(
        self, grouper: Grouper, models: tuple[PrivacyModel, ...]
    ) -> tuple[PrivacyModel, ...]:
        """What must hold while grouping: a cluster has more than m rows, whatever is promised."""
        if not isinstance(grouper, EpsilonClusters):
            return models or (KAnonymity(DEFAULT_K),)
        sized = models if grouper.m is None else (*models, KAnonymity(grouper.m + 1))
        return (*(sized or (KAnonymity(DEFAULT_K + 1),)), *grouper.crowd)

    def _judge(self, models: tuple[PrivacyModel, ...], table: Table) -> Verdict:
        """Judge what is published; for an audience, by what an attacker achieves too."""
        verdict = _judge(models, table, self.recoded_)
        floor = find_preset(self.preset)
        if self.relinkage_ is None or floor is None or not floor.unlinkable:
            return verdict
        return Verdict((*verdict.results, self.relinkage_.result()))

    def _summary(
        self,
        table: Table,
        problem: Problem,
        grouper: Grouper,
        recoder: Generalize | Centroid | Quantize,
    ) -> Summary:
        utility = {
            "ngil": self.loss_.ngil,
            "discernibility": float(self.loss_.discernibility),
            "average_group_size": self.loss_.average_group_size,
            "non_uniform_entropy": self.loss_.non_uniform_entropy,
        }
        if self.ngil_bound_ is not None:
            utility["ngil_bound"] = self.ngil_bound_
        moved = isinstance(recoder, Quantize)
        models = self._models(recoder) if moved else problem.models  # of crowds, nothing is told
        promised = [m.k for m in models if isinstance(m, KAnonymity)]
        k = max(promised, default=None) if moved else problem.k
        return summarize(
            table,
            self.recoded_.release_frame(table),
            self.grouping_.labels,
            k=k,
            least=problem.k,
            verdict=self.verdict_,
            losses=self.loss_.loss_by_attribute,
            utility=utility,
            risk=_relink_numbers(self.relinkage_),
            protected=[m.sensitive for m in models if m.sensitive is not None],
            tight=isinstance(recoder, Generalize) and not recoder.grid,
            moved=moved or isinstance(recoder, Centroid),
            method=grouper.method_,
            why=grouper.why_,
            preset=self.preset,
            stamps=_stamps(recoder, problem.k, self.relinkage_),
            warnings=table.warnings,
        )

    def _release(self, table: Table, models: tuple[PrivacyModel, ...], grouper: Grouper) -> Release:
        people = None
        if table.roles.person is not None:
            column = table.column(table.roles.person)
            known = np.where(column.codes < len(column.labels), column.codes, -1)
            people = known[self.grouping_.labels >= 0]
        return Release(
            frame=self.recoded_.release_frame(table),
            verdict=self.verdict_,
            summary=self.summary_,
            claims=claims_of(models, table),
            give_back=table.give_back,
            people=people,
            typed=self.recoded_.typed,
            lineage=Lineage(table, self.grouping_),
            provenance={
                "grouping": repr(grouper),
                "method": grouper.method_,
                "why": grouper.why_,
                "weights": dict(grouper.weights or {}),
                "privacy": [str(model) for model in models],
                "suppression_limit": self.suppression_limit,
                "preset": self.preset,
            },
        )


def anonymize(
    data: Any,
    *,
    quasi_identifiers: str | Sequence[str],
    k: int | None = None,
    sensitive: str | Sequence[str] = (),
    identifiers: str | Sequence[str] = (),
    target: str | None = None,
    person: str | None = None,
    l: int | None = None,
    t: float | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    weights: Mapping[str, float] | None = None,
    limits: Mapping[str, float] | None = None,
    grid: Mapping[str, float] | bool | None = None,
    suppression_limit: float = 0.0,
    method: Grouper | str = "auto",
    preset: str | None = None,
    progress: Progress = SILENT,
) -> Release:
    """Anonymize a frame, a table or a file in one call.

    ``method`` is a grouper, ``"auto"``, or ``"quantize"`` for values instead of ranges.

    ``l`` asks for that many distinct values of every sensitive column in every group, ``t`` for
    a distribution of them within t of the whole table's. See `Anonymizer` for the rest.

    >>> import polars as pl
    >>> df = pl.DataFrame({"age": [30, 31, 50, 52], "disease": ["flu", "cold", "flu", "cold"]})
    >>> release = anonymize(df, quasi_identifiers="age", sensitive="disease", k=2, l=2)
    >>> print(release.verdict)
    2-anonymity holds (smallest group: 2)
    distinct 2-diversity of 'disease' holds (fewest distinct values: 2)
    """
    roles = Roles(identifiers, quasi_identifiers, sensitive, target, person)
    table = as_table(data, roles, kinds)
    if method == "quantize":
        k = choose_k(k, preset)
        crowd = [m for m in build_models(table, k=k, l=l, t=t, preset=preset) if m.sensitive]
        clusters = EpsilonClusters(m=k, weights=weights, crowd=crowd)
        moves = Quantize(default_steps(k), hierarchies)
        return Anonymizer(clusters, moves, preset=preset).fit(table, progress).release_
    anonymizer = Anonymizer(
        grouping=Auto(weights) if method == "auto" else method,
        recoding=Generalize(hierarchies, limits, grid_for(table, hierarchies, grid, preset)),
        privacy=build_models(table, k=k, l=l, t=t, preset=preset),
        suppression_limit=suppression_limit,
        preset=preset,
    )
    return anonymizer.fit(table, progress).release_


def as_table(data: Any, roles: Roles, kinds: Mapping[str, Kind] | None = None) -> Table:
    """Read data with these roles; a table that was read already only changes roles."""
    if isinstance(data, Table):
        return data.with_roles(roles)
    return read_table(data, roles=roles, kinds=kinds)


def grid_for(
    table: Table,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    grid: Mapping[str, float] | bool | None = None,
    preset: str | None = None,
) -> Mapping[str, float] | bool | None:
    """Return the grid asked for; a preset with a grid puts all other numeric columns on one."""
    floor = find_preset(preset)
    if floor is None or not floor.grid or grid is True:
        return grid
    free = [
        table.column(name)
        for name in table.roles.quasi_identifiers
        if table.kinds[name] == "numeric" and name not in (hierarchies or {})
    ]
    given = grid if isinstance(grid, Mapping) else {}
    return {column.name: default_step(column) for column in free} | dict(given)


def _spaces(
    recoder: Generalize | Centroid | Quantize, table: Table, grouper: Grouper
) -> WeightedSpaces:
    if isinstance(grouper, EpsilonClusters) and grouper.metrics is not None:
        return grouper.spaces(table, recoder.hierarchies)
    return recoder.spaces(table, grouper.weights)


def _recode(
    recoder: Generalize | Centroid | Quantize,
    table: Table,
    grouper: Grouper,
    spaces: WeightedSpaces,
) -> Recoded:
    if not isinstance(recoder, Quantize):
        return recoder.recode(table, grouper.grouping_, spaces)
    clusters = grouper if isinstance(grouper, EpsilonClusters) else None
    return recoder.recode(table, grouper.grouping_, spaces, clusters)


def _attack(
    recoder: Generalize | Centroid | Quantize,
    table: Table,
    grouper: Grouper,
    recoded: Recoded,
    k: int,
) -> Relinkage | None:
    """Try to find people again where values were moved; boxes are judged by counting alone."""
    if not isinstance(recoder, Quantize) or not table.roles.quasi_identifiers:
        return None
    return measure_relinkage(
        table,
        recoded.aligned_frame(table),
        grouper.grouping_,
        recoder.outliers_,
        max(k - 1, 1),
        hierarchies=recoder.hierarchies,
    )


def _relink_numbers(relinkage: Relinkage | None) -> dict[str, float]:
    if relinkage is None:
        return {}
    return {
        "relink_rate": relinkage.rate,
        "relink_bound": relinkage.bound,
        "relink_baseline": relinkage.baseline,
        "relink_everybody": relinkage.everybody,
        "relink_unprotected": relinkage.unprotected,
    }


def _stamps(
    recoder: Generalize | Centroid | Quantize, k: int, relinkage: Relinkage | None
) -> list[str]:
    stamps = ["not anonymized: k is 1"] if k < 2 else []
    if isinstance(recoder, Quantize) and recoder.random_state is not None:
        stamps.append("not for publication: made with a seed, which can undo it")
    if relinkage is not None and not relinkage.holds:
        worst = max(relinkage.rate, relinkage.everybody)
        stamps.append(f"people can be found again: {100 * worst:.0f} of 100 are re-linked")
    return stamps


def _judge(models: Sequence[PrivacyModel], table: Table, recoded: Recoded) -> Verdict:
    """Judge what is published: groups that read the same are one crowd."""
    results = [r for model in models for r in model.judge(table, recoded.grouping).results]
    return Verdict(tuple(results))


@dataclass
class _Clock:
    """Seconds spent in each phase."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        begin = perf_counter()
        yield
        self.seconds[phase] = round(perf_counter() - begin, 3)
