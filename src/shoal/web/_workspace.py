"""Workspace: one table somebody brought, what was decided about it, and what came of it.

Pages and the REST API both speak to this and to nothing below it; it holds no decision of its
own: the plan describes, the session learns, the release proves.
"""

from __future__ import annotations

import logging
import shutil
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal._words import listed, say, spoken
from shoal.anonymizer import Anonymizer
from shoal.exceptions import InputError, InvalidParameterError, ShoalError, UnknownColumnError
from shoal.hierarchies import Hierarchy, check_levels, infer_hierarchy, read_hierarchy
from shoal.plan import Plan, Proposed
from shoal.release import Lineage
from shoal.risk import Uniqueness, measure_uniqueness
from shoal.session import Preview, Question, ReleaseComparison, Session, compare_releases
from shoal.table import Roles, Table
from shoal.web._first_look import ColumnReading, FirstReading, TableLook
from shoal.web._jobs import BackgroundJob, JobQueue
from shoal.web._kept import KeptComparison, find_kept, keep
from shoal.web._plan_steps import ASK_FIRST, AskFirstError, PlanSteps, asks_alike, fitting
from shoal.web._promise import PlanPromise, promise_of
from shoal.web._released import Released, fold, keep_trace, pack_plan, unentered
from shoal.web._table_store import PLAN

UPLOADED = "uploaded"  # instead of a word: the ladder or tree that was brought along
log = logging.getLogger("shoal.web.workspace")
ROWS = "rows.txt"
COMPARISON = "comparison.json"
CLOSED = "closed"  # the newest journal is; the next session begins another
READ_AGAIN = {
    "kinds",
    "orders",
    "delimiter",
    "encoding",
    "sheet",
    "missing",
    "missing_in",
    "clean",
    "formats",
}


