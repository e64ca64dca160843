"""A plan of several tables about the same people."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any

from shoal._checks import choice, did_you_mean, number, text, whole
from shoal._words import LANGUAGES
from shoal.exceptions import InvalidParameterError, OutputError
from shoal.ledger import MODES, Mode
from shoal.plan import Plan, fields_of, parse_plan, to_toml
from shoal.presets import DEFAULT_K, choose_k, find_preset
from shoal.privacy import MODELS
from shoal.projects import DAYS, KEEPS, DateShift, Disguise, Pseudonym

OF_TABLE = ("source", "table", "query", "sheet", "delimiter", "encoding")
OF_ROLES = (
    *("identifiers", "quasi_identifiers", "sensitive", "target", "person"),
    *("publish_as_is", "drop"),
)
BY_COLUMN = ("kinds", "orders", "clean", "formats", "weights", "limits", "grid")
EITHER = ("missing", "hierarchies")  # a value for the table, or one for each column
SUPPRESSION = 0.1


@dataclass(frozen=True)
class LinkedPlan:
    """Several tables about the same people, and what must hold of them together.

    Parameters
    ----------
    tables : mapping of str to Plan
        How each table is read, its roles (``person`` is the key that joins), hierarchies, and the
        models of its sensitive columns, which every row joined with its person must satisfy.
    k : int
        Fewest people who share whatever one row shows, together with the facts of the person.
    km : int, optional
        Whoever knows so many rows of a person still finds k people who have them all.
    crowd : int, optional
        Fewest people of a crowd; chosen by the loss over all tables if not given.
    max_rows : int, optional
        Most rows of a person that a table shows; the rest is left out.
    max_suppression : float
        Largest share of all rows that may be left out.
    pseudonyms : mapping of str to str or mapping
        The pseudonym of the key, by the name it has in any table; of this release if not given.
    orphans : {"refuse", "drop"}
        What becomes of rows whose person is in no table of people.
    preset, project, dates, shift_days, shift_keeps, format, language, ledger
        As for `Plan`.
    """

    tables: Mapping[str, Plan]
    k: int = DEFAULT_K
    km: int = 1
    crowd: int | None = None
    max_rows: int | None = None
    max_suppression: float = SUPPRESSION
    pseudonyms: Mapping[str, Any] = field(default_factory=dict)
    orphans: str = "refuse"
    preset: str | None = None
    project: str = "default"
    dates: Mapping[str, str] = field(default_factory=dict)
    shift_days: int = DAYS
    shift_keeps: str | None = None
    format: str = "csv"
    language: str | None = None
    ledger: Mode | None = None

    def __post_init__(self) -> None:
        if len(self.tables) < 2:
            raise InvalidParameterError(
                "Tables belong together if there are two or more.",
                hint="A single table is a [table], without a name.",
            )
        for name, plan in self.tables.items():
            _check_table(name, plan)
        for key in self.pseudonyms:
            if key not in self.keys.values():
                raise InvalidParameterError(
                    f"Of linked tables only the key gets a pseudonym, and {key!r} is none.",
                    hint=f"The key is {', '.join(map(repr, sorted({*self.keys.values()})))}.",
                )
        if self.crowd is not None and self.crowd < self.k:
            raise InvalidParameterError("A crowd cannot be smaller than k.")

    @classmethod
    def read(cls, path: str | PathLike[str]) -> LinkedPlan:
        """Read a plan from its file; what is wrong in it is told with the name of the file."""
        path = Path(path)
        try:
            return cls(**_fields(parse_plan(path), path.parent))
        except InvalidParameterError as error:
            raise type(error)(f"{path.name}: {error}", hint=error.hint) from None

    def write(self, path: str | PathLike[str]) -> None:
        """Write the plan to a file, from which `read` makes the same plan."""
        path = Path(path)
        try:
            path.write_text(self.to_toml(path.parent), encoding="utf-8", newline="\n")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no file can have this name"
            raise OutputError(f"The plan {path.name!r} could not be written: {reason}.") from None

    def to_toml(self, folder: str | PathLike[str] = ".") -> str:
        """Write the plan as TOML for a file in ``folder``; what is as by default is left out.

        >>> from shoal.table import Roles
        >>> parts = {name: Plan(source=f"{name}.csv", roles=Roles(person="no")) for name in "ab"}
        >>> print(LinkedPlan(parts, k=5, dates={"seen": "shift"}).to_toml())
        [tables.a]
        source = "a.csv"
        person = "no"
        <BLANKLINE>
        [tables.b]
        source = "b.csv"
        person = "no"
        <BLANKLINE>
        [dates]
        seen = "shift"
        <BLANKLINE>
        [privacy]
        k = 5
        <BLANKLINE>
        """
        sections: dict[str, Mapping[str, Any]] = {
            f"tables.{name}": _flat(tomllib.loads(part.to_toml(folder)))
            for name, part in self.tables.items()
        }
        sections |= {"pseudonyms": self.pseudonyms, "dates": self.dates}
        for section, known in CHECKS.items():
            given = {key: getattr(self, name) for key, (name, _) in known.items()}
            told = {k: v for k, v in given.items() if v is not None and v != _DEFAULTS[known[k][0]]}
            sections[section] = told
        return to_toml(sections)

    @property
    def keys(self) -> dict[str, str]:
        """The column of each table that tells people apart."""
        return {name: str(plan.roles.person) for name, plan in self.tables.items()}

    def disguise(self) -> Disguise:
        """The same pseudonym for the key in every table, whatever it is called there."""
        given = next(iter(self.pseudonyms.values()), "release")
        told = Pseudonym.of(given)
        domain = told.domain or next(iter(self.pseudonyms), next(iter(self.keys.values())))
        one = Pseudonym(told.scope, domain, told.look, told.prefix)
        clean = {plan.roles.person: _cleaning(plan) for plan in self.tables.values()}
        return Disguise(dict.fromkeys(self.keys.values(), one), self.project, clean)  # type: ignore[arg-type]

    def shift_of(self, name: str) -> DateShift | None:
        """The dates of a table that are shifted."""
        columns = tuple(column for column in self.dates if column in self._columns(name))
        how = (self.shift_days, self.shift_keeps, self.project)
        return DateShift(columns, *how) if columns else None

    def _columns(self, name: str) -> set[str]:
        return {*self.dates} - {*self.tables[name].roles.dropped}


def is_linked(path: str | PathLike[str]) -> bool:
    """Tell whether a plan speaks of several tables."""
    try:
        return "tables" in tomllib.loads(Path(path).read_text("utf-8-sig"))
    except (OSError, ValueError):
        return False


def _check_table(name: str, plan: Plan) -> None:
    if not (name.isascii() and name.isidentifier()):  # a file of this name, as verify.py knows it
        raise InvalidParameterError("A table is named in letters (a-z), digits and underscores.")
    if plan.roles.person is None:
        raise InvalidParameterError(
            f"The table {name!r} does not say which column tells people apart.",
            hint=f'In [tables.{name}]: person = "patient_no"',
        )


def _cleaning(plan: Plan) -> tuple[str, ...]:
    return tuple(plan.clean.get(str(plan.roles.person), plan.clean.get("*", ())))


CHECKS: dict[str, dict[str, tuple[str, Any]]] = {
    "privacy": {
        "k": ("k", whole(2)),
        "km": ("km", whole(1)),
        "crowd": ("crowd", whole(2)),
        "preset": ("preset", text),
    },
    "release": {
        "max_suppression": ("max_suppression", number(0, 1)),
        "max_rows": ("max_rows", whole(1)),
        "format": ("format", choice(("csv", "parquet"))),
        "orphans": ("orphans", choice(("refuse", "drop"))),
        "language": ("language", choice(tuple(LANGUAGES))),
    },
    "project": {
        "name": ("project", text),
        "shift_days": ("shift_days", whole(1)),
        "shift_keeps": ("shift_keeps", choice(KEEPS)),
    },
    "ledger": {"mode": ("ledger", choice(MODES))},
}
SECTIONS = ("tables", "pseudonyms", "dates", *CHECKS)
_DEFAULTS = {part.name: part.default for part in fields(LinkedPlan)}
_DEFAULTS["k"] = None  # said always: what is not said is the default of the day


def _flat(sections: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan of one table says, as [tables.NAME] has it; k is that of all tables."""
    flat: dict[str, Any] = {}
    for section, content in sections.items():
        plain = section in ("table", "roles", "privacy")
        flat |= content if plain else {section: content}
    return flat


