"""Plug-ins: what other packages add to a family, found by their entry points.

A package names its classes in its own ``pyproject.toml``; from then on plans, the command line and
the web app know them, and ``shoal doctor`` lists them::

    [project.entry-points."shoal.models"]
    least_range = "their_package:LeastRange"

What cannot be loaded is left out and told by ``shoal doctor``: a broken package of somebody else
must not stop a release that does not use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

Member = TypeVar("Member")


@dataclass(frozen=True)
class Plugin:
    """A class that another package adds, and why it was left out if it was."""

    family: str
    name: str
    package: str
    member: Any = None
    fault: str | None = None


class Members(Mapping[str, Member]):
    """Members of a family by name: ours, then those that other packages bring.

    Others are looked for when somebody first asks, since they import what they add to. A name that
    is ours cannot be taken.

    >>> letters = Members("shoal.letters", str, {"a": "A"})
    >>> dict(letters), letters.plugins
    ({'a': 'A'}, [])
    """

    def __init__(
        self,
        group: str,
        base: type,
        ours: Mapping[str, Member],
        named: Callable[[Any], tuple[str, Member]] = lambda member: (member.name, member),
    ) -> None:
        self.group, self.base, self.ours = group, base, dict(ours)
        self._named = named

    @cached_property
    def plugins(self) -> list[Plugin]:
        """All that other packages bring, with the fault of each that is left out."""
        points = sorted(entry_points(group=self.group), key=lambda point: point.name)
        return [self._take(_load(point, self.base)) for point in points]

    def _take(self, plugin: Plugin) -> Plugin:
        if plugin.fault is not None:
            return plugin
        try:
            name, member = self._named(plugin.member)
        except Exception as error:  # theirs, of any kind; its words may quote anything
            return replace(plugin, fault=f"raises {type(error).__name__}")
        if not name or self.ours.setdefault(name, member) is not member:
            return replace(plugin, fault="has a name that is taken, or none")
        return plugin

    @cached_property
    def all(self) -> Mapping[str, Member]:
        """Every member by its name, ours and theirs: plain, for whoever asks for many."""
        _ = self.plugins  # looked for once
        return self.ours

    def __getitem__(self, name: str) -> Member:
        return self.all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)


def _load(point: EntryPoint, base: type) -> Plugin:
    found = Plugin(point.group, point.name, "" if point.dist is None else point.dist.name)
    try:
        member = point.load()
    except (Exception, SystemExit) as error:  # some scripts exit when they are imported
        return replace(found, fault=f"raises {type(error).__name__}")
    if not (isinstance(member, type) and issubclass(member, base)):
        return replace(found, fault=f"is no {base.__name__}")
    return replace(found, member=member)
