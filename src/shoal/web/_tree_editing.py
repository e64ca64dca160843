"""Tree editing: the draft of a column's tree, its steps back and forth, and where it came from."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shoal._words import later
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import (
    DATE_LEVELS,
    READY,
    Flat,
    Taxonomy,
    TreeDraft,
    check_levels,
    date_rows,
    prefix_rows,
    read_hierarchy,
    scaffold,
)
from shoal.table import COLUMN_KINDS
from shoal.web._workspace import Workspace

MOST_VALUES = 1_000  # that somebody sorts by hand
WAYS = {"similarity": later("people alike"), "spelling": later("spelling")}
COVERS = 0.5  # of the values, before a ready ladder is offered


@dataclass
class TreeEditing:
    """The tree of one column while it is changed; nothing holds before `use`."""

    space: Workspace
    column: str
    word: str | None
    drafts: list[TreeDraft]
    at: int = 0
    told: str = ""  # what is to be known about the draft
    fresh: int | None = None  # the group made last, to be named
    ready: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, space: Workspace, column: str) -> TreeEditing:
        """Go on with the draft of a column, unless the plan says something else by now."""
        kept: dict[str, TreeEditing] = space.kept.setdefault("trees", {})
        word = space.plan.hierarchies.get(column)
        found = kept.get(column)
        if found is None or found.word != word:
            found = kept[column] = cls(space, column, word, [_held(space, column)])
            found.ready = _ready(space, column)
        return found

    @property
    def draft(self) -> TreeDraft:
        """The tree as it is drawn now."""
        return self.drafts[self.at]

    @property
    def changed(self) -> bool:
        """Whether the draft differs from what the plan has."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back."""
        return self.at + 1 < len(self.drafts)

    def act(self, step: str, value: str) -> None:
        """Change the draft: ``step`` may end in what it is about, after a colon."""
        step, _, about = step.partition(":")
        before = {*self.draft.names}
        if step in ("undo", "redo"):
            self.at = max(0, min(len(self.drafts) - 1, self.at + (1 if step == "redo" else -1)))
        elif step == "reset":
            self.drafts, self.at, self.told = [_held(self.space, self.column)], 0, ""
        elif step == "use":
            self.use()
        else:
            self._take(self._changed(step, about, value))
        new = {*self.draft.names} - before
        self.fresh = max(new) if step == "gather" and new else None

    def _changed(self, step: str, about: str, value: str) -> TreeDraft:
        draft = self.draft
        if step == "gather":
            return draft.gather(_numbers(value))
        if step == "put":
            return draft.put(_numbers(value), int(about))
        if step == "out":
            return draft.take_out(_numbers(value))
        if step == "name":
            return draft.rename(int(about), value)
        if step == "level":
            return draft.without_level(int(value))
        if step == "alone":
            return TreeDraft(draft.values)
        if step == "propose":
            return self._proposed(value)
        if step == "prefix":
            return self._of_rows(prefix_rows(draft.values, _numbers(value)))
        raise InvalidParameterError("There is no such step.")

    def _take(self, draft: TreeDraft) -> None:
        self.drafts = [*self.drafts[: self.at + 1], draft]
        self.at += 1

    def _proposed(self, way: str) -> TreeDraft:
        made = scaffold(self.space.table, self.column, by=way)
        self.told = (
            f"{len(made.uncovered)} values are not known to {way}: they stand under other."
            if made.uncovered
            else "A proposal: name its groups, move what stands wrong."
        )
        return self._of_rows(made.rows)

    def _of_rows(self, rows: Sequence[Sequence[str]]) -> TreeDraft:
        tree = Taxonomy.from_ladder(rows)
        return TreeDraft.of(tree.arrange(self.draft.values), self.draft.values)

    def take_file(self, content: bytes, suffix: str) -> None:
        """Draw the ladder or tree of a file; values that it lacks stand by themselves."""
        with tempfile.TemporaryDirectory(dir=self.space.folder, prefix="job-") as folder:
            path = Path(folder) / f"tree{suffix}"
            path.write_bytes(content)
            tree = read_hierarchy(path)
        values = self.draft.values
        known = [value for value in values if value in {*_leaf_values(tree)}]
        if not known:
            raise InvalidParameterError(
                f"The file holds none of the {len(values)} values of this column.",
                hint="A ladder has a row for each value: value;group;...;*",
            )
        arranged = tree.arrange(known)
        check_levels(arranged.height)
        drawn = TreeDraft.of(arranged, known)
        self._take(_among(drawn, values))
        lacking = len(values) - len(known)
        self.told = (
            f"{lacking} of {len(values)} values are not in the file. They stand by themselves: put "
            "them where they belong."
            if lacking
            else "All values are in the file."
        )

    def use(self) -> None:
        """Let the draft hold: write it as a ladder of this table."""
        text = self.ladder_text()
        self.space.add_hierarchy(self.column, text.encode(), json=False)
        self.word = self.space.plan.hierarchies.get(self.column)
        self.drafts, self.at, self.told = [self.draft], 0, ""

    def ladder_text(self) -> str:
        """Write the draft as a ladder that other programs read, too."""
        return ladder_csv(self.draft.ladder_rows())


def ladder_csv(rows: Sequence[Sequence[str]]) -> str:
    """Write rows as the text of a ladder."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";").writerows(rows)
    return text.getvalue()


def by_hand(space: Workspace, column: str) -> bool:
    """Tell whether the values of a column are sorted by hand, rather than by a rule."""
    ordered = COLUMN_KINDS[space.table.kinds[column]].ordered
    return not ordered and len(space.table.column(column).labels) <= MOST_VALUES


def use_dates(space: Workspace, column: str, levels: Sequence[str]) -> None:
    """Generalize dates by the levels that somebody chose."""
    if {*levels} == {*DATE_LEVELS}:
        space.set_hierarchy(column, "calendar")
        return
    rows = date_rows(space.table.column(column).labels, levels)
    space.add_hierarchy(column, ladder_csv(rows).encode(), json=False)


def _held(space: Workspace, column: str) -> TreeDraft:
    values = space.table.column(column).labels
    tree = (space.hierarchy(column) or Flat()).arrange(values, column=column)
    return TreeDraft.of(tree, values)


def _ready(space: Workspace, column: str) -> dict[str, float]:
    """Return the ready ladders that know at least half of the values, and what share."""
    values = space.table.column(column).labels
    shares = {
        word: ladder.count_covered(values) / max(1, len(values))
        for word, ladder in READY.items()
        if hasattr(ladder, "count_covered")
    }
    found = {word: share for word, share in shares.items() if share >= COVERS}
    return dict(sorted(found.items(), key=lambda item: -item[1])[:3])


def _leaf_values(tree: Taxonomy) -> list[str]:
    return [tree.values[leaf] for leaf in tree.layout.leaves.tolist()]


def _among(draft: TreeDraft, values: tuple[str, ...]) -> TreeDraft:
    """Number a draft of some values as one of all of them."""
    place = {value: i for i, value in enumerate(values)}
    shift = len(values) - len(draft.values)
    number = {i: place[value] for i, value in enumerate(draft.values)}
    number |= {group: group + shift for group in draft.names}
    return TreeDraft(
        values,
        {number[group]: name for group, name in draft.names.items()},
        {number[node]: number[group] for node, group in draft.above.items()},
    )


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.replace(" ", ",").split(",") if part]
    except ValueError:
        raise InvalidParameterError("Write whole numbers, such as 3, 2, 1.") from None
