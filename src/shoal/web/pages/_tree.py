"""Tree of a column, in its own row: made by hand where values have no order, else by a rule."""

from __future__ import annotations

from urllib.parse import quote

import numpy as np

from shoal._words import number, retell, say
from shoal.exceptions import ShoalError
from shoal.hierarchies import DATE_LEVELS
from shoal.web._tree_editing import MOST_VALUES, WAYS, TreeEditing, by_hand
from shoal.web._trees import Branch, tree_of
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, breakable, h, icon, join, tell

STEPS = "5, 10, 20, 40"


def draw_tree(space: Workspace, name: str) -> Markup:
    """Draw how a column gets coarser, with all that is needed to change it."""
    i = space.table.column_names.index(name)
    if by_hand(space, name):
        inner = _editor(TreeEditing.of(space, name))
    else:
        inner = join(_rule(space, name, i), _branches(space, name), _upload(space, name, i))
    heading = h("h3", say("How this gets coarser: "), h("em", breakable(name)))
    return h("div", heading, inner, cls="growing", data_file_zone=True)


# ---------------------------------------------------------------------- by hand


def _editor(editing: TreeEditing) -> Markup:
    space, i = editing.space, editing.space.table.column_names.index(editing.column)
    return h(
        "div",
        _levels(editing),
        h("p", retell(editing.told), cls="quiet", role="status"),
        _proposals(editing),
        _tools(editing),
        _nodes(editing),
        h(
            "div",
            _button(say("Use this tree"), "use", primary=True, off=not editing.changed),
            _button(say("Reset"), "reset", off=not editing.changed and not editing.can_redo),
            _files(space, editing.column, i),
            h("span", _standing(editing), cls="quiet"),
            cls="line",
        ),
        cls="editor",
        data_editor=True,
    )


def _standing(editing: TreeEditing) -> str:
    return (
        say("Not used yet: the plan has the tree from before.")
        if editing.changed
        else say("In use.")
    )


def _levels(editing: TreeEditing) -> Markup:
    """Say how many groups each level has; a level can be taken away."""
    counts = editing.draft.levels
    steps = [
        h(
            "li",
            h("b", number(count)),
            say(" group") if count == 1 else say(" groups"),
            _button("×", "level", str(n), label=say("Take level {n} away", n=n), small=True),
        )
        for n, count in enumerate(counts, 1)
    ]
    first = h("li", h("b", number(len(editing.draft.values))), say(" values"))
    return h("ol", first, *steps, h("li", h("b", "*")), cls="levels", aria_label=say("Levels"))


def _proposals(editing: TreeEditing) -> Markup:
    ways = [
        _button(say("By {words}", words=say(words)), "propose", way) for way, words in WAYS.items()
    ]
    ready = [
        _button(say("{word} ({share:.0%} known)", word=word, share=share), "propose", word)
        for word, share in editing.ready.items()
    ]
    prefix = h(
        "label",
        h("span", say("or keep the first")),
        h(
            "input",
            type_="text",
            data_act="edit:prefix",
            placeholder="3, 2, 1",
            aria_label=say("How many first characters stay on each level"),
            cls="short",
        ),
        h("span", say("characters")),
        cls="inline",
    )
    return h(
        "div",
        h("span", say("Propose"), cls="quiet"),
        *ways,
        *ready,
        prefix,
        _button(say("Start from nothing"), "alone"),
        cls="line",
    )


def _tools(editing: TreeEditing) -> Markup:
    find = h(
        "input",
        type_="search",
        data_find=True,
        placeholder=say("Find: nurse, doctor"),
        aria_label=say("Find values, by one word or several; Enter picks them"),
    )
    picks = [
        h("button", words, h("kbd", key), type_="button", cls="button small", data_pick=step)
        for words, key, step in (
            (say("Group"), "G", "gather"),
            (say("Take out"), say("Del"), "out"),
        )
    ]
    return h(
        "div",
        find,
        *picks,
        _button(say("Undo"), "undo", off=editing.at == 0, small=True),
        _button(say("Redo"), "redo", off=not editing.can_redo, small=True),
        h(
            "span",
            say("Pick (Shift for many, arrows by keyboard), then Group; or drag one onto another."),
            " ",
            say("A group named Health > Nursing gets both levels."),
            cls="quiet",
        ),
        cls="line tools",
    )


