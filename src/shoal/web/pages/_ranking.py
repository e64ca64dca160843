"""Before and after on the page Result: risks, attacks and losses ranked in one picture."""

from __future__ import annotations

from shoal._words import later, number, say
from shoal.exceptions import InvalidParameterError
from shoal.risk import Shift, ShiftedCrowds, attack_shifts, loss_shifts, rank_shifts
from shoal.web._kept import AttackedRelease, ReleaseCharts
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, bar, h, join

LOSSES = 8  # columns that are drawn at once; those that lost less are behind a fold
POPULATION = "population.txt"  # how many people the table was drawn from, if somebody said so
KINDS = {"risk": later("risk"), "attack": later("attack"), "loss": later("loss")}
ABOUT = later(
    "Of all people, or of all detail: the grey bar is the table as it was, the coloured one what is"
    " published. What is left to worry about comes first."
)


def draw_ranking(space: Workspace, attacked: AttackedRelease | None) -> Markup:
    """Draw one line for each share that was measured, before and after."""
    released = space.released
    if released is None or released.charts is None:
        return Markup("")
    fresh = attacked if attacked and attacked.fingerprint == released.fingerprint else None
    shifts = ranked_shifts(released.charts, fresh, population_of(space))
    less = [shift for shift in shifts if shift.what == "loss"][LOSSES:]
    first = [shift for shift in shifts if shift not in less]
    return h(
        "section",
        h("h2", say("Risk, attacks and loss, before and after")),
        h("p", say(ABOUT), cls="quiet"),
        h("ol", *(_line(shift) for shift in first), cls="ranking"),
        _fold(less),
        None if fresh else h("p", say("Attacks join the list once they were tried."), cls="quiet"),
        _asked(space),
        cls="panel",
    )


def ranked_shifts(
    charts: ReleaseCharts, attacked: AttackedRelease | None, population: int | None
) -> list[Shift]:
    """Take all that a release has been measured by."""
    crowds = ShiftedCrowds(charts.crowds_before, charts.crowds_after)
    attacks = attack_shifts(attacked.report, attacked.before) if attacked else ()
    losses = loss_shifts({attribute.name: attribute.loss for attribute in charts.attributes})
    return rank_shifts([*crowds.shifts(population), *attacks, *losses])


def _fold(less: list[Shift]) -> Markup | None:
    """Keep columns that lost less out of the way of risks."""
    if not less:
        return None
    words = say("Columns that lost less: {n}", n=len(less))
    lines = h("ol", *(_line(shift) for shift in less), cls="ranking")
    return h("details", h("summary", words), lines)


def population_of(space: Workspace) -> int | None:
    """Return how many people the table was drawn from, if that was told."""
    path = space.folder / POPULATION
    return int(path.read_text("utf-8")) if path.is_file() else None


def tell_population(space: Workspace, value: str) -> None:
    """Take how many people there are outside, or that nobody knows."""
    path = space.folder / POPULATION
    if not value.strip():
        path.unlink(missing_ok=True)
        return
    if not value.strip().isdecimal() or int(value) < space.table.n_rows:
        raise InvalidParameterError("A population is a number, at least that of the rows here.")
    path.touch(mode=0o600)
    path.write_text(value.strip(), encoding="utf-8")


def _line(shift: Shift) -> Markup:
    return h(
        "li",
        h("span", h("small", say(KINDS[shift.what]), cls=f"tag {shift.what}"), shift.name),
        h("span", bar(shift.before, "bar was"), bar(shift.after, f"bar {shift.what}"), cls="pair"),
        h(
            "span",
            number(shift.before, ".1%"),
            " \N{RIGHTWARDS ARROW} ",
            h("b", number(shift.after, ".1%")),
            cls="value",
        ),
    )


def _asked(space: Workspace) -> Markup:
    known = population_of(space)
    field = h(
        "input",
        type_="number",
        min=str(space.n_rows or 1),
        value="" if known is None else str(known),
        data_act="population",
        placeholder=say("not known"),
        aria_label=say("People in the population"),
    )
    words = say("The table was drawn from a population of")
    asked = h("label", h("span", words), field, h("span", say("people")), cls="inline")
    return join(asked, _no_estimate(space, known))


def _no_estimate(space: Workspace, population: int | None) -> Markup | None:
    charts = None if space.released is None else space.released.charts
    if charts is None or population is None:
        return None
    crowds = ShiftedCrowds(charts.crowds_before, charts.crowds_after)
    reason = crowds.why_no_estimate(population)
    words = say("Who is alone in the population cannot be estimated: {reason}.", reason=say(reason))
    return h("p", words, cls="quiet") if reason else None
