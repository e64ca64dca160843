"""Steps of a plan: what was decided before, to go back to; and asking before something is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from shoal._words import later, listed, say
from shoal.exceptions import InputError, ShoalError
from shoal.plan import Plan
from shoal.table import Roles

MOST_STEPS = 200
#: Whether somebody sits at a page and can be asked; scripts are not.
ASK_FIRST: ContextVar[bool] = ContextVar("ask_first", default=False)
WORDS = {
    "max_suppression": later("suppression"),
    "preset": later("for whom"),
    "method": later("the method"),
}
BY_COLUMN = {
    "kinds": later("the kind of {name}"),
    "hierarchies": later("the tree of {name}"),
    "limits": later("the limit of {name}"),
}


class AskFirstError(ShoalError):
    """Something would be thrown away that nobody agreed to."""


@dataclass
class PlanSteps:
    """The plans before and after the one that holds."""

    past: list[Plan] = field(default_factory=list)
    future: list[Plan] = field(default_factory=list)

    def add(self, before: Plan) -> None:
        """Remember a plan that no longer holds; what was taken back before is gone."""
        self.past = [*self.past, before][-MOST_STEPS:]
        self.future = []

    def peek(self, way: Literal["back", "forth"]) -> Plan:
        """Return the plan that a step leads to."""
        plans = self.past if way == "back" else self.future
        if not plans:
            raise InputError("There is nothing to take back." if way == "back" else "That is all.")
        return plans[-1]

    def take(self, way: Literal["back", "forth"], held: Plan) -> None:
        """Make the step; ``held`` is the plan that it leaves."""
        from_, to = (self.past, self.future) if way == "back" else (self.future, self.past)
        from_.pop()
        to.append(held)


def asks_alike(one: Plan, other: Plan) -> bool:
    """Tell whether a session goes on under another plan: only what leaves beside crowds differs.

    >>> from shoal.table import Roles
    >>> free = Roles(quasi_identifiers="age")
    >>> accepted = Roles(quasi_identifiers="age", publish_as_is="visits")
    >>> asks_alike(Plan(roles=free), Plan(roles=accepted))
    True
    >>> asks_alike(Plan(roles=free), Plan(roles=free, k=20))
    False
    """
    alike = ("quasi_identifiers", "sensitive", "target", "person", "identifiers")
    same = all(getattr(one.roles, part) == getattr(other.roles, part) for part in alike)
    return same and replace(other, roles=one.roles) == one


def tell_step(before: Plan, after: Plan) -> str:
    """Say in few words what changed between two plans.

    >>> from shoal.table import Roles
    >>> tell_step(Plan(k=5), Plan(k=10))
    'k'
    >>> tell_step(Plan(roles=Roles(target="a")), Plan(roles=Roles(sensitive="a"), l=2))
    'the role of a and l'
    >>> predicted = Roles(sensitive="a", target="a")
    >>> tell_step(Plan(roles=predicted), Plan(roles=Roles(sensitive="a")))
    'what models predict'
    """
    changed = [*_roles(before, after), *_settings(before, after)]
    return listed(changed, 3)


def _roles(before: Plan, after: Plan) -> Iterator[str]:
    names = dict.fromkeys((*before.roles.named, *after.roles.named))
    changed = [name for name in names if before.roles.role_of(name) != after.roles.role_of(name)]
    for name in changed:
        yield say("the role of {name}", name=name)
    if before.roles.target != after.roles.target and not changed:  # of a column that is sensitive
        yield say("what models predict")


def _settings(before: Plan, after: Plan) -> Iterator[str]:
    for part in fields(Plan):
        old, new = getattr(before, part.name), getattr(after, part.name)
        if old == new or not part.init or part.name in ("roles", "weights"):
            continue
        if part.name in BY_COLUMN:
            for name in _differing(old, new):
                yield say(BY_COLUMN[part.name], name=name)
        else:
            yield say(WORDS.get(part.name, part.name.replace("_", " ")))


def _differing(old: Any, new: Any) -> list[str]:
    return [name for name in {**old, **new} if old.get(name) != new.get(name)]


def fitting(plan: Plan, roles: Roles) -> dict[str, Any]:
    """Leave out of a plan what speaks of columns that no longer have the role for it."""
    quasi, sensitive = set(roles.quasi_identifiers), set(roles.sensitive)
    kept: dict[str, Any] = {
        name: {c: value for c, value in getattr(plan, name).items() if c in quasi}
        for name in ("hierarchies", "limits", "grid", "radii")
    }
    if isinstance(plan.l, Mapping):
        kept["l"] = {c: value for c, value in plan.l.items() if c in sensitive} or None
    if not sensitive:
        kept |= {"l": None, "t": None}
    return kept
