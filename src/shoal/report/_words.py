"""Words of a report: its first sentence, what that means, what is not promised, and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shoal._words import listing

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
    """Say in one sentence what holds."""
    told = [_claim(summary), *filter(None, [unique(summary)])]
    return f"{'Draft: ' if summary.draft else ''}{'; '.join(told)}"


def unique(summary: Summary) -> str:
    """Say what share of people all that is published tells from all others."""
    found = summary.singling
    if found is None:
        as_is = [r for r in summary.columns.values() if r not in ("quasi-identifier", "sensitive")]
        return "what other columns tell was not measured" if as_is else ""
    where = "what is published as it is" if summary.moved else "all that is published"
    if not found.unique:
        return f"nobody is unique on {where}"
    who = "people" if summary.people else "rows"
    return f"{percent(found.unique)} of {who} are unique on {where}"


def accounted(summary: Summary) -> str:
    """Say which columns that comes from, who accepted them, and who did not."""
    found = summary.singling
    if found is None:
        return ""
    apart = f"Without sensitive columns and the target, {percent(found.plain)} are unique."
    told = [apart] if found.unique else []
    shares = [f"{name} ({percent(share)})" for name, share in found.columns.items()]
    if shares:
        told.append(f"Published as they are and singling people out: {listing(shares)}.")
    sets = [f"{listing(columns)} ({percent(share)})" for columns, share in found.sets]
    if sets:
        told.append(f"The smallest sets that single out together: {'; '.join(sets)}.")
    if found.accepted:
        told.append(f"Accepted by name: {listing(found.accepted)}.")
    told += [f"{telling} tells {again} again." for telling, again in found.twins]
    if found.open:
        told.append(f"Nobody accepted {listing(found.open)}.")
    if found.helps_most is not None:
        name, share = found.helps_most
        told.append(
            f"Made a quasi-identifier, {name} helps most: {percent(share)} would no longer be"
            " unique."
        )
    return " ".join(told)


def _claim(summary: Summary) -> str:
    if not summary.holds:
        failing = [model.name for model in summary.models if not model.holds]
        return f"Not fit for release: {listing(failing)} does not hold"
    if summary.k is None:
        rate = summary.risk.get("relink_rate")
        found = "" if rate is None else f": {amount(100 * rate)} of 100 outliers are found again"
        return f"Released without a promise of k{found}"
    if summary.k < 2:
        return "Not protected: k is 1"
    who = "person" if summary.people else "row"
    crowd = f"a crowd of at least {summary.k}"
    return f"Every {who} hides in {crowd} on the quasi-identifiers named"


def meaning(summary: Summary) -> str:
    """Say in plain words what the headline means, and only that."""
    if summary.k is None and "relink_rate" in summary.risk:
        return _moved(summary)
    if summary.k is None or summary.k < 2:
        return (
            "No crowd is promised: whoever knows enough about a person may find that person's row."
        )
    risk = amount(100 / summary.group_sizes.smallest)
    others = f"{summary.k - 1:,} other{'' if summary.k == 2 else 's'}"
    alike = f"the rows of at least {others}" if summary.people else f"at least {others}"
    return (
        f"Each released row looks exactly like {alike} on {listing(summary.quasi_identifiers)}."
        f" Somebody who knows these facts about a person, and nothing else that is published,"
        f" cannot tell which of them is the person's own: picking one is right at most {risk} times"
        " in 100."
    )


def _moved(summary: Summary) -> str:
    """Say what was measured where no crowd is promised."""
    risk = {name: amount(100 * value) for name, value in summary.risk.items()}
    return (
        "Values were moved inside clusters, so rows need not look alike and no k is promised."
        " Attackers who know all quasi-identifiers of people who stood out, and try the exact,"
        f" the nearest and the rarest cells, point at the right row for {risk['relink_rate']} of"
        f" 100 of them; in the table as it was, for {risk['relink_unprotected']}."
    )


def evidence(summary: Summary) -> tuple[tuple[str, str], ...]:
    """Answer the three questions of the Article 29 Working Party (opinion 05/2014)."""
    smallest, who = summary.group_sizes.smallest, "people" if summary.people else "rows"
    crowd = f"The smallest crowd has {smallest:,} {who}; the average one"
    single = f"{crowd} {amount(summary.group_sizes.average)}."
    bare = [name for name in summary.sensitive if name not in summary.protected]
    inference = []
    if summary.protected:
        inference.append(f"Bounded for {listing(summary.protected)} by the models above.")
    if bare or not summary.sensitive:
        inference.append(f"Not bounded for {listing(bare) if bare else 'any column'}.")
    return (
        ("Singling out", single if summary.k and summary.k > 1 else _measured(summary)),
        ("Linkability", "Not bounded: another data set can still be linked to a whole crowd."),
        ("Inference", " ".join(inference)),
    )


def _measured(summary: Summary) -> str:
    rate = summary.risk.get("relink_everybody")
    if rate is None:
        return "Not bounded."
    return f"Not bounded; measured: linkage attacks are right {amount(100 * rate)} times in 100."


def fidelity(summary: Summary) -> str:
    """Say how much was lost, and how far that is from the best possible."""
    ngil, (_, bound) = summary.utility.get("ngil"), _loss_and_bound(summary)
    if ngil is None:
        return ""
    what, share = "cluster" if summary.moved else "published value", f"{amount(100 * ngil)} %"
    measures = {attribute.measured_by for attribute in summary.attributes}
    if measures <= {"width"}:  # only then it is a share of a range
        whole = "whole range" if summary.moved else "range published"
        text = f"On average a {what} spans {share} of the {whole}."
    else:
        text = f"On average a {what} gives up {share} of its detail: spans by their width, labels"
        text += " by their height in the tree."
    if measures & {"leaves", "people"}:
        text += _formed_by_loss(summary)
    factor = times_the_least(summary)
    if bound and factor:
        text += (
            f" No grouping with this k can go below {amount(100 * bound)} %, so this one is"
            f" within {factor:.2f} times the best possible."
        )
    return text


def times_the_least(summary: Summary) -> float | None:
    """Divide the loss by the least possible, rounded up; None if that is not known.

    A loss below what was proven to be the least shows that one of them is wrong, so then nothing
    is claimed.
    """
    loss, bound = _loss_and_bound(summary)
    if not loss or not bound or loss < bound:
        return None
    return math.ceil(100 * loss / bound) / 100


def _loss_and_bound(summary: Summary) -> tuple[float | None, float | None]:
    """The loss that was bounded, and its bound: NGIL, or the loss that groups were formed by."""
    name = "formed_loss" if "formed_loss" in summary.utility else "ngil"
    return summary.utility.get(name), summary.utility.get(f"{name}_bound")


def _formed_by_loss(summary: Summary) -> str:
    """Say which columns were grouped by another loss than the one that is told first."""
    texts = []
    for loss, what in (("leaves", "values of the column"), ("people", "rows of the table")):
        names = [a.name for a in summary.attributes if a.measured_by == loss]
        if names:
            texts.append(f" In {listing(names)} a label counted by the share of {what} it covers.")
    if "formed_loss" in summary.utility:
        share = amount(100 * summary.utility["formed_loss"])
        texts.append(f" Counted so, {share} % is given up on average.")
    return "".join(texts)


def formed_by(summary: Summary) -> str:
    """Say how groups were formed, and why so."""
    why = f" ({summary.why.removesuffix('.')})" if summary.why else ""
    return f"Groups were formed by {summary.method}{why}." if summary.method else ""


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


#: When it has to be said, in a few words, and what they mean.
_NOT_PROMISED = (
    (
        "network",
        "Edges that are certain",
        "How many edges a crowd has inside, and with every other, is public. Where that is none or"
        " all that could be, it is known of everybody there; somebody who knows single friendships"
        " can count them off.",
    ),
    (
        "moved",
        "Any single cell",
        "Values were moved among people who are alike: a row is nobody's own. Statistics of groups"
        " survive, single rows mean nothing.",
    ),
    (
        "moved",
        "Values of real people",
        "Every published value is one that somebody has, though not in this row; the extremes of a"
        " column stay visible as far as several people share them.",
    ),
    (
        "always",
        "Columns not named as quasi-identifiers",
        "The crowd is counted on {quasi_identifiers}. Whoever knows something else about a person"
        " that is in the data{others} can narrow the crowd down.",
    ),
    (
        "bare",
        "k is not l: {bare}",
        "A crowd may share one sensitive value. Then nobody needs to know which row is whose. No"
        " model that limits this was asked for here.",
    ),
    (
        "protected",
        "Learning from the data at large",
        "What is typical of {protected} in the whole table can be learned, and applied to anybody,"
        " in the data or not.",
    ),
    (
        "tight",
        "Interval ends",
        "An interval is as narrow as its crowd: each of its ends is the exact value of somebody in"
        " it. A grid (rounded ends) avoids that.",
    ),
    (
        "rows",
        "Several rows of one person",
        "Every row counts as another person. If one person may have several rows, name the column"
        " that tells people apart.",
    ),
    (
        "always",
        "Knowledge of the method",
        "Who knows how groups are formed can sometimes rule out values; the numbers here do not"
        " account for that.",
    ),
    (
        "always",
        "Other releases",
        "Two releases of the same people can be combined to learn more than either tells. Publish"
        " one, and keep a record of every other.",
    ),
    (
        "always",
        "Being in the data",
        "Somebody who is known to be in this data can be looked for in it; and it may be possible"
        " to tell that a person is not in it.",
    ),
)


def percent(share: float) -> str:
    """Print a share; what is not zero is never printed as zero.

    >>> percent(0.0769), percent(1), percent(0), percent(0.0001)
    ('7.7\\xa0%', '100\\xa0%', '0\\xa0%', '<0.1\\xa0%')
    """
    if 0 < share < 0.001:
        return f"<0.1{SPACE}%"
    text = f"{100 * share:.1f}".removesuffix(".0")
    return f"{text}{SPACE}%"


def amount(number: float) -> str:
    """Print a number with its thousands apart, and as many decimals as it deserves.

    >>> amount(30162), amount(0.07651), amount(12.345), amount(math.inf)
    ('30,162', '0.0765', '12.3', 'unbounded')
    """
    if math.isinf(number):
        return "unbounded"
    if number == int(number):
        return f"{int(number):,}"
    return f"{number:,.1f}" if abs(number) >= 10 else f"{number:.3g}"