def _nodes(editing: TreeEditing) -> Markup:
    draft, codes = editing.draft, editing.space.table.codes(editing.column)
    people = np.bincount(codes, minlength=len(draft.values))

    def node(place: int) -> Markup:
        leaves = draft.leaves(place)
        count = int(people[leaves].sum())
        pick = h("input", type_="checkbox", value=str(place), data_node=True)
        if place < len(draft.values):
            text = h("span", draft.values[place])
            inside = h("label", pick, text, h("small", number(count)))
            return h("li", inside, cls="leaf", data_row=str(place))
        below = h("ul", *(node(child) for child in draft.below[place]))
        head = _head(
            editing, place, say("{n:,} values, {count:,} people", n=len(leaves), count=count)
        )
        return h("li", head, below, cls="group", data_row=str(place))

    branches = h(
        "ul",
        *(node(place) for place in draft.below[-1]),
        cls="branches",
        data_root=True,
        aria_label=say("Values and groups"),
    )
    return h("div", branches, cls="grove")  # columns that are too high would go on sideways


def _head(editing: TreeEditing, group: int, words: str) -> Markup:
    name = editing.draft.names[group]
    return h(
        "div",
        h(
            "input",
            type_="checkbox",
            value=str(group),
            data_node=True,
            aria_label=say("Group {name}, {words}", name=name, words=words),
        ),
        h(
            "input",
            type_="text",
            value=name,
            data_act=f"edit:name:{group}",
            data_fresh=editing.fresh == group,
            aria_label=say("Name of group {name}", name=name),
        ),
        h("small", words),
        h(
            "button",
            say("Put here"),
            type_="button",
            cls="button small here",
            data_pick=f"put:{group}",
        ),
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
            say("Download"),
            href=f"/t/{space.id}/tree/{i}",
            download=True,
            cls="button small",
        ),
        h("label", icon("upload"), say("Upload"), for_=f"ladder-{i}", cls="button small"),
        h(
            "input",
            type_="file",
            id_=f"ladder-{i}",
            data_file=f"/t/{space.id}/tree/{i}",
            accept=".csv,.json",
            aria_label=say("Upload a ladder or a tree of {name}", name=name),
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
            h("span", say("Steps, each a multiple of the one before")),
            h(
                "input",
                type_="text",
                value=steps,
                placeholder=STEPS,
                data_act=f"steps:{i}",
                aria_label=say("Steps of {name}", name=name),
            ),
            h("span", say("nothing: spans around each crowd"), cls="quiet"),
            cls="inline",
        )
    if kind == "date":
        return _dates(i, word)
    if kind in ("nominal", "code"):
        words = say(
            "More than {MOST_VALUES:,} values are not sorted by hand: upload a ladder, or",
            MOST_VALUES=MOST_VALUES,
        )
        ways = [
            h(
                "button",
                say("build one by {words}", words=say(words)),
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
        ",".join(levels): " → ".join(map(say, ("day", *levels)))
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
    return h("div", h("span", say("Levels"), cls="quiet"), *buttons, cls="line")


def _branches(space: Workspace, name: str) -> Markup:
    try:
        branch = tree_of(space, name)
    except ShoalError as error:
        return h("p", tell(error), cls="trouble")
    if branch is None:
        words = say("Published as spans around the people of a crowd; no tree is needed.")
        return h("p", words, cls="quiet")
    return h("ul", _branch(branch, top=True), cls="tree")


def _branch(branch: Branch, *, top: bool = False) -> Markup:
    label = branch.label or say("(missing)")
    if not branch.children:
        return h("li", label)
    more = h("li", say("and {more:,} more", more=branch.more), cls="quiet") if branch.more else None
    inner = h("ul", *(_branch(child) for child in branch.children), more)
    count = h("span", say(" {values:,} values", values=branch.values), cls="quiet")
    return h("li", h("details", h("summary", label, count), inner, open=top))


def _upload(space: Workspace, name: str, i: int) -> Markup:
    address = f"/api/tables/{space.id}/columns/{quote(name, safe='')}/hierarchy"
    return h(
        "div",
        h(
            "label",
            icon("upload"),
            say("Upload a ladder or a tree"),
            for_=f"ladder-{i}",
            cls="button",
        ),
        h("input", type_="file", id_=f"ladder-{i}", data_file=address, accept=".csv,.json"),
        h("p", role="alert", cls="trouble", hidden=True),
        cls="line",
    )
