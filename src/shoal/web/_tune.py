"""Tuner: the search about one table; what was asked, what was tried, which point is seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from shoal._progress import Progress
from shoal.exceptions import InvalidParameterError
from shoal.tuning import (
    AlphaChoice,
    Effort,
    Reign,
    Search,
    Trial,
    Tuned,
    TuningStudy,
    promised_space,
    reign_of,
    tune,
)
from shoal.utility.models import MODELS, REGRESSORS
from shoal.web._kept import KeptStudy, find_kept, keep
from shoal.web._workspace import Workspace

TRIALS = (20, 50, 100, 200)
NAMES = tuple(dict.fromkeys([*MODELS, *REGRESSORS]))
STUDY = "study.json"


@dataclass
class Tuner:
    """The state of the page; the study lives here, the page only draws it.

    Candidates stay inside: `use` changes the plan, and the release is made where all are made.
    What was found survives a restart; it is stale once the plan is neither the one that was
    searched nor one that was taken from it, and then nothing of it can be used.
    """

    space: Workspace
    model: str = "random_forest"
    n_trials: int = TRIALS[1]
    trials: list[Trial] = field(default_factory=list)
    seen: int | None = None
    kept: KeptStudy | None = None
    axes: tuple[str, str] = ("log2 k", "score")
    train_rows: int = 0

    @classmethod
    def of(cls, space: Workspace) -> Tuner:
        """Find the study of a workspace, or begin one."""
        if "tuner" not in space.kept:
            space.kept["tuner"] = cls(space)._recall()
        found: Tuner = space.kept["tuner"]
        return found

    def _recall(self) -> Tuner:
        """Go on with what an earlier server found."""
        kept = find_kept(self.space.folder / STUDY, KeptStudy)
        if kept is not None:
            self.kept, self.trials = kept, list(kept.trials)
            self.axes, self.train_rows = kept.axes, kept.train_rows
            self.seen = self._place(kept.chosen)
        return self

    def set(self, act: str, value: str) -> None:
        """Do what a control asks for."""
        if act == "model" and value in NAMES:
            self.model = value
        elif act == "trials" and int(value) in TRIALS:
            self.n_trials = int(value)
        elif act == "see":
            self.seen = int(value)

    def search(self, progress: Progress) -> Tuned:
        """Try anonymizations; the page sees every trial as it comes in."""
        self.trials, self.seen, self.kept = [], None, None
        plan, table = self.space.plan, self.space.table
        floor = promised_space(plan, table.n_rows)  # nothing that is found is weaker than the plan
        found = tune(
            table,
            hierarchies=self.space.hierarchies,
            models=self.model,
            search=Search(**floor) if floor else None,
            trials=self.n_trials,
            workers=1,
            plan=plan,
            progress=progress,
            on_trial=self._hear,
        )
        self._keep(found, (_digest(self.space) if plan == self.space.plan else "",))
        return found

    def _keep(self, found: Tuned, fits: tuple[str, ...]) -> None:
        self.seen = self._place(found.chosen.number)
        self.kept = KeptStudy(
            fits=fits,
            trials=tuple(self.trials),
            axes=self.axes,
            train_rows=self.train_rows,
            alpha=found.alpha,
            final=found.final,
            chosen=found.chosen.number,
            finalists=found.study.confirmed,
            warnings=found.warnings,
        )
        keep(self.space.folder / STUDY, self.kept)

    def _place(self, number: int) -> int:
        return next(i for i, trial in enumerate(self.trials) if trial.number == number)

    def _hear(self, study: TuningStudy) -> None:
        runner = study.runner
        self.axes = (runner.privacy.words, runner.judge.target.metric_name)
        self.train_rows = runner.parts.train.n_rows
        self.trials = study.trials

    @property
    def alpha(self) -> AlphaChoice | None:
        """The alpha of the study, once it is over."""
        return None if self.kept is None else self.kept.alpha

    @property
    def used(self) -> int | None:
        """The trial whose settings the plan has."""
        return None if self.kept is None or self.stale else self.kept.used

    @property
    def stale(self) -> bool:
        """Whether the plan was changed since, other than by using a trial."""
        return self.kept is not None and _digest(self.space) not in self.kept.fits

    def reign(self, index: int) -> Reign | None:
        """The alphas that would choose a trial."""
        return reign_of(index, [trial.point for trial in self.trials])

    def risk(self, trial: Trial) -> float:
        """Mean chance to pick the right person of a crowd, on the train part."""
        return trial.outcome.groups / max(1, self.train_rows - trial.outcome.suppressed)

    def kept_share(self, trial: Trial) -> float | None:
        """How much of the score without anonymization a trial keeps; None before that is known.

        Of the chosen one it is measured on test rows, of others on the rows they were judged by.
        """
        if self.kept is None or self.kept.final.unanonymized.mean <= 0:
            return None
        chosen = trial.number == self.kept.chosen
        reached = self.kept.final.test.mean if chosen else trial.outcome.q_f
        return reached / self.kept.final.unanonymized.mean

    def kept_between(self) -> tuple[float, float] | None:
        """Both ends of that share of the chosen trial, over draws of the test rows."""
        if self.kept is None or self.kept.final.unanonymized.mean <= 0:
            return None
        test, whole = self.kept.final.test, self.kept.final.unanonymized.mean
        if test.low is None or test.high is None:
            return None
        return test.low / whole, test.high / whole

    def use(self) -> None:
        """Take the settings of the trial that is seen into the plan; the release follows it."""
        if self.seen is None or self.kept is None:
            raise InvalidParameterError("Choose a point first.")
        if self.stale:
            raise InvalidParameterError(
                "The plan was changed after this search.", hint="Search again."
            )
        trial = self.trials[self.seen]
        self.space.decide(**_settings(trial.effort))
        fits = tuple(dict.fromkeys((*self.kept.fits, _digest(self.space))))
        self.kept = replace(self.kept, fits=fits, used=trial.number)
        keep(self.space.folder / STUDY, self.kept)


def _digest(space: Workspace) -> str:
    return sha256(space.plan.to_toml().encode()).hexdigest()


def _settings(effort: Effort) -> dict[str, Any]:
    largest = max(effort.weights.values(), default=1.0)
    told = effort.plan_settings()
    return {**told, "weights": {name: w / largest for name, w in effort.weights.items()}}
