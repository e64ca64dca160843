"""tune: let the models that will use the data judge the anonymization."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from shoal._progress import SILENT, Progress
from shoal.anonymizer import as_table
from shoal.exceptions import InvalidParameterError, RoleConflictError, UnknownColumnError
from shoal.hierarchies import Hierarchy, read_hierarchies
from shoal.plan import Plan
from shoal.table import Roles, Table
from shoal.tuning._alpha import AlphaChoice, choose_alpha
from shoal.tuning._effort import Effort
from shoal.tuning._effort_runner import EffortRunner, PublishedRows
from shoal.tuning._judge import Judge
from shoal.tuning._parts import part
from shoal.tuning._privacy import PrivacyMeasure
from shoal.tuning._result import Final, Tuned
from shoal.tuning._search import Search
from shoal.tuning._stepwise import Efforts, Stepwise
from shoal.tuning._study import Trial, TuningStudy
from shoal.tuning._target import Target
from shoal.typing import Kind


def tune(
    data: Any,
    *,
    target: str | None = None,
    quasi_identifiers: str | Sequence[str] = (),
    sensitive: str | Sequence[str] = (),
    identifiers: str | Sequence[str] = (),
    person: str | None = None,
    publish_as_is: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    hierarchies: Mapping[str, Hierarchy] | str | PathLike[str] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    models: Any = "random_forest",
    metric: str | Callable[..., float] | None = None,
    positive: str | None = None,
    features: str | Sequence[str] | None = None,
    privacy: str = "k",
    raw: bool = False,
    alpha: float | str = "auto",
    search: Search | Stepwise | None = None,
    trials: int = 100,
    timeout: float | None = None,
    storage: str | PathLike[str] | None = None,
    resume: bool = False,
    pick: int | None = None,
    workers: int | None = None,
    seeds: Sequence[int] = (0,),
    seed: int = 0,
    plan: Plan | None = None,
    progress: Progress = SILENT,
    on_trial: Callable[[TuningStudy], None] | None = None,
) -> Tuned:
    """Anonymize many times, learn from each, test on originals; keep the best trade-off.

    Test-driven anonymization (Augusto et al., 2019): Q = Q_F + alpha * Q_NF, where Q_F is the score
    of models that learned from anonymized rows on rows that nobody touched, and Q_NF the privacy.
    Rows are parted into train, validation and test first: the search sees the validation part,
    the test part is looked at once.

    Parameters
    ----------
    data, quasi_identifiers, sensitive, identifiers, person, publish_as_is, drop, kinds
        As for `shoal.anonymize`. A `Table` that has its roles needs no others.
    target : str
        The column to predict; never a quasi-identifier.
    hierarchies : mapping of str to Hierarchy, or folder
        Trees of quasi-identifiers, or the folder that holds them.
    models : str, estimator, or sequence of them
        Who will use the data: names of `shoal.utility.models`, or scikit-learn estimators.
    metric : str or callable, optional
        Any scikit-learn scorer; macro F1 for classes and R2 for numbers if not given.
    positive : str, optional
        The class that precision, recall and F1 of two classes are about; the rarer if not given.
    features : str or sequence of str, optional
        Columns that models see: the quasi-identifiers if not given.
    privacy : {"k", "l", "risk"}
        How Q_NF is measured; ``raw`` takes k or l as they are, otherwise their binary logarithm.
    alpha : "auto" or float
        The weight of privacy. ``auto`` searches the front and finds the usable range.
    search : Search or Stepwise, optional
        What is searched; k from 5 to 200 and all weights if not given. Or the paper's own efforts.
    trials, timeout : int, float
        Budgets: finished trials, seconds.
    storage, resume : path, bool
        SQLite file that keeps finished trials, and whether to go on with it.
    pick : int, optional
        Number of the trial to release, instead of the one with the largest Q.
    workers : int, optional
        Processes; chosen by the size of the table and the machine if not given.
    seeds : sequence of int
        Every model is trained once with each.
    seed : int
        Seed of the parting and the search.
    plan : Plan, optional
        Where the table came from; `Tuned.plan` is this with the chosen settings.
    progress, on_trial
        Whom to tell; called after every trial with the live study.

    Examples
    --------
    >>> from shoal.datasets import people
    >>> town = people(400)
    >>> found = tune(town.frame, target="readmitted", quasi_identifiers=["age", "sex", "zip"],
    ...              trials=4, search=Search(k=(5, 20)), models="logistic_regression")
    >>> found.study.n_finished, found.plan.k == found.chosen.effort.k
    (4, True)
    """
    _refuse_both(quasi_identifiers, target)
    roles = Roles(identifiers, quasi_identifiers, sensitive, target, person, publish_as_is, drop)
    if isinstance(data, Table) and not roles.named:
        roles = data.roles
    _check_roles(roles)
    table = as_table(data, roles, kinds)
    trees, folder = _trees(hierarchies)
    goal = Target.of(table, metric, positive)
    runner = EffortRunner(
        parts=part(table, classes=goal.strata(table), seed=seed),
        judge=Judge(goal, _listed(models), tuple(seeds)),
        privacy=PrivacyMeasure(privacy, raw),
        hierarchies=trees,
        loss=None if plan is None else plan.loss,
        features=_features(table, features),
    )
    space = _space(search, runner)
    fixed = _fixed(alpha)
    _check(runner, space, trials)
    study = TuningStudy(
        runner,
        space,
        alpha=fixed,
        storage=None if storage is None else Path(storage),
        resume=resume,
        seed=seed,
        identity=_identity(table, runner, space, fixed, seed),
    )
    study.optimize(trials, timeout=timeout, workers=workers, progress=progress, on_trial=on_trial)
    study.require_success()
    choice = _settle_alpha(study, fixed)
    chosen = _fixed_choice(study, pick) or study.confirm(
        choice.alpha, workers=workers, progress=progress
    )
    base = plan or Plan(roles=roles, kinds=dict(kinds or {}), hierarchy_folder=folder)
    return Tuned(
        study=study,
        alpha=choice,
        chosen=chosen,
        picked=pick is not None,
        final=look_once(runner, chosen, table),
        plan=_planned(base, chosen),
        table=table,
        hierarchies=trees,
        progress=progress,
    )


def look_once(runner: EffortRunner, chosen: Trial, table: Table) -> Final:
    """Measure the chosen effort on the test rows: untouched, and as anonymized rows."""
    test = runner.parts.test
    published = runner.publish(runner.parts.train, _as_released(runner, chosen))
    (plain,) = runner.learn_from_originals(test)
    masked = _masked(runner, chosen, table)
    (judged,) = runner.learn_all(published, test, resampled=True)
    return Final(test=judged.score, unanonymized=plain.score, masked=masked.score)


def _masked(runner: EffortRunner, chosen: Trial, table: Table) -> Any:
    """Judge as somebody would who has only a release: hold out some of its own rows.

    Train and test rows are anonymized together; the model learns from the former as published and
    is tested on the latter as published.
    """
    learned_from, _, held_out = runner.parts.rows
    both = table.take(np.concatenate([learned_from, held_out]))
    published = runner.publish(both, _as_released(runner, chosen))
    kept = np.flatnonzero(published.grouping.labels >= 0)
    learned = kept < learned_from.size
    halves = [
        PublishedRows(published.rows.take(rows), published.answers[rows], published.grouping, 0.0)
        for rows in (np.flatnonzero(learned), np.flatnonzero(~learned))
    ]
    return runner.learn_all(halves[0], halves[1])[0]


def _as_released(runner: EffortRunner, chosen: Trial) -> Effort:
    return runner.faithful(chosen.effort.settled(chosen.outcome.k))


def _settle_alpha(study: TuningStudy, fixed: float | None) -> AlphaChoice:
    choice = choose_alpha([trial.point for trial in study.trials])
    return choice if fixed is None else AlphaChoice(fixed, choice.usable, "Given.")


def _fixed_choice(study: TuningStudy, pick: int | None) -> Trial | None:
    """The trial that was released already, or that the steward picked."""
    trials = {trial.number: trial for trial in study.trials}
    if study.released is not None and pick not in (None, study.released):
        raise InvalidParameterError(
            f"Trial {study.released} of this study was released already.",
            hint="Two releases of the same rows can be intersected; one study gives one.",
        )
    number = study.released if study.released is not None else pick
    if number is not None and number not in trials:
        raise InvalidParameterError(
            f"There is no finished trial {number} to pick.",
            hint=f"On the front are {', '.join(str(t.number) for t in study.front)}.",
        )
    return None if number is None else trials[number]


def _planned(base: Plan, chosen: Trial) -> Plan:
    return replace(base, **chosen.effort.settled(chosen.outcome.k).plan_settings())


def _refuse_both(given: str | Sequence[str], target: str | None) -> None:
    names = [given] if isinstance(given, str) else list(given)
    if target in names:
        raise RoleConflictError(
            f"Column {target!r} cannot be the target and a quasi-identifier at once.",
            hint="What is generalized cannot be predicted; leave it out of one of them.",
        )


def _check_roles(roles: Roles) -> None:
    if not roles.quasi_identifiers:
        raise InvalidParameterError("Tuning needs quasi-identifiers: there is nothing to hide.")
    if roles.target is None:
        raise InvalidParameterError("Tuning needs a target: there is nothing to learn.")


def _trees(
    given: Mapping[str, Hierarchy] | str | PathLike[str] | None,
) -> tuple[dict[str, Hierarchy], str | None]:
    if given is None or isinstance(given, Mapping):
        return dict(given or {}), None
    return dict(read_hierarchies(given)), str(given)


def _listed(models: Any) -> tuple[Any, ...]:
    """Models as a tuple; one may be given alone."""
    several = isinstance(models, Sequence) and not isinstance(models, str)
    listed = tuple(models) if several else (models,)
    if not listed:
        raise InvalidParameterError("Name at least one model.")
    return listed


def _features(table: Table, given: str | Sequence[str] | None) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given or table.roles.quasi_identifiers)
    for name in names:
        if name not in table.column_names:
            raise UnknownColumnError.among(name, table.column_names)
        if name == table.roles.target or name in table.roles.dropped:
            raise RoleConflictError(f"Column {name!r} cannot be a feature: models never see it.")
    return names


def _fixed(alpha: float | str) -> float | None:
    if alpha == "auto":
        return None
    if isinstance(alpha, str | bool) or not 0 <= alpha < float("inf"):
        raise InvalidParameterError("alpha must be 'auto' or a number of 0 or more.")
    return float(alpha)


def _space(search: Search | Stepwise | None, runner: EffortRunner) -> Search | Efforts:
    train = runner.parts.train
    if isinstance(search, Stepwise):
        return search.on(train, runner.hierarchies)
    return search or Search(k=_default_range(train.n_rows))


def _default_range(rows: int) -> tuple[int, int]:
    """K from 5 to 200, less for a small table.

    >>> _default_range(20_000), _default_range(240)
    ((5, 200), (5, 60))
    """
    return min(5, max(2, rows // 4)), max(5, min(200, rows // 4))


def _check(runner: EffortRunner, search: Search | Efforts, trials: int) -> None:
    """Refuse before the first trial what could never work."""
    train, judge = runner.parts.train, runner.judge
    if trials < 1:
        raise InvalidParameterError("A study needs at least one trial.")
    search.check(train.roles, train.n_rows)
    runner.privacy.check(train)
    encoder = runner.encoder().fit(train)
    few = train.take(np.arange(min(train.n_rows, 500)))
    test = runner.parts.validation
    judge.check(
        encoder.transform(few),
        judge.target.values(train),
        (encoder.transform(test), judge.target.values(test)),
    )


def _identity(
    table: Table,
    runner: EffortRunner,
    search: Search | Efforts,
    alpha: float | None,
    seed: int,
) -> dict[str, Any]:
    """What a study is about: trials of anything else must not be mixed in."""
    digest = blake2b(np.sort(table.row_hash()).tobytes(), digest_size=8).hexdigest()
    judge = runner.judge
    return {
        "table": digest,
        "target": judge.target.name,
        "quasi": list(table.roles.quasi_identifiers),
        "features": list(runner.features),
        "model": [m if isinstance(m, str) else type(m).__name__ for m in judge.models],
        "metric": judge.target.metric_name,
        "privacy": runner.privacy.words,
        "search": repr(search),
        "alpha": alpha,
        "seeds": list(judge.seeds),
        "seed": seed,
    }
