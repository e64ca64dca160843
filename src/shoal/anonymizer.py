"""The walk from a table to a release: group, recode, judge, measure, sum up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from os import PathLike
from time import perf_counter
from typing import Any, Self

import numpy as np
import polars as pl

from shoal._estimator import Estimator
from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.grouping import Grouper, LossBound, Problem, bound_loss
from shoal.hierarchies import Hierarchy
from shoal.privacy import PrivacyModel, Verdict, build_models
from shoal.projects import DateShift, Disguise
from shoal.quantize import Step
from shoal.recipe import Recipe, assemble, grid_for, resolve
from shoal.recoding import Recoded, Recoder
from shoal.release import Lineage, Release
from shoal.report import (
    NetworkSummary,
    Summary,
    as_pseudonymous,
    summarize,
    summarize_network,
)
from shoal.risk import Exposure, Relinkage, measure_exposure, measure_relinkage, warn_of_joins
from shoal.spaces import OF_PAPERS, WeightedSpaces
from shoal.table import CodedFrame, CodedTable, Grouping, Roles, Table, read_table
from shoal.typing import BoolArray, Kind
from shoal.utility import LossReport, measure_loss

PROVE = "prove"  # the best bound that can be had, not the quick one


class Anonymizer(Estimator):
    """Hides every person of a table in a crowd.

    Parameters
    ----------
    grouping : str or Grouper
        Who hides with whom: a grouper, or the name of one; ``"auto"`` picks by the size of
        the table and what it asks for.
    recoding : Recoder or a list of steps, optional
        What is published; by default intervals, masks and stars without any hierarchy. A list
        such as ``[PushBack(), Stir()]`` moves values inside clusters (`Quantize`), which is the
        default for `EpsilonClusters`.
    privacy : PrivacyModel or sequence of PrivacyModel
        What must hold in every group of rows that read the same. Values that were moved promise
        none by default: what an attacker achieves is measured instead.
    suppression_limit : float
        Largest share of rows that may be left out of the release.
    bound : bool or "prove"
        Whether to prove how low the loss of any grouping could be (``loss_bound_``): quickly, or
        with ``"prove"`` as well as it can be in the time that grouping takes.
    preset : str, optional
        The preset this was built for; recorded in the release.
    loss : {"height", "leaves", "people"}, optional
        What a node of a tree loses while groups are formed, as for `Generalize`; as each
        hierarchy says if not given.
    disguise : Disguise, optional
        Columns of names that are published as pseudonyms, instead of being dropped.

    Attributes
    ----------
    recipe_ : Recipe
        What ran: copies of the grouper and the recoder, models, spaces.
    release_ : Release
        What may be written and shared.
    grouping_ : Grouping
        Who looks alike in what is published, by row of the table.
    recoded_ : Recoded
        The recoded quasi-identifiers, by row of the table.
    loss_ : LossReport
        What was lost.
    loss_bound_ : float or None
        Loss that no grouping can go below, as measured while groups were formed
        (``loss_.formed_loss``).
    ngil_bound_ : float or None
        The same of NGIL; None where groups were formed by another loss.
    ngil_bound_estimate_ : float or None
        What `ngil_bound_` would be about, where a table is so large that it was not proven.
    relinkage_ : Relinkage or None
        How often linkage attacks find a person again, where values were moved.
    exposure_ : Exposure
        Who is alone on all that is published, and which columns nobody accepted.
    seconds_ : dict of str to float
        Time spent in each phase.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.privacy import KAnonymity
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

    recipe_: Recipe
    release_: Release
    loss_: LossReport
    loss_bound_: float | None
    ngil_bound_: float | None
    ngil_bound_estimate_: float | None
    relinkage_: Relinkage | None
    exposure_: Exposure
    seconds_: dict[str, float]

    def __init__(
        self,
        grouping: Grouper | str = "auto",
        recoding: Recoder | Sequence[Step] | None = None,
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        suppression_limit: float = 0.0,
        bound: bool | str = True,
        preset: str | None = None,
        loss: str | None = None,
        disguise: Disguise | None = None,
    ) -> None:
        self.grouping = grouping
        self.recoding = recoding
        self.privacy = privacy
        self.suppression_limit = suppression_limit
        self.bound = bound
        self.preset = preset
        self.loss = loss
        self.disguise = disguise

    def fit(self, table: Table, progress: Progress = SILENT) -> Self:
        """Anonymize a table; the release is in ``release_``."""
        table = table if self.disguise is None else self.disguise.prepare(table)
        if not table.roles.quasi_identifiers and getattr(self.grouping, "needs_attributes", True):
            raise InvalidParameterError(
                "No quasi-identifier is named, so everything would be published as it is.",
                hint="Name what others may know of people: quasi_identifiers=['age', 'sex'].",
            )
        if self.bound not in (True, False, PROVE):
            raise InvalidParameterError('bound is True, False or "prove".')
        done = {"": perf_counter()}  # when each phase ended
        recipe = self.recipe_ = self.resolve(table)
        problem = Problem(table, recipe.spaces, recipe.within, self.suppression_limit)
        done["coding"] = perf_counter()
        grouping = recipe.grouper.fit(problem, progress).grouping_
        if not grouping.n_groups:
            raise ImpossibleError.nothing_left(table.n_rows)
        stop_if_cancelled(progress)
        done["grouping"] = perf_counter()
        progress.phase("recoding")
        gone, spaces = grouping.labels < 0, recipe.spaces
        if gone.any() and not recipe.recoder.publishes_values:
            spaces = recipe.recoder.spaces(_without(table, gone))
        self.recoded_ = recipe.recoder.recode(table, grouping, spaces, recipe.grouper)
        self.grouping_ = self.recoded_.grouping
        done["recoding"] = perf_counter()
        progress.phase("measuring")
        self.loss_ = measure_loss(recipe.spaces, grouping)
        moved = recipe.recoder.moves_values
        linked = (recipe, table, grouping, self.recoded_, problem.k)
        self.relinkage_ = _relinked(*linked) if moved else None
        formed = grouping.labels if moved else None
        self.exposure_ = measure_exposure(table, self.grouping_.labels, groups=formed)
        self.verdict_ = self._judge(recipe, table)
        done["measuring"] = perf_counter()
        proves = self.bound and not moved
        near = grouping if self.bound == PROVE else None
        least = bound_loss(problem, progress, near) if proves else LossBound()
        self.loss_bound_ = least.proven
        of_papers = {*self.loss_.measured_by.values()} <= {*OF_PAPERS}
        self.ngil_bound_, self.ngil_bound_estimate_ = least if of_papers else LossBound()
        k = problem.k
        del problem  # what was grouped takes memory that summing up needs
        done["bound"] = perf_counter()
        progress.phase("summing up")
        if self.disguise is None:
            shown = self.recoded_.released(table)
            self.summary_ = self._summary(table, shown, k, spaces)
            self.release_ = self._release(table, shown)
        else:
            frame = self.recoded_.release_frame(table)
            self._disguised(self.disguise, table, frame, k, spaces)
        done["summing up"] = perf_counter()
        self.seconds_ = {
            phase: round(end - begin, 3)
            for begin, (phase, end) in zip(done.values(), list(done.items())[1:], strict=False)
        }
        return self

    def _disguised(
        self,
        disguise: Disguise,
        table: Table,
        frame: pl.DataFrame,
        k: int,
        spaces: WeightedSpaces,
    ) -> None:
        """Publish pseudonyms in the place of names, and say so."""
        made, person = disguise.pseudonymizer(), table.roles.person
        frame = made.publish(table, frame, self.grouping_.labels >= 0)
        told = self._summary(table, frame, k, spaces)
        joined = made.joins(person) and warn_of_joins(table, self.grouping_.labels, k)
        doubts = (*disguise.doubts(table), *(joined or ()))
        told = replace(told, warnings=(*told.warnings, *doubts))
        shifted = None if disguise.shift is None else disguise.shift.facts()
        self.summary_ = as_pseudonymous(told, made.facts(person), disguise.stamps, shifted)
        release = self._release(table, frame)
        assert release.lineage is not None
        lineage = replace(release.lineage, alignment=made.alignment(person))
        self.release_ = replace(release, lineage=lineage)

    def facts(self) -> dict[str, Any]:
        """Say what ran and what it came to, exactly: for the owner of the table alone."""
        loss = self.loss_
        facts = {
            **self.recipe_.facts(),
            "k_asked": self.summary_.k,
            "ngil": loss.ngil,
            "ngil_bound": self.ngil_bound_,
            "ngil_bound_estimate": self.ngil_bound_estimate_,
            "proved": self.bound == PROVE and self.loss_bound_ is not None,
            "loss_by_attribute": dict(loss.loss_by_attribute),
            "loss_measured_by": dict(loss.measured_by),
            "formed_loss": loss.formed_loss,
            "formed_loss_bound": self.loss_bound_,
            "average_group_size": loss.average_group_size,
            "discernibility": loss.discernibility,
            "non_uniform_entropy": loss.non_uniform_entropy,
            "singling_out": self.exposure_.to_dict(),
        }
        if self.recoded_.network is not None:
            return {**facts, **self.recoded_.facts}
        if self.relinkage_ is None:
            return facts
        return {
            **facts,
            **self.recoded_.facts,
            **self.relinkage_.to_dict(),
            "m": self.relinkage_.m,
            "stamps": list(self.summary_.stamps),
        }

    def resolve(self, table: CodedTable) -> Recipe:
        """Decide what will run on a table; see `shoal.recipe.resolve`."""
        return resolve(
            table,
            grouping=self.grouping,
            recoding=self.recoding,
            privacy=self.privacy,
            suppression_limit=self.suppression_limit,
            preset=self.preset,
            loss=self.loss,
        )

    def _judge(self, recipe: Recipe, table: Table) -> Verdict:
        """Judge what is published; for an audience, by what an attacker achieves too."""
        results = [r for m in recipe.models for r in m.judge(table, self.grouping_).results]
        if self.relinkage_ is not None and recipe.preset is not None and recipe.preset.unlinkable:
            results.append(self.relinkage_.result())
        if recipe.preset is not None and recipe.preset.accounted:
            results.append(self.exposure_.result())
        return Verdict(tuple(results))

    def _summary(
        self,
        table: Table,
        shown: pl.DataFrame | CodedFrame,
        k: int,
        spaces: WeightedSpaces,
    ) -> Summary:
        recipe = self.recipe_
        recoder = recipe.recoder
        # of moved values crowds tell nothing
        told = recipe.models if recoder.moves_values else recipe.within
        stamps = [*(["not anonymized: k is 1"] if k < 2 else []), *recoder.stamps]
        stamps += [] if self.relinkage_ is None else self.relinkage_.stamps
        return summarize(
            table,
            shown,
            self.grouping_.labels,
            k=recipe.k if recoder.moves_values else k,
            least=k,
            verdict=self.verdict_,
            spaces=spaces,
            clusters=recipe.grouper.grouping_ if recoder.publishes_values else self.grouping_,
            formed_loss=self.loss_.formed_loss,
            bound=self.loss_bound_,
            suppression=self.suppression_limit > 0,
            risk={} if self.relinkage_ is None else self.relinkage_.rates(),
            protected=[m.sensitive for m in told if m.sensitive is not None],
            moved=recoder.publishes_values,
            method=recipe.grouper.method_,
            why=recipe.why,
            preset=self.preset,
            stamps=stamps,
            exposure=self.exposure_,
            warnings=(*getattr(recipe.grouper, "warnings_", ()), *table.warnings),
            added=tuple(self.recoded_.added),
            network=None if self.recoded_.network is None else self._network(),
        )

    def _network(self) -> NetworkSummary:
        graph = self.recipe_.grouper.graph  # type: ignore[attr-defined]  # of a network
        facts = self.recoded_.facts["network"]
        return summarize_network(graph, self.recoded_.network, self.grouping_.labels, facts)

    def _release(self, table: Table, shown: pl.DataFrame | CodedFrame) -> Release:
        recipe, columns, people = self.recipe_, self.recoded_.columns, None
        if table.roles.person is not None:
            people = table.column(table.roles.person).known[self.grouping_.labels >= 0]
        return Release(
            given=shown,
            verdict=self.verdict_,
            summary=self.summary_,
            claims=tuple(claim for model in recipe.models for claim in model.claims(table)),
            give_back=table.give_back,
            people=people,
            typed=self.recoded_.typed,
            lineage=Lineage(
                table,
                self.grouping_,
                published=None
                if recipe.recoder.publishes_values
                else getattr(columns, "part", CodedFrame(columns, table.n_rows).part),
            ),
            papers=self.recoded_.papers,
            provenance={
                "grouping": recipe.grouper,
                "method": recipe.grouper.method_,
                "why": recipe.why,
                "weights": dict(recipe.grouper.weights or {}),
                "privacy": recipe.models,
                "suppression_limit": self.suppression_limit,
                "preset": self.preset,
                "loss": asdict(self.loss_),
                "ngil_bound": self.ngil_bound_,
                "formed_loss_bound": self.loss_bound_,
                "models": self.verdict_.results,
                "warnings": list(table.warnings),
            },
        )


