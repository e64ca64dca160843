"""The first sentence of a report, and what it means."""

from __future__ import annotations

from shoal._words import listing
from shoal.report._summary import Summary
from shoal.report._words import amount


def headline(summary: Summary) -> str:
    """Say in one sentence what holds."""
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
    return f"Every {who} hides in a crowd of at least {summary.k}"


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
        f" Somebody who knows these facts about a person cannot tell which of them is the"
        f" person's own: picking one is right at most {risk} times in 100."
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
    ngil, bound = summary.utility.get("ngil"), summary.utility.get("ngil_bound")
    if ngil is None:
        return ""
    if summary.moved:
        return f"On average a cluster spans {amount(100 * ngil)} % of the whole range."
    text = f"On average a published value spans {amount(100 * ngil)} % of its whole range."
    if bound:
        text += (
            f" No grouping with this k can go below {amount(100 * bound)} %, so this one is"
            f" within {ngil / bound:.2f} times the best possible."
        )
    return text


def formed_by(summary: Summary) -> str:
    """Say how groups were formed, and why so."""
    why = f" ({summary.why.removesuffix('.')})" if summary.why else ""
    return f"Groups were formed by {summary.method}{why}." if summary.method else ""
