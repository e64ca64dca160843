"""A proposal for a table: what each column seems to be, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import InvalidParameterError, ShoalError
from shoal.hierarchies import Flat, Mask, infer_hierarchy, read_hierarchy, recognize_ladder
from shoal.plan._exposure import (
    SUPPOSED,
    draw_table,
    generalize_twins,
    measure_exposure,
    say_exposure,
    telling_sets,
)
from shoal.plan._formats import amounts_of_money, missing_fields, read_better, without_dropped
from shoal.plan._plan import Plan
from shoal.plan._writing import Comments
from shoal.presets import DEFAULT_K
from shoal.risk import SinglingOut, TwinColumns
from shoal.table import Guess, Roles, Table, infer_kinds, infer_roles, read_table
from shoal.typing import IntArray, Kind

FOLDER = "hierarchies"  # looked for beside the table
USUAL_L = 3
COMMON = 0.05  # of the rows: a rarer value cannot be in every crowd without great loss
PREVAILS = 0.5  # of the rows with a value
MOST_DIVERSE = 4  # columns
GENERALIZED = "quasi_identifier"

TITLE = """A plan for Shoal, guessed from names and values. Read it, change it, then run
  shoal anonymize --plan {} -o release/"""
SOME_GUESS = Guess(
    GENERALIZED, "Nothing points to a quasi-identifier, so with care: those with the most values."
)
WITH_CARE = 8  # columns at most, where nothing points to a quasi-identifier
ONLY_GUESS = Guess(GENERALIZED, "Nothing points to a quasi-identifier, so with care: all of these.")
ANSWER = Guess(
    "sensitive", "Many others have the same answers, and nothing but answers is in the table."
)
SCALE, BLOCK = 11, 8  # answers of a scale at most, questions that have it at least
TOGETHER = Guess(GENERALIZED, "With others it tells more than 5 % of people apart.")
NO_CROWD = (
    "Nothing here seems to be what others may know about people, so that there are no crowds to"
    " form: name a quasi-identifier, if there is one after all."
)
MASKED = "Codes lose their last characters first."
STARRED = "A value or nothing."
LADDER = " A ladder would lose less: shoal hierarchy scaffold FILE COLUMN makes one."
WORTH_A_LADDER = 4  # distinct values
CALENDAR = 'Published as spans; {} = "calendar" would give months, quarters and years.'
SPELLED_OUT = "Its values are paths, which spell out a tree."
REMARKS: Comments = {
    ("privacy", "k"): "Everybody hides in a group of at least so many.",
    ("privacy", "l"): "Every group shows so many values of it; add others, rare values cost most.",
    ("weights",): "What matters: zip = 2.0 makes zip twice as precious as the others.",
    ("limits",): "What is never published wider: age = 10.",
    ("method",): "Picked by the size of the table, or say so: name = 'mondrian' is the fast one.",
    ("release",): "max_suppression = 0.02 lets 2 % of the rows be left out where it helps.",
}


@dataclass(frozen=True)
class Proposed:
    """What one column seems to be."""

    name: str
    role: str
    role_reason: str
    kind: str
    kind_reason: str
    hierarchy: str | None = None
    hierarchy_reason: str = ""


@dataclass(frozen=True, eq=False)
class Proposal:
    """A plan, and the reasons for it."""

    table: Table
    plan: Plan
    columns: tuple[Proposed, ...]
    formats: Mapping[str, str] = field(default_factory=dict)  # why columns are read as they are
    twins: tuple[TwinColumns, ...] = ()  # columns published as they are that tell a generalized one

    @cached_property
    def singling(self) -> SinglingOut:
        """Whom the columns that are published as they are single out, before any crowd."""
        return measure_exposure(self.table)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the plan would publish as it is, and what that tells, in sentences."""
        told = tuple(say_exposure(self.singling, self.twins))
        return told if self.plan.roles.quasi_identifiers else (NO_CROWD, *told)

    def __repr__(self) -> str:  # the default would show all of the table's parts
        size = f"{self.table.n_rows:,} rows, {len(self.columns):,} columns"
        return f"Proposal({size}: {len(self.plan.roles.named):,} with a role)"

    def _repr_html_(self) -> str:
        """Show columns with role and reason where a notebook shows a value."""
        rows = (
            (part.name, part.role, part.role_reason, part.kind, part.hierarchy or "")
            for part in self.columns
        )
        return draw_table(("column", "role", "why", "kind", "hierarchy"), rows, self.notes)

    def comments(self, output: Path) -> Comments:
        """Return the reason for each guess, by its place in the plan."""
        comments = {(): TITLE.format(output), **REMARKS}
        for part in self.columns:
            comments["roles", part.name] = part.role_reason
            comments["kinds", part.name] = part.kind_reason
            comments["hierarchies", part.name] = part.hierarchy_reason
        for name, reason in self.formats.items():
            for section in ("missing", "clean", "formats"):
                comments[section, name] = reason
        comments["roles",] = _others(self.columns)
        comments["hierarchies",] = "\n".join(_without_hierarchy(self.columns))
        return {place: text for place, text in comments.items() if text}

    def facts(self, output: Path) -> dict[str, Any]:
        """Return the proposal for a script."""
        return {
            "plan": str(output),
            "source": self.table.origin.to_dict(),
            "rows": self.table.n_rows,
            "columns": {part.name: asdict(part) for part in self.columns},
            "k": self.plan.k,
            "l": self.plan.l or {},
            "formats": dict(self.formats),
            "singling_out": self.singling.to_dict(),
            "twins": [twin.to_dict() for twin in self.twins],
            "warnings": list(self.table.warnings),
        }


