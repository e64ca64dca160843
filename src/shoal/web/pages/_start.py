"""Start page: bring a table, take a built-in one, or go on where you were."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from shoal._words import later, moment, say
from shoal.web._connections import listed_connections
from shoal.web._server import BUILT_IN, Server
from shoal.web._table_store import PLAN
from shoal.web._uploads import SUFFIXES
from shoal.web._visitors import Visitor
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Fragment, Markup, Page, Reply, h, icon


class StartPage(Page):
    """The first page; it keeps nothing, so it is made for every request."""

    title = later("Hide everyone in a crowd")
    lead = later(
        "Bring a table of people. Shoal groups similar people until nobody stands out, asks you "
        "which details matter, proves the result and hands you a table you can share."
    )

    def __init__(self, server: Server, visitor: Visitor) -> None:
        super().__init__()
        self.server, self.visitor = server, visitor

    def fragments(self) -> list[Fragment]:
        """Draw the drop zone, the built-in tables, and the tables that are here already."""
        limit = self.server.settings.limits.upload >> 20
        return [
            Fragment("drop", _drop_zone(limit)),
            Fragment("connections", _connections(sorted(listed_connections()))),
            Fragment("built-in", _built_in()),
            Fragment("resume", _resume(self.server.workspaces(self.visitor))),
        ]

    def act(self, kind: str, value: str) -> Reply | None:
        """Take a listed or built-in table, or forget one."""
        if kind == "built-in":
            space = self.server.take_built_in(self.visitor, value)
            return Reply(go=f"/t/{space.id}/table")
        if kind == "connection":
            space = self.server.take_connection(self.visitor, value)
            return Reply(go=f"/t/{space.id}/table")
        if kind == "forget":
            self.server.forget(self.visitor, value)
        return None


def _drop_zone(megabytes: int) -> Markup:
    return h(
        "div",
        icon("upload"),
        h("label", say("Choose a table"), for_="file", cls="button primary big"),
        h(
            "input",
            type_="file",
            id_="file",
            data_upload=True,
            accept=",".join((*SUFFIXES, ".gz")),
            aria_describedby="file-help",
        ),
        h(
            "p",
            say(
                "or drop it here: CSV, Excel, SPSS, Stata, SAS or Parquet, up to {megabytes:,} MB",
                megabytes=megabytes,
            ),
            id_="file-help",
        ),
        h("progress", max="1", value="0", hidden=True, aria_label=say("Upload")),
        h("p", role="status", data_reading=True, hidden=True),
        h(
            "button",
            say("Cancel"),
            type_="button",
            cls="button small",
            data_cancel=True,
            hidden=True,
        ),
        h("p", role="alert", cls="trouble", hidden=True),
        cls="drop",
        data_drop=True,
    )


def _connections(names: list[str]) -> Markup:
    """Offer the tables that an administrator listed; nobody types a host here."""
    if not names:
        return Markup("")
    cards = [
        h(
            "button",
            h("strong", name),
            h("span", say("A table of a database")),
            type_="button",
            cls="card action",
            data_act="connection",
            data_value=name,
        )
        for name in names
    ]
    return h("section", h("h2", say("Or take one of your house")), h("div", *cards, cls="cards"))


def _built_in() -> Markup:
    cards = [
        h(
            "button",
            h("strong", say(name.capitalize())),
            h("span", say(words)),
            type_="button",
            cls="card action",
            data_act="built-in",
            data_value=name,
        )
        for name, words in BUILT_IN.items()
    ]
    return h(
        "section", h("h2", say("Or try it with a built-in table")), h("div", *cards, cls="cards")
    )


def _resume(spaces: list[Workspace]) -> Markup:
    if not spaces:
        return Markup("")
    rows = [
        h(
            "li",
            h("a", space.name, href=f"/t/{space.id}/table"),
            h("span", _about(space), cls="quiet"),
            h("span", say("release ready") if space.released else say("in progress"), cls="quiet"),
            h(
                "button",
                icon("trash"),
                say("Forget"),
                type_="button",
                cls="button small",
                data_act="forget",
                data_value=space.id,
                data_confirm=say("Remove this table, its plan, its journal and its release?"),
                aria_label=say("Forget {name}", name=space.name),
            ),
        )
        for space in spaces
    ]
    linked = h("p", h("a", say("Tables that belong together"), href="/linked"))
    more = [linked] if len(spaces) > 1 else []
    return h("section", h("h2", say("Go on where you were")), h("ul", *rows, cls="resume"), *more)


def _about(space: Workspace) -> str:
    """Tell two tables of one name apart: how large the file is, and when it was last worked on."""
    plan = space.folder / PLAN
    when = moment(datetime.fromtimestamp(plan.stat().st_mtime))
    file = Path(str(space.plan.source))
    parts = [say("{n_rows:,} rows", n_rows=space.n_rows)] if space.n_rows else []
    parts += [_size(file.stat().st_size)] if file.is_file() else []
    return ", ".join([*parts, when])


def _size(count: float) -> str:
    """Write a number of bytes.

    >>> _size(900), _size(20_480), _size(3_500_000)
    ('900 bytes', '20 KB', '3.3 MB')
    """
    if count < 1024:
        return say("{count:.0f} bytes", count=count)
    kilo = count / 1024
    return (
        say("{kilo:.0f} KB", kilo=kilo) if kilo < 1024 else say("{kilo:.1f} MB", kilo=kilo / 1024)
    )
