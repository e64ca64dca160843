"""A study: a paper's experiment cut into work items, and what is concluded from them."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from shoal.studies._findings import Findings

Size: TypeAlias = Literal["miniature", "small", "full"]
SIZES: tuple[Size, ...] = ("miniature", "small", "full")


@dataclass(frozen=True, eq=False)
class Item:
    """A piece of work that takes seconds, is done once, and is kept.

    ``settings`` are plain JSON values; with ``part`` they say all that `Study.work` needs to know,
    so that the same item gives the same result in any process, today or after a restart.

    >>> Item("score", {"k": 5, "target": "income"}).key
    '{"k":5,"part":"score","target":"income"}'
    """

    part: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The item as canonical text, its name in the store."""
        named = {"part": self.part, **self.settings}
        return json.dumps(named, sort_keys=True, separators=(",", ":"))


class Finished:
    """The results of all items done so far, in the order in which they were finished."""

    def __init__(
        self,
        results: Mapping[str, Mapping[str, Any]] | None = None,
        seconds: Mapping[str, float] | None = None,
    ) -> None:
        self._results = {key: dict(result) for key, result in (results or {}).items()}
        self._seconds = dict(seconds or {})

    def __len__(self) -> int:
        return len(self._results)

    def __contains__(self, item: Item) -> bool:
        return item.key in self._results

    def __getitem__(self, item: Item) -> Mapping[str, Any]:
        return self._results[item.key]

    def add(self, item: Item, result: Mapping[str, Any]) -> None:
        """Keep the result of one more item."""
        self._results[item.key] = dict(result)

    def records(self, part: str) -> list[dict[str, Any]]:
        """Settings and results of one part, as one flat record for each item.

        >>> done = Finished()
        >>> done.add(Item("score", {"k": 5}), {"f1": 0.8})
        >>> done.records("score")
        [{'k': 5, 'f1': 0.8}]
        """
        return list(self._records(part))

    def only(self, items: Iterable[Item]) -> Finished:
        """The same, without what other sizes of the study left in the store."""
        kept = {i.key: self._results[i.key] for i in items if i.key in self._results}
        return Finished(kept, {key: self._seconds[key] for key in kept if key in self._seconds})

    def costs(self, part: str, *by: str) -> list[dict[str, Any]]:
        """Mean CPU seconds of the items of a part, by some of their settings.

        >>> item = Item("score", {"k": 5})
        >>> Finished({item.key: {"f1": 0.8}}, {item.key: 1.5}).costs("score", "k")
        [{'k': 5, 'cpu_seconds': 1.5, 'items': 1}]
        """
        found: dict[tuple[Any, ...], list[float]] = {}
        for key, seconds in self._seconds.items():
            settings = json.loads(key)
            if settings["part"] == part:
                found.setdefault(tuple(settings[name] for name in by), []).append(seconds)
        return [
            {**dict(zip(by, group, strict=True)), "cpu_seconds": sum(s) / len(s), "items": len(s)}
            for group, s in found.items()
        ]

    def _records(self, part: str) -> Iterator[dict[str, Any]]:
        for key, result in self._results.items():
            settings = json.loads(key)
            if settings.pop("part") == part:
                yield {**settings, **result}


class Study(ABC):
    """A published experiment, re-run.

    A study is a folder ``shoal/studies/<name>/`` whose ``__init__`` names one instance ``STUDY``;
    nothing else has to be registered. It says what there is to do (`plan`), does one item of it
    (`work`, in any process) and concludes (`conclude`). Running in parallel, keeping what is done,
    resuming after a kill, progress, files and the page are the framework's.

    Attributes
    ----------
    name, title, citation : str
        As typed on the command line; as headed on the page; the paper.
    version : int
        Raise it when `work` changes what it returns: older stores are then refused.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    version: ClassVar[int] = 1

    @abstractmethod
    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List the items that can be done now, in the order they should be.

        Called again once all of them are finished, until it lists nothing new: later items may so
        depend on earlier results, and must carry what they need of them in their settings.
        ``miniature`` takes seconds (tests), ``small`` minutes (the default), ``full`` hours.
        """

    @abstractmethod
    def work(self, item: Item) -> Mapping[str, Any]:
        """Do one item, in whatever process; return plain JSON values without any cell value."""

    def at_work(self) -> AbstractContextManager[object]:
        """What closes once all items are done in this process, if `work` left something open."""
        return nullcontext()

    @abstractmethod
    def conclude(self, size: Size, done: Finished) -> Findings:
        """Turn results into tables, pictures and answers."""