def propose(
    source: Any,
    *,
    kinds: Mapping[str, Kind] | None = None,
    missing: Sequence[str] | Mapping[str, Sequence[str]] = ("",),
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Proposal:
    """Look at a table and propose a plan for it, with the reason for each guess.

    Parameters
    ----------
    source : path or frame
        A CSV, Parquet or Arrow file, or a pandas, polars or pyarrow frame.
    kinds, missing, delimiter, encoding
        How it is read, as `shoal.read_table` takes them.

    Returns
    -------
    Proposal
        ``plan`` (the plan), ``columns`` (each with role, kind, hierarchy and reasons), ``singling``
        and ``twins`` (what columns published as they are tell), ``notes`` (that in sentences).

    Examples
    --------
    >>> import polars as pl
    >>> people = {"name": ["Ann", "Bo", "Cy"], "age": [34, 17, 51], "pet": ["cat"] * 3}
    >>> proposal = propose(pl.DataFrame(people))
    >>> for column in proposal.columns:
    ...     print(column.name, column.role)
    name identifier
    age quasi_identifier
    pet other
    >>> proposal.plan.roles.quasi_identifiers, proposal.plan.k
    (('age',), 2)
    """
    how = {"delimiter": delimiter, "encoding": encoding}
    table = read_table(source, kinds=kinds, missing=missing, **how)  # type: ignore[arg-type]
    path = None if table.source is None else str(table.source)
    told = {"source": path, "kinds": dict(kinds or {}), **how, **missing_fields(missing)}
    return propose_plan(table, told)


def propose_plan(table: Table, reading: Mapping[str, Any], progress: Progress = SILENT) -> Proposal:
    """Propose a plan for a table that was read with these settings."""
    given = {name: Guess(kind, "It was given.") for name, kind in reading["kinds"].items()}
    table, reading, formats = read_better(table, reading)
    stop_if_cancelled(progress)
    better = {name: Guess(f.kind, f.reason) for name, f in formats.items() if f.kind}
    kinds = {**infer_kinds(table), **better, **given}
    folder = Path(table.source or "frame").parent / FOLDER
    stop_if_cancelled(progress)
    guessed = infer_roles(table)
    stop_if_cancelled(progress)
    guessed |= amounts_of_money(guessed, formats)
    roles, twins = generalize_twins(table, _with_some_quasi(table, guessed))
    stop_if_cancelled(progress)
    parts = tuple(_propose(table, name, roles[name], kinds[name], folder) for name in roles)
    chosen = Roles.from_choices({part.name: part.role for part in parts})
    table = table.with_roles(chosen)
    reading, formats = without_dropped(reading, formats, (*chosen.identifiers, *chosen.drop))
    told = [part for part in parts if part.role in (GENERALIZED, "sensitive", "target")]
    read = {name for name in better if name in formats}
    k = _k(table)
    plan = replace(
        Plan(**reading),
        roles=chosen,
        kinds={p.name: p.kind for p in parts if p in told or p.name in read},  # type: ignore[misc]
        hierarchies={part.name: part.hierarchy for part in told if part.hierarchy},
        k=k,
        l=_l(table, k, [p.name for p in parts if p.role_reason.startswith(SUPPOSED)]) or None,
    )
    reasons = {name: found.reason for name, found in formats.items()}
    return Proposal(table, plan, parts, reasons, twins)


def _with_some_quasi(table: Table, roles: dict[str, Guess]) -> dict[str, Guess]:
    """Propose what singles people out together if there is no quasi-identifier, or else all.

    What is kept stays so; beside it, columns that single nobody out together are left as they are.
    """
    if any(guess.choice == GENERALIZED for guess in roles.values()):
        return roles
    plain = [n for n, g in roles.items() if g.choice == "other"]
    asked = _asked_alike(table, plain)
    told = [name for name in plain if name not in asked]
    telling = [name for name in told if len(table.cells.distinct(name).texts) > 1]
    few = sorted(telling or told, key=lambda name: -len(table.cells.distinct(name).texts))[
        :WITH_CARE
    ]
    sets = telling_sets(table, plain)
    kept = any(guess.choice == "sensitive" for guess in roles.values())
    taken = sets[0] if asked and sets else set().union(*sets) or set([] if kept else few)
    why = TOGETHER if taken != set(few) else (ONLY_GUESS if len(few) == len(plain) else SOME_GUESS)
    answered = {name: ANSWER if name in asked else guess for name, guess in roles.items()}
    return {name: why if name in taken else guess for name, guess in answered.items()}


def _asked_alike(table: Table, names: Sequence[str]) -> set[str]:
    """Name the columns that are questions of one scale: many that have the same few answers."""
    answers = {name: frozenset(table.cells.distinct(name).texts.head(SCALE + 1)) for name in names}
    alike = Counter(answers.values())
    return {n for n, said in answers.items() if 2 < len(said) <= SCALE and alike[said] >= BLOCK}


def _propose(table: Table, name: str, role: Guess, kind: Guess, folder: Path) -> Proposed:
    part = Proposed(name, role.choice, role.reason, kind.choice, kind.reason)
    if role.choice != GENERALIZED:
        return part
    word, reason = _hierarchy(table, name, folder)
    return replace(part, hierarchy=word, hierarchy_reason=reason)


def _hierarchy(table: Table, name: str, folder: Path) -> tuple[str | None, str]:
    column, trouble = table.column(name), ""
    for file in _files(folder, name):
        try:
            read_hierarchy(file).arrange(column.labels, column=name)
            return str(file), "Found beside the table; it holds all values."
        except ShoalError as error:
            trouble = f" {file.name} does not fit: {error}"
    inferred = infer_hierarchy(column)
    ready = recognize_ladder(name, column.labels) if inferred or column.kind == "numeric" else None
    if ready is not None:
        return ready.word, ready.reason + trouble
    if isinstance(inferred, Mask):
        return "mask", MASKED + trouble
    if isinstance(inferred, Flat):
        many = len(column.labels) >= WORTH_A_LADDER
        return "flat", STARRED + (LADDER if many and not trouble else trouble)
    return None, SPELLED_OUT if inferred is not None else trouble.strip()


def _files(folder: Path, name: str) -> list[Path]:
    """Find the files of a column; a name is never a way into other folders."""
    if Path(name).name != name:
        return []
    return [p for p in (folder / f"{name}.csv", folder / f"{name}.json") if p.is_file()]


def _k(table: Table) -> int:
    person = table.roles.person
    people = table.n_rows if person is None else len(set(table.codes(person).tolist()))
    if people < 2:
        raise InvalidParameterError(
            "One person has no crowd to hide in.", hint="Bring a table of more people."
        )
    return DEFAULT_K if people >= 2 * DEFAULT_K else max(2, people // 2)


def _l(table: Table, k: int, unknown: Sequence[str]) -> dict[str, int]:
    """Ask for diversity where crowds can show it, of the few columns that have most values.

    What is only supposed to be sensitive comes in only where nothing else is.
    """
    secrets = [n for n in table.roles.sensitive if n not in unknown] or table.roles.sensitive
    sizes = {name: len(table.cells.distinct(name).texts) for name in secrets}
    asked = {name: min(USUAL_L, k, _shown(table.cells.distinct(name).counts)) for name in sizes}
    most = sorted((name for name in asked if asked[name] > 1), key=lambda name: -sizes[name])
    return {name: asked[name] for name in asked if name in most[:MOST_DIVERSE]}


def _shown(counts: IntArray) -> int:
    """Count the values that most crowds can show: common ones, or all if none prevails."""
    shares = counts / max(1, counts.sum())
    spread = shares.max(initial=0.0) <= PREVAILS
    return shares.size if spread else int((shares >= COMMON).sum())


def _others(columns: Sequence[Proposed]) -> str:
    names = [part.name for part in columns if part.role == "other"]
    return f"Not named, so published as they are: {', '.join(names)}." if names else ""


def _without_hierarchy(columns: Sequence[Proposed]) -> Iterator[str]:
    """Say how columns without a tree are published; what holds of many is said once."""
    alike: dict[str, list[str]] = {}
    for part in columns:
        if part.role == GENERALIZED and part.hierarchy is None:
            spans = CALENDAR if part.kind == "date" else "Published as spans."
            alike.setdefault(part.hierarchy_reason or spans, []).append(part.name)
    for said, names in alike.items():
        example = said.replace("{}", names[0])
        yield f"{', '.join(names)}: {example}"