def anonymize(
    data: Any,
    *,
    quasi_identifiers: str | Sequence[str] = (),
    k: int | None = None,
    sensitive: str | Sequence[str] = (),
    identifiers: str | Sequence[str] = (),
    target: str | None = None,
    person: str | None = None,
    publish_as_is: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    l: int | None = None,
    t: float | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    missing: Sequence[str] | Mapping[str, Sequence[str]] = ("",),
    clean: Sequence[str] | Mapping[str, Sequence[str]] = (),
    formats: Mapping[str, Mapping[str, Any]] | None = None,
    weights: Mapping[str, float] | None = None,
    limits: Mapping[str, float] | None = None,
    grid: Mapping[str, float] | bool | None = None,
    suppression_limit: float = 0.0,
    method: Grouper | str = "auto",
    preset: str | None = None,
    loss: str | None = None,
    bound: bool | str = True,
    pseudonyms: Mapping[str, Any] | None = None,
    project: str = "default",
    shift: DateShift | None = None,
    edges: Any = None,
    node: str | None = None,
    network: Mapping[str, Any] | None = None,
    after: str | PathLike[str] | None = None,
    progress: Progress = SILENT,
) -> Release:
    """Anonymize a frame, a table or a file in one call.

    ``kinds``, ``orders``, ``missing``, ``clean`` and ``formats`` say how cells are read, as for
    `read_table`; ``publish_as_is`` names columns that are published unchanged, ``drop`` those
    that are not; ``method`` is a grouper or the name of one; ``"quantize"`` publishes values, not
    ranges.

    ``l`` asks for that many distinct values of every sensitive column in every group, ``t`` for
    a distribution of them within t of the whole table's, ``bound=False`` leaves out the proof of
    how little could be lost, ``bound="prove"`` takes its time for a better one. ``pseudonyms``
    names columns that are published under other names, each with ``"release"`` or ``"project"``
    (`shoal.projects.Pseudonym`), ``shift`` dates that move together, person by person
    (`shoal.projects.DateShift`), ``after`` the folder of an earlier release that this one must
    fit (`shoal.growing.LaterDelivery`). See `Anonymizer` for the rest.

    ``edges`` says who knows whom: a file, pairs, a frame, networkx, igraph or a matrix
    (`shoal.graphs.as_graph`); ``node`` is the column that names people, the first if not given,
    and ``network`` are settings of `shoal.graphs.NetworkSaNGreeA`, such as ``{"beta": 2}``. Then
    quasi-identifiers may be left out: people hide by whom they know alone.

    >>> import polars as pl
    >>> df = pl.DataFrame({"age": [30, 31, 50, 52], "disease": ["flu", "cold", "flu", "cold"]})
    >>> release = anonymize(df, quasi_identifiers="age", sensitive="disease", k=2, l=2)
    >>> print(release.verdict)
    2-anonymity holds (smallest group: 2)
    distinct 2-diversity of 'disease' holds (fewest distinct values: 2)
    """
    roles = Roles(identifiers, quasi_identifiers, sensitive, target, person, publish_as_is, drop)
    table = as_table(
        data, roles, kinds, orders=orders, missing=missing, clean=clean, formats=formats
    )
    given: dict[str, Any] = {} if weights is None else {"weights": weights}
    if edges is not None:
        from shoal.graphs import build_network, name_people

        table = name_people(table, node)
        method = build_network(table, edges, node, **(network or {}))
    models = build_models(table, k=k, l=l, t=t, preset=preset)
    grouper, recoder, promised = assemble(
        method,
        models,
        hierarchies,
        limits,
        grid_for(table, hierarchies, grid, preset) if method != "quantize" else grid,
        **given,
    )
    anonymizer = Anonymizer(
        grouper, recoder, promised, suppression_limit, bound, preset=preset, loss=loss
    )
    if pseudonyms or shift:
        spelled = clean if isinstance(clean, Mapping) else {"*": clean}
        anonymizer.disguise = Disguise(pseudonyms or {}, project, spelled, shift)
    if after is not None:
        from shoal.growing import LaterDelivery

        return LaterDelivery(anonymizer, after).fit(table, progress).release_
    return anonymizer.fit(table, progress).release_


def as_table(
    data: Any, roles: Roles, kinds: Mapping[str, Kind] | None = None, **reading: Any
) -> Table:
    """Read data with these roles; a table that was read already only changes roles."""
    if isinstance(data, Table):
        return data.with_roles(roles)
    return read_table(data, roles=roles, kinds=kinds, **reading)


def _without(table: Table, gone: BoolArray) -> Table:
    """Let a released row stand in for each that is left out: papers may speak of no other.

    One value with decimals, or with a time, changes how all ends on a grid and all dates read.
    """
    return table.take(np.where(gone, np.argmin(gone), np.arange(table.n_rows)))


def _relinked(
    recipe: Recipe, table: Table, grouping: Grouping, recoded: Recoded, k: int
) -> Relinkage | None:
    """Try to find people again where values were moved; boxes are judged by counting alone."""
    if not table.roles.quasi_identifiers:
        return None
    outliers = recoded.outliers
    return measure_relinkage(
        table,
        recoded.aligned_frame(table),
        grouping,
        np.ones(table.n_rows, dtype=np.bool_) if outliers is None else outliers,
        max(k - 1, 1),
        hierarchies=recipe.recoder.hierarchies,
    )
