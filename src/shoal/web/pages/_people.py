"""People page: rows before and after, page by page, and the story of one of them."""

from __future__ import annotations

from shoal._words import later, number, say
from shoal.exceptions import InputError, InvalidParameterError
from shoal.release import CellStory, ReleasedPeople
from shoal.web._workspace import Workspace
from shoal.web.pages._page import (
    LATER,
    Fragment,
    Markup,
    WorkspacePage,
    breakable,
    h,
    readable,
    refusal,
)

ON_A_PAGE = 40  # rows that are drawn at once, of which some are above and below what is seen
ROW = 48  # pixels of a row, as in the style sheet
MOST_MEMBERS = 40
ORDERS = {
    "file": later("as in the file"),
    "changed": later("most changed first"),
    "crowd": later("small crowds first"),
}


class PeoplePage(WorkspacePage):
    """What became of people."""

    title = later("People, before and after")
    lead = later(
        "Each row as it was and as it is published. Open a person to see the crowd around it."
    )

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self.at, self.by, self.row = 0, "file", -1
        self._seen: ReleasedPeople | None = None

    @property
    def people(self) -> ReleasedPeople:
        """The people of the release that lies ready."""
        lineage = self.space.lineage
        if self.space.released is None:
            raise InputError("There is no release yet.", hint="Make one on the page Result.")
        if lineage is None:
            raise InputError(
                "The release was made before the server started again.",
                hint="Make it again on the page Result.",
            )
        if self._seen is None or self._seen.lineage is not lineage:
            self._seen, self.at, self.row = ReleasedPeople(lineage), 0, -1
        return self._seen

    def fragments(self) -> list[Fragment]:
        """Draw a page of people, and the one that is open."""
        try:
            people = self.people
            people.published  # noqa: B018 - not every release can be looked at
        except InputError as error:
            return [refusal(say("Nobody to see yet"), error)]
        return [
            Fragment("person", _person(people, self.row)),
            Fragment("people", self._table(people)),
        ]

    def act(self, kind: str, value: str) -> None:
        """Turn pages, order rows, open and close a person."""
        n = self.people.lineage.table.n_rows
        if kind == "by" and value in ORDERS:
            self.by, self.at = value, 0
        elif kind == "at":
            self.at = max(0, min(_number(value), n - ON_A_PAGE))
        elif kind == "row":
            self._open(_number(value) - 1, n)
        elif kind == "close":
            self.row = -1

    def _open(self, row: int, rows: int) -> None:
        if not 0 <= row < rows:
            raise InvalidParameterError(f"Rows have numbers from 1 to {rows:,}.")
        self.row = row
        if self.by == "file":
            self.at = max(0, min(row - 4, rows - ON_A_PAGE))

    @property
    def look_again(self) -> float:
        """Another release may be made in another tab."""
        return LATER

    def _table(self, people: ReleasedPeople) -> Markup:
        order = people.order(self.by)
        rows = order[self.at : self.at + ON_A_PAGE].tolist()
        head = h(
            "tr",
            *(h("th", name, scope="col") for name in (say("Row"), *people.names, say("Crowd"))),
        )
        body = [_line(people, row, opened=row == self.row) for row in rows]
        return h(
            "section",
            h("h2", say("All rows")),
            h("p", say("Small: as it was. Bold: as it is published."), cls="quiet"),
            _pager(self.at, len(order), self.by),
            h(
                "div",
                h(
                    "table",
                    h("thead", head),
                    h("tbody", _space(self.at), *body, _space(len(order) - self.at - len(rows))),
                    aria_rowcount=str(len(order) + 1),
                ),
                cls="scroll virtual",
                tabindex="0",
                role="region",
                aria_label=say("Rows before and after"),
                data_virtual=str(self.at),
                data_rows=str(len(order)),
                data_drawn=str(ON_A_PAGE),
                data_height=str(ROW),
            ),
            cls="panel",
        )


def _pager(at: int, rows: int, by: str) -> Markup:
    last = min(at + ON_A_PAGE, rows)
    options = [
        h("option", say(words), value=key, selected=key == by) for key, words in ORDERS.items()
    ]
    return h(
        "div",
        _turn(say("Back"), at - ON_A_PAGE, at == 0),
        h("span", say("{at:,} to {last:,} of {rows:,}", at=at + 1, last=last, rows=rows)),
        _turn(say("Next"), at + ON_A_PAGE, last >= rows),
        h("select", *options, data_act="by", aria_label=say("Order of rows")),
        h(
            "label",
            h("span", say("Row")),
            h(
                "input",
                type_="number",
                min="1",
                data_act="row",
                aria_label=say("Open the row number"),
            ),
            cls="inline",
        ),
        cls="line",
    )


