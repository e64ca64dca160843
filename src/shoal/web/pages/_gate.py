"""The gate on the page: every column that leaves as it is, and what is to happen to it."""

from __future__ import annotations

from collections.abc import Iterator

from shoal._words import later, listed, retell, say
from shoal.report import percent
from shoal.risk import TOO_MANY, Exposure, SinglingColumn, published_as_is
from shoal.web._gate import ReleaseGate
from shoal.web.pages._page import Markup, bar, breakable, h, icon

DECISIONS = {
    "publish_as_is": (
        later("Accept"),
        later("Publish it unchanged: your word for it goes into the manifest"),
    ),
    "quasi_identifier": (
        later("Coarsen"),
        later("Generalize it with the others until nobody stands out by it"),
    ),
    "drop": (later("Drop"), later("Leave it out of the release")),
}
LEAD = later(
    "Crowds are formed on what describes people. These columns go out beside that, unchanged:"
    " whoever knows them of a person may find the row in its crowd."
)
LEAD_VALUES = later(
    "Values that describe people are moved. These columns go out beside that, unchanged: whoever"
    " knows them of a person may find the row."
)
COUNTED = later("Counted with the crowds of a quick grouping; the release counts again.")
_SETS = 3
BESIDE = {  # by whether there is a column that models predict
    False: later("With sensitive columns {share} are unique."),
    True: later("With sensitive columns and the target {share} are unique."),
}


def draw_gate(gate: ReleaseGate, decided: set[str]) -> Markup:
    """Draw the columns that leave as they are, and those that were ``decided`` about here."""
    table = gate.space.table
    plain = {*published_as_is(table), *decided, *gate.exact}
    names = [(i, name) for i, name in enumerate(table.column_names) if name in plain]
    if not names:
        return Markup("")
    found = gate.found
    counted = () if found is None else (*found.found.columns, *found.found.secrets)
    known = {column.name: column for column in counted}
    lines = [_line(gate, i, name, known.get(name)) for i, name in names]
    return h(
        "section",
        h("h2", say("What leaves as it is")),
        h("p", say(LEAD if gate.space.promise.crowds else LEAD_VALUES), cls="quiet"),
        _standing(gate),
        h("div", *lines, cls="gate", role="list"),
        _rest(gate),
        *([] if found is None else _told(found, target=table.roles.target is not None)),
        h("p", say(COUNTED), cls="quiet") if found is not None else None,
        cls="panel",
        id_="gate",
    )


def _standing(gate: ReleaseGate) -> Markup:
    """Say how things stand: being counted, open, or decided."""
    found, job = gate.found, gate.job
    if job is not None and job.state == "failed" and not gate.fresh:
        return h("p", f"{retell(job.problem)} {retell(job.hint)}", cls="trouble", role="alert")
    if found is None or not gate.fresh:
        return h("p", icon("crowd"), say("Counting whom they single out \N{HORIZONTAL ELLIPSIS}"))
    if found.open:
        names = listed(found.open)
        one, more = say("{names} needs an answer."), say("{names} need an answer.")
        words = (one if len(found.open) == 1 else more).format(names=names)
        if found.open_columns:
            share = percent(found.unaccepted)
            words = say(
                "{share} of people would stand out by what nobody accepted. {words}",
                share=share,
                words=words,
            )
        wait = say(" Nothing is released before.") if gate.strict else ""
        return h("p", icon("warning"), f"{words}{wait}", cls="amber", role="alert")
    alone = found.found.share_unique_plain
    words = say("Nothing is open.")
    if alone > 0:
        words += say(
            " {share} of people are unique on all that is published.", share=percent(alone)
        )
    return h("p", icon("check"), words)


