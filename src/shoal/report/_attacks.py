"""What an attacker gains, as a page that a data protection officer can read."""

from __future__ import annotations

from html import escape

from shoal.report._drawing import WIDTH, draw_svg, rectangle, words
from shoal.report._page import page, section
from shoal.report._words import percent
from shoal.risk import AttackReport, AttackResult, attack_named

_GOALS = {
    "person": "Whose row is it?",
    "value": "What is their secret?",
    "member": "Are they in it?",
    "form": "What does the writing give away?",
}
_ROOM = WIDTH - 52


def render_attacks(report: AttackReport, *, title: str = "What an attacker still gains") -> str:
    """Draw the results of a battery as one page: no script, no font, no request to anywhere."""
    return page(title, f"<h1>{escape(title)}</h1>{attacks_section(report)}")


def attacks_section(report: AttackReport) -> str:
    """Draw the results as parts of a page: a verdict, how to read it, and a card per attack."""
    parts = [section("Attacks that were tried", _verdict(report) + _legend())]
    for goal, question in _GOALS.items():
        cards = [_card(r, report) for r in report.results if attack_named(r.name).goal == goal]
        if cards:
            parts.append(section(question, f'<div class="charts">{"".join(cards)}</div>'))
    return "".join(parts)


def verdict_sentence(report: AttackReport) -> str:
    """Sum up a battery in a sentence or two.

    >>> from shoal.risk import AttackReport, find_threshold
    >>> result = AttackResult("exact_linkage", rate=0.02, people=100)
    >>> verdict_sentence(AttackReport((result,), find_threshold("public")))
    '1 attack was tried. None gains more than the 9.1\\xa0% that the preset public accepts.'
    """
    tried = sum(result.applies for result in report.results)
    were = "attack was" if tried == 1 else "attacks were"
    limit = f"the {percent(report.threshold.risk)} that the preset {report.threshold.name} accepts"
    if report.holds:
        return f"{tried} {were} tried. None gains more than {limit}.{_no_gain(report)}"
    names = ", ".join(name.replace("_", " ") for name in report.exceeding)
    return f"{tried} {were} tried. More than {limit}: {names}."


def _no_gain(report: AttackReport) -> str:
    """Say why a bar that is longer than what is accepted is not such a gain."""
    tried = [result for result in report.results if result.applies]
    longest = max(tried, key=lambda result: result.rate, default=None)
    if longest is None or longest.rate <= report.threshold.risk:
        return ""
    why = f"a guess without the release is right in {percent(longest.baseline)}"
    if longest.upper_bound:
        why = "nobody can tell which of them are right"
    elif attack_named(longest.name).goal == "form":
        why = "it tells how the table was made, and nothing about a person"
    name = longest.name.replace("_", " ")
    return f" The longest bar is no such gain: {name} reaches {percent(longest.rate)}, but {why}."


def _verdict(report: AttackReport) -> str:
    kind = "good" if report.holds else "bad"
    return f'<p class="{kind}">{escape(verdict_sentence(report))}</p>'


def _legend() -> str:
    return (
        '<p class="quiet">A full bar would be: right about everybody. The bar is how often the'
        " attack is right about people of the release, with the range that chance leaves open. The"
        " grey bar below it is what a guess achieves without the release; the thin mark is how"
        " often the attack is right about people who were never in it. Only what goes beyond both"
        " is a gain that the release gives.</p>"
    )


def _card(result: AttackResult, report: AttackReport) -> str:
    attack = attack_named(result.name)
    mark = ' <span class="badge bad">too much</span>' if report.exceeds(result) else ""
    drawn = attack_bars(result) if result.applies else ""
    return (
        f'<div class="chart"><header><h3>{escape(attack.title)}</h3>'
        f'<span class="kind">{escape(result.name)}</span></header>'
        f"<p>{escape(attack.scenario)}</p>{drawn}<p>{escape(attack_sentence(result))}{mark}</p></div>"
    )


def attack_sentence(result: AttackResult) -> str:
    """Tell how an attack went in a sentence."""
    if not result.applies:
        return f"Not tried: {result.note}"
    low, high = result.interval
    held_out = (
        f", {percent(result.control)} for people held out" if result.control is not None else ""
    )
    return (
        f"Right in {percent(result.rate)} of cases (between {percent(low)} and {percent(high)});"
        f" a guess: {percent(result.baseline)}{held_out}. {result.people:,} people. {result.note}"
    ).rstrip()


def attack_bars(result: AttackResult) -> str:
    """Draw rate and interval, the guess below, and a mark for people held out."""
    low, high = result.interval
    parts = [
        rectangle("track", 0, 4, _ROOM, 14),
        rectangle("bar", 0, 4, _ROOM * result.rate, 14),
        rectangle("after", _ROOM * low, 10, max(1.0, _ROOM * (high - low)), 2),
        rectangle("before", 0, 20, _ROOM * result.baseline, 5),
        words(WIDTH, 15, percent(result.rate), "end number"),
    ]
    if result.control is not None:
        parts.append(rectangle("before", _ROOM * result.control - 1, 1, 2, 25))
    return draw_svg(28, f"{result.name}: rate, baseline and control", parts)
