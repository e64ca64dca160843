"""The report: a summary as one page for people who decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from html import escape
from typing import Any

from shoal._words import later, listed, retell, say, speaking, spoken
from shoal.report._drawing import (
    cards,
    distribution_chart,
    loss_bars,
    page,
    page_header,
    section,
    size_columns,
    table,
)
from shoal.report._growth import growth_section
from shoal.report._network import network_section
from shoal.report._summary import Summary
from shoal.report._words import (
    accounted,
    amount,
    evidence,
    fidelity,
    formed_by,
    headline,
    meaning,
    percent,
    times_the_least,
    told_limit,
)
from shoal.risk import TOO_MANY

_NAMES = {
    "ngil": later("Information lost (NGIL, 0 to 1)"),
    "ngil_bound": later("Least any grouping must lose (proven)"),
    "formed_loss": later("Lost as groups were formed by it (0 to 1)"),
    "formed_loss_bound": later("Least any grouping must lose of that (proven)"),
    "factor": later("Lost, compared with that least"),
    "discernibility": later("Discernibility (sum of squared group sizes)"),
    "average_group_size": later("Average group size"),
    "prosecutor_max_risk": later("Highest risk of a row (prosecutor)"),
    "avg_risk_per_record": later("Average risk of a row"),
    "sample_unique_fraction": later("Rows that are alone"),
    "share_above_public": later("Rows at more risk than is accepted in public (1 in 11)"),
    "relink_rate": later("Former outliers found again by the best linkage attack"),
    "relink_bound": later("At most this is asked for: one in m, plus three standard deviations"),
    "relink_baseline": later("The same by pointing at any row"),
    "relink_everybody": later("Found again among all people"),
    "relink_unprotected": later("Outliers found in the table as it was"),
}
_SPREAD = later(
    "A published interval counts as spread evenly over its width, a label as what it says; hidden"
    " cells are left out. Anything that few people share is pooled, and what was before is rounded."
)
_MOVED = later(
    "Values were moved from row to row; each counts as it stands. Anything that few people share is"
    " pooled, and what was before is rounded."
)
_CELLS = later("{exact} of cells as they were, {widened} widened, {hidden} hidden.")
_CELLS_MOVED = later("{exact} of cells as they were, {widened} moved, {hidden} hidden.")
_SHARES = (
    *("prosecutor_max_risk", "avg_risk_per_record", "sample_unique_fraction", "share_above_public"),
    *("relink_rate", "relink_bound", "relink_baseline", "relink_everybody", "relink_unprotected"),
)


def render_html(
    summary: Summary,
    outcomes: Sequence[Mapping[str, Any]] = (),
    *,
    language: str | None = None,
) -> str:
    """Draw a summary as a page that can be forwarded, printed and read on a telephone.

    Parameters
    ----------
    summary : Summary
        The numbers.
    outcomes : sequence of mapping, optional
        What was recounted from the written file (`Outcome.to_dict`), shown beside the models.
    language : {"en", "de"}, optional
        What the page speaks; numbers and dates are written as it does. Names of columns, cells and
        labels of hierarchies stay as they are.
    """
    with speaking(language) if language else nullcontext():
        title = headline(summary)
        parts = (
            _head(summary, title),
            _cards(summary),
            _models(summary, outcomes),
            growth_section(summary.growth) if summary.growth else "",
            _loss(summary),
            _distributions(summary),
            _groups(summary),
            "" if summary.network is None else network_section(summary.network),
            _sample(summary),
            _end(summary, recounted=bool(outcomes)),
        )
        return page(title, "\n".join(part for part in parts if part))


def _head(summary: Summary, title: str) -> str:
    stamps = "".join(f'<p class="stamp">{escape(retell(stamp))}</p>' for stamp in summary.stamps)
    measured = summary.moved and bool(summary.models)
    sound = summary.holds and ((summary.k or 0) > 1 or measured)
    names = listed([retell(model.name) for model in summary.models])
    badge = say("no promise")
    if not summary.holds:
        badge = say("does not hold")
    elif len(summary.models) == 1:
        badge = say("{names} holds", names=names)
    elif summary.models:
        badge = say("{names} hold", names=names)
    found, singled = summary.singling, ""  # accepted or not, a badge is not silent about columns
    if found is not None and found.open:
        singled = say("nobody accepted {columns}", columns=listed(found.open))
    elif found is not None and found.plain > TOO_MANY:
        share = percent(found.plain)
        singled = say("{share} are singled out by columns published as they are", share=share)
    if singled:
        badge = say("{badge} on the quasi-identifiers, but {singled}", badge=badge, singled=singled)
    kind = (" warn" if singled else "") if sound else " bad"
    drawn = f'<p><span class="badge{kind}">{escape(badge)}</span></p>'
    which = accounted(summary)
    drawn += f"<p>{escape(which)}</p>" if which else ""
    return page_header(
        say("release report"), title, lead=meaning(summary), above=stamps, below=drawn
    )


def _cards(summary: Summary) -> str:
    sizes, people = summary.group_sizes, summary.people
    average = amount(sizes.average)
    smallest = say("people in the smallest crowd") if people else say("rows in the smallest crowd")
    facts = [
        (say("{n:,}", n=sizes.smallest), smallest),
        (say("{n:,}", n=summary.rows), say("rows released")),
        (
            say("{n:,}", n=sizes.groups),
            say("crowds, of {average} people on average", average=average)
            if people
            else say("crowds, of {average} rows on average", average=average),
        ),
    ]
    if "ngil" in summary.utility:
        ranges = all(attribute.measured_by == "width" for attribute in summary.attributes)
        in_cluster = say("of the range in a cluster, on average")
        words = say("of the detail lost, on average")
        loss = percent(summary.utility["ngil"])
        facts.append((loss, in_cluster if summary.moved and ranges else words))
    gone = (
        say("{n:,}", n=summary.suppressed)
        if isinstance(summary.suppressed, int)
        else summary.suppressed
    )
    shown = retell(gone.replace("fewer than ", "<"))
    facts.append((shown, say("people left out") if people else say("rows left out")))
    return cards(facts)


def _models(summary: Summary, outcomes: Sequence[Mapping[str, Any]]) -> str:
    recounted = {str(o["model"]): say("{n}", n=o["recounted"]) for o in outcomes}
    header = [say("What was asked"), say("Recounted from the file"), ""]
    holds = f'<span class="yes">{escape(say("holds"))}</span>'
    fails = f'<span class="no">{escape(say("does not hold"))}</span>'
    rows = [
        [
            escape(retell(model.name)),
            escape(recounted.get(model.name, "–")),
            holds if model.holds else fails,
        ]
        for model in summary.models
    ]
    if not outcomes:
        header, rows = [header[0], ""], [[row[0], row[2]] for row in rows]
    criteria = "".join(f"<tr><th>{a}</th><td>{escape(b)}</td></tr>" for a, b in evidence(summary))
    words = say("Evidence by the three criteria of the Article 29 Working Party (opinion 05/2014)")
    return section(
        say("What holds"),
        f'{table(header, rows)}<p class="quiet" style="margin-top:18px">{words}</p>'
        f"<table>{criteria}</table>",
    )


def _loss(summary: Summary) -> str:
    if not summary.attributes:
        return ""
    rows = sorted(((a.name, a.loss) for a in summary.attributes), key=lambda row: -row[1])
    numbers: dict[str, float | str] = dict(summary.utility)
    factor = times_the_least(summary)
    if factor is not None:
        numbers["factor"] = say("{factor:.2f} times", factor=factor)
    known = {name: numbers[name] for name in _NAMES if name in numbers}  # first, in their order
    return section(
        say("What was lost"),
        f'<p class="quiet">{escape(fidelity(summary))}</p><div class="columns">'
        f"<div>{loss_bars(rows)}</div><div>{_numbers(known | numbers)}</div></div>",
    )


def _numbers(numbers: Mapping[str, float | str]) -> str:
    rows = []
    for name, value in numbers.items():
        text = value if isinstance(value, str) else amount(value)
        if name in _SHARES and not isinstance(value, str):
            text = percent(value)
        label = say(_NAMES[name]) if name in _NAMES else name.replace("_", " ")
        rows.append(f'<tr><td>{escape(label)}</td><td class="value">{escape(text)}</td></tr>')
    return f"<table>{''.join(rows)}</table>"


def _distributions(summary: Summary) -> str:
    if not summary.attributes or summary.growth:  # of earlier rows nobody knows what was before
        return ""
    before, after = say("the released people, before"), say("as a reader of the release sees it")
    legend = (
        f'<div class="legend"><span><i class="before"></i>{before}</span>'
        f'<span><i class="after"></i>{after}</span></div>'
    )
    nothing = say("Enough people share no published value, so there is nothing to draw.")
    charts = []
    for attribute in summary.attributes:
        drawn, overlap = f"<p>{nothing}</p>", ""
        if attribute.distribution is not None:
            drawn = distribution_chart(attribute.distribution, attribute.name)
            share = percent(attribute.distribution.overlap)
            overlap = say(" The two agree on {share}.", share=share)
        parts = {name: percent(getattr(attribute, name)) for name in ("exact", "widened", "hidden")}
        charts.append(
            f'<div class="chart"><header><h3>{escape(attribute.name)}</h3>'
            f'<span class="kind">{say(attribute.kind)}</span></header>{drawn}'
            f"<p>{say(_CELLS_MOVED if summary.moved else _CELLS, **parts)}{overlap}</p></div>"
        )
    words = say(_MOVED) if summary.moved else say(_SPREAD)
    return section(
        say("Before and after"),
        f'<p class="quiet">{words}</p>{legend}<div class="charts">{"".join(charts)}</div>',
    )


def _groups(summary: Summary) -> str:
    sizes = summary.group_sizes
    ends = {"smallest": sizes.smallest, "largest": sizes.largest}
    words = (
        say(
            "Share of people by the size of their crowd (smallest {smallest:,}, largest"
            " {largest:,}).",
            **ends,
        )
        if summary.people
        else say(
            "Share of rows by the size of their crowd (smallest {smallest:,}, largest"
            " {largest:,}).",
            **ends,
        )
    )
    return section(
        say("Crowds and risk"),
        f'<div class="columns"><div><p class="quiet">{words}</p>'
        f"{size_columns(sizes.slots)}</div><div>{_numbers(summary.risk)}</div></div>",
    )


def _sample(summary: Summary) -> str:
    sample = summary.sample
    if not sample.rows:
        return ""
    open_ = [summary.columns[name] == "quasi-identifier" for name in sample.columns]
    mark = [' class="open"' if flag else "" for flag in open_]
    head = "".join(
        f"<th{m}>{escape(name)}<small>{escape(say(summary.columns[name]))}</small></th>"
        for name, m in zip(sample.columns, mark, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{m}>{escape(cell)}</td>" for cell, m in zip(row, mark, strict=True))
        + "</tr>"
        for row in sample.rows
    )
    words = say("One row each of a few crowds; the quasi-identifiers are tinted.")
    return section(
        say("A look at the release"),
        f'<p class="quiet">{words}</p>'
        f'<div class="scroll"><table class="sample"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>",
    )


def _end(summary: Summary, *, recounted: bool) -> str:
    """Say what is not promised, and how all this was made."""
    notes = summary.not_promised
    if spoken() != "en":
        notes = tuple(told_limit(note, summary) for note in notes)
    items = "".join(
        f"<div><dt>{escape(note.title)}</dt><dd>{escape(note.meaning)}</dd></div>" for note in notes
    )
    not_promised = section(say("What is not promised"), f"<dl>{items}</dl>")
    lines = [escape(formed_by(summary))] if summary.method else []
    if recounted:
        words = say(
            "The numbers under “Recounted” were counted from the written file by code that shares"
            " nothing with the code that made it. Recount them:"
        )
        lines.append(f"{words} <code>python verify.py</code>")
    preset = say("Preset: {name}.", name=say(summary.preset)) + " " if summary.preset else ""
    named = say("Columns that name people are not part of a release.")
    lines.append(f"{escape(preset)}{named} Shoal {escape(summary.version)}.")
    return f"{not_promised}\n<footer>{''.join(f'<p>{line}</p>' for line in lines)}</footer>"
