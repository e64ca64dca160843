"""The human in the loop: a session asks, is told, and learns what matters."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Literal, Self

from shoal._progress import SILENT, Progress
from shoal.anonymizer import Anonymizer
from shoal.audit import Journal
from shoal.plan import Plan
from shoal.release import Release
from shoal.session._preview import Preview
from shoal.session._question import Choice, Interval, Question
from shoal.table import Table


class Session:
    """Learns from a person which attributes of a table should keep their detail.

    There are three ways to say what matters, freely mixed: say nothing (all weigh the same), move
    sliders (`set_weights`), or answer questions (`ask`, `tell`). Every step goes into a journal
    before it takes effect, so that a session that was killed resumes where it was (`resume`).

    A session may be used from several threads: `ask` and `tell` answer at once while `preview` and
    `release` work in another thread on what was known when they were called.

    Parameters
    ----------
    table : Table
        The people.
    recipe : Plan or Anonymizer
        How the table will be anonymized; its weights are where the session starts from.
    journal : Journal or path, optional
        Where every step is written; a path is opened with the audit key of this user. Without one
        the steps are kept in memory only.
    actor : str
        Who is answering; goes into the journal.
    learner : {"posterior", "cafebabe", "cafedood"}
        How answers become weights: Bayes' rule, or one of the rules of the experiments of Malle
        et al. (2017), for comparison.
    questions : {"informative", "random"}
        Whether to ask what teaches most, or anything, for comparison.
    repeats : int
        After how many questions one that was answered returns mirrored; 0 for never.
    batch : int
        After how many answers a new preview is due.
    seed : int, optional
        Where chance starts from; drawn and written to the journal if not given.

    Attributes
    ----------
    names : tuple of str
        The quasi-identifiers.
    """

    names: tuple[str, ...]

    def __init__(
        self,
        table: Table,
        recipe: Plan | Anonymizer,
        *,
        journal: Journal | str | PathLike[str] | None = None,
        actor: str = "",
        learner: Literal["posterior", "cafebabe", "cafedood"] = "posterior",
        questions: Literal["informative", "random"] = "informative",
        repeats: int = 8,
        batch: int = 1,
        seed: int | None = None,
    ) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------------ ask, tell, learn

    def ask(self) -> Question:
        """Return the open question, or make the one that is expected to teach most.

        Asking again before `tell` returns the same question, also after a restart.
        """
        raise NotImplementedError

    def tell(self, question: Question | str, choice: Choice) -> None:
        """Answer the open question (or its id): the row belongs to A, to B, or skip it."""
        raise NotImplementedError

    def undo(self) -> Question | None:
        """Take back the last answer or skip; its question is open again (None if there is none)."""
        raise NotImplementedError

    def set_weights(self, weights: Mapping[str, float] | None) -> None:
        """Move the sliders: any positive scale, 1 for those not named; None takes them away.

        Sliders say where the weights are likely to lie; answers move them from there.
        """
        raise NotImplementedError

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each quasi-identifier as known now: posterior means, which sum to 1."""
        raise NotImplementedError

    @property
    def intervals(self) -> dict[str, Interval]:
        """Where each weight lies with a probability of nine in ten."""
        raise NotImplementedError

    @property
    def bias(self) -> dict[str, float] | None:
        """The sliders, summing to 1; None if nobody moved them."""
        raise NotImplementedError

    @property
    def mode(self) -> Literal["equal", "bias", "iml", "bias + iml"]:
        """Which of the three ways were used."""
        raise NotImplementedError

    @property
    def answers(self) -> int:
        """Questions answered A or B; those taken back do not count."""
        raise NotImplementedError

    @property
    def skipped(self) -> int:
        """Questions skipped; those taken back do not count."""
        raise NotImplementedError

    @property
    def sureness(self) -> float:
        """How sure the session is of the weights, from 0 (knows nothing) to 1 (enough)."""
        raise NotImplementedError

    @property
    def answers_left(self) -> int:
        """About how many more answers it takes to be sure; 0 when it is."""
        raise NotImplementedError

    @property
    def consistency(self) -> float | None:
        """Share of the mirrored questions that were answered as before; None before the first."""
        raise NotImplementedError

    @property
    def carelessness(self) -> float:
        """Share of answers that seem to be given by chance, as far as the answers tell."""
        raise NotImplementedError

    @property
    def suggests_stop(self) -> bool:
        """Tell whether more answers would hardly change the groups any more.

        Looked up by grouping a sample of the rows with several weights that are still likely; a
        `preview` does so on its way, and then this answers at once.
        """
        raise NotImplementedError

    # ------------------------------------------------------------------ constraints

    @property
    def limits(self) -> dict[str, float]:
        """The limits in force, those of the recipe included."""
        raise NotImplementedError

    def limit(self, column: str, value: float) -> None:
        """Never publish a column wider than this: a width for numbers, a level for trees.

        Refused with the reason (`ImpossibleError`) if no release can hold it beside the others;
        groups the whole table to find out, so call it where waiting a second does not matter.
        """
        raise NotImplementedError

    def keep_exact(self, column: str) -> None:
        """Publish a column as it is, or refuse with the reason: a limit of 0."""
        raise NotImplementedError

    def release_limit(self, column: str) -> None:
        """Lift the limit of a column."""
        raise NotImplementedError

    # ------------------------------------------------------------------ results

    @property
    def preview_due(self) -> bool:
        """Tell whether enough has changed since the last preview for a new one (see ``batch``)."""
        raise NotImplementedError

    @property
    def last_preview(self) -> Preview | None:
        """The newest preview that is ready."""
        raise NotImplementedError

    def preview(self, progress: Progress = SILENT, *, score: bool = True) -> Preview:
        """Group the whole table with what is known now, by the fast method, and measure it.

        Later questions are about these groups. ``score`` says whether to train the quick model.
        """
        raise NotImplementedError

    def anonymizer(self) -> Anonymizer:
        """Return the recipe with the weights and limits of the session, ready to fit."""
        raise NotImplementedError

    def release(self, progress: Progress = SILENT) -> Release:
        """Anonymize with the recipe's own method and what is known now."""
        raise NotImplementedError

    def exported(self, what: str, digest: str = "") -> None:
        """Write into the journal that something left the house: its kind and its hash."""
        raise NotImplementedError

    # ------------------------------------------------------------------ journal

    @property
    def journal(self) -> Journal | None:
        """The journal, if the session has one on disk."""
        raise NotImplementedError

    @classmethod
    def resume(
        cls,
        journal: Journal | str | PathLike[str],
        table: Table,
        recipe: Plan | Anonymizer | None = None,
        *,
        actor: str = "",
    ) -> Self:
        """Go on where a session was, on the same table (recognized by its fingerprint).

        The recipe is needed only if the session was begun with an `Anonymizer`: a plan is in the
        journal.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Close the journal."""
        raise NotImplementedError
