"""Drafts: a tree while somebody makes it by hand; every step is another value, so none is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies._base import Arrangement
from shoal.hierarchies._similarity import name_of
from shoal.hierarchies._taxonomy import Taxonomy

ROOT = -1
LONGEST_NAME = 200
MOST_LEVELS = 50  # of a tree that somebody looks at
INSIDE = " > "  # between the names of a group and of what it stands in


@dataclass(frozen=True, eq=False, repr=False)
class TreeDraft:
    """Values, and the groups that somebody puts them into; nodes are numbers.

    Parameters
    ----------
    values : tuple of str
        The values; node i is value i.
    names : mapping of int to str
        The groups by number, and what is published for each.
    above : mapping of int to int
        The group that a node stands in; what is not named here stands below the root.

    Examples
    --------
    >>> jobs = TreeDraft(("baker", "day nurse", "night nurse", "surgeon"))
    >>> jobs = jobs.gather([1, 2]).gather([3, 4], "health")
    >>> jobs.names
    {4: 'nurse', 5: 'health'}
    >>> for row in jobs.ladder_rows():
    ...     print(*row, sep="; ")
    baker; baker; baker; *
    day nurse; nurse; health; *
    night nurse; nurse; health; *
    surgeon; surgeon; health; *
    """

    values: tuple[str, ...]
    names: Mapping[int, str] = field(default_factory=dict)
    above: Mapping[int, int] = field(default_factory=dict)

    def __repr__(self) -> str:  # values are cells and stay out of logs
        return f"TreeDraft({len(self.values)} values, {len(self.names)} groups)"

    @classmethod
    def of(cls, tree: Arrangement, values: Sequence[str]) -> TreeDraft:
        """Take over the tree of a column, so that it can be changed.

        >>> from shoal.hierarchies import Mask
        >>> codes = ["1190", "8010", "8045"]
        >>> TreeDraft.of(Mask().arrange(codes), codes).names
        {3: '80**'}
        """
        number = np.argsort(tree.position)
        first, last = tree.extents
        inner = [n for n in np.unique(tree.gap_nodes).tolist() if n != tree.root]
        inner.sort(key=lambda n: (int(last[n] - first[n]), int(first[n])))  # small ones first
        names = {len(values) + i: tree.node_labels[node] for i, node in enumerate(inner)}
        above: dict[int, int] = {}
        for group, node in zip(names, inner, strict=True):
            for leaf in number[first[node] : last[node] + 1].tolist():
                top = _climb(leaf, above)
                if top != group:
                    above[top] = group
        return cls(tuple(values), names, above)

    # ------------------------------------------------------------------ looking

    @cached_property
    def below(self) -> dict[int, list[int]]:
        """The nodes in each group and below the root: groups first."""
        found: dict[int, list[int]] = {ROOT: [], **{group: [] for group in self.names}}
        for node in (*self.names, *range(len(self.values))):
            found[self.above.get(node, ROOT)].append(node)
        return found

    @cached_property
    def heights(self) -> dict[int, int]:
        """How many steps each group stands above its values."""
        found: dict[int, int] = {}
        for value in range(len(self.values)):
            node, height = self.above.get(value, ROOT), 1
            while node != ROOT:
                found[node] = max(found.get(node, 0), height)
                node, height = self.above.get(node, ROOT), height + 1
        return found

    @property
    def levels(self) -> list[int]:
        """How many groups stand on each level, finest first."""
        heights = list(self.heights.values())
        return [heights.count(level) for level in range(1, max(heights, default=0) + 1)]

    def leaves(self, node: int) -> list[int]:
        """Return the values below a node."""
        if 0 <= node < len(self.values):
            return [node]
        return sorted(leaf for child in self.below[node] for leaf in self.leaves(child))

    def ladder_rows(self) -> list[tuple[str, ...]]:
        """Write the tree as a ladder: each value, its steps, ``*``."""
        nodes = [*range(len(self.values)), *self.names]
        at = {node: i for i, node in enumerate(nodes)}
        parents = [at.get(self.above.get(node, ROOT), len(nodes)) for node in nodes]
        labels = [*self.values, *self.names.values(), "*"]
        tree = Taxonomy(labels, np.array([*parents, ROOT]), labels)
        return sorted(tree.to_ladder_rows())

    # ------------------------------------------------------------------ changing

    def gather(self, nodes: Iterable[int], name: str = "") -> TreeDraft:
        """Put nodes into a new group, which stands where they have stood."""
        chosen = self._tops(nodes)
        group = max([len(self.values) - 1, *self.names]) + 1
        place = self._meeting(chosen)
        leaves = [self.values[leaf] for node in chosen for leaf in self.leaves(node)]
        label = self._checked(name) if name.strip() else self._fresh(propose_name(leaves))
        above = {**self.above, **dict.fromkeys(chosen, group), group: place}
        return self._tidied({**self.names, group: label}, above)

    def put(self, nodes: Iterable[int], group: int) -> TreeDraft:
        """Move nodes into a group, or below the root."""
        chosen = self._tops(nodes)
        if group != ROOT and group not in self.names:
            raise InvalidParameterError("There is no such group.")
        if {*chosen} & {*self._path(group)}:
            raise InvalidParameterError("A group cannot stand inside itself.")
        return self._tidied(self.names, {**self.above, **dict.fromkeys(chosen, group)})

    def take_out(self, nodes: Iterable[int]) -> TreeDraft:
        """Dissolve the groups among the nodes; let the values go one group up."""
        names, above = dict(self.names), dict(self.above)
        for node in self._tops(nodes):
            place = above.get(node, ROOT)
            if node in names:
                del names[node]
                above |= {child: place for child, at in above.items() if at == node}
            elif place != ROOT:
                above[node] = above.get(place, ROOT)
        return self._tidied(names, above)

    def rename(self, group: int, name: str) -> TreeDraft:
        """Say what is published for a group; ``health > nurse`` says what it stands in, too.

        >>> jobs = TreeDraft(("day nurse", "night nurse", "surgeon", "dentist"))
        >>> jobs = jobs.gather([0, 1]).rename(4, "health > nurses")
        >>> jobs = jobs.gather([2, 3]).rename(6, "health > doctors")
        >>> jobs.levels, [jobs.names[group] for group in jobs.below[5]]
        ([2, 1], ['nurses', 'doctors'])
        """
        if group not in self.names:
            raise InvalidParameterError("There is no such group.")
        *outer, own = name.split(INSIDE)
        label = self._checked(own, but=group)
        return replace(self, names={**self.names, group: label})._inside(group, outer)

    def _inside(self, node: int, outer: Sequence[str]) -> TreeDraft:
        """Put a node into the groups of these names, outermost first; make those there are not."""
        draft = self
        for name in reversed(outer):
            known = next((g for g, label in draft.names.items() if label == name.strip()), None)
            if known is not None:
                return draft if known in draft._path(node) else draft.put([node], known)
            draft = draft.gather([node], name)
            node = max(draft.names)
        return draft

    def without_level(self, level: int) -> TreeDraft:
        """Dissolve all groups of a level."""
        return self._each([g for g, height in self.heights.items() if height == level])

    def _each(self, groups: Sequence[int]) -> TreeDraft:
        draft = self
        for group in groups:
            draft = draft.take_out([group])
        return draft

    # ------------------------------------------------------------------ helpers

    def _path(self, node: int) -> list[int]:
        """Return a node and the groups that it stands in."""
        found = [node]
        while found[-1] != ROOT:
            found.append(self.above.get(found[-1], ROOT))
        return found

    def _tops(self, nodes: Iterable[int]) -> list[int]:
        """Leave out what goes along with a group that is among the nodes."""
        known = {*range(len(self.values)), *self.names}
        chosen = [node for node in dict.fromkeys(nodes) if node in known]
        if not chosen:
            raise InvalidParameterError("Nothing is picked.", hint="Pick values or groups first.")
        return [node for node in chosen if not {*self._path(node)[1:]} & {*chosen}]

    def _meeting(self, nodes: Sequence[int]) -> int:
        """Return the lowest group that all nodes stand in."""
        shared = set.intersection(*({*self._path(node)[1:]} for node in nodes))
        return next(group for group in self._path(nodes[0])[1:] if group in shared)

    def _tidied(self, names: Mapping[int, str], above: Mapping[int, int]) -> TreeDraft:
        """Leave out groups that hold nothing any more."""
        kept = dict(names)
        while empty := {*kept} - {at for node, at in above.items() if self._exists(node, kept)}:
            kept = {group: name for group, name in kept.items() if group not in empty}
        held = {n: at for n, at in above.items() if self._exists(n, kept) and at in kept}
        draft = replace(self, names=kept, above=held)
        check_levels(len(draft.levels))
        return draft

    def _exists(self, node: int, names: Mapping[int, str]) -> bool:
        return node < len(self.values) or node in names

    def _checked(self, name: str, but: int | None = None) -> str:
        """Refuse a name that would publish something false, or nothing."""
        label = name.strip()
        others = {text for group, text in self.names.items() if group != but}
        if not label or len(label) > LONGEST_NAME:
            raise InvalidParameterError(
                f"A group needs a name of at most {LONGEST_NAME} letters.",
                hint="It is published instead of the values.",
            )
        if label in others or label == "*":
            raise InvalidParameterError("Another group has this name already.")
        if label in self.values:
            raise InvalidParameterError(
                "A value has this name: published for a group it would look exact.",
                hint="Call the group something else.",
            )
        return label

    def _fresh(self, name: str) -> str:
        taken, number, label = {*self.names.values(), *self.values, "*"}, 1, name
        while label in taken:
            number += 1
            label = f"{name} ({number})"
        return label


def check_levels(levels: int) -> None:
    """Refuse a tree that is too high to be drawn."""
    if levels > MOST_LEVELS:
        raise InvalidParameterError(
            f"A tree that is drawn has at most {MOST_LEVELS} levels.",
            hint="Take levels away that hardly differ from those above them.",
        )


def propose_name(values: Sequence[str]) -> str:
    """Name a group after a word that its values share, else after the first of them.

    >>> propose_name(["day nurse", "Nurse (night)"]), propose_name(["baker", "smith"])
    ('nurse', 'baker | smith')
    """
    words = [re.findall(r"\w{3,}", value.casefold()) for value in values]
    shared = [word for word in words[0] if all(word in other for other in words)]
    return max(shared, key=len) if shared and len(values) > 1 else name_of(list(values))


def _climb(node: int, above: Mapping[int, int]) -> int:
    while node in above:
        node = above[node]
    return node


def prefix_rows(values: Sequence[str], keep: Sequence[int]) -> list[tuple[str, ...]]:
    """Write a ladder of codes that keep ever fewer of their first characters.

    >>> prefix_rows(["8010", "8045"], [3, 1])
    [('8010', '801*', '8***', '*'), ('8045', '804*', '8***', '*')]
    """
    steps = sorted({*keep}, reverse=True)
    if not steps or steps[-1] < 1:
        raise InvalidParameterError("Say how many characters stay, such as 3, 2, 1.")
    return [(v, *(v[:n] + "*" * (len(v) - n) for n in steps), "*") for v in values]


def date_rows(values: Sequence[str], levels: Sequence[str]) -> list[tuple[str, ...]]:
    """Write a ladder of ISO dates with the levels that somebody wants.

    >>> date_rows(["2020-03-17", "2021-11-02"], ["quarter", "decade"])
    [('2020-03-17', '2020-Q1', '2020s', '*'), ('2021-11-02', '2021-Q4', '2020s', '*')]
    """
    chosen = [level for level in DATE_LEVELS if level in levels]
    if not chosen:
        raise InvalidParameterError("Choose at least one level.")
    return [(value, *(_DATE_STEP[level](value) for level in chosen), "*") for value in values]


DATE_LEVELS = ("month", "quarter", "year", "decade")
_DATE_STEP: dict[str, Callable[[str], str]] = {
    "month": lambda day: day[:7],
    "quarter": lambda day: f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}",
    "year": lambda day: day[:4],
    "decade": lambda day: f"{day[:3]}0s",
}
