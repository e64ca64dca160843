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
from shoal.presets import find_preset
from shoal.privacy import DistinctLDiversity, KAnonymity, PrivacyModel, TCloseness, Verdict
from shoal.recoding import Generalize, Recoded
from shoal.release import Release, claims_of
from shoal.report import Summary, summarize
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
    recoding : Generalize, optional
        What is published; by default intervals, masks and stars without any hierarchy.
    privacy : PrivacyModel or sequence of PrivacyModel
        What must hold in every group.
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
    seconds_: dict[str, float]

    def __init__(
        self,
        grouping: Grouper | str = "auto",
        recoding: Generalize | None = None,
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
        grouper, recoder, clock = self._grouper(), self.recoding or Generalize(), _Clock()
        models = self._models()
        with clock("coding"):
            spaces = recoder.spaces(table, grouper.weights)
            problem = Problem(table, spaces, models, self.suppression_limit)
        with clock("grouping"):
            grouper.fit(problem, progress)
        stop_if_cancelled(progress)
        with clock("recoding"):
            progress.phase("recoding")
            self.recoded_ = recoder.recode(table, grouper.grouping_, spaces)
            self.grouping_ = self.recoded_.grouping
        with clock("measuring"):
            self.verdict_ = _judge(models, table, self.recoded_)
            self.loss_ = measure_loss(spaces, grouper.grouping_)
            self.ngil_bound_ = lower_bound(problem, progress) if self.bound else None
        with clock("summing up"):
            progress.phase("summing up")
            self.summary_ = self._summary(table, problem, grouper, spaces)
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

    def _models(self) -> tuple[PrivacyModel, ...]:
        given = self.privacy
        models = (given,) if isinstance(given, PrivacyModel) else tuple(given)
        return models or (KAnonymity(10),)

    def _summary(
        self, table: Table, problem: Problem, grouper: Grouper, spaces: WeightedSpaces
    ) -> Summary:
        utility = {
            "ngil": self.loss_.ngil,
            "discernibility": float(self.loss_.discernibility),
            "average_group_size": self.loss_.average_group_size,
            "non_uniform_entropy": self.loss_.non_uniform_entropy,
        }
        if self.ngil_bound_ is not None:
            utility["ngil_bound"] = self.ngil_bound_
        models = problem.models
        return summarize(
            table,
            self.recoded_.release_frame(table),
            self.grouping_.labels,
            k=problem.k,
            verdict=self.verdict_,
            losses=self.loss_.loss_by_attribute,
            utility=utility,
            protected=[m.sensitive for m in models if m.sensitive is not None],
            tight=not (self.recoding and self.recoding.grid),
            method=grouper.method_,
            why=grouper.why_,
            preset=self.preset,
            stamps=["not anonymized: k is 1"] if problem.k < 2 else [],
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
    anonymizer = Anonymizer(
        grouping=Auto(weights) if method == "auto" else method,
        recoding=Generalize(hierarchies, limits, grid_for(table, hierarchies, grid, preset)),
        privacy=models_for(table, k=k, l=l, t=t, preset=preset),
        suppression_limit=suppression_limit,
        preset=preset,
    )
    return anonymizer.fit(table, progress).release_


def as_table(data: Any, roles: Roles, kinds: Mapping[str, Kind] | None = None) -> Table:
    """Read data with these roles; a table that was read already only changes roles."""
    if isinstance(data, Table):
        return data.with_roles(roles)
    return read_table(data, roles=roles, kinds=kinds)


def models_for(
    table: Table,
    *,
    k: int | None = None,
    l: int | None = None,
    t: float | None = None,
    preset: str | None = None,
) -> list[PrivacyModel]:
    """Privacy models for a table from plain numbers, raised to the floors of a preset."""
    floor = find_preset(preset)
    k = floor.raise_k(k) if floor else (10 if k is None else k)
    l = floor.raise_l(l) if floor else l
    models: list[PrivacyModel] = [KAnonymity(k)]
    if (l is not None or t is not None) and not table.roles.sensitive and floor is None:
        raise InvalidParameterError(
            "l and t speak of sensitive columns, and none is named.",
            hint="Name them with sensitive=... (--sensitive on the command line).",
        )
    for name in table.roles.sensitive:
        if l is not None and l > 1:
            models.append(DistinctLDiversity(l, name))
        if t is not None:
            ordered = table.kinds[name] in ("numeric", "ordinal", "date")
            models.append(TCloseness(t, name, distance="ordered" if ordered else "equal"))
    return models


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