def _space(rows: int) -> Markup:
    """Leave the room of rows that are not drawn, so that the scroll bar speaks of all of them."""
    room = h("svg", height=str(rows * ROW), width="1", aria_hidden="true")
    return h("tr", h("td", room, cls="room"), aria_hidden="true", cls="room")


def _turn(words: str, to: int, off: bool) -> Markup:
    return h(
        "button",
        words,
        type_="button",
        cls="button small",
        data_act="at",
        data_value=str(to),
        disabled=off,
    )


def _line(people: ReleasedPeople, row: int, *, opened: bool) -> Markup:
    pairs = [people.pair(row, name) for name in people.names]
    size = people.crowd(row).size if people.lineage.grouping.labels[row] >= 0 else 0
    button = h(
        "button",
        number(row + 1),
        type_="button",
        cls="button small",
        data_act="row",
        data_value=str(row + 1),
        aria_pressed=str(opened).lower(),
        aria_label=say("Person of row {row}", row=row + 1),
    )
    cells = [_cell(was, became) for was, became in pairs]
    crowd = say("{size:,} people", size=size) if size else say("left out")
    return h("tr", h("th", button, scope="row"), *cells, h("td", crowd), data_row=str(row))


def _cell(was: str, became: str | None) -> Markup:
    before = _value("small", was)
    if became is None:
        return h("td", before, h("b", say("left out")), cls="was changed")
    if became == was:
        return h("td", _value("b", was), cls="was")
    return h("td", before, _value("b", became), cls="was changed")


def _value(tag: str, text: str) -> Markup:
    """Show a cell as it is read; what is published to the last digit is told on demand."""
    shown = readable(text)
    return h(tag, shown or say("(missing)"), title=text if shown != text else None)


def _person(people: ReleasedPeople, row: int) -> Markup:
    if row < 0:
        return Markup("")
    crowd = people.crowd(row)
    stories = [_story(cell) for cell in people.story(row)]
    head = h(
        "tr",
        *(
            h("th", t, scope="col")
            for t in (say("Column"), say("was"), say("is published as"), say("why"))
        ),
    )
    close = h("button", say("Close"), type_="button", cls="button small", data_act="close")
    return h(
        "section",
        h(
            "h2",
            say("The person of row {row:,}, in a crowd of {size:,}", row=row + 1, size=crowd.size),
        ),
        h(
            "div",
            h("table", h("thead", head), h("tbody", *stories)),
            cls="scroll",
            tabindex="0",
            role="region",
            aria_label=say("What happened to each cell"),
        ),
        h("h3", say("The crowd, as it was")),
        _members(people, row),
        close,
        cls="panel",
    )


def _story(cell: CellStory) -> Markup:
    became = "–" if cell.became is None else cell.became or say("(missing)")
    return h(
        "tr",
        h("th", breakable(cell.column), scope="row"),
        h("td", cell.was or say("(missing)")),
        h("td", h("b", became)),
        h("td", cell.why, cls="quiet"),
        cls="changed" if cell.changed else None,
    )


def _members(people: ReleasedPeople, row: int) -> Markup:
    crowd = people.crowd(row).tolist()
    shown = [row, *(other for other in crowd if other != row)][:MOST_MEMBERS]
    head = h("tr", *(h("th", name, scope="col") for name in (say("Row"), *people.names)))
    body = [
        h(
            "tr",
            h("th", number(one + 1), scope="row"),
            *(_value("td", people.pair(one, name)[0]) for name in people.names),
            cls="itself" if one == row else None,
        )
        for one in shown
    ]
    left = len(crowd) - len(shown)
    return h(
        "div",
        h("table", h("thead", head), h("tbody", *body)),
        h("p", say("and {left:,} more", left=left), cls="quiet") if left else None,
        cls="scroll",
        tabindex="0",
        role="region",
        aria_label=say("The crowd, as it was"),
    )


def _number(value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise InvalidParameterError("Write the number of a row.") from None
