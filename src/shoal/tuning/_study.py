"""The study: Optuna proposes efforts, workers do them, a file remembers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal._progress import SILENT, Progress
from shoal.exceptions import (
    CancelledError,
    ImpossibleError,
    InvalidParameterError,
    MissingExtraError,
    OutputError,
)
from shoal.tuning._alpha import Point, pareto
from shoal.tuning._effort import Effort
from shoal.tuning._effort_runner import TURNS, EffortOutcome, EffortRunner
from shoal.tuning._search import Search
from shoal.tuning._stepwise import Efforts
from shoal.tuning._workers import Result, TrialJob, Workers
from shoal.typing import FloatArray

if TYPE_CHECKING:
    import optuna

NAME = "shoal"
BATCH = 8  # efforts proposed together, however many workers there are: so the result is the same
FINALISTS = 6  # trials that are tried again on other divisions of the rows
STAYING = (FINALISTS, 3, 2, 2)  # how many of them, beside equal weights, each division sees
OVERLAP = 1 / 3  # rows of a validation part over those of a train part


@dataclass(frozen=True)
class Trial:
    """A finished effort and what it came to."""

    number: int
    effort: Effort
    outcome: EffortOutcome

    @property
    def point(self) -> Point:
        """Both qualities."""
        return Point(self.outcome.q_f, self.outcome.q_nf)

    def to_dict(self) -> dict[str, Any]:
        """Return the trial as plain JSON values."""
        outcome = self.outcome
        return {
            "trial": self.number,
            "k": outcome.k,
            "q_f": outcome.q_f,
            "q_nf": outcome.q_nf,
            "interval": list(outcome.interval) if outcome.interval else None,
            "ngil": outcome.ngil,
            "suppressed": outcome.suppressed,
            "params": self.effort.to_dict(),
        }


class TuningStudy:
    """A live search that can be stopped, even by a kill, and goes on where it was.

    Parameters
    ----------
    runner : Laboratory
        What does efforts.
    search : Search or Efforts
        What is searched, or what is tried one after the other.
    alpha : float, optional
        Maximize Q = Q_F + alpha * Q_NF; without it the whole front of (Q_F, Q_NF) is searched.
    storage : path, optional
        SQLite file that keeps every finished trial.
    resume : bool
        Whether to go on with what the file holds.
    seed : int
        Seed of the search.
    identity : mapping
        What the study is about, as plain values; another study in the same file is refused.
    """

    def __init__(
        self,
        runner: EffortRunner,
        search: Search | Efforts,
        *,
        alpha: float | None = None,
        storage: str | Path | None = None,
        resume: bool = False,
        seed: int = 0,
        identity: Mapping[str, Any] | None = None,
    ) -> None:
        self.runner = runner
        self.search = search
        self.alpha = alpha
        self.seed = seed
        self.confirmed: dict[int, tuple[float, ...]] = {}  # scores of finalists, tried again
        self._study = _open(storage, resume, 2 if alpha is None else 1, dict(identity or {}))
        self._names = runner.parts.train.roles.quasi_identifiers
        self._rows = runner.parts.train.n_rows

    def optimize(
        self,
        trials: int,
        *,
        timeout: float | None = None,
        workers: int | None = None,
        progress: Progress = SILENT,
        on_trial: Callable[[TuningStudy], None] | None = None,
    ) -> None:
        """Search until this many trials are finished or the time is up."""
        deadline = None if timeout is None else monotonic() + timeout
        trials = trials if self.search.most is None else min(trials, self.search.most)
        if not self._study.trials:
            self._enqueue_starts()
        self._tell_progress(progress, trials)
        with Workers(self.runner, workers) as crew:
            while (left := trials - self.n_finished) > 0 and not _over(deadline):
                asked = self._ask(min(BATCH, left))
                for number, result in crew.run(TrialJob(t.number, effort) for t, effort in asked):
                    self._tell(next(t for t, _ in asked if t.number == number), result)
                    self._tell_progress(progress, trials)
                    if on_trial is not None:
                        on_trial(self)
                    if progress.cancelled:
                        raise CancelledError("Stopped; every finished trial is kept.")

    @property
    def n_finished(self) -> int:
        """Trials that came to an end, in success or failure."""
        return len(self._told("COMPLETE")) + len(self.failures)

    @property
    def trials(self) -> list[Trial]:
        """All successful trials, by number."""
        return [
            Trial(
                t.number,
                Effort.from_dict(json.loads(t.user_attrs["effort"])),
                _outcome(json.loads(t.user_attrs["outcome"])),
            )
            for t in self._told("COMPLETE")
        ]

    @property
    def failures(self) -> list[tuple[int, str]]:
        """Trials that failed, each with the reason; those a kill cut short do not count."""
        return [
            (t.number, t.user_attrs["why"]) for t in self._told("FAIL") if "why" in t.user_attrs
        ]

    @property
    def front(self) -> list[Trial]:
        """Trials that no other beats in both qualities, from most private to most useful."""
        trials = self.trials
        return [trials[i] for i in pareto([trial.point for trial in trials])]

    @property
    def released(self) -> int | None:
        """The trial whose release left the study, if one did."""
        number = self._study.user_attrs.get("released")
        return None if number is None else int(number)

    def mark_released(self, number: int) -> None:
        """Remember which release left; from now on it is the only one this study gives."""
        self._study.set_user_attr("released", number)

    def finalists(self, alpha: float, n: int = FINALISTS) -> list[Trial]:
        """The trials with the largest Q, and the best with equal weights beside them."""
        ranked = sorted(
            self.trials, key=lambda t: (-t.point.quality(alpha), -t.point.q_nf, t.number)
        )
        equal = [trial for trial in ranked if trial.effort.equal]
        return list({trial.number: trial for trial in [*ranked[:n], *equal[:1]]}.values())

    def confirm(
        self,
        alpha: float,
        *,
        workers: int | None = None,
        progress: Progress = SILENT,
        n: int = FINALISTS,
        as_released: bool = True,
    ) -> Trial:
        """Try the finalists again on other divisions; return the one with the largest mean Q.

        The best of many trials on one set of validation rows is partly the luckiest. Here every
        train row is a validation row once, and luck does not repeat itself: all finalists are
        tried on one division, those ahead on the next, and so on. They are grouped in the
        order a release has (``as_released``), not in the fast one that stands in for it, on the
        first division too. Other weights than equal ones are taken only if they are ahead by more
        than a standard error: where weights do not matter, the default is not left for luck.
        """
        found = self.finalists(alpha, n)
        if len(found) < 2:
            return found[0]
        efforts = [self.runner.faithful(t.effort) if as_released else t.effort for t in found]
        bonus = alpha * np.array([[t.outcome.q_nf] for t in found])
        turns = (None, *range(TURNS))
        tried = np.full((len(found), len(turns)), np.nan)
        progress.phase("confirming", sum(min(most + 1, len(found)) for most in STAYING))
        with Workers(self.runner, workers) as crew:
            for place, (turn, most) in enumerate(zip(turns, STAYING, strict=True)):
                staying = _ahead(found, tried + bonus, most)
                for i, result in crew.run(TrialJob(i, efforts[i], turn) for i in staying):
                    tried[i, place] = -np.inf if isinstance(result, str) else result.q_f
                    progress.advance()
                    if progress.cancelled:
                        raise CancelledError("Stopped; every finished trial is kept.")
        self.confirmed = {
            t.number: tuple(score for score in row if not math.isnan(score))
            for t, row in zip(found, tried.tolist(), strict=True)
        }
        last = [i for i in range(len(found)) if not np.isnan(tried[i]).any()]
        return _clearly_best([found[i] for i in last], (tried + bonus)[last])

    def require_success(self) -> None:
        """Raise if no trial succeeded, with the most common reason."""
        if self.trials:
            return
        reasons = [why for _, why in self.failures]
        if not reasons:
            raise InvalidParameterError(
                "No trial was finished in the time given.", hint="Give more time or more trials."
            )
        worst = max(reasons, key=reasons.count)
        raise ImpossibleError(f"All {len(reasons)} trials failed. {worst}")

    def _enqueue_starts(self) -> None:
        for told in self.search.starts(self.runner, self.seed):
            self._study.enqueue_trial(told, skip_if_exists=True)

    def _ask(self, n: int) -> list[tuple[optuna.Trial, Effort]]:
        """Propose efforts; the sampler depends on the seed and on what is known, nothing else."""
        import optuna

        self._study.sampler = optuna.samplers.TPESampler(
            seed=self.seed * 100_003 + len(self._study.trials),
            n_startup_trials=BATCH,  # the starting points are as good as random ones
            multivariate=True,
        )
        asked = []
        for _ in range(n):
            trial = self._study.ask()
            effort = self.search.suggest(trial, self._names, self._rows)
            trial.set_user_attr("effort", json.dumps(effort.to_dict()))
            asked.append((trial, effort))
        return asked

    def _tell(self, trial: optuna.Trial, result: Result) -> None:
        import optuna

        if isinstance(result, str):
            trial.set_user_attr("why", result)
            self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
            return
        trial.set_user_attr("outcome", json.dumps(asdict(result)))
        point = Point(result.q_f, result.q_nf)
        both = [point.q_f, point.q_nf]
        self._study.tell(trial, both if self.alpha is None else point.quality(self.alpha))

    def _told(self, state: str) -> list[optuna.trial.FrozenTrial]:
        import optuna

        states = (optuna.trial.TrialState[state],)
        found: list[optuna.trial.FrozenTrial] = self._study.get_trials(False, states)
        return found

    def _tell_progress(self, progress: Progress, trials: int) -> None:
        words, front = "trials", self.front
        if front:
            words += f"; best {front[-1].outcome.q_f:.3f}, {len(front)} on the front"
        progress.phase(words, trials)
        progress.advance(min(self.n_finished, trials))


def _outcome(values: Mapping[str, Any]) -> EffortOutcome:
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, Sequence)}
    return EffortOutcome(**{**values, **lists})


def _ahead(found: list[Trial], qualities: FloatArray, most: int) -> list[int]:
    """Which finalists go on: of those tried on all divisions so far the best, and the default."""
    seen = ~np.isnan(qualities).all(axis=0)
    left = [i for i in range(len(found)) if not np.isnan(qualities[i, seen]).any()]
    ranked = sorted(left, key=lambda i: (-qualities[i, seen].sum(), i))
    equal = [i for i in ranked if found[i].effort.equal]
    return list(dict.fromkeys([*ranked[:most], *equal[:1]]))


def _clearly_best(found: list[Trial], qualities: FloatArray) -> Trial:
    """The trial with the largest mean Q; one with equal weights unless others are clearly ahead.

    Clearly: by more than the standard error of the difference over divisions that share most of
    their rows (Nadeau and Bengio 2003; a validation part is a third of what is learned from).
    """
    means = qualities.mean(axis=1)
    ranked = sorted(range(len(found)), key=lambda i: (-means[i], i))
    best = ranked[0]
    base = next((i for i in ranked if found[i].effort.equal), best)
    ahead = qualities[best] - qualities[base]
    if best == base or not np.isfinite(ahead).all():
        return found[best]
    error = float(ahead.std(ddof=1)) * math.sqrt(1 / ahead.size + OVERLAP)
    return found[best if ahead.mean() > error else base]


def _over(deadline: float | None) -> bool:
    return deadline is not None and monotonic() >= deadline


def _open(
    storage: str | Path | None, resume: bool, objectives: int, identity: dict[str, Any]
) -> optuna.Study:
    """Open or create the study; a trial that a kill cut short will be done again."""
    library = import_optuna()
    path = None if storage is None else Path(storage)
    _check_storage(path, resume)
    try:
        study: optuna.Study = library.create_study(
            storage=_engine(path),
            study_name=NAME,
            load_if_exists=resume,
            directions=["maximize"] * objectives,
        )
    except Exception as error:
        raise OutputError(
            f"The study could not be kept in {path.name if path else 'memory'!r} "
            f"({type(error).__name__}).",
            hint="Name a new file, or one that an earlier study wrote.",
        ) from None
    _check_identity(study, identity, objectives)
    for trial in _cut_short(study):
        study.tell(trial.number, state=library.trial.TrialState.FAIL)
        study.enqueue_trial(trial.params or trial.system_attrs.get("fixed_params", {}))
    return study


def import_optuna() -> Any:
    """Import Optuna, quiet; or say how to get it."""
    try:
        import optuna
    except ImportError:
        raise MissingExtraError(
            "Tuning needs Optuna, which is not installed.", hint="pip install 'shoal[tune]'"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def _engine(path: Path | None) -> Any:
    from optuna.storages import RDBStorage

    if path is None:
        return None
    path.touch(mode=0o600)  # scores of candidates stay inside
    return RDBStorage(f"sqlite:///{path}")


def _check_storage(path: Path | None, resume: bool) -> None:
    if path is None:
        if resume:
            raise InvalidParameterError(
                "There is nothing to resume without a storage.", hint="Name it: --storage study.db"
            )
        return
    if path.exists() and not resume:
        raise OutputError(
            f"The storage {path.name!r} exists.", hint="Go on with it (--resume), or name another."
        )
    if not path.parent.is_dir():
        raise OutputError(f"The folder that should hold {path.name!r} does not exist.")


def _check_identity(study: optuna.Study, identity: dict[str, Any], objectives: int) -> None:
    """Refuse to mix trials of another table, target, measure or search."""
    known = study.user_attrs.get("identity")
    if known is None:
        study.set_user_attr("identity", identity)
        return
    differing = [name for name, value in identity.items() if known.get(name) != value]
    if differing or len(study.directions) != objectives:
        raise InvalidParameterError(
            f"The storage holds a study of something else: {', '.join(differing) or 'alpha'} "
            "differs.",
            hint="Resume with the same table and options, or name another storage.",
        )


def _cut_short(study: optuna.Study) -> Iterator[optuna.trial.FrozenTrial]:
    import optuna

    yield from study.get_trials(True, (optuna.trial.TrialState.RUNNING,))
