"""Table page: what the columns are, who stands out, and what must hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shoal._words import later, number, retell, say
from shoal.hierarchies import READY, scaffold
from shoal.plan import Proposed
from shoal.risk import Uniqueness
from shoal.table import Roles
from shoal.typing import KINDS
from shoal.web._plan_steps import tell_step
from shoal.web._reading import read_file_anew, say_format
from shoal.web._tree_editing import TreeEditing, use_dates
from shoal.web._workspace import UPLOADED, Workspace
from shoal.web.pages._import import draw_import, reload_table
from shoal.web.pages._page import (
    Fragment,
    Markup,
    Reply,
    WorkspacePage,
    bar,
    breakable,
    h,
    icon,
    join,
    rows_panel,
)
from shoal.web.pages._privacy import decide_privacy, draw_privacy
from shoal.web.pages._tree import draw_tree

ROLES = {
    "identifier": (later("Names"), later("Names or reaches a person; never published")),
    "quasi_identifier": (
        later("Describes"),
        later("Others may know it; generalized until nobody stands out"),
    ),
    "sensitive": (
        later("Sensitive"),
        later("Nobody may learn it about a person; where l is asked, every crowd shows several"),
    ),
    "target": (
        later("To predict"),
        later("What models will predict from the release; published as it is"),
    ),
    "publish_as_is": (later("As it is"), later("Published unchanged, because you accept it")),
    "drop": (later("Drop"), later("Left out of the release")),
    "other": (later("Other"), later("Published as it is, though nobody accepted it")),
}
KIND_WORDS = {
    "numeric": later("numeric"),
    "ordinal": later("ordinal"),
    "nominal": later("nominal"),
    "date": later("date"),
    "code": later("code"),
}
SHOWN_ROWS = 6
MANY = 12  # columns, before they can be found and changed together
COLUMN = "column-"  # what the fragment of a column is called, before its number


class TablePage(WorkspacePage):
    """What was guessed about a table, for its owner to put right."""

    title = later("Is this what your table is?")

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self.state = TableState(space)
        self.lead = say(
            "{n_rows:,} rows, {n} columns. Shoal guessed what each column is to a person. "
            "Change what is wrong: only what describes people is blurred.",
            n_rows=space.table.n_rows,
            n=len(space.table.column_names),
        )

    def fragments(self) -> list[Fragment]:
        """Draw who stands out, the columns, an open tree, what must hold, and a few rows."""
        space, state = self.space, self.state
        return [
            Fragment("steps", _steps(space)),
            Fragment("exposed", _exposed(state.found)),
            Fragment("import", draw_import(space)),
            *_columns(state),
            Fragment("privacy", draw_privacy(space)),
            Fragment("rows", _rows(space)),
            Fragment("onward", _onward(space)),
        ]

    def layout(self, parts: Mapping[str, Markup]) -> Markup:
        """Put the columns into one panel, each a part of its own."""
        fields = [part for name, part in parts.items() if name.startswith(COLUMN)]
        rest = {name: part for name, part in parts.items() if not name.startswith(COLUMN)}
        panel = h(
            "section",
            h("h2", say("Columns")),
            _meanings(),
            _many(len(fields)),
            h("div", *fields, cls="fields", role="list"),
            cls="panel",
        )
        above = [rest.pop(name) for name in ("steps", "import", "exposed")]
        return join(*above, panel, *rest.values())

    def act(self, kind: str, value: str) -> Reply | None:
        """Change what a column is, how it is read or generalized, or what must hold."""
        if kind in ("delimiter", "encoding", "missing", "sheet"):
            texts = ("", *(part.strip() for part in value.split(",") if part.strip()))
            read_file_anew(self.space, **{kind: texts if kind == "missing" else value or None})
            return reload_table(self.space)
        columns = self.space.table.column_names
        _decide(self.state, kind, value)
        return reload_table(self.space) if self.space.table.column_names != columns else None


@dataclass
class TableState:
    """What the page shows beside the workspace."""

    space: Workspace
    open_tree: str | None = None

    @property
    def proposal(self) -> Mapping[str, Proposed]:
        """What each column seemed to be, as the file is read now."""
        return self.space.proposal

    @property
    def found(self) -> Uniqueness:
        """Who is alone, as the columns are marked now."""
        return self.space.uniqueness

    def name(self, number: str) -> str:
        """Return the column of a number; columns may be called anything."""
        return self.space.table.column_names[int(number)]


def _decide(state: TableState, act: str, value: str) -> None:
    """Do what a control asks for; ``act`` may end in the number of a column."""
    kind, _, number = act.partition(":")
    space = state.space
    if kind == "role":
        space.set_role(state.name(number), value)
    elif kind in ("also-target", "no-target"):
        space.set_target(state.name(value) if kind == "also-target" else None)
    elif kind == "kind":
        space.set_kind(state.name(number), value)
    elif kind == "hierarchy":
        space.set_hierarchy(state.name(number), value or None)
    elif kind == "tree":
        state.open_tree = None if state.open_tree == state.name(value) else state.name(value)
    elif kind == "build":
        made = scaffold(space.table, state.name(value), by=number)
        space.add_hierarchy(state.name(value), made.ladder_text().encode(), json=False)
    elif kind == "edit" and state.open_tree is not None:
        TreeEditing.of(space, state.open_tree).act(number, value)
    elif kind == "steps":
        space.set_hierarchy(state.name(number), f"intervals:{value}" if value.strip() else None)
    elif kind == "dates":
        use_dates(space, state.name(number), value.split(","))
    elif kind == "format":
        place, _, found = number.partition(":")
        say_format(space, state.name(place), found, value)
    elif kind == "step":
        space.step("back" if value == "back" else "forth")
    elif kind == "roles":
        space.set_roles([state.name(part) for part in value.split(",") if part], number)
    else:
        decide_privacy(space, act, value)


# ---------------------------------------------------------------------- drawing


def _steps(space: Workspace) -> Markup:
    """Draw the way back and forth through what was decided, once there is one."""
    steps, plan = space.steps, space.plan
    ways = {
        "back": (say("Undo"), tell_step(steps.past[-1], plan) if steps.past else ""),
        "forth": (say("Redo"), tell_step(plan, steps.future[-1]) if steps.future else ""),
    }
    if not (steps.past or steps.future):
        return Markup("")
    buttons = [
        h(
            "button",
            f"{word}: {what}" if what else word,
            type_="button",
            cls="button small",
            data_act="step",
            data_value=way,
            disabled=not what,
        )
        for way, (word, what) in ways.items()
    ]
    return h("div", *buttons, cls="line", role="group", aria_label=say("Changes of the plan"))


def _exposed(found: Uniqueness) -> Markup:
    share = found.alone / max(1, found.rows)
    shares = {name: count / max(1, found.rows) for name, count in found.sizes.items()}
    parts = list(_stacked(list(shares.values())))
    words = [
        h("li", h("i", cls=f"swatch s{i}"), h("b", number(part, ".0%")), f" {_crowd(name)}")
        for i, (name, part) in enumerate(shares.items())
    ]
    return h(
        "section",
        h("h2", say("Who stands out now")),
        h(
            "div",
            h(
                "div",
                h(
                    "p",
                    h("b", number(found.alone), cls="huge"),
                    say(" of {rows:,} people", rows=found.rows),
                ),
                h(
                    "p",
                    say(
                        "are alone ({share:.0%}): nobody else shares what others may know "
                        "about them. Whoever knows these facts finds the row.",
                        share=share,
                    ),
                ),
                h("svg", *parts, cls="stack", aria_hidden="true"),
                h("ul", *words, cls="legend"),
            ),
            h("div", h("h3", say("Which columns do it")), _freed(found)),
            cls="halves",
        ),
        cls="panel",
    )


def _stacked(shares: list[float]) -> Iterator[Markup]:
    """Draw shares one beside the other; the smallest can still be seen."""
    seen = [max(share, 0.012) for share in shares]
    at = 0.0
    for i, share in enumerate(seen):
        width = 100 * share / sum(seen)
        yield h("rect", x=f"{at:.2f}%", width=f"{width:.2f}%", cls=f"s{i}")
        at += width


def _crowd(size: str) -> str:
    return say("alone") if size == "1" else say("in crowds of {size}", size=size)


def _freed(found: Uniqueness) -> Markup:
    if not found.freed:
        return h("p", say("No column is marked as describing people yet."), cls="quiet")
    if found.alone and not any(found.freed.values()):
        words = say("No single one: whichever is left out, everybody who is alone stays alone.")
        return h("p", words, cls="quiet")
    most = max(1, *found.freed.values())
    rows = [
        h(
            "li",
            h("span", breakable(name), cls="name"),
            bar(count / most),
            h("span", number(count), cls="value"),
        )
        for name, count in sorted(found.freed.items(), key=lambda item: -item[1])
    ]
    note = say("People who would no longer be alone if this column were not there:")
    return join(h("p", note, cls="quiet"), h("ul", *rows, cls="bars"))


def _meanings() -> Markup:
    """Tell what a column can be to a person, for those who have no mouse to ask with, too."""
    told = [join(h("dt", say(words)), h("dd", say(meaning))) for words, meaning in ROLES.values()]
    words = say("What a column can be")
    return h("details", h("summary", words), h("dl", *told), cls="meanings")


def _many(columns: int) -> Markup | None:
    """Draw what helps with many columns: find some, and say at once what they are."""
    if columns < MANY:
        return None
    options = [h("option", "…", value="")]
    options += [h("option", say(words), value=key) for key, (words, _) in ROLES.items()]
    return h(
        "div",
        h(
            "input",
            type_="search",
            data_filter=True,
            placeholder=say("Find columns"),
            aria_label=say("Find columns"),
        ),
        h(
            "span",
            say("{columns} columns", columns=columns),
            data_count=True,
            cls="quiet",
            role="status",
        ),
        h(
            "label",
            h("span", say("Make all that are shown")),
            h("select", *options, data_all=True, aria_label=say("Make all that are shown")),
            cls="inline",
        ),
        cls="line",
    )


def _columns(state: TableState) -> list[Fragment]:
    names = state.space.table.column_names
    return [
        Fragment(f"{COLUMN}{i}", _column(state, i, name), cls="slot")
        for i, name in enumerate(names)
    ]


def _column(state: TableState, i: int, name: str) -> Markup:
    table = state.space.table
    role = table.roles.role_of(name)
    guess = state.proposal.get(name)
    why = guess.role_reason if guess and guess.role == role else ""
    opened = state.open_tree == name and role == "quasi_identifier"
    return h(
        "div",
        h(
            "div",
            h("strong", breakable(name)),
            h("span", say("{n:,} values", n=len(table.cells.distinct(name).texts)), cls="quiet"),
            h("span", retell(why), cls="quiet why"),
            cls="about",
        ),
        h("div", _roles(i, name, role), _predicted(table.roles, i, name), cls="part"),
        h("div", _kinds(state, i, name), _hierarchies(state, i, name, role), cls="choices"),
        draw_tree(state.space, name) if opened else None,
        cls="field open" if opened else "field",
        data_name=f"{name} {say(ROLES[role][0])}".lower() if role in ROLES else name.lower(),
        role="listitem",
        data_role=role,
    )


def _roles(i: int, name: str, role: str) -> Markup:
    chips = [
        h(
            "label",
            h(
                "input",
                type_="radio",
                name=f"role-{i}",
                value=key,
                checked=key == role or (role == "person" and key == "identifier"),
                data_act=f"role:{i}",
            ),
            h("span", say(words), title=say(help)),
        )
        for key, (words, help) in ROLES.items()
    ]
    return h(
        "fieldset", h("legend", say("What {name} is", name=name), cls="unseen"), *chips, cls="chips"
    )


def _predicted(roles: Roles, i: int, name: str) -> Markup | None:
    """Offer that a sensitive column is what models predict, too."""
    if name not in roles.sensitive:
        return None
    box = h(
        "input",
        type_="checkbox",
        value=str(i),
        checked=roles.target == name,
        data_act="no-target" if roles.target == name else "also-target",
    )
    return h("label", box, h("span", say("models predict it, too")), cls="inline also")


def _kinds(state: TableState, i: int, name: str) -> Markup:
    kind = state.space.table.kinds[name]
    kinds = [k for k in KINDS if k != "ordinal" or kind == "ordinal"]  # an order is given in a plan
    return _select(
        say("Kind of {name}", name=name), f"kind:{i}", {k: say(KIND_WORDS[k]) for k in kinds}, kind
    )


def _hierarchies(state: TableState, i: int, name: str, role: str) -> Markup | None:
    if role != "quasi_identifier":
        return None
    space, word = state.space, state.space.plan.hierarchies.get(name)
    kind = space.table.kinds[name]
    options = {"": say("spans") if kind in ("numeric", "date", "ordinal") else say("the usual way")}
    usual = {"flat": later("a value or nothing"), "mask": later("mask from the right")}
    options |= {key: say(words) for key, words in _WORDS.get(kind, usual).items()}
    guess = state.proposal.get(name)
    if guess is not None and guess.hierarchy in READY:
        options[guess.hierarchy] = say("by {hierarchy}", hierarchy=guess.hierarchy)
    if word is not None and word.lower().endswith((".csv", ".json")):
        word = UPLOADED  # where it lies is nobody's business
    if word is not None and word not in options:
        options[word] = say("steps") if word.startswith("intervals:") else say("a ladder")
    chosen = _select(
        say("How {name} is generalized", name=name), f"hierarchy:{i}", options, word or ""
    )
    opened = state.open_tree == name
    button = h(
        "button",
        icon("tree"),
        say("Tree"),
        type_="button",
        cls="button small",
        data_act="tree",
        data_value=str(i),
        aria_expanded=str(opened).lower(),
        aria_label=say("Tree of {name}", name=name),
    )
    return join(chosen, button)


_WORDS = {
    "numeric": {"intervals:5,10,20,40": later("steps of 5, 10, 20, 40")},
    "date": {"calendar": later("month, quarter, year")},
    "ordinal": {"": later("spans")},
}


def _select(label: str, act: str, options: dict[str, str], value: str) -> Markup:
    items = [h("option", words, value=key, selected=key == value) for key, words in options.items()]
    return h("select", *items, data_act=act, aria_label=label)


def _rows(space: Workspace) -> Markup:
    frame = space.table.frame.head(SHOWN_ROWS)
    rows = (["" if cell is None else str(cell)[:60] for cell in row] for row in frame.rows())
    return rows_panel(say("The first rows"), frame.columns, rows)


def _onward(space: Workspace) -> Markup:
    return h(
        "div",
        h(
            "a",
            say("Teach what matters"),
            icon("right"),
            href=f"/t/{space.id}/teach",
            cls="button primary big",
        ),
        h("a", say("Straight to the result"), href=f"/t/{space.id}/result", cls="button big"),
        h(
            "label",
            say("Open a plan"),
            for_="plan",
            cls="button big",
            title=say("plan.toml of a study"),
        ),
        h(
            "input",
            type_="file",
            id_="plan",
            data_file=f"/api/tables/{space.id}/plan",
            accept=".toml",
        ),
        h("p", role="alert", cls="trouble", hidden=True),
        cls="onward",
        data_file_zone=True,
    )
