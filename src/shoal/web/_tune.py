"""Tuner: the search about one table; what was asked, what was tried, which point is seen."""

from __future__ import annotations

from dataclasses import dataclass, field
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
from shoal.web._workspace import Workspace

TRIALS = (20, 50, 100, 200)
NAMES = tuple(dict.fromkeys([*MODELS, *REGRESSORS]))


@dataclass
class Tuner:
    """The state of the page; the study lives here, the page only draws it.

    Candidates stay inside: `use` changes the plan, and the release is made where all are made.
    """

    space: Workspace
    model: str = "random_forest"
    n_trials: int = TRIALS[1]
    trials: list[Trial] = field(default_factory=list)
    seen: int | None = None
    used: int | None = None
    found: Tuned | None = None
    axes: tuple[str, str] = ("log2 k", "score")
    train_rows: int = 0

    @classmethod
    def of(cls, space: Workspace) -> Tuner:
        """Find the study of a workspace, or begin one."""
        if "tuner" not in space.kept:
            space.kept["tuner"] = cls(space)
        found: Tuner = space.kept["tuner"]
        return found

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
        self.trials, self.seen, self.used, self.found = [], None, None, None
        plan, table = self.space.plan, self.space.table
        floor = promised_space(plan, table.n_rows)  # nothing that is found is weaker than the plan
        self.found = tune(
            table,
            target=table.roles.target or "",
            quasi_identifiers=table.roles.quasi_identifiers,
            sensitive=table.roles.sensitive,
            identifiers=table.roles.identifiers,
            person=table.roles.person,
            publish_as_is=table.roles.publish_as_is,
            drop=table.roles.drop,
            hierarchies=self.space.hierarchies,
            models=self.model,
            search=Search(**floor) if floor else None,
            trials=self.n_trials,
            workers=1,
            plan=plan,
            progress=progress,
            on_trial=self._hear,
        )
        chosen = self.found.chosen.number
        self.seen = next(i for i, trial in enumerate(self.trials) if trial.number == chosen)
        return self.found

    def _hear(self, study: TuningStudy) -> None:
        runner = study.runner
        self.axes = (runner.privacy.words, runner.judge.target.metric_name)
        self.train_rows = runner.parts.train.n_rows
        self.trials = study.trials

    @property
    def alpha(self) -> AlphaChoice | None:
        """The alpha of the study, once it is over."""
        return None if self.found is None else self.found.alpha

    def reign(self, index: int) -> Reign | None:
        """The alphas that would choose a trial."""
        return reign_of(index, [trial.point for trial in self.trials])

    def risk(self, trial: Trial) -> float:
        """Mean chance to pick the right person of a crowd, on the train part."""
        return trial.outcome.groups / max(1, self.train_rows - trial.outcome.suppressed)

    def use(self) -> None:
        """Take the settings of the trial that is seen into the plan; the release follows it."""
        if self.seen is None:
            raise InvalidParameterError("Choose a point first.")
        trial = self.trials[self.seen]
        self.space.decide(**_settings(trial.effort))
        self.used = trial.number


def _settings(effort: Effort) -> dict[str, Any]:
    largest = max(effort.weights.values(), default=1.0)
    told = effort.plan_settings()
    return {**told, "weights": {name: w / largest for name, w in effort.weights.items()}}
