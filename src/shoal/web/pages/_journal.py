"""Journal page: what happened, whether anybody changed it, and tables to go on with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from shoal._home import secret
from shoal._words import later, moment, number, retell, say
from shoal.audit import ChainVerification, Entry, Journal
from shoal.web._workspace import Workspace
from shoal.web.pages._page import (
    Fragment,
    Markup,
    WorkspacePage,
    h,
    icon,
    join,
)

SHOWN = 200
OPENED = 20  # earlier journals, the newest


class JournalPage(WorkspacePage):
    """The journal of the running session."""

    title = later("What happened to this table")
    lead = later(
        "Every question, answer, limit and export, each sealed to the one before it. "
        "There is no cell of the table in here."
    )

    def fragments(self) -> list[Fragment]:
        """Draw the verdict on the chain, and its newest entries; both are read anew."""
        journal = self.space.session.journal
        if journal is None:
            return []
        return [
            Fragment("verdict", _verdict(self.space, journal.verify())),
            Fragment("entries", _entries(journal)),
            Fragment("earlier", _earlier(self.space)),
        ]


def _verdict(space: Workspace, found: ChainVerification) -> Markup:
    words = (
        say("The chain is whole")
        if found.holds
        else say("Entry {entry} was tampered with", entry=found.entry)
    )
    detail = (
        say("All {entries:,} entries are as they were written.", entries=found.entries)
        if found.holds
        else say("Entry {entry} {reason}.", entry=found.entry, reason=say(found.reason))
    )
    return h(
        "section",
        h(
            "div",
            icon("shield" if found.holds else "warning"),
            h("div", h("h2", words), h("p", detail)),
            cls="verdict good" if found.holds else "verdict bad",
        ),
        h(
            "div",
            h("button", say("Verify again"), type_="button", cls="button", data_act="verify"),
            h(
                "a",
                icon("download"),
                say("Witness file"),
                href=f"/api/tables/{space.id}/journal/witness",
                cls="button",
                download="witness.json",
            ),
            h("span", say("Keep a witness elsewhere: it gives a cut-off end away."), cls="quiet"),
            cls="line",
        ),
        cls="panel",
    )


def _entries(journal: Journal) -> Markup:
    return h(
        "section",
        h("h2", say("Entries")),
        *_listed(journal.entries(), say("Entries")),
        cls="panel",
    )


def _listed(entries: list[Entry], label: str) -> tuple[Markup, Markup | None]:
    """Draw the newest entries, and say so if there are more."""
    rows = [_entry(entry) for entry in reversed(entries[-SHOWN:])]
    names = (say("No."), say("Time"), say("Who"), say("What"), say("Detail"))
    head = h("tr", *(h("th", name, scope="col") for name in names))
    listed = h(
        "div",
        h("table", h("thead", head), h("tbody", *rows)),
        cls="scroll entries",
        tabindex="0",
        role="region",
        aria_label=label,
    )
    words = say("The newest {shown} of {n:,}.", shown=SHOWN, n=len(entries))
    return listed, h("p", words, cls="quiet") if len(entries) > SHOWN else None


def _entry(entry: Entry) -> Markup:
    time = moment(datetime.fromisoformat(entry.time))
    detail = ", ".join(filter(None, (_said(key, part) for key, part in entry.body.items())))
    cells = (str(entry.number), time, entry.actor, say(entry.kind.replace("_", " ")), detail)
    return h("tr", *(h("td", cell) for cell in cells))


def _said(key: str, part: object) -> str:
    """Say one part of an entry in a few words; long lists are for the API.

    >>> _said("weights", {"age": 0.5, "zip": 0.25}), _said("choice", "A"), _said("cost", [1, 2])
    ('weights age 0.5, zip 0.25', 'choice A', '')
    """
    if isinstance(part, Mapping) and part and all(isinstance(v, float) for v in part.values()):
        largest = sorted(part.items(), key=lambda item: -item[1])[:3]
        return f"{retell(key)} " + ", ".join(f"{name} {value:.2g}" for name, value in largest)
    if isinstance(part, bool | Mapping | list) or part is None:
        return ""
    text = number(part, ".3g") if isinstance(part, float) else str(part)
    short = text if key == "why" or len(text) <= 24 else f"{text[:12]}…"
    return f"{retell(key)} {short}"


def _earlier(space: Workspace) -> Markup:
    """Draw the journals before this one, each behind a fold: what was signed stays to be read."""
    count = len(space.journals) - 1
    if count < 1:
        return Markup("")
    one = say("1 earlier journal of this table: changing roles or promises begins a new one.")
    more = say(
        "{count} earlier journals of this table: changing roles or promises begins a new one.",
        count=count,
    )
    numbered = list(enumerate(space.journals[:-1], start=1))[-OPENED:]
    folds = [_fold(at, path) for at, path in reversed(numbered)]
    return join(h("p", one if count == 1 else more, cls="quiet"), *folds)


def _fold(at: int, path: Path) -> Markup:
    with Journal.open(path, secret("audit"), create=False) as journal:
        found, entries = journal.verify(), journal.entries()
    whole = say("the chain is whole") if found.holds else say("tampered with")
    told = say("Journal {number}: {n:,} entries, {whole}", number=at, n=len(entries), whole=whole)
    label = say("Entries of journal {number}", number=at)
    return h("details", h("summary", told), *_listed(entries, label), cls="panel fold")
