"""The first sentence of a report, and what it means."""

from __future__ import annotations

from shoal.report._summary import Summary
from shoal.report._words import amount, listing


def headline(summary: Summary) -> str:
    """Say in one sentence what holds."""
    if not summary.holds:
        failing = [model.name for model in summary.models if not model.holds]
        return f"Not fit for release: {listing(failing)} does not hold"
    if summary.k is None:
        return "Released without a promise of k"
    if summary.k < 2:
        return "Not protected: k is 1"
    who = "person" if summary.people else "row"
    return f"Every {who} hides in a crowd of at least {summary.k}"


def meaning(summary: Summary) -> str:
    """Say in plain words what the headline means, and only that."""
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
        ("Singling out", single if summary.k and summary.k > 1 else "Not bounded."),
        ("Linkability", "Not bounded: another data set can still be linked to a whole crowd."),
        ("Inference", " ".join(inference)),
    )


def fidelity(summary: Summary) -> str:
    """Say how much was lost, and how far that is from the best possible."""
    ngil, bound = summary.utility.get("ngil"), summary.utility.get("ngil_bound")
    if ngil is None:
        return ""
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