def _fields(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    for section, content in data.items():
        if section not in SECTIONS:
            hint = did_you_mean(section, SECTIONS)
            hint = "A later delivery is one of a single table." if section == "after" else hint
            raise InvalidParameterError(f"Linked tables have no section [{section}].", hint=hint)
        if not isinstance(content, Mapping):
            raise InvalidParameterError(f"{section} must be a section, written as [{section}].")
    fields: dict[str, Any] = {
        "tables": {n: _table(n, part, folder) for n, part in data["tables"].items()},
        "pseudonyms": dict(data.get("pseudonyms", {})),
        "dates": {c: choice(("shift",))(c, word) for c, word in data.get("dates", {}).items()},
    }
    for section, known in CHECKS.items():
        for key, value in data.get(section, {}).items():
            if key not in known:
                hint = did_you_mean(key, known)
                raise InvalidParameterError(
                    f"There is no {key!r} in [{section}] of linked tables.", hint=hint
                )
            name, check = known[key]
            fields[name] = check(key, value)
    return _with_floor(fields)


def _with_floor(fields: dict[str, Any]) -> dict[str, Any]:
    find_preset(fields.get("preset"))
    return {**fields, "k": choose_k(fields.get("k"), fields.get("preset"))}


def _table(name: str, part: Any, folder: Path) -> Plan:
    """Read what is said of one table, as a plan of its own."""
    if not isinstance(part, Mapping):
        raise InvalidParameterError(f"{name} must be a table, written as [tables.{name}].")
    sections: dict[str, Any] = {"table": {}, "roles": {}}
    for key, value in part.items():
        if key in OF_TABLE or (key in EITHER and not isinstance(value, Mapping)):
            sections["table"][key] = value
        elif key in OF_ROLES:
            sections["roles"][key] = value
        elif key in MODELS:
            sections.setdefault("privacy", {})[key] = value
        elif key in BY_COLUMN or key in EITHER:
            sections[key] = value
        else:
            known = (*OF_TABLE, *OF_ROLES, *MODELS, *BY_COLUMN, *EITHER)
            raise InvalidParameterError(
                f"There is no {key!r} in [tables.{name}].", hint=did_you_mean(key, known)
            )
    return Plan(**fields_of(sections, folder))
