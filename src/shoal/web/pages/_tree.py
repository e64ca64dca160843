"""Tree of a column, in its own row: made by hand where values have no order, else by a rule."""

from __future__ import annotations

from urllib.parse import quote

import numpy as np

from shoal.exceptions import ShoalError
from shoal.hierarchies import DATE_LEVELS
from shoal.web._tree_editing import MOST_VALUES, WAYS, TreeEditing, by_hand
from shoal.web._trees import Branch, tree_of
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, breakable, h, icon, join

STEPS = "5, 10, 20, 40"


def draw_tree(space: Workspace, name: str) -> Markup:
    """Draw how a column gets coarser, with all that is needed to change it."""
    i = space.table.column_names.index(name)
    if by_hand(space, name):
        inner = _editor(TreeEditing.of(space, name))
    else:
        inner = join(_rule(space, name, i), _branches(space, name), _upload(space, name, i))
    heading = h("h3", "How ", h("em", breakable(name)), " gets coarser")
    return h("div", heading, inner, cls="growing", data_file_zone=True)


# ---------------------------------------------------------------------- by hand


def _editor(editing: TreeEditing) -> Markup:
    space, i = editing.space, editing.space.table.column_names.index(editing.column)
    return h(
        "div",
        _levels(editing),
        h("p", editing.told, cls="quiet", role="status"),
        _proposals(editing),
        _tools(editing),
        _nodes(editing),
        h(
            "div",
            _button("Use this tree", "use", primary=True, off=not editing.changed),
            _button("Reset", "reset", off=not editing.changed and not editing.can_redo),
            _files(space, editing.column, i),
            h("span", _standing(editing), cls="quiet"),
            cls="line",
        ),
        cls="editor",
        data_editor=True,
    )


def _standing(editing: TreeEditing) -> str:
    return "Not used yet: the plan has the tree from before." if editing.changed else "In use."


def _levels(editing: TreeEditing) -> Markup:
    """Say how many groups each level has; a level can be taken away."""
    counts = editing.draft.levels
    steps = [
        h(
            "li",
            h("b", f"{count:,}"),
            " group" if count == 1 else " groups",
            _button("×", "level", str(n), label=f"Take level {n} away", small=True),
        )
        for n, count in enumerate(counts, 1)
    ]
    first = h("li", h("b", f"{len(editing.draft.values):,}"), " values")
    return h("ol", first, *steps, h("li", h("b", "*")), cls="levels", aria_label="Levels")


def _proposals(editing: TreeEditing) -> Markup:
    ways = [_button(f"By {words}", "propose", way) for way, words in WAYS.items()]
    ready = [
        _button(f"{word} ({share:.0%} known)", "propose", word)
        for word, share in editing.ready.items()
    ]
    prefix = h(
        "label",
        h("span", "or keep the first"),
        h(
            "input",
            type_="text",
            data_act="edit:prefix",
            placeholder="3, 2, 1",
            aria_label="How many first characters stay on each level",
            cls="short",
        ),
        h("span", "characters"),
        cls="inline",
    )
    return h(
        "div",
        h("span", "Propose", cls="quiet"),
        *ways,
        *ready,
        prefix,
        _button("Start from nothing", "alone"),
        cls="line",
    )


def _tools(editing: TreeEditing) -> Markup:
    find = h(
        "input",
        type_="search",
        data_find=True,
        placeholder="Find values",
        aria_label="Find values; Enter picks them",
    )
    picks = [
        h("button", words, h("kbd", key), type_="button", cls="button small", data_pick=step)
        for words, key, step in (("Group", "G", "gather"), ("Take out", "Del", "out"))
    ]
    return h(
        "div",
        find,
        *picks,
        _button("Undo", "undo", off=editing.at == 0, small=True),
        _button("Redo", "redo", off=not editing.can_redo, small=True),
        h(
            "span",
            "Pick (Shift for many, arrows by keyboard), then Group; or drag one onto another.",
            cls="quiet",
        ),
        cls="line tools",
    )


def _nodes(editing: TreeEditing) -> Markup:
    draft, codes = editing.draft, editing.space.table.codes(editing.column)
    people = np.bincount(codes, minlength=len(draft.values))

    def node(number: int) -> Markup:
        leaves = draft.leaves(number)
        count = int(people[leaves].sum())
        pick = h("input", type_="checkbox", value=str(number), data_node=True)
        if number < len(draft.values):
            text = h("span", draft.values[number])
            inside = h("label", pick, text, h("small", f"{count:,}"))
            return h("li", inside, cls="leaf", data_row=str(number))
        below = h("ul", *(node(child) for child in draft.below[number]))
        head = _head(editing, number, f"{len(leaves):,} values, {count:,} people")
        return h("li", head, below, cls="group", data_row=str(number))

    return h(
        "ul",
        *(node(number) for number in draft.below[-1]),
        cls="branches",
        data_root=True,
        aria_label="Values and groups",
    )