class Workspace:
    """One table of one visitor."""

    def __init__(self, folder: Path, jobs: JobQueue, actor: str) -> None:
        self.folder = folder
        self.id = folder.name
        self.actor = actor
        self.plan = Plan.read(folder / PLAN)
        self.jobs: dict[str, BackgroundJob] = {}
        self.compared = find_kept(folder / COMPARISON, KeptComparison)
        self.kept: dict[str, Any] = {}  # by pages, as long as the table is in memory
        self._pool = jobs
        self._lock = threading.RLock()
        self._table: Table | None = None
        self._look = TableLook(folder)
        self._session: Session | None = None
        self._previews: Previews | None = None
        self._uniqueness: Uniqueness | None = None
        self._promises: dict[str, PlanPromise] = {}  # by language
        self.released: Released | None = Released.read(folder / "release")
        self.lineage: Lineage | None = None  # of that release, if this server made it
        self.steps = PlanSteps()

    @classmethod
    def begin(cls, folder: Path, read: FirstReading, jobs: JobQueue, actor: str) -> Workspace:
        """Begin with a table that lies in the folder already; the plan is written last."""
        read.plan.write(folder / PLAN)
        made = cls(folder, jobs, actor)
        made._look.take(read.look, read.nearly)
        made._hold(read.table)
        return made

    @property
    def name(self) -> str:
        """What its owner called the table."""
        path = self.folder / "name.txt"
        return path.read_text("utf-8") if path.exists() else "table"

    @property
    def promise(self) -> PlanPromise:
        """What the plan promises, for the line on every page."""
        language = spoken()
        if language not in self._promises:
            self._promises[language] = promise_of(self.plan)
        return self._promises[language]

    # ------------------------------------------------------------------ the table

    @property
    def table(self) -> Table:
        """The table with the roles of the plan."""
        with self._lock:
            return self._table or self._hold(self.plan.table())

    def _hold(self, table: Table) -> Table:
        (self.folder / ROWS).write_text(str(table.n_rows), encoding="utf-8")
        self._table = table
        return table

    @property
    def n_rows(self) -> int | None:
        """How many rows the table has, known without reading it once it was read."""
        rows = self.folder / ROWS
        return int(rows.read_text("utf-8")) if rows.is_file() else None

    @property
    def proposal(self) -> dict[str, Proposed]:
        """What each column seemed to be, and why."""
        with self._lock:
            return self._look.columns(self.plan)

    @property
    def nearly(self) -> dict[str, ColumnReading]:
        """Columns of text that nearly are numbers or dates, and the cells that are not."""
        with self._lock:
            found = self._look.nearly(self.plan)
            return {name: told for name, told in found.items() if name in self.table.column_names}

    def decide(self, **settings: Any) -> None:
        """Change the plan; what was learned under the old one is where the new one starts from."""
        with self._lock:
            plan = replace(self.plan, **settings)
            if plan == self.plan:
                return
            again = READ_AGAIN & set(settings)
            table = plan.table() if again else self.table.with_roles(plan.roles)
            if "weights" not in settings and not asks_alike(self.plan, plan):
                plan = replace(plan, weights=self._carried(plan))
            before = self.plan
            self._adopt(plan, table)
            self.steps.add(before)

    def _adopt(self, plan: Plan, table: Table) -> None:
        """Let a plan hold, once whoever is asked has agreed to what is lost by it."""
        lost = self._would_lose(plan) if ASK_FIRST.get() else ""
        if lost:
            raise AskFirstError(f"{lost} {say('Go on?')}")
        self._forget_results(keep_answers=asks_alike(self.plan, plan))
        self._write(plan)
        self.plan, self._table = plan, table
        self._uniqueness = None
        self._promises.clear()

    def step(self, way: Literal["back", "forth"]) -> None:
        """Take the newest change of the plan back, or make it again."""
        with self._lock:
            plan, held = self.steps.peek(way), self.plan
            self._adopt(plan, plan.table())
            self.steps.take(way, held)

    def _would_lose(self, plan: Plan) -> str:
        """Say what another plan would throw away, in a sentence; nothing if nothing."""
        lost = [say("the release that lies ready")] if self.released is not None else []
        taught = bool(self.journals) and not (self.folder / CLOSED).exists()
        answers = self.session.answers if taught and not asks_alike(self.plan, plan) else 0
        if answers:
            one, more = (
                say("the session with 1 answer"),
                say("the session with {n} answers", n=answers),
            )
            lost.append(one if answers == 1 else more)
        kept = say(" What was learned from them stays.") if answers else ""
        return say("This throws {what} away.", what=listed(lost)) + kept if lost else ""

    def _carried(self, plan: Plan) -> dict[str, float]:
        """Take along the weights that were learned, for the columns that still have one."""
        kept: Mapping[str, float] = plan.weights
        if self._session is not None and self._session.mode != "equal":
            kept = {name: w * len(self._session.names) for name, w in self._session.weights.items()}
        return {name: w for name, w in kept.items() if name in plan.roles.quasi_identifiers}

    def _write(self, plan: Plan) -> None:
        draft = self.folder / f"job-{PLAN}"
        plan.write(draft)
        draft.replace(self.folder / PLAN)

    def set_role(self, column: str, role: str) -> None:
        """Say what a column is to a person."""
        table = self._knowing(column)
        choices = {name: table.roles.role_of(name) for name in table.column_names}
        only = [
            name for name, had in choices.items() if had == role and role in ("target", "person")
        ]
        roles = Roles.from_choices({**choices, **dict.fromkeys(only, "other"), column: role})
        self._take_roles(roles)

    def accept(self, column: str) -> None:
        """Let a column be published as it is; a secret stays one, and is accepted by name."""
        roles = self._knowing(column).roles
        if roles.is_secret(column):
            self.decide(roles=roles.accepting([column]))
        else:
            self.set_role(column, "publish_as_is")

    def set_target(self, column: str | None) -> None:
        """Say which column models predict; a sensitive one stays sensitive."""
        roles = replace(self.table.roles, target=column)
        self.decide(roles=roles, **fitting(self.plan, roles))

    def _take_roles(self, roles: Roles) -> None:
        """Let roles hold; a sensitive target stays the target unless another one was chosen."""
        before = self.table.roles.target
        if roles.target is None and before in roles.sensitive and before is not None:
            roles = replace(roles, target=before)
        roles = roles.accepting(self.table.roles.accepted_secrets)
        self.decide(roles=roles, **fitting(self.plan, roles))

    def set_roles(self, columns: Sequence[str], role: str) -> None:
        """Say of several columns at once what they are."""
        table = self.table
        choices: dict[str, str] = {name: table.roles.role_of(name) for name in table.column_names}
        if role in ("target", "person") and len(columns) > 1:
            raise InvalidParameterError(f"Only one column can be the {role}.")
        self._take_roles(Roles.from_choices({**choices, **dict.fromkeys(columns, role)}))

    def set_kind(self, column: str, kind: str) -> None:
        """Say what the values of a column are."""
        table = self._knowing(column)
        trees = {c: word for c, word in self.plan.hierarchies.items() if c != column}
        self.decide(kinds={**table.kinds, column: kind}, hierarchies=trees)

    def set_hierarchy(self, column: str, word: str | None) -> None:
        """Choose how a column is generalized: a word of a plan, or None for the usual way.

        No file is opened because somebody names it: ladders and trees are uploaded, and
        ``UPLOADED`` keeps the one that a column has.
        """
        self._knowing(column)
        if word == UPLOADED and _is_file(self.plan.hierarchies.get(column, "")):
            return
        if word and (word == UPLOADED or _is_file(word)):
            raise InvalidParameterError(
                "How a column is generalized is told by a word here, not by a file.",
                hint="Upload the ladder or the tree itself.",
            )
        self._generalize(column, word)

    def _generalize(self, column: str, word: str | None) -> None:
        trees = {c: w for c, w in self.plan.hierarchies.items() if c != column}
        self.decide(hierarchies=trees | ({column: word} if word else {}))

    def add_hierarchy(self, column: str, content: bytes, *, json: bool) -> None:
        """Take a ladder (CSV) or a tree (JSON) for a column, if it holds all values of it."""
        values = self._knowing(column).column(column)
        folder = self.folder / "hierarchies"
        folder.mkdir(mode=0o700, exist_ok=True)
        number = sum(1 for _ in folder.iterdir()) + 1
        path = folder / f"{number}{'.json' if json else '.csv'}"
        path.write_bytes(content)
        try:
            check_levels(read_hierarchy(path).arrange(values.labels, column=column).height)
            self._generalize(column, str(path))
        except BaseException:
            path.unlink()
            raise

    def _knowing(self, column: str) -> Table:
        """Return the table if it has such a column."""
        if column not in self.table.column_names:
            raise UnknownColumnError.among(column, self.table.column_names)
        return self.table

    def hierarchy(self, column: str) -> Hierarchy | None:
        """Return how a column is generalized; None where spans serve."""
        self._knowing(column)
        return self.hierarchies.get(column) or infer_hierarchy(self.table.column(column))

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchies that the plan names, read and built."""
        recoding = self.plan.anonymizer(self.table).recoding
        return dict(getattr(recoding, "hierarchies", None) or {})

    @property
    def uniqueness(self) -> Uniqueness:
        """Who is alone before anything is done."""
        with self._lock:
            if self._uniqueness is None:
                self._uniqueness = measure_uniqueness(self.table)
            return self._uniqueness

    # ------------------------------------------------------------------ the session

    @property
    def session(self) -> Session:
        """The session about this table, gone on with where it was."""
        with self._lock:
            if self._session is None:
                path = self.journals[-1] if self.journals else None
                if path is not None and not (self.folder / CLOSED).exists():
                    self._session = Session.resume(path, self.table, actor=self.actor)
                else:
                    self._session = self._new_session()
            return self._session

    @property
    def previews(self) -> Previews:
        """The whole table grouped behind the questions."""
        with self._lock:
            if self._previews is None:
                self._previews = Previews(self.session)
            return self._previews

    def _new_session(self) -> Session:
        path = self.folder / f"journal-{len(self.journals) + 1}.db"
        session = Session(self.table, self.plan, journal=path, actor=self.actor)
        (self.folder / CLOSED).unlink(missing_ok=True)
        return session

    @property
    def journals(self) -> list[Path]:
        """The journals of this table, oldest first."""
        return sorted(self.folder.glob("journal-*.db"), key=lambda p: int(p.stem.split("-")[1]))

    def answer(self, question: str, choice: str) -> Question:
        """Tell the session, and ask it the next question."""
        self.session.tell(question, choice)  # type: ignore[arg-type]  # refuses others
        return self.session.ask()

    def _forget_results(self, *, keep_answers: bool = False) -> None:
        if self._previews is not None:
            self._previews.wanted = False
        if self._session is not None:
            self._session.close()
        if self.journals and not keep_answers:
            (self.folder / CLOSED).touch(mode=0o600)
        self._session = self._previews = self.compared = None
        (self.folder / COMPARISON).unlink(missing_ok=True)
        self.drop_release()

    # ------------------------------------------------------------------ results

    def start(self, kind: str, work: Callable[[Progress], Any] | None = None) -> BackgroundJob:
        """Begin long work: ``release``, ``compare``, or what a page brings along."""
        works: dict[str, Callable[[Progress], Any]] = {
            "release": self.make_release,
            "compare": self.make_comparison,
        }
        if work is not None:
            works[kind] = work
        if kind not in works:
            raise InvalidParameterError(f"There is no job of kind {kind!r}.")
        if any(job.kind == kind and not job.over for job in self.jobs.values()):
            raise InputError("This is being worked on already.", hint="Wait, or stop it first.")
        job = self._pool.start(kind, works[kind])
        self.jobs[job.id] = job
        return job

    def running(self, kind: str) -> BackgroundJob | None:
        """Return the newest job of a kind."""
        return next((job for job in reversed(self.jobs.values()) if job.kind == kind), None)

    @property
    def busy(self) -> bool:
        """Whether a job is waiting or running."""
        return any(not job.over for job in list(self.jobs.values()))

    def make_release(
        self, progress: Progress = SILENT, follow: Callable[[Anonymizer], Any] | None = None
    ) -> Released:
        """Anonymize, write, read back, recount; the release lies ready or there is none.

        ``follow`` makes a later delivery of it.
        """
        draft = self.folder / f"job-{threading.get_ident()}"
        session, plan = self.session, self._taught(spoken())
        try:
            release = session.release(progress, follow)
            stop_if_cancelled(progress)
            unentered(release).write(draft, ledger="off", progress=progress)
            words = [word for word in self.plan.hierarchies.values() if _is_file(word)]
            trees = {_loose(word): Path(word) for word in words}
            pack_plan(draft, plan, trees)
            keep_trace(draft, release)
            stop_if_cancelled(progress)
            with self._lock:
                self.drop_release()
                draft.rename(self.folder / "release")
                self.released = fold(self.folder / "release", release)
                self.lineage = release.lineage
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        assert self.released is not None
        return self.released

    @property
    def plan_as_taught(self) -> str:
        """The plan that makes the same release as things are, without a session, as text."""
        return self._taught(None)

    def _taught(self, language: str | None) -> str:
        weights, limits = self.session.weights, self.session.limits
        scale = len(weights)  # so that an attribute nobody spoke about weighs 1
        taught = replace(
            self.plan,
            source=self.name if "." in self.name else "table.csv",
            hierarchies={c: _loose(w) for c, w in self.plan.hierarchies.items()},
            # All nine digits of a session: a search may part ways over the tenth of a millionth.
            weights={name: round(weight * scale, 9) for name, weight in weights.items()},
            limits=limits,
            language=language,  # of the report
        )
        return taught.to_toml()

    @property
    def outdated(self) -> bool:
        """Whether more was said since the release that lies ready was made."""
        if self.released is None:
            return False
        made_with = (self.released.folder / "plan.toml").read_text("utf-8")
        language = tomllib.loads(made_with).get("release", {}).get("language")
        return made_with != self._taught(language)

    def make_comparison(self, progress: Progress = SILENT) -> ReleaseComparison:
        """Make the release three ways (equal, bias, iml) and train models on each."""
        made_with = self.plan_as_taught
        found = compare_releases(self.session, progress)
        self.compared = KeptComparison(found, made_with)
        keep(self.folder / COMPARISON, self.compared)
        return found

    def drop_release(self) -> None:
        """Throw a release away that no longer fits the plan."""
        with self._lock:
            self.released = self.lineage = None
            shutil.rmtree(self.folder / "release", ignore_errors=True)

    def close(self) -> None:
        """Stop what runs and let go of the files."""
        for job in self.jobs.values():
            job.stop()
        if self._session is not None:
            self._session.close()


class Previews:
    """Regroups the whole table behind the questions."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._running = threading.Lock()
        self.untaught: Preview | None = None  # the same table with all details alike
        self.wanted = True  # until the plan changes under a preview that is being made

    @property
    def last(self) -> Preview | None:
        """The newest preview that is ready."""
        return self._session.last_preview

    @property
    def busy(self) -> bool:
        """Whether one is being made."""
        return self._running.locked()

    def poke(self) -> None:
        """Make a preview if one is due and none is being made; returns at once."""
        due = self._session.preview_due or (self.untaught is None and self._session.mode != "equal")
        if due and self._running.acquire(blocking=False):
            threading.Thread(target=self._work, name="shoal-preview", daemon=True).start()

    def _work(self) -> None:
        try:
            while self._session.preview_due:
                self._session.preview()
            if self.untaught is None and self._session.mode != "equal":
                self.untaught = self._session.untaught_preview()
        except ShoalError as error:
            log.warning("a preview failed with %s", type(error).__name__)
        except Exception:
            if self.wanted:
                log.exception("a preview failed")
        finally:
            self._running.release()


def _loose(word: str) -> str:
    """Name a file of hierarchies as it lies beside the plan of a release."""
    return f"hierarchies/{Path(word).name}" if _is_file(word) else word


def _is_file(word: str) -> bool:
    return word.lower().endswith((".csv", ".json"))
