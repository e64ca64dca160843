"""A disguise: which columns get pseudonyms, of which project; and one release's use of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import polars as pl

from shoal.exceptions import InvalidParameterError, RoleConflictError, UnknownColumnError
from shoal.projects._keys import DEFAULT, ProjectKey, project_key, throwaway_key
from shoal.projects._pseudonyms import Pseudonym, make_pseudonyms
from shoal.projects._shifts import DateShift
from shoal.table import Table, fold_texts
from shoal.typing import BoolArray

STAMP = "pseudonymous: personal data under the GDPR for whoever can get the key"


@dataclass(frozen=True)
class Disguise:
    """What is published in the place of names; the key itself is looked up when it is used.

    Parameters
    ----------
    pseudonyms : mapping of str to Pseudonym, str or mapping
        For each column its pseudonym: ``"release"``, ``"project"``, or a table of settings.
    project : str
        The project whose key makes them.
    clean : mapping of str to sequence of str
        Which spellings of a column are one name, as for `read_table`; ``"*"`` for all columns.
    shift : DateShift, optional
        Dates that move together, person by person.
    """

    pseudonyms: Mapping[str, Pseudonym]
    project: str = DEFAULT
    clean: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shift: DateShift | None = None

    def __post_init__(self) -> None:
        made = {name: Pseudonym.of(value) for name, value in self.pseudonyms.items()}
        object.__setattr__(self, "pseudonyms", made)

    @property
    def stamps(self) -> tuple[str, ...]:
        """What must be stamped on a release: under a key that is kept, people can be told."""
        return (STAMP,) if any(p.scope == "project" for p in self.pseudonyms.values()) else ()

    def prepare(self, table: Table) -> Table:
        """Shift dates, check that columns name somebody, account for those shared by rows.

        A pseudonym that several people share (their doctor's) is a column published as it is,
        under other names: it gets that role, and whom it singles out is counted.
        """
        for name in self.pseudonyms:
            self._check(name, table)
        roles = table.roles
        if self.shift is not None:
            table = self.shifted(table)
        shared = [
            name for name in self.pseudonyms if name != roles.person and _repeats(table, name)
        ]
        if not shared:
            return table
        kept = tuple(name for name in roles.identifiers if name not in shared)
        accepted = (*roles.publish_as_is, *shared)
        return table.with_roles(replace(roles, identifiers=kept, publish_as_is=accepted))

    def pseudonymizer(self) -> Pseudonymizer:
        """Return what makes the pseudonyms of one release."""
        return Pseudonymizer(self)

    def shifted(self, table: Table, key: ProjectKey | None = None) -> Table:
        """Shift the dates of a table, as those of every other table about these people."""
        assert self.shift is not None
        person = table.roles.person or ""
        domain = self.pseudonyms[person].domain if person in self.pseudonyms else ""
        return self.shift.apply(table, domain=domain, clean=self.cleaners(person), key=key)

    def cleaners(self, name: str) -> Sequence[str]:
        """Say which spellings of a column were declared to be one name."""
        return self.clean.get(name, self.clean.get("*", ()))

    def doubts(self, table: Table) -> tuple[str, ...]:
        """Tell of names that differ in blanks or case alone, where nobody said they are one."""
        found = []
        for name in self.pseudonyms:
            texts = table.cells.distinct(name).texts
            alike = len(texts) - fold_texts(texts, ("trim", "case")).n_unique()
            if alike:
                found.append(
                    f"{alike:,} names in {name!r} differ from another only in blanks or case, and"
                    f" get pseudonyms of their own; if they are one: clean={{{name!r}: ['trim',"
                    " 'case']}}."
                )
        return tuple(found)

    def _check(self, name: str, table: Table) -> None:
        if name not in table.column_names:
            raise UnknownColumnError.among(name, table.column_names)
        roles = table.roles
        if name != roles.person and name not in roles.identifiers:
            raise RoleConflictError(
                f"Column {name!r} gets a pseudonym, so it must name somebody.",
                hint=f"If it tells people apart, give person={name!r}; else make it an identifier.",
            )
        if roles.person is None and _repeats(table, name):
            raise InvalidParameterError(
                f"Column {name!r} names some people in several rows, and k would count rows.",
                hint=f"If it tells people apart, give person={name!r}.",
            )


class Pseudonymizer:
    """Makes the pseudonyms of one release; keys live as long as it does.

    >>> import numpy as np
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"id": ["7", "8", "7"], "age": [30, 40, 30]}),
    ...                    roles=Roles(quasi_identifiers="age", person="id"))
    >>> made = Pseudonymizer(Disguise({"id": "release"}))
    >>> frame = made.publish(table, table.frame.select("age"), np.array([True, True, True]))
    >>> frame.columns, frame["id"].n_unique(), "7" in frame["id"]
    (['id', 'age'], 2, False)
    """

    def __init__(self, disguise: Disguise) -> None:
        self.disguise = disguise

    @cached_property
    def _keys(self) -> dict[str, ProjectKey]:
        scopes = {pseudonym.scope for pseudonym in self.disguise.pseudonyms.values()}
        project = self.disguise.project
        return {s: throwaway_key() if s == "release" else project_key(project) for s in scopes}

    def publish(self, table: Table, frame: pl.DataFrame, kept: BoolArray) -> pl.DataFrame:
        """Put pseudonyms into a frame of the kept rows, each where its column stood."""
        made = {
            name: self.column(table, name).filter(pl.Series(kept))
            for name in self.disguise.pseudonyms
        }
        there = [name for name in table.column_names if name in frame.columns or name in made]
        return frame.select(made.get(name, pl.col(name)) for name in there)

    def column(self, table: Table, name: str) -> pl.Series:
        """Make the pseudonyms of a column, row by row; a row that names nobody has none."""
        pseudonym, distinct = self.disguise.pseudonyms[name], table.cells.distinct(name)
        clean = self.disguise.cleaners(name)
        _refuse_spellings(name, distinct.texts, clean)
        if pseudonym.look == "digits":
            _refuse_lengths(name, distinct.texts)
        words = make_pseudonyms(
            distinct.texts,
            self._keys[pseudonym.scope],
            pseudonym.domain or name,
            look=pseudonym.look,
            prefix=pseudonym.prefix,
            clean=clean,
        )
        words = words.extend(pl.Series([None], dtype=pl.String))
        return words.gather(distinct.codes).alias(name)

    def joins(self, person: str | None) -> bool:
        """Tell whether the rows of a person have a pseudonym in common."""
        return person in self.disguise.pseudonyms

    def alignment(self, person: str | None) -> str:
        """Name what lets whoever has two releases align their people; empty if nothing does."""
        pseudonym = self.disguise.pseudonyms.get(person or "")
        if pseudonym is None or pseudonym.scope != "project":
            return ""
        key = self._keys["project"]
        return key.derive("alignment", pseudonym.domain or str(person)).hex()[:32]

    def facts(self, person: str | None) -> dict[str, dict[str, Any]]:
        """Say in public what the pseudonyms are: of whom, how far, under which key."""
        return {
            name: {
                "of": "person" if name == person else "identifier",
                "scope": pseudonym.scope,
                **({"key": self._keys["project"].id} if pseudonym.scope == "project" else {}),
            }
            for name, pseudonym in self.disguise.pseudonyms.items()
        }


class WornDisguise(Disguise):
    """The disguise of a table whose names are pseudonyms already, and whose dates are shifted.

    Earlier rows, of which nobody knows the names any more, and newcomers are published together.
    """

    def prepare(self, table: Table) -> Table:
        """Refuse names that rows share now and did not: whom they single out was not counted."""
        for name in self.pseudonyms:
            if name in table.roles.identifiers and _repeats(table, name):
                raise InvalidParameterError(
                    f"Column {name!r} named one person in each row of the earlier release, and"
                    " names some in several now.",
                    hint="Make a release anew, or one without it.",
                )
        return table

    def pseudonymizer(self) -> Pseudonymizer:
        """Return what publishes the pseudonyms as they stand."""
        return _Republisher(self)

    def doubts(self, table: Table) -> tuple[str, ...]:
        """Nobody can tell spellings of names by their pseudonyms."""
        return ()


class _Republisher(Pseudonymizer):
    def column(self, table: Table, name: str) -> pl.Series:
        """Publish what the cells say."""
        return table.text(name)


def _repeats(table: Table, name: str) -> bool:
    return int(table.cells.distinct(name).counts.max(initial=0)) > 1


def _refuse_lengths(name: str, texts: pl.Series) -> None:
    """Who alone in a crowd has a number of seven digits is found by it."""
    lengths = texts.str.len_chars().n_unique()
    if lengths > 1:
        raise InvalidParameterError(
            f"Numbers in {name!r} have {lengths} lengths, and pseudonyms of digits would show whose"
            " is which.",
            hint='Bring them to one length, or use the look "hex".',
        )


def _refuse_spellings(name: str, texts: pl.Series, clean: Sequence[str]) -> None:
    """Two texts of one table that fold into one were not read with the same cleaning."""
    if clean and fold_texts(texts, clean).n_unique() < len(texts):
        raise InvalidParameterError(
            f"Some names in {name!r} are one by their cleaning and were read as several.",
            hint=f"Let the table be read with it, too: clean={{{name!r}: {list(clean)}}}.",
        )
