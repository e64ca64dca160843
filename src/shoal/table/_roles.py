"""Roles: what each column of a table is to the people in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias, get_args

from shoal.exceptions import InvalidParameterError, RoleConflictError, UnknownColumnError

Columns: TypeAlias = str | Iterable[str] | None
Role: TypeAlias = Literal[
    "identifier",
    "quasi_identifier",
    "sensitive",
    "target",
    "person",
    "publish_as_is",
    "drop",
    "other",
]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, init=False)
class Roles:
    """What each column is to the people of a table.

    A column without a role is *other*: it is published as it is, though nobody said that it may.

    Parameters
    ----------
    identifiers : str or iterable of str
        Columns that name a person (name, e-mail). They are never published.
    quasi_identifiers : str or iterable of str
        Columns an attacker may know from elsewhere (age, sex, ZIP). They are generalized.
    sensitive : str or iterable of str
        Columns nobody may learn about a person (disease, salary).
    target : str, optional
        The column a model will predict from the release; it may be sensitive too.
    person : str, optional
        The column that tells people apart where one person has several rows. It is dropped
        like an identifier (and may be listed as one), and k then counts people, not rows.
    publish_as_is : str or iterable of str
        Columns that are published unchanged, accepted by name, or by a pattern such as ``Q*``
        that a table turns into names. A sensitive column, or the target, may be accepted, too:
        it stays what it is.
    drop : str or iterable of str
        Columns that are left out and tell nothing about who is who; patterns, too.

    Examples
    --------
    >>> roles = Roles(identifiers="name", quasi_identifiers=["age", "zip"], sensitive="disease")
    >>> roles.quasi_identifiers
    ('age', 'zip')
    >>> roles.role_of("disease"), roles.role_of("height")
    ('sensitive', 'other')
    >>> Roles(identifiers=["name", "id"], person="id", drop="notes").dropped
    ('name', 'id', 'notes')
    """

    identifiers: tuple[str, ...]
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    target: str | None
    person: str | None
    publish_as_is: tuple[str, ...]
    drop: tuple[str, ...]
    #: Every column that has a role, once.
    named: tuple[str, ...] = field(init=False, repr=False, compare=False)
    #: Columns that never appear in a release: identifiers, person column, and ``drop``.
    dropped: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        identifiers: Columns = (),
        quasi_identifiers: Columns = (),
        sensitive: Columns = (),
        target: str | None = None,
        person: str | None = None,
        publish_as_is: Columns = (),
        drop: Columns = (),
    ) -> None:
        single: dict[str, object] = {"target": target, "person": person}
        for role, column in single.items():
            if column is not None and not isinstance(column, str):
                raise InvalidParameterError(f"{role} must be one column name (text).")
        several = {
            "identifiers": identifiers,
            "quasi_identifiers": quasi_identifiers,
            "sensitive": sensitive,
            "publish_as_is": publish_as_is,
            "drop": drop,
        }
        given = {role: _as_names(columns, role) for role, columns in several.items()}
        self.__dict__.update(given, **single)
        self._refuse_conflicts(given)
        alone = [name for name in (target, person) if name is not None]
        lists = (*self.identifiers, *self.quasi_identifiers, *self.sensitive, *alone)
        named = dict.fromkeys((*lists, *self.publish_as_is, *self.drop))
        naming = (*self.identifiers, *([] if person is None else [person]))
        dropped = dict.fromkeys((*naming, *self.drop))
        self.__dict__.update(named=tuple(named), dropped=tuple(dropped))

    @classmethod
    def from_choices(cls, choices: Mapping[str, str]) -> Roles:
        """Build roles from one choice per column, as `infer_roles` proposes them.

        >>> Roles.from_choices({"name": "identifier", "age": "quasi_identifier", "pet": "other"})
        Roles(identifiers=('name',), quasi_identifiers=('age',), sensitive=(), target=None,
        person=None, publish_as_is=(), drop=())
        """
        unknown = sorted(set(choices.values()) - set(ROLES))
        if unknown:
            raise InvalidParameterError(
                f"There is no role named {unknown[0]!r}.", hint=f"Roles are {', '.join(ROLES)}."
            )
        having = {role: [c for c, chosen in choices.items() if chosen == role] for role in ROLES}
        return cls(
            identifiers=having["identifier"],
            quasi_identifiers=having["quasi_identifier"],
            sensitive=having["sensitive"],
            target=_only(having["target"], "target"),
            person=_only(having["person"], "person"),
            publish_as_is=having["publish_as_is"],
            drop=having["drop"],
        )

    def role_of(self, column: str) -> Role:
        """Name the role of a column; a sensitive target is sensitive, no role is ``other``."""
        if column == self.person:
            return "person"
        if column in self.identifiers:
            return "identifier"
        if column in self.quasi_identifiers:
            return "quasi_identifier"
        if column in self.sensitive:
            return "sensitive"
        if column == self.target:
            return "target"
        if column in self.publish_as_is:
            return "publish_as_is"
        return "drop" if column in self.drop else "other"

    def is_secret(self, column: str) -> bool:
        """Tell whether a column is sensitive, or the target."""
        return column in self.sensitive or column == self.target

    @property
    def accepted_secrets(self) -> tuple[str, ...]:
        """Secrets that were accepted by name, however exact they are."""
        return tuple(filter(self.is_secret, self.publish_as_is))

    def accepting(self, secrets: Iterable[str]) -> Roles:
        """Return the same with some columns accepted by name, if they are secrets.

        >>> Roles(sensitive="hba1c").accepting(["hba1c", "age"]).publish_as_is
        ('hba1c',)
        """
        new = [n for n in secrets if self.is_secret(n) and n not in self.publish_as_is]
        return replace(self, publish_as_is=(*self.publish_as_is, *new)) if new else self

    def check(self, columns: Iterable[str]) -> Roles:
        """Return the roles of a table with these columns, patterns turned into names.

        A pattern (``Q*``, ``?``, ``[ab]``) in ``publish_as_is`` or ``drop`` stands for all columns
        that it fits and that have no other role. Raises `UnknownColumnError` if a role names a
        column that is not there.

        >>> Roles(quasi_identifiers="Q1", drop="Q*").check(["Q1", "Q2", "Q3"]).drop
        ('Q2', 'Q3')
        """
        known = list(columns)
        strangers = [name for name in self.named if name not in known]
        if not strangers:
            return self
        free = [name for name in known if name not in self.named]
        wide = [
            tuple(dict.fromkeys(n for pattern in names for n in _fitting(pattern, known, free)))
            for names in (self.publish_as_is, self.drop)
        ]
        for name in strangers:
            if name in (*self.publish_as_is, *self.drop) and _fitting(name, known, free):
                continue
            raise UnknownColumnError.among(name, known)
        return replace(self, publish_as_is=wide[0], drop=wide[1])

    def _refuse_conflicts(self, given: Mapping[str, tuple[str, ...]]) -> None:
        for role, columns in given.items():
            twice = [name for name, n in Counter(columns).items() if n > 1]
            if twice:
                raise RoleConflictError(f"Column {twice[0]!r} is listed twice in {role}.")
        groups = {
            "an identifier": {*self.identifiers, *filter(None, [self.person])},
            "a quasi-identifier": {*self.quasi_identifiers},
            "sensitive or the target": {*self.sensitive, *filter(None, [self.target])},
            "published as it is": {*self.publish_as_is} - {*self.sensitive, self.target},
            "dropped": {*self.drop},
        }
        seen: dict[str, str] = {}
        for role, names in groups.items():
            for name in sorted(names):
                if name in seen:
                    raise RoleConflictError(
                        f"Column {name!r} cannot be {seen[name]} and {role} at once.",
                        hint="Give each column one role; only a target may be sensitive too, and a"
                        " secret accepted by name.",
                    )
                seen[name] = role


def _fitting(pattern: str, known: list[str], free: list[str]) -> list[str]:
    """List the columns that a pattern fits; the name of a column is no pattern."""
    return [pattern] if pattern in known else [n for n in free if fnmatchcase(n, pattern)]


def _as_names(columns: Columns, role: str) -> tuple[str, ...]:
    if columns is None:
        return ()
    if isinstance(columns, str):
        return (columns,)
    names = tuple(columns) if isinstance(columns, Iterable) else (columns,)
    if not all(isinstance(name, str) for name in names):
        raise InvalidParameterError(f"{role} must be column names (text).")
    return names


def _only(names: list[str], role: str) -> str | None:
    if len(names) > 1:
        raise RoleConflictError(f"Only one column can be the {role}; {len(names)} were given.")
    return names[0] if names else None
