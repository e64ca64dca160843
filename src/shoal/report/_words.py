"""Words of a report: its first sentence, what that means, what is not promised, and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shoal._words import later, listed, listing, retell, say

if TYPE_CHECKING:
    from shoal.report._summary import Summary

SPACE = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"


@dataclass(frozen=True)
class LimitNote:
    """Something that is not promised: a few words, and what they mean."""

    title: str
    meaning: str


def headline(summary: Summary) -> str:
    """Say in one sentence what holds, and who is unique all the same."""
    if not summary.holds:
        failing = [retell(model.name) for model in summary.models if not model.holds]
        claim = say("Not fit for release: {models} does not hold", models=listed(failing))
    elif summary.k is None and "relink_rate" in summary.risk:
        claim = say(
            "Released without a promise of k: {found} of 100 outliers are found again",
            found=amount(100 * summary.risk["relink_rate"]),
        )
    elif summary.k is None:
        claim = say("Released without a promise of k")
    elif summary.k < 2:
        claim = say("Not protected: k is 1")
    elif summary.people:
        claim = say(
            "Every person hides in a crowd of at least {k} on the quasi-identifiers named",
            k=summary.k,
        )
    else:
        claim = say(
            "Every row hides in a crowd of at least {k} on the quasi-identifiers named", k=summary.k
        )
    told = "; ".join([claim, *filter(None, [unique(summary)])])
    return say("Draft: {told}", told=told) if summary.draft else told


def unique(summary: Summary) -> str:
    """Say what share of people all that is published tells from all others."""
    found = summary.singling
    if found is None:
        as_is = [r for r in summary.columns.values() if r not in ("quasi-identifier", "sensitive")]
        return say("what other columns tell was not measured") if as_is else ""
    moved = say("what is published as it is")
    where = moved if summary.moved else say("all that is published")
    if not found.unique and found.step > 1:
        return say("fewer than {n} people are unique on {where}", n=found.step, where=where)
    if not found.unique:
        return say("nobody is unique on {where}", where=where)
    share = percent(found.unique)
    if summary.people:
        return say("{share} of people are unique on {where}", share=share, where=where)
    return say("{share} of rows are unique on {where}", share=share, where=where)


def accounted(summary: Summary) -> str:
    """Say which columns that comes from, who accepted them, and who did not."""
    found = summary.singling
    if found is None:
        return ""
    told = []
    if found.unique:
        plain = percent(found.plain)
        told.append(
            say("Without sensitive columns and the target, {share} are unique.", share=plain)
        )
    shares = [f"{name} ({percent(share)})" for name, share in found.columns.items()]
    if shares:
        words = later("Published as they are and singling people out: {columns}.")
        told.append(say(words, columns=listed(shares)))
    sets = [f"{listed(columns)} ({percent(share)})" for columns, share in found.sets]
    if sets:
        words = later("The smallest sets that single out together: {sets}.")
        told.append(say(words, sets="; ".join(sets)))
    if found.accepted:
        told.append(say("Accepted by name: {columns}.", columns=listed(found.accepted)))
    for telling, again in found.twins:
        told.append(say("{telling} tells {again} again.", telling=telling, again=again))
    if found.open:
        told.append(say("Nobody accepted {columns}.", columns=listed(found.open)))
    if found.helps_most is not None:
        name, share = found.helps_most
        words = later(
            "Made a quasi-identifier, {name} helps most: {share} would no longer be unique."
        )
        told.append(say(words, name=name, share=percent(share)))
    return " ".join(told)


def meaning(summary: Summary) -> str:
    """Say in plain words what the headline means, and only that."""
    if summary.k is None and "relink_rate" in summary.risk:
        return _moved(summary)
    if summary.k is None or summary.k < 2:
        return say(
            "No crowd is promised: whoever knows enough about a person may find that person's row."
        )
    others = summary.k - 1
    if summary.people and others > 1:
        alike = say("the rows of at least {n:,} others", n=others)
    elif summary.people:
        alike = say("the rows of at least 1 other")
    elif others > 1:
        alike = say("at least {n:,} others", n=others)
    else:
        alike = say("at least 1 other")
    return say(
        "Each released row looks exactly like {alike} on {columns}. Somebody who knows these facts"
        " about a person, and nothing else that is published, cannot tell which of them is the"
        " person's own: picking one is right at most {risk} times in 100.",
        alike=alike,
        columns=listed(summary.quasi_identifiers),
        risk=amount(100 / summary.group_sizes.smallest),
    )


def _moved(summary: Summary) -> str:
    """Say what was measured where no crowd is promised."""
    risk = {name: amount(100 * value) for name, value in summary.risk.items()}
    return say(
        "Values were moved inside clusters, so rows need not look alike and no k is promised."
        " Attackers who know all quasi-identifiers of people who stood out, and try the exact,"
        " the nearest and the rarest cells, point at the right row for {rate} of 100 of them; in"
        " the table as it was, for {before}.",
        rate=risk["relink_rate"],
        before=risk["relink_unprotected"],
    )


def evidence(summary: Summary) -> tuple[tuple[str, str], ...]:
    """Answer the three questions of the Article 29 Working Party (opinion 05/2014)."""
    bare = [name for name in summary.sensitive if name not in summary.protected]
    inference = []
    if summary.protected:
        inference.append(
            say("Bounded for {columns} by the models above.", columns=listed(summary.protected))
        )
    if bare or not summary.sensitive:
        columns = listed(bare) if bare else say("any column")
        inference.append(say("Not bounded for {columns}.", columns=columns))
    linkable = say("Not bounded: another data set can still be linked to a whole crowd.")
    smallest, average = summary.group_sizes.smallest, amount(summary.group_sizes.average)
    words = _CROWDS_OF_PEOPLE if summary.people else _CROWDS_OF_ROWS
    crowds = say(words, smallest=smallest, average=average)
    return (
        (say("Singling out"), crowds if summary.k and summary.k > 1 else _measured(summary)),
        (say("Linkability"), linkable),
        (say("Inference"), " ".join(inference)),
    )


_CROWDS_OF_PEOPLE = later("The smallest crowd has {smallest:,} people; the average one {average}.")
_CROWDS_OF_ROWS = later("The smallest crowd has {smallest:,} rows; the average one {average}.")


def _measured(summary: Summary) -> str:
    rate = summary.risk.get("relink_everybody")
    if rate is None:
        return say("Not bounded.")
    return say(
        "Not bounded; measured: linkage attacks are right {rate} times in 100.",
        rate=amount(100 * rate),
    )


def fidelity(summary: Summary) -> str:
    """Say how much was lost, and how far that is from the best possible."""
    ngil = summary.utility.get("ngil")
    if ngil is None:
        return ""
    measures = {attribute.measured_by for attribute in summary.attributes}
    average = _IN_CLUSTERS if summary.moved else _PUBLISHED  # a share of a range, or of detail
    text = say(average[measures <= {"width"}], share=amount(100 * ngil))
    if measures & {"leaves", "people"}:
        text += _formed_by_loss(summary)
    factor = times_the_least(summary)
    bound = summary.utility.get("formed_loss_bound", summary.utility.get("ngil_bound"))
    if bound and factor:
        text += say(
            " No grouping with this k can go below {bound} %, so this one is within {factor:.2f}"
            " times the best possible.",
            bound=amount(100 * bound),
            factor=factor,
        )
    return text


_IN_CLUSTERS = (
    later(
        "On average a cluster gives up {share} % of its detail: spans by their width, labels by"
        " their height in the tree."
    ),
    later("On average a cluster spans {share} % of the whole range."),
)
_PUBLISHED = (
    later(
        "On average a published value gives up {share} % of its detail: spans by their width,"
        " labels by their height in the tree."
    ),
    later("On average a published value spans {share} % of the range published."),
)


def times_the_least(summary: Summary) -> float | None:
    """Divide the loss by the least possible, rounded up; None if that is not known.

    A loss below what was proven to be the least shows that one of them is wrong, so then nothing
    is claimed.
    """
    name = "formed_loss" if "formed_loss" in summary.utility else "ngil"  # the one that is bounded
    loss, bound = summary.utility.get(name), summary.utility.get(f"{name}_bound")
    if not loss or not bound or loss < bound:
        return None
    return math.ceil(100 * loss / bound) / 100


def _formed_by_loss(summary: Summary) -> str:
    """Say which columns were grouped by another loss than the one that is told first."""
    by = {
        how: listed(names)
        for how in ("leaves", "people")
        if (names := [a.name for a in summary.attributes if a.measured_by == how])
    }
    texts = []
    if "leaves" in by:
        texts.append(
            say(
                " In {names} a label counted by the share of values of the column it covers.",
                names=by["leaves"],
            )
        )
    if "people" in by:
        texts.append(
            say(
                " In {names} a label counted by the share of rows of the table it covers.",
                names=by["people"],
            )
        )
    if "formed_loss" in summary.utility:
        share = amount(100 * summary.utility["formed_loss"])
        texts.append(say(" Counted so, {share} % is given up on average.", share=share))
    return "".join(texts)


def formed_by(summary: Summary) -> str:
    """Say how groups were formed, and why so."""
    if not summary.method:
        return ""
    why = f" ({retell(summary.why.removesuffix('.'))})" if summary.why else ""
    return say("Groups were formed by {method}{why}.", method=retell(summary.method), why=why)


def limits(
    *,
    quasi_identifiers: tuple[str, ...],
    others: tuple[str, ...],
    sensitive: tuple[str, ...],
    protected: tuple[str, ...],
    tight: bool,
    people: bool,
    moved: bool = False,
    network: bool = False,
) -> tuple[LimitNote, ...]:
    """Collect what a release of this shape does not promise.

    Parameters
    ----------
    quasi_identifiers, others, sensitive : tuple of str
        The released columns by role; others have none.
    protected : tuple of str
        Sensitive columns with a model of their own (l-diversity, t-closeness, ...).
    tight : bool
        Whether ends of intervals may be values of real people.
    people : bool
        Whether k counts people rather than rows.
    moved : bool
        Whether published cells are values that were moved, not ranges that hold the original.
    network : bool
        Whether a network is published with the rows.
    """
    bare = tuple(name for name in sensitive if name not in protected)
    applies = {
        "always": True,
        "moved": moved,
        "bare": bool(bare),
        "protected": bool(protected),
        "tight": tight,
        "rows": not people,
        "network": network,
    }
    names = {
        "quasi_identifiers": listing(quasi_identifiers),
        "others": f" (here: {listing(others)})" if others else "",
        "bare": listing(bare),
        "protected": listing(protected),
    }
    return tuple(
        LimitNote(title.format(**names), meaning.format(**names))
        for need, title, meaning in _NOT_PROMISED
        if applies[need]
    )


def told_limit(note: LimitNote, summary: Summary) -> LimitNote:
    """Say what is not promised in the language of this context; notes are written in English."""
    for _, title, meant in _NOT_PROMISED:
        if note.title.startswith(title.partition("{")[0]):
            names = _names_in(summary)
            return LimitNote(say(title, **names), say(meant, **names))
    return LimitNote(retell(note.title), retell(note.meaning))


def _names_in(summary: Summary) -> dict[str, str]:
    """The columns that notes speak of, as a summary knows them."""
    known = ("quasi-identifier", "sensitive", "pseudonym")
    others = [name for name, role in summary.columns.items() if role not in known]
    bare = [name for name in summary.sensitive if name not in summary.protected]
    return {
        "quasi_identifiers": listed(summary.quasi_identifiers),
        "others": say(" (here: {names})", names=listed(others)) if others else "",
        "bare": listed(bare),
        "protected": listed(summary.protected),
    }


#: When it has to be said, in a few words, and what they mean.
_NOT_PROMISED = (
    (
        "network",
        later("Edges that are certain"),
        later(
            "How many edges a crowd has inside, and with every other, is public. Where that is"
            " none or all that could be, it is known of everybody there; somebody who knows single"
            " friendships can count them off."
        ),
    ),
    (
        "moved",
        later("Any single cell"),
        later(
            "Values were moved among people who are alike: what a row says need not be true of"
            " anybody, and some rows may still be somebody's own. Columns that were not moved are"
            " still those of one person. Statistics change, too."
        ),
    ),
    (
        "moved",
        later("Values of real people"),
        later(
            "Every published value is one that somebody has, and some are still in their row; the"
            " extremes of a column stay visible as far as several people share them."
        ),
    ),
    (
        "always",
        later("Columns not named as quasi-identifiers"),
        later(
            "The crowd is counted on {quasi_identifiers}. Whoever knows something else about a"
            " person that is in the data{others} can narrow the crowd down."
        ),
    ),
    (
        "bare",
        later("k is not l: {bare}"),
        later(
            "A crowd may share one sensitive value. Then nobody needs to know which row is whose."
            " No model that limits this was asked for here."
        ),
    ),
    (
        "protected",
        later("Learning from the data at large"),
        later(
            "What is typical of {protected} in the whole table can be learned, and applied to"
            " anybody, in the data or not."
        ),
    ),
    (
        "tight",
        later("Interval ends"),
        later(
            "An interval is as narrow as its crowd: each of its ends is the exact value of"
            " somebody in it. A grid (rounded ends) avoids that."
        ),
    ),
    (
        "rows",
        later("Several rows of one person"),
        later(
            "Every row counts as another person. If one person may have several rows, name the"
            " column that tells people apart."
        ),
    ),
    (
        "always",
        later("Knowledge of the method"),
        later(
            "Who knows how groups are formed can sometimes rule out values; the numbers here do"
            " not account for that."
        ),
    ),
    (
        "always",
        later("Other releases"),
        later(
            "Two releases of the same people can be combined to learn more than either tells."
            " Publish one, and keep a record of every other."
        ),
    ),
    (
        "always",
        later("Being in the data"),
        later(
            "Somebody who is known to be in this data can be looked for in it; and it may be"
            " possible to tell that a person is not in it."
        ),
    ),
)


def percent(share: float) -> str:
    """Print a share; what is not zero is never printed as zero.

    >>> percent(0.0769), percent(1), percent(0), percent(0.0001)
    ('7.7\\xa0%', '100\\xa0%', '0\\xa0%', '<0.1\\xa0%')
    """
    if 0 < share < 0.001:
        return say("<{n:.1f}", n=0.1) + f"{SPACE}%"
    whole = f"{100 * share:.1f}".endswith(".0")
    return say("{n:.0f}" if whole else "{n:.1f}", n=100 * share) + f"{SPACE}%"


def amount(value: float) -> str:
    """Print a number with its thousands apart, and as many decimals as it deserves.

    >>> amount(30162), amount(0.07651), amount(12.345), amount(math.inf)
    ('30,162', '0.0765', '12.3', 'unbounded')
    """
    if math.isinf(value):
        return say("unbounded")
    if value == int(value):
        return say("{n:,}", n=int(value))
    return say("{n:,.1f}" if abs(value) >= 10 else "{n:.3g}", n=value)
