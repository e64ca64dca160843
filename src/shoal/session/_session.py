"""Session: asks, is told, and learns what matters; the human in the loop."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from os import PathLike
from secrets import randbits
from typing import Any, Literal, Self

import numpy as np

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.anonymizer import Anonymizer
from shoal.audit import Journal
from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.plan import Plan
from shoal.release import Release
from shoal.risk import Exposure, measure_exposure
from shoal.session._conversation import Conversation, shares
from shoal.session._grouped import Grouped, Previewed
from shoal.session._preview import Preview
from shoal.session._question import CHOICES, Choice, Interval, Question
from shoal.session._recipe import SessionRecipe, recipe_from
from shoal.session._scoring import quick_f1
from shoal.session._step_log import (
    JournalOrPath,
    Memory,
    Opening,
    StepLog,
    borrowed,
    first_step,
    open_journal,
    open_trail,
    opening_of,
    read_steps,
    refuse_another,
)
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
    seed : int
        Where chance starts from.

    Examples
    --------
    >>> from shoal.datasets import people
    >>> from shoal.anonymizer import Anonymizer
    >>> from shoal.recoding import Generalize
    >>> patients = people(500)
    >>> session = Session(patients.table(), Anonymizer(recoding=Generalize(patients.hierarchies)))
    >>> question = session.ask()
    >>> sorted(question.cost) == ["A", "B"] and set(question.cost["A"]) == set(session.names)
    True
    >>> session.tell(question, "A")
    >>> session.answers, round(sum(session.weights.values()), 6)
    (1, 1.0)
    >>> print(session.release().verdict)
    10-anonymity holds (smallest group: 10)
    """

    seed: int
    _trail: StepLog

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
        made = SessionRecipe.of(recipe, table)
        start = randbits(32) if seed is None else seed
        opening = Opening(learner, questions, repeats, batch, start)
        trail, key = open_trail(journal)
        try:
            self._settle(table, made, opening, key, actor)
            trail.append("session", first_step(table, made, opening, trail), actor)
        except BaseException:
            if trail is not journal:
                trail.close()
            raise
        self._trail = trail

    def _settle(
        self, table: Table, recipe: SessionRecipe, opening: Opening, key: bytes, actor: str
    ) -> None:
        """Come to life: begun anew, or out of a journal."""
        self.table, self.actor = table, actor
        self.seed, self.batch = opening.seed, opening.batch
        self._trail = Memory()
        self._key = key
        self._lock = threading.RLock()
        self._talk = Conversation(table, recipe, opening, key)
        self._state, self._bench = self._talk.state, self._talk.bench
        self._previewed: Previewed | None = None
        self._begun = 0  # previews

    # ------------------------------------------------------------------ ask, tell, learn

    def ask(self) -> Question:
        """Return the open question, or make the one that is expected to teach most.

        Asking again before `tell` returns the same question, also after a restart.
        """
        with self._lock:
            if self._state.open is None:
                self._take("question", self._talk.next().body())
            assert self._state.open is not None
            return self._talk.show(self._state.open)

    def tell(self, question: Question | str, choice: Choice) -> None:
        """Answer the open question (or its id).

        ``"A"`` or ``"B"`` is the group that the row should join, ``"same"`` that they are about
        the same, ``"neither"`` that both lose what matters, ``"skip"`` that there is no answer.
        """
        id = question.id if isinstance(question, Question) else question
        if choice not in CHOICES:
            raise InvalidParameterError("An answer is 'A', 'B', 'same', 'neither' or 'skip'.")
        with self._lock:
            if id != self._state.open:
                raise InvalidParameterError(
                    "This question is not open.", hint="Answer what ask() returned last."
                )
            self._take("answer", {"question": id, "choice": choice})
            self._talk.belief()  # learn now, so that the weights are there when asked for

    def undo(self) -> Question | None:
        """Take back the last answer or skip; its question is open again (None if there is none)."""
        with self._lock:
            if not self._state.told:
                return None
            self._take("undo", {"question": self._state.told[-1][0]})
            return self.ask()

    def set_weights(self, weights: Mapping[str, float] | None) -> None:
        """Move the sliders: any positive scale, 1 for those not named; None takes them away.

        Sliders say where the weights are likely to lie; answers move them from there.
        """
        found = None if weights is None else shares(weights, self.names)
        with self._lock:
            self._take("sliders", {"weights": found})

    # ------------------------------------------------------------------ constraints

    def limit(self, column: str, value: float) -> None:
        """Never publish a column wider than this: a width for numbers, a level for trees.

        Refused with the reason (`ImpossibleError`) if no release can hold it beside the others;
        groups the whole table to find out, so call it where waiting a second does not matter.
        """
        self._check_column(column)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidParameterError(f"The limit of {column!r} must be a number.")
        while True:
            with self._lock:
                weights, before = self.weights, self.limits
            limits = {**before, column: float(value)}
            self._bench.check(limits)
            grouped = self._bench.group(weights, limits)
            self._bench.rehearse(weights, limits)
            with self._lock:
                if before == self._state.limits:  # nobody set another one meanwhile
                    self._take("limit", {"column": column, "value": float(value)})
                    self._regroup(grouped)
                    return

    def keep_exact(self, column: str) -> None:
        """Publish a column as it is, or refuse with the reason: a limit of 0."""
        self.limit(column, 0)

    def release_limit(self, column: str) -> None:
        """Lift the limit of a column."""
        self._check_column(column)
        with self._lock:
            self._take("limit", {"column": column, "value": None})

    # ------------------------------------------------------------------ what is known

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self._talk.names

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each quasi-identifier as known now: posterior means, which sum to 1."""
        with self._lock:
            return self._talk.weights()

    @property
    def intervals(self) -> dict[str, Interval]:
        """Where each weight lies with a probability of nine in ten."""
        with self._lock:
            belief = self._talk.belief()
        low, high = belief.intervals  # the mean of a lopsided belief may lie outside
        ends = np.minimum(low, belief.mean).tolist(), np.maximum(high, belief.mean).tolist()
        return {n: Interval(a, b) for n, a, b in zip(self.names, *ends, strict=True)}

    @property
    def bias(self) -> dict[str, float] | None:
        """The sliders, summing to 1; None if nobody moved them."""
        with self._lock:
            return None if self._talk.state.bias is None else dict(self._talk.state.bias)

    @property
    def mode(self) -> str:
        """Which of the three ways were used: "equal", "bias", "iml" or "bias + iml"."""
        ways = ["bias"] * (self.bias is not None) + ["iml"] * (self.answers > 0)
        return " + ".join(ways) or "equal"

    @property
    def answers(self) -> int:
        """Questions answered; those skipped or taken back do not count."""
        with self._lock:
            return len(self._talk.state.answered)

    @property
    def skipped(self) -> int:
        """Questions skipped; those taken back do not count."""
        with self._lock:
            return len(self._talk.state.told) - len(self._talk.state.answered)

    @property
    def forgotten(self) -> int:
        """Questions that left with people who were forgotten, and their answers with them."""
        with self._lock:
            return self._talk.state.forgotten

    @property
    def sureness(self) -> float:
        """How sure the session is of the weights, from 0 (knows nothing) to 1 (enough)."""
        with self._lock:
            return self._talk.sureness()

    @property
    def answers_left(self) -> int:
        """About how many more answers it takes to be sure; 0 when it is."""
        with self._lock:
            return self._talk.answers_left()

    @property
    def settled(self) -> bool:
        """Tell whether more answers would hardly change who joins whom, if these are no luck."""
        with self._lock:
            return self._talk.settled()

    @property
    def luck(self) -> float:
        """How often clicking without looking would come as far as these answers, at most."""
        with self._lock:
            return self._talk.luck()

    @property
    def suggests_stop(self) -> bool:
        """Tell whether more answers would hardly change who joins whom, and it was no luck."""
        return self.answers > 0 and self.answers_left == 0

    @property
    def consistency(self) -> float | None:
        """Share of the mirrored questions that were answered as before; None before the first."""
        with self._lock:
            agreed = self._talk.state.agreements()
        return sum(agreed) / len(agreed) if agreed else None

    @property
    def carelessness(self) -> float:
        """Share of answers that seem to be given by chance, as far as the answers tell."""
        with self._lock:
            return self._talk.belief().carelessness

    @property
    def limits(self) -> dict[str, float]:
        """The limits in force, those of the recipe included."""
        with self._lock:
            return dict(self._talk.state.limits)

    # ------------------------------------------------------------------ results

    @property
    def preview_due(self) -> bool:
        """Tell whether enough has changed since the last preview for a new one (see ``batch``)."""
        with self._lock:
            last = self._previewed
            if last is None or last.bias != self._state.bias:
                return True
            if last.grouped.limits != self._state.limits:
                return True
            return abs(self.answers - last.preview.answers) >= self.batch

    @property
    def last_preview(self) -> Preview | None:
        """The newest preview that is ready."""
        return None if self._previewed is None else self._previewed.preview

    def preview(self, progress: Progress = SILENT, *, score: bool = True) -> Preview:
        """Group the whole table with what is known now, by the fast method, and measure it.

        Later questions are about these groups. ``score`` says whether to train the quick model.
        """
        with self._lock:
            self._begun += 1
            number, weights, limits = self._begun, self.weights, self.limits
            answers, bias = self.answers, self.bias
        grouped = self._bench.group(weights, limits, progress)
        stop_if_cancelled(progress)
        scores = quick_f1(self._bench.recipe, self.table, grouped) if score else None
        with self._lock:
            last = self._previewed
            before = (last.preview, last.grouped) if last else (None, None)
            made = grouped.preview(answers, *before)
            if scores is not None:
                made = replace(made, f1=scores[0], f1_constant=scores[1])
            if last is None or number > last.number:  # one begun later may be ready already
                self._previewed = Previewed(number, made, grouped, bias)
                if limits == self._state.limits:  # nobody set a limit meanwhile
                    self._regroup(grouped)
        return made

    def untaught_preview(self, progress: Progress = SILENT) -> Preview:
        """Group the whole table as if nobody had said what matters: all details weigh the same."""
        alike = dict.fromkeys(self.names, 1 / len(self.names))
        return self._bench.group(alike, self.limits, progress).preview(0, None, None)

    def exposure(self, progress: Progress = SILENT) -> Exposure:
        """Measure whom columns published as they are would single out in the crowds of a preview.

        The release counts again with its own crowds; this is to decide about columns before it.
        """
        with self._lock:
            last, weights, limits = self._previewed, self.weights, self.limits
        grouped = self._bench.group(weights, limits, progress) if last is None else last.grouped
        formed, recoder = grouped.grouping.labels, self._bench.recipe.recipe.recoder
        return measure_exposure(self.table, formed, groups=formed if recoder.moves_values else None)

    def anonymizer(self) -> Anonymizer:
        """Return the recipe with the weights and limits of the session, ready to fit."""
        with self._lock:
            return self._bench.recipe.filled_in(self.weights, self.limits)

    def release(
        self, progress: Progress = SILENT, follow: Callable[[Anonymizer], Any] | None = None
    ) -> Release:
        """Anonymize with the recipe's own method and what is known now.

        ``follow`` makes a later delivery of the anonymizer (`shoal.growing.LaterDelivery`).
        """
        with self._lock:
            anonymizer = self.anonymizer()
            told = {
                "weights": self.weights,
                "limits": self.limits,
                "answers": self.answers,
                "consistency": self.consistency,
                "carelessness": self.carelessness,
            }
        fitting = anonymizer if follow is None else follow(anonymizer)
        release: Release = fitting.fit(self.table, progress).release_
        with self._lock:
            self._take("release", {**told, "digest": self.digest(release)})
        return release

    def digest(self, release: Release) -> str:
        """Return the keyed hash of the rows of a release, as it stands in the journal."""
        return hmac.new(self._key, release.frame.write_csv().encode(), sha256).hexdigest()

    def exported(self, what: str, digest: str = "") -> None:
        """Write into the journal that something left the house: its kind and its hash."""
        with self._lock:
            self._take("export", {"what": what, "digest": digest})

    # ------------------------------------------------------------------ journal

    @property
    def journal(self) -> Journal | None:
        """The journal, if the session has one on disk."""
        return self._trail if isinstance(self._trail, Journal) else None

    @classmethod
    def resume(
        cls,
        journal: JournalOrPath,
        table: Table,
        recipe: Plan | Anonymizer | None = None,
        *,
        actor: str = "",
    ) -> Self:
        """Go on where a session was, on the same table (recognized by its fingerprint).

        The recipe is needed only if the session was begun with an `Anonymizer`: a plan is in the
        journal. A journal that was tampered with is refused.
        """
        opened = open_journal(journal, create=False)
        try:
            session = cls.replay(opened, table, recipe, actor=actor)
        except BaseException:
            if opened is not journal:
                opened.close()
            raise
        session._trail = opened
        opened.append("resumed", {}, session.actor)
        return session

    @classmethod
    def replay(
        cls,
        journal: JournalOrPath,
        table: Table,
        recipe: Plan | Anonymizer | None = None,
        *,
        actor: str = "",
    ) -> Self:
        """Take all steps of a journal again, without writing to it.

        The weights are the same, and so is the release, byte for byte, if its method draws
        nothing at random.
        """
        with borrowed(journal) as opened:
            first, *steps = read_steps(opened)
            made = SessionRecipe.of(recipe or recipe_from(first.body, table), table)
            refuse_another([first, *steps], opened, table, made)
            key = opened.key_for("rows")
        session = cls.__new__(cls)
        session._settle(table, made, opening_of(first), key, actor or first.actor)
        for step in steps:
            if step.redacted:
                session._state.pass_over(step.kind)
            else:
                session._state.apply(step.kind, step.body)
        return session

    def close(self) -> None:
        """Close the journal."""
        self._trail.close()

    def __repr__(self) -> str:
        return f"Session({self.answers} answers, {self.mode})"

    def _take(self, kind: str, body: Mapping[str, Any]) -> None:
        """Take a step: first on the disk, then in here."""
        self._trail.append(kind, body, self.actor)
        self._state.apply(kind, body)

    def _regroup(self, grouped: Grouped) -> None:
        """Ask about these groups from now on."""
        self._take("regrouped", {"weights": dict(grouped.weights), "limits": dict(grouped.limits)})
        self._bench.grouped = grouped

    def _check_column(self, column: str) -> None:
        if column not in self.names:
            raise UnknownColumnError.among(column, self.names, what="quasi-identifier to limit")