def _line(gate: ReleaseGate, i: int, name: str, column: SinglingColumn | None) -> Markup:
    roles = gate.space.table.roles
    role = "publish_as_is" if name in roles.publish_as_is else roles.role_of(name)
    found = gate.found
    twins = [] if found is None else [t.told for t in found.twins if t.telling == name]
    asked = gate.fresh and found is not None and name in found.open
    chips = [
        h(
            "label",
            h(
                "input",
                type_="radio",
                name=f"gate-{i}",
                value=key,
                checked=key == role,
                data_act=f"gate:{i}",
            ),
            h("span", say(words), title=say(meaning)),
        )
        for key, (words, meaning) in DECISIONS.items()
    ]
    return h(
        "div",
        h(
            "div",
            h("strong", breakable(name)),
            h("span", say("tells {names} again", names=listed(twins)), cls="amber")
            if twins
            else None,
            h("span", say("nobody accepted it"), cls="quiet") if role == "other" else None,
            h("span", say("sensitive, and exact"), cls="amber") if name in gate.exact else None,
            cls="about",
        ),
        _shares(column),
        h(
            "fieldset",
            h("legend", say("What happens to {name}", name=name), cls="unseen"),
            *chips,
            cls="chips",
        ),
        cls="door asked" if asked else "door",
        role="listitem",
    )


def _shares(column: SinglingColumn | None) -> Markup:
    """Draw how many people a column tells from all others: by itself, and in their crowds."""
    if column is None:
        return h("div", cls="shares")
    rows = {say("alone"): column.alone, say("with crowds"): column.with_crowds}
    return h("div", *(_share(words, share) for words, share in rows.items()), cls="shares")


def _share(words: str, share: float) -> Markup:
    kind = "bar warn" if share > TOO_MANY else "bar"
    return h("span", h("span", words, cls="quiet"), bar(share, kind), h("b", percent(share)))


def _rest(gate: ReleaseGate) -> Markup | None:
    """Offer to answer for several at once: those that single out few, those that need an answer."""
    buttons = [_accept_rest(gate), *_answer_open(gate)]
    drawn = [button for button in buttons if button is not None]
    return h("div", *drawn, cls="line") if drawn else None


def _accept_rest(gate: ReleaseGate) -> Markup | None:
    harmless, found = gate.harmless, gate.found
    if len(harmless) < 2 or found is None:
        return None
    most = max((c.with_crowds for c in found.found.columns if c.name in harmless), default=0.0)
    words = say("Accept the {count:,} that single out nobody", count=len(harmless))
    if most:
        words = say(
            "Accept the {count:,} that single out at most {share} each",
            count=len(harmless),
            share=percent(most),
        )
    return h("button", words, type_="button", cls="button small", data_act="gate-rest")


def _answer_open(gate: ReleaseGate) -> Iterator[Markup]:
    """Coarsen or drop all that need an answer; to accept is said of each by name."""
    if not gate.fresh or gate.found is None or len(gate.found.open) < 2:
        return
    names = {
        "quasi_identifier": say("Coarsen all {n:,} that need an answer", n=len(gate.found.open)),
        "drop": say("Drop all {n:,} that need an answer", n=len(gate.found.open)),
    }
    for role, words in names.items():
        yield h(
            "button",
            words,
            type_="button",
            cls="button small",
            data_act="gate-open",
            data_value=role,
        )


def _told(found: Exposure, *, target: bool) -> Iterator[Markup]:
    """Name the smallest sets, what helps most, and what sensitive columns add."""
    out = found.found
    several = [one for one in out.sets if len(one.columns) > 1]
    if several:
        sets = [f"{listed(one.columns)} ({percent(one.share)})" for one in several[:_SETS]]
        more = say(", and {n:,} more", n=len(several) - _SETS) if len(several) > _SETS else ""
        yield h(
            "p",
            say(
                "Even without any crowd these sets single people out: {parts}{more}.",
                parts="; ".join(sets),
                more=more,
            ),
        )
    if out.helps_most is not None and out.freed >= 0.005:
        words = say(
            "Coarsening {name} helps most: {share} of people would no longer be unique.",
            name=out.helps_most,
            share=percent(out.freed),
        )
        yield h("p", words)
    if out.share_unique > out.share_unique_plain:
        yield h("p", say(BESIDE[target], share=percent(out.share_unique)), cls="quiet")
