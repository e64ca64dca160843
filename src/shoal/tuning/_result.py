"""What a study found: the front, the alpha, the one choice, and its scores on test rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from shoal._progress import SILENT, Progress
from shoal.anonymizer import Anonymizer
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import READY, Calendar, Flat, Hierarchy, Mask, Taxonomy, ladder_text
from shoal.ledger import Mode, ledger_mode
from shoal.plan import Plan
from shoal.recoding import Recoder
from shoal.release import Release, Written
from shoal.report import Drawing
from shoal.table import Table
from shoal.tuning._alpha import AlphaChoice, Reign, reign_of
from shoal.tuning._page import TRIAL_SCORES, front_drawing, render_page
from shoal.tuning._study import Trial, TuningStudy
from shoal.utility.models import Score

PLAN, PAGE = "plan.toml", "study.html"
SUSPICIOUS = 0.05  # a gap beyond this is a warning of its own


@dataclass(frozen=True)
class Final:
    """Scores of the chosen effort on test rows, looked at once.

    Attributes
    ----------
    test : Score
        Learned from the anonymized train part, tested on untouched originals; its interval is
        over draws of the test rows.
    unanonymized : Score
        Learned from the originals of the train part.
    masked : Score
        Tested on anonymized rows instead: what somebody would believe who has only the release.
    """

    test: Score
    unanonymized: Score
    masked: Score

    @property
    def masked_gap(self) -> float:
        """How much better a test on anonymized rows looks than the truth."""
        return self.masked.mean - self.test.mean


@dataclass(frozen=True, eq=False)
class Tuned:
    """The result of a study; exactly one release leaves it.

    Attributes
    ----------
    study : TuningStudy
        All trials.
    alpha : AlphaChoice
        The weight of privacy in Q, its usable range and the reason.
    chosen : Trial
        The effort with the largest Q, or the one that was picked.
    final : Final
        Its scores on test rows.
    plan : Plan
        The recipe of the release, to be run again anywhere.
    told : list of str
        What the ledger said when the release was written.
    """

    study: TuningStudy
    alpha: AlphaChoice
    chosen: Trial
    picked: bool
    final: Final
    plan: Plan
    table: Table
    hierarchies: Mapping[str, Hierarchy]
    progress: Progress = SILENT
    told: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"Tuned({len(self.study.trials)} trials, {len(self.front)} on the front)"

    def _repr_html_(self) -> str:
        """Show the study as a page where a notebook shows a value; it is for whoever runs it."""
        page = escape(render_page(self), quote=True)
        return f'<iframe srcdoc="{page}" title="Study" width="100%" height="640"></iframe>'

    def plot(self) -> Drawing:
        """Draw every trial by privacy and usefulness, the front, and the one that was chosen."""
        return Drawing(front_drawing(self))

    @property
    def front(self) -> list[Trial]:
        """Trials that no other beats in both qualities, from most private to most useful."""
        return self.study.front

    @property
    def reign(self) -> Reign | None:
        """The alphas that would have chosen this effort; None if no alpha would."""
        trials = self.study.trials
        place = [trial.number for trial in trials].index(self.chosen.number)
        return reign_of(place, [trial.point for trial in trials])

    @cached_property
    def anonymizer(self) -> Anonymizer:
        """The chosen plan, run on all rows with full refinement."""
        made = self.plan.anonymizer(self.table)
        recoder = made.recoding
        if isinstance(recoder, Recoder) and "hierarchies" in recoder.get_params(deep=False):
            made.recoding = recoder.clone(hierarchies=dict(self.hierarchies))
        return made.fit(self.table, self.progress)

    @property
    def release(self) -> Release:
        """The one release of this study."""
        release = self.anonymizer.release_
        study = {"trial": self.chosen.number, "alpha": self.alpha.alpha, "picked": self.picked}
        return replace(release, provenance={**release.provenance, "study": study})

    def write(
        self,
        folder: str | PathLike[str],
        *,
        force: bool = False,
        ledger: Mode | None = None,
        **how: Any,
    ) -> Written:
        """Write the release with ``plan.toml`` and ``study.html`` into a folder.

        Plan and page tell weights, where the table lies and scores on originals: they are for
        whoever runs the study, only they can read them, and the manifest does not name them.

        Parameters are those of `Release.write`, and what the ledger does if earlier releases of
        these rows give too much away together with this one (``refuse``, ``warn`` or ``off``).
        Whatever the study is asked later, it gives this release and no other.
        """
        self._refuse_another()
        mode = ledger_mode(ledger or self.plan.ledger, self.plan.preset)
        papers = self._papers(Path(folder))
        private = {PLAN: papers.pop(PLAN), PAGE: render_page(self)}
        written = self.release.write(
            folder, force=force, ledger=mode, papers=papers, private=private, **how
        )
        self.told.extend(written.ledger.warnings)
        self.study.mark_released(self.chosen.number)
        return written

    def _refuse_another(self) -> None:
        """Values that were stirred once are never stirred again: that would be another release."""
        if self.study.released is not None and self.chosen.effort.method == "quantize":
            raise InvalidParameterError(
                "The release of this study was written already, and stirring cannot be repeated.",
                hint="Copy the release; two of them could be compared.",
            )

    def to_dict(self) -> dict[str, Any]:
        """Return what a script may want to know as plain JSON values."""
        final, reign = self.final, self.reign
        return {
            "alpha": self.alpha.alpha,
            "alpha_range": list(self.alpha.usable),
            "alpha_why": self.alpha.why,
            "front": [self._told(trial) for trial in self.front],
            "tried": [self._told(trial) for trial in self.study.trials],
            "trial_scores": TRIAL_SCORES,
            "chosen": {
                **self._told(self.chosen),
                "picked": self.picked,
                "alphas": None if reign is None else [reign.low, reign.high],
            },
            "trials": self.study.n_finished,
            "failures": [{"trial": number, "why": why} for number, why in self.study.failures],
            "metric": self.study.runner.judge.target.metric_name,
            "privacy": self.study.runner.privacy.words,
            "test_score": final.test.mean,
            "test_score_interval": _interval(final.test),
            "test_score_unanonymized": final.unanonymized.mean,
            "test_score_constant": final.test.constant,
            "test_score_masked": final.masked.mean,
            "masked_gap": final.masked_gap,
            "warnings": list(self.warnings),
        }

    def _told(self, trial: Trial) -> dict[str, Any]:
        return {**trial.to_dict(), "q": trial.point.quality(self.alpha.alpha)}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a careful reader should know; never a cell value."""
        return tuple(self._warnings())

    def _warnings(self) -> Iterator[str]:
        final = self.final
        if abs(final.masked_gap) > SUSPICIOUS:
            yield (
                f"Tested on anonymized rows the model would seem to reach {final.masked.mean:.3f}; "
                f"on untouched rows it reaches {final.test.mean:.3f}. Trust only the second."
            )
        if final.test.mean <= final.test.constant:
            yield "On the test rows these models score no better than a constant answer."
        yield from self.chosen.outcome.notes
        if self.study.failures:
            reasons = [why for _, why in self.study.failures]
            most = max(reasons, key=reasons.count)
            yield f"{len(reasons)} of {self.study.n_finished} trials failed, most so: {most}"
        yield from self.told

    def __str__(self) -> str:
        final, chosen = self.final, self.chosen
        reign = self.reign
        would = (
            "chosen when finalists were tried again as releases"
            if reign is None and not self.picked
            else "no alpha would choose it"
            if reign is None
            else f"alphas {reign.low:.4g} to {reign.high:.4g} would choose it"
        )
        return "\n".join(
            [
                f"{self.study.n_finished} trials, {len(self.front)} on the front; "
                f"alpha {self.alpha.alpha:.4g}.",
                f"Chosen: trial {chosen.number}, k {self.plan.k} ({would}).",
                f"On untouched test rows {final.test} (train part anonymized)",
                f"  without anonymization {final.unanonymized.mean:.3f}, "
                f"tested on anonymized rows {final.masked.mean:.3f}",
                *self.warnings,
            ]
        )

    def _papers(self, folder: Path) -> dict[str, str]:
        """Write the plan, with a file for every tree that has none yet."""
        if self.plan.hierarchy_folder is not None:
            return {PLAN: self.plan.to_toml(folder)}
        ladders, named = {}, {}
        for number, (column, tree) in enumerate(self.hierarchies.items()):
            if isinstance(tree, Taxonomy):
                file = f"hierarchies/{_file_name(column, number)}.csv"
                ladders[file], named[column] = ladder_text(tree), str(folder / file)
            elif (word := _word(tree)) is not None:
                named[column] = word
        plan = replace(self.plan, hierarchies=named) if self.hierarchies else self.plan
        return {PLAN: plan.to_toml(folder), **ladders}


def _file_name(column: str, number: int) -> str:
    """Name a file after a column, where a file can be called so.

    >>> _file_name("zip code", 0), _file_name("a/b", 1)
    ('zip code', 'column 1')
    """
    return column if re.fullmatch(r"\w[\w .-]{0,99}", column) else f"column {number}"


def _word(tree: Hierarchy) -> str | None:
    words: dict[type, str] = {Mask: "mask", Flat: "flat", Calendar: "calendar"}
    ready = next((word for word, ladder in READY.items() if ladder == tree), None)
    return words.get(type(tree), ready)


def _interval(score: Score) -> list[float] | None:
    return None if score.low is None or score.high is None else [score.low, score.high]
