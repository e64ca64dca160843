"""What an attacker gains, as a page that a data protection officer can read."""

from __future__ import annotations

from html import escape

from shoal._words import later, retell, say, spoken
from shoal.report._drawing import WIDTH, draw_svg, page, rectangle, section, words
from shoal.report._words import percent
from shoal.risk import AttackReport, AttackResult, attack_named

_GOALS = {
    "person": later("Whose row is it?"),
    "value": later("What is their secret?"),
    "member": later("Are they in it?"),
    "form": later("What does the writing give away?"),
}
_ROOM = WIDTH - 52


def render_attacks(report: AttackReport) -> str:
    """Draw the results of a battery as one page: no script, no font, no request to anywhere."""
    title = say("What an attacker still gains")
    return page(title, f"<h1>{escape(title)}</h1>{attacks_section(report)}")


def attacks_section(report: AttackReport) -> str:
    """Draw the results as parts of a page: a verdict, how to read it, and a card per attack."""
    parts = [section(say("Attacks that were tried"), _verdict(report) + _legend())]
    for goal, question in _GOALS.items():
        cards = [_card(r, report) for r in report.results if attack_named(r.name).goal == goal]
        if cards:
            parts.append(section(say(question), f'<div class="charts">{"".join(cards)}</div>'))
    return "".join(parts)


def verdict_sentence(report: AttackReport) -> str:
    """Sum up a battery in a sentence or two.

    >>> from shoal.risk import AttackReport, find_threshold
    >>> result = AttackResult("exact_linkage", rate=0.02, people=100)
    >>> verdict_sentence(AttackReport((result,), find_threshold("public"))).split(". ")[1]
    'None gains more than the 9.1\\xa0% that the preset public accepts, as measured.'
    """
    tried = sum(result.applies for result in report.results)
    were = say("1 attack was tried.") if tried == 1 else say("{n:,} attacks were tried.", n=tried)
    limit = {"risk": percent(report.threshold.risk), "preset": say(report.threshold.name)}
    if report.holds:
        held = say(
            "None gains more than the {risk} that the preset {preset} accepts, as measured.",
            **limit,
        )
        return f"{were} {held}{_not_counted(report)}{_no_gain(report)}"
    names = ", ".join(map(_told, report.exceeding))
    more = say(
        "More than the {risk} that the preset {preset} accepts: {names}.", **limit, names=names
    )
    return f"{were} {more}"


def _not_counted(report: AttackReport) -> str:
    """Name the attacks that gain more, and that this preset does not judge by."""
    beyond = [r for r in report.results if r.applies and r.risk > report.threshold.risk]
    more = [_told(r.name) for r in beyond if not r.upper_bound]
    return say(" Not counted for it: {names}.", names=", ".join(more)) if more else ""


def _no_gain(report: AttackReport) -> str:
    """Say why a bar that is longer than what is accepted is not such a gain."""
    tried = [result for result in report.results if result.applies]
    longest = max(tried, key=lambda result: result.rate, default=None)
    if longest is None or longest.rate <= report.threshold.risk:
        return ""
    return say(
        " The longest bar is no such gain: {name} reaches {rate}, but {why}.",
        name=_told(longest.name),
        rate=percent(longest.rate),
        why=_why_no_gain(longest, report),
    )


def _why_no_gain(longest: AttackResult, report: AttackReport) -> str:
    if longest.upper_bound:
        return say("nobody can tell which of them are right")
    if attack_named(longest.name).goal == "form" and not report.threshold.forms:
        return say("this preset does not count what the writing gives away")
    share = percent(longest.baseline)
    return say("a guess without the release is right in {share}", share=share)


def _told(name: str) -> str:
    """Name an attack in a sentence: by its short name, or by the question it asks."""
    if spoken() == "en":
        return name.replace("_", " ")
    return f"„{say(attack_named(name).title).rstrip('?')}“"


def _verdict(report: AttackReport) -> str:
    kind = "good" if report.holds else "bad"
    return f'<p class="{kind}">{escape(verdict_sentence(report))}</p>'


def _legend() -> str:
    words = say(
        "A full bar would be: right about everybody. The bar is how often the attack is right about"
        " people of the release, with the range that chance leaves open. The grey bar below it is"
        " what a guess achieves without the release; the thin mark is how often the attack is right"
        " about people who were never in it. Only what goes beyond both is a gain that the release"
        " gives."
    )
    return f'<p class="quiet">{words}</p>'


def _card(result: AttackResult, report: AttackReport) -> str:
    attack = attack_named(result.name)
    mark = f' <span class="badge bad">{say("too much")}</span>' if report.exceeds(result) else ""
    drawn = attack_bars(result) if result.applies else ""
    return (
        f'<div class="chart"><header><h3>{escape(say(attack.title))}</h3>'
        f'<span class="kind">{escape(result.name)}</span></header>'
        f"<p>{escape(say(attack.scenario))}</p>{drawn}"
        f"<p>{escape(attack_sentence(result))}{mark}</p></div>"
    )


def attack_sentence(result: AttackResult) -> str:
    """Tell how an attack went in a sentence."""
    if not result.applies:
        return say("Not tried: {note}", note=retell(result.note))
    low, high = result.interval
    told = {
        "rate": percent(result.rate),
        "low": percent(low),
        "high": percent(high),
        "guess": percent(result.baseline),
        "n": result.people,
        "note": retell(result.note),
    }
    if result.control is not None:
        return say(
            "Right in {rate} of cases (between {low} and {high}); a guess: {guess}, {control} for"
            " people held out. {n:,} people. {note}",
            **told,
            control=percent(result.control),
        ).rstrip()
    return say(
        "Right in {rate} of cases (between {low} and {high}); a guess: {guess}. {n:,} people."
        " {note}",
        **told,
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
    return draw_svg(28, say("{name}: rate, baseline and control", name=result.name), parts)