def _head(editing: TreeEditing, group: int, words: str) -> Markup:
    name = editing.draft.names[group]
    return h(
        "div",
        h(
            "input",
            type_="checkbox",
            value=str(group),
            data_node=True,
            aria_label=f"Group {name}, {words}",
        ),
        h(
            "input",
            type_="text",
            value=name,
            data_act=f"edit:name:{group}",
            data_fresh=editing.fresh == group,
            aria_label=f"Name of group {name}",
        ),
        h("small", words),
        h("button", "Put here", type_="button", cls="button small here", data_pick=f"put:{group}"),
        cls="head",
    )


def _button(
    words: str,
    step: str,
    value: str = "",
    *,
    primary: bool = False,
    off: bool = False,
    small: bool = False,
    label: str | None = None,
) -> Markup:
    return h(
        "button",
        words,
        type_="button",
        cls=f"button{' primary' if primary else ''}{' small' if small or not primary else ''}",
        data_act=f"edit:{step}",
        data_value=value,
        disabled=off,
        aria_label=label,
    )


def _files(space: Workspace, name: str, i: int) -> Markup:
    return join(
        h(
            "a",
            icon("download"),
            "Download",
            href=f"/t/{space.id}/tree/{i}",
            download=True,
            cls="button small",
        ),
        h("label", icon("upload"), "Upload", for_=f"ladder-{i}", cls="button small"),
        h(
            "input",
            type_="file",
            id_=f"ladder-{i}",
            data_file=f"/t/{space.id}/tree/{i}",
            accept=".csv,.json",
            aria_label=f"Upload a ladder or a tree of {name}",
        ),
        h("p", role="alert", cls="trouble", hidden=True),
    )


# ---------------------------------------------------------------------- by a rule


def _rule(space: Workspace, name: str, i: int) -> Markup | None:
    kind, word = space.table.kinds[name], space.plan.hierarchies.get(name) or ""
    if kind == "numeric":
        steps = word.removeprefix("intervals:") if word.startswith("intervals:") else ""
        return h(
            "label",
            h("span", "Steps, each a multiple of the one before"),
            h(
                "input",
                type_="text",
                value=steps,
                placeholder=STEPS,
                data_act=f"steps:{i}",
                aria_label=f"Steps of {name}",
            ),
            h("span", "nothing: spans around each crowd", cls="quiet"),
            cls="inline",
        )
    if kind == "date":
        return _dates(i, word)
    if kind in ("nominal", "code"):
        words = f"More than {MOST_VALUES:,} values are not sorted by hand: upload a ladder, or"
        ways = [
            h(
                "button",
                f"build one by {words}",
                type_="button",
                cls="button small",
                data_act=f"build:{way}",
                data_value=str(i),
            )
            for way, words in WAYS.items()
        ]
        return h("div", h("span", words, cls="quiet"), *ways, cls="line")
    return None


def _dates(i: int, word: str) -> Markup:
    """Offer all levels below a first one, which is what dates are rounded to."""
    choices = {
        ",".join(levels): " → ".join(("day", *levels))
        for levels in (
            DATE_LEVELS,
            ("month", "year"),
            ("month", "quarter", "year"),
            ("quarter", "year"),
            ("year", "decade"),
            ("month",),
            ("year",),
        )
    }
    buttons = [
        h(
            "button",
            words,
            type_="button",
            cls="button small",
            data_act=f"dates:{i}",
            data_value=value,
            aria_pressed=str(word == "calendar" and value == ",".join(DATE_LEVELS)).lower(),
        )
        for value, words in choices.items()
    ]
    return h("div", h("span", "Levels", cls="quiet"), *buttons, cls="line")


def _branches(space: Workspace, name: str) -> Markup:
    try:
        branch = tree_of(space, name)
    except ShoalError as error:
        return h("p", str(error), cls="trouble")
    if branch is None:
        words = "Published as spans around the people of a crowd; no tree is needed."
        return h("p", words, cls="quiet")
    return h("ul", _branch(branch, top=True), cls="tree")


def _branch(branch: Branch, *, top: bool = False) -> Markup:
    label = branch.label or "(missing)"
    if not branch.children:
        return h("li", label)
    more = h("li", f"and {branch.more:,} more", cls="quiet") if branch.more else None
    inner = h("ul", *(_branch(child) for child in branch.children), more)
    count = h("span", f" {branch.values:,} values", cls="quiet")
    return h("li", h("details", h("summary", label, count), inner, open=top))


def _upload(space: Workspace, name: str, i: int) -> Markup:
    address = f"/api/tables/{space.id}/columns/{quote(name, safe='')}/hierarchy"
    return h(
        "div",
        h("label", icon("upload"), "Upload a ladder or a tree", for_=f"ladder-{i}", cls="button"),
        h("input", type_="file", id_=f"ladder-{i}", data_file=address, accept=".csv,.json"),
        h("p", role="alert", cls="trouble", hidden=True),
        cls="line",
    )
