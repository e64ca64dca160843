"""Import, on the page Table: how the file was read, what did not fit, and another way to do it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from shoal._words import later, listed, number, retell, say
from shoal.table import MISSING_WORDS
from shoal.table.sources import sheet_names
from shoal.web._first_look import ColumnReading
from shoal.web._reading import DELIMITERS, ENCODINGS
from shoal.web._uploads import WORKBOOKS
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, Reply, breakable, h

OFTEN = 3  # columns that share a word are asked about together
WHAT = {"date": later("dates"), "numeric": later("numbers")}


def draw_import(space: Workspace) -> Markup:
    """Draw how the file was read, folded unless something did not fit."""
    notes, odd = space.table.notes, space.nearly
    listed = h("ul", *(h("li", retell(text)) for text in notes)) if notes else None
    waiting = any(space.table.kinds.get(name) == "nominal" for name in odd)
    read = {name: found for name, found in odd.items() if _is_read(space, name, found)}
    plain = {name: found for name, found in read.items() if {*found.odd} <= _no_values(found)}
    shared = _shared(read, plain)
    asked = [name for name in odd if name not in plain and name not in shared]
    doubted = [_column(space, name, odd[name]) for name in asked]
    misfits = len(doubted) + len(shared)
    return h(
        "details",
        h("summary", say("How the file was read"), h("span", _misfits(misfits), cls="quiet")),
        listed,
        _whole(space),
        _again_and_again(space, shared),
        *doubted,
        _without_values(space, plain),
        cls="panel fold",
        open=waiting or _was_told(space),
    )


def _was_told(space: Workspace) -> bool:
    """Say whether somebody chose how to read the file: the page that opens then shows it."""
    plan = space.plan
    return any(told is not None for told in (plan.sheet, plan.delimiter, plan.encoding))


def _is_read(space: Workspace, name: str, found: ColumnReading) -> bool:
    """Say whether a column is read as what it nearly is, and all that does not fit is known."""
    return space.table.kinds.get(name) == found.kind and not found.more


def _no_values(found: ColumnReading) -> set[str]:
    """Pick the texts that everybody takes for no value."""
    return {text for text in found.odd if text.lower() in MISSING_WORDS}


def _shared(
    read: dict[str, ColumnReading], plain: dict[str, ColumnReading]
) -> dict[str, ColumnReading]:
    """Find columns in which nothing is odd but words that many others have, too.

    >>> odd = {name: ColumnReading("numeric", 0.9, {"k.I.": 3, "?": 1}) for name in "abc"}
    >>> odd["d"] = ColumnReading("numeric", 0.9, {"abt. 40": 3})
    >>> list(_shared(odd, {}))
    ['a', 'b', 'c']
    """
    rest = {name: found for name, found in read.items() if name not in plain}
    seen = Counter(text for found in rest.values() for text in {*found.odd} - _no_values(found))
    often = {text for text, columns in seen.items() if columns >= OFTEN and "," not in text}
    return {n: found for n, found in rest.items() if {*found.odd} <= often | _no_values(found)}


def _again_and_again(space: Workspace, columns: dict[str, ColumnReading]) -> Markup | None:
    """Ask once about words that stand in many columns, and not in each of them again."""
    if not columns:
        return None
    new = {text for found in columns.values() for text in {*found.odd} - _no_values(found)}
    words = sorted(new)
    told = say(
        "{n} columns hold the same words beside their numbers or dates: {words}. What are they?",
        n=len(columns),
        words=listed(words),
    )
    known = [text for text in space.plan.missing if text]
    button = h(
        "button",
        say("No value, in any column"),
        type_="button",
        cls="button small",
        data_act="missing",
        data_value=", ".join([*known, *words]),
    )
    where = say("They count as missing in {names}.", names=listed(list(columns)))
    each = h(
        "details",
        h("summary", say("Look at each of them")),
        *(_column(space, name, found) for name, found in columns.items()),
    )
    return h("div", h("p", told), h("p", where, cls="quiet"), button, each, cls="reading")


def _without_values(space: Workspace, columns: dict[str, ColumnReading]) -> Markup | None:
    """Tell such columns in one line, which opens: nothing has to be decided about them."""
    if not columns:
        return None
    words = sorted({text for found in columns.values() for text in found.odd})
    told = say("Counted as missing, as they mean no value: {words}.", words=listed(words))
    where = say("In {names}.", names=listed(list(columns)))
    return h(
        "details",
        h("summary", told, " ", h("span", where, cls="quiet")),
        *(_column(space, name, found) for name, found in columns.items()),
        cls="reading",
    )


def _misfits(columns: int) -> str:
    """Say beside the fold that something in it wants a look."""
    if columns < 2:
        return say(": 1 column holds cells that do not fit") if columns else ""
    return say(": {n} columns hold cells that do not fit", n=columns)


def _whole(space: Workspace) -> Markup:
    plan = space.plan
    csv = str(plan.source).endswith((".csv", ".csv.gz"))
    parts = [
        _choice(say("Columns end at"), "delimiter", DELIMITERS, plan.delimiter or ""),
        _choice(say("Written in"), "encoding", ENCODINGS, plan.encoding or ""),
    ]
    parts = parts if csv else _sheets(space)
    missing = h(
        "label",
        h("span", say("No value is written as")),
        h(
            "input",
            type_="text",
            value=", ".join(text for text in plan.missing if text),
            placeholder=say("NA, ?, unknown"),
            data_act="missing",
            aria_label=say("Texts that mean missing, in all columns"),
        ),
        h("span", say("or left empty"), cls="quiet"),
    )
    return h("div", *parts, missing, cls="promises")


def _sheets(space: Workspace) -> list[Markup]:
    """Offer the sheets of a workbook, if it has several."""
    path = Path(str(space.plan.source))
    if path.suffix not in WORKBOOKS:
        return []
    if "sheets" not in space.kept:
        space.kept["sheets"] = sheet_names(path)
    names: list[str] = space.kept["sheets"]
    items = [h("option", name, value=name, selected=name == space.plan.sheet) for name in names]
    select = h("select", *items, data_act="sheet", aria_label=say("Sheet"))
    return [h("label", h("span", say("Sheet")), select)] if len(names) > 1 else []


def _choice(words: str, act: str, options: dict[str, str], value: str) -> Markup:
    items = [
        h("option", say(shown), value=key, selected=key == value) for key, shown in options.items()
    ]
    if value not in options:
        items.append(h("option", value, value=value, selected=True))
    return h("label", h("span", words), h("select", *items, data_act=act, aria_label=words))


def _column(space: Workspace, name: str, found: ColumnReading) -> Markup:
    """Say what share of a column is dates or numbers, and what the rest is."""
    i, kind = space.table.column_names.index(name), space.table.kinds[name]
    what = say(WHAT[found.kind])
    rest = [h("li", h("b", text[:40]), _in_rows(count)) for text, count in found.odd.items()]
    more = (
        h("li", say("and {more:,} more texts", more=found.more), cls="quiet")
        if found.more
        else None
    )
    done = kind == found.kind
    state = (
        say("They count as missing, and {name} is read as {what}.", name=name, what=what)
        if done
        else ""
    )
    return h(
        "div",
        h(
            "p",
            h("strong", breakable(name)),
            say(
                ": {share} read as {what}, {share2} do not. What are they?",
                share=_percent(found.share),
                what=what,
                share2=_percent(1 - found.share),
            ),
        ),
        h("ul", *rest, more, cls="odd"),
        h("p", state, cls="quiet") if done else None,
        _as(i, name, found, done),
        cls="reading",
    )


def _as(i: int, name: str, found: ColumnReading, done: bool) -> Markup:
    what = say(WHAT[found.kind])
    button = h(
        "button",
        say("No value: read the rest as {what}", what=what),
        type_="button",
        cls="button small",
        data_act=f"format:{i}:{found.kind}",
        data_value="",
        disabled=done,
    )
    hint = "%d.%m.%Y" if found.kind == "date" else ","
    written = h(
        "label",
        h("span", say("written as") if found.kind == "date" else say("decimal mark")),
        h(
            "input",
            type_="text",
            placeholder=hint,
            data_act=f"format:{i}:{found.kind}",
            aria_label=say("How {what} of {name} are written", what=what, name=name),
            cls="short wider" if found.kind == "date" else "short",
        ),
        cls="inline",
    )
    words = say("They are values: read it as text")
    text = h(
        "button",
        words,
        type_="button",
        cls="button small",
        data_act=f"kind:{i}",
        data_value="nominal",
        disabled=not done,
    )
    return h("div", button, written, text, cls="line")


def _in_rows(count: int) -> str:
    return say(" in 1 row") if count == 1 else say(" in {count:,} rows", count=count)


def _percent(share: float) -> str:
    """Round a share so that neither everything nor nothing is claimed falsely.

    >>> _percent(0.9996), _percent(0.97), _percent(0.0004)
    ('99.9 %', '97 %', '0.1 %')
    """
    near = min(max(share, 0.001), 0.999) if 0 < share < 1 else share
    tenths = round(1000 * near)
    return number(tenths / 10, ".1f" if tenths % 10 else ".0f") + " %"


def reload_table(space: Workspace) -> Reply:
    """Open the page again: it may have other columns now."""
    return Reply(go=f"/t/{space.id}/table")
