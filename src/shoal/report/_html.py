"""The report: a summary as one page for people who decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from shoal._words import listing
from shoal.report._drawing import distribution_chart, loss_bars, size_columns
from shoal.report._growth import growth_section
from shoal.report._network import network_section
from shoal.report._page import cards, page, page_header, section, table
from shoal.report._summary import Attribute, Summary
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
)
from shoal.risk import TOO_MANY

_NAMES = {
    "ngil": "Information lost (NGIL, 0 to 1)",
    "ngil_bound": "Least any grouping must lose (proven)",
    "formed_loss": "Lost as groups were formed by it (0 to 1)",
    "formed_loss_bound": "Least any grouping must lose of that (proven)",
    "factor": "Lost, compared with that least",
    "discernibility": "Discernibility (sum of squared group sizes)",
    "average_group_size": "Average group size",
    "prosecutor_max_risk": "Highest risk of a row (prosecutor)",
    "avg_risk_per_record": "Average risk of a row",
    "sample_unique_fraction": "Rows that are alone",
    "share_above_public": "Rows at more risk than is accepted in public (1 in 11)",
    "relink_rate": "Former outliers found again by the best linkage attack",
    "relink_bound": "At most this is asked for: one in m, plus three standard deviations",
    "relink_baseline": "The same by pointing at any row",
    "relink_everybody": "Found again among all people",
    "relink_unprotected": "Outliers found in the table as it was",
}
_SPREAD = (
    "A published interval counts as spread evenly over its width, a label as what it says; hidden"
    " cells are left out."
)
_HOLDS = '<span class="yes">holds</span>'
_FAILS = '<span class="no">does not hold</span>'
_MOVED = "Values were moved from row to row; each counts as it stands."
_SHARES = (
    *("prosecutor_max_risk", "avg_risk_per_record", "sample_unique_fraction", "share_above_public"),
    *("relink_rate", "relink_bound", "relink_baseline", "relink_everybody", "relink_unprotected"),
)


def render_html(summary: Summary, outcomes: Sequence[Mapping[str, Any]] = ()) -> str:
    """Draw a summary as a page that can be forwarded, printed and read on a telephone.

    Parameters
    ----------
    summary : Summary
        The numbers.
    outcomes : sequence of mapping, optional
        What was recounted from the written file (`Outcome.to_dict`), shown beside the models.
    """
    body = "\n".join(
        part
        for part in (
            _head(summary),
            _cards(summary),
            _models(summary, outcomes),
            growth_section(summary.growth) if summary.growth else "",
            _loss(summary),
            _distributions(summary),
            _groups(summary),
            "" if summary.network is None else network_section(summary.network),
            _sample(summary),
            _not_promised(summary),
            _foot(summary, recounted=bool(outcomes)),
        )
        if part
    )
    return page(headline(summary), body)


def _head(summary: Summary) -> str:
    stamps = "".join(f'<p class="stamp">{escape(stamp)}</p>' for stamp in summary.stamps)
    measured = summary.moved and bool(summary.models)
    sound = summary.holds and ((summary.k or 0) > 1 or measured)
    names = listing([model.name for model in summary.models])
    words = f"{names} {'holds' if len(summary.models) == 1 else 'hold'}"
    badge = words if summary.holds and summary.models else "no promise"
    badge = badge if summary.holds else "does not hold"
    singled = _singled(summary)
    badge += f" on the quasi-identifiers, but {singled}" if singled else ""
    kind = (" warn" if singled else "") if sound else " bad"
    drawn = f'<p><span class="badge{kind}">{escape(badge)}</span></p>'
    drawn += f"<p>{escape(accounted(summary))}</p>" if accounted(summary) else ""
    return page_header(
        "release report", headline(summary), lead=meaning(summary), above=stamps, below=drawn
    )


def _singled(summary: Summary) -> str:
    """Say what a badge may not be silent about: accepted or not, people stand out by columns."""
    found = summary.singling
    if found is None:
        return ""
    if found.open:
        return f"nobody accepted {listing(found.open)}"
    if found.plain > TOO_MANY:
        return f"{percent(found.plain)} are singled out by columns published as they are"
    return ""


def _cards(summary: Summary) -> str:
    sizes = summary.group_sizes
    unit = "people" if summary.people else "rows"
    facts = [
        (f"{sizes.smallest:,}", f"{unit} in the smallest crowd"),
        (f"{summary.rows:,}", "rows released"),
        (f"{sizes.groups:,}", f"crowds, of {amount(sizes.average)} {unit} on average"),
    ]
    if "ngil" in summary.utility:
        ranges = all(attribute.measured_by == "width" for attribute in summary.attributes)
        words = "of the range in a cluster" if summary.moved and ranges else "of the detail lost"
        facts.append((percent(summary.utility["ngil"]), f"{words}, on average"))
    facts.append((str(summary.suppressed).replace("fewer than ", "<"), f"{unit} left out"))
    return cards(facts)


def _models(summary: Summary, outcomes: Sequence[Mapping[str, Any]]) -> str:
    recounted = {str(o["model"]): str(o["recounted"]) for o in outcomes}
    header = ["What was asked", "Recounted from the file", ""]
    rows = [
        [
            escape(model.name),
            escape(recounted.get(model.name, "–")),
            _HOLDS if model.holds else _FAILS,
        ]
        for model in summary.models
    ]
    if not outcomes:
        header, rows = [header[0], ""], [[row[0], row[2]] for row in rows]
    criteria = "".join(f"<tr><th>{a}</th><td>{escape(b)}</td></tr>" for a, b in evidence(summary))
    return section(
        "What holds",
        table(header, rows)
        + '<p class="quiet" style="margin-top:18px">Evidence by the three criteria of the'
        " Article 29 Working Party (opinion 05/2014)</p>" + f"<table>{criteria}</table>",
    )


def _loss(summary: Summary) -> str:
    if not summary.attributes:
        return ""
    rows = sorted(((a.name, a.loss) for a in summary.attributes), key=lambda row: -row[1])
    numbers: dict[str, float | str] = dict(summary.utility)
    factor = times_the_least(summary)
    if factor is not None:
        numbers["factor"] = f"{factor:.2f} times"
    known = {name: numbers[name] for name in _NAMES if name in numbers}  # first, in their order
    return section(
        "What was lost",
        f'<p class="quiet">{escape(fidelity(summary))}</p><div class="columns">'
        f"<div>{loss_bars(rows)}</div><div>{_numbers(known | numbers)}</div></div>",
    )


def _numbers(numbers: Mapping[str, float | str]) -> str:
    rows = []
    for name, value in numbers.items():
        text = value if isinstance(value, str) else amount(value)
        if name in _SHARES and not isinstance(value, str):
            text = percent(value)
        label = _NAMES.get(name, name.replace("_", " "))
        rows.append(f'<tr><td>{escape(label)}</td><td class="value">{escape(text)}</td></tr>')
    return f"<table>{''.join(rows)}</table>"


def _distributions(summary: Summary) -> str:
    if not summary.attributes or summary.growth:  # of earlier rows nobody knows what was before
        return ""
    legend = (
        '<div class="legend"><span><i class="before"></i>the released people, before</span>'
        '<span><i class="after"></i>as a reader of the release sees it</span></div>'
    )
    verb = "moved" if summary.moved else "widened"
    charts = "".join(_chart(attribute, verb) for attribute in summary.attributes)
    words = _MOVED if summary.moved else _SPREAD
    return section(
        "Before and after",
        f'<p class="quiet">{words} Anything that few people share is pooled, and what was before'
        " is rounded.</p>"
        f'{legend}<div class="charts">{charts}</div>',
    )


def _chart(attribute: Attribute, verb: str) -> str:
    drawn = "<p>Enough people share no published value, so there is nothing to draw.</p>"
    overlap = ""
    if attribute.distribution is not None:
        drawn = distribution_chart(attribute.distribution, attribute.name)
        overlap = f" The two agree on {percent(attribute.distribution.overlap)}."
    cells = (
        f"{percent(attribute.exact)} of cells as they were, {percent(attribute.widened)} {verb},"
        f" {percent(attribute.hidden)} hidden.{overlap}"
    )
    return (
        f'<div class="chart"><header><h3>{escape(attribute.name)}</h3>'
        f'<span class="kind">{attribute.kind}</span></header>{drawn}<p>{cells}</p></div>'
    )


def _groups(summary: Summary) -> str:
    sizes = summary.group_sizes
    unit = "people" if summary.people else "rows"
    return section(
        "Crowds and risk",
        f'<div class="columns"><div><p class="quiet">Share of {unit} by the size of their crowd'
        f" (smallest {sizes.smallest:,}, largest {sizes.largest:,}).</p>"
        f"{size_columns(sizes.slots)}</div><div>{_numbers(summary.risk)}</div></div>",
    )


def _sample(summary: Summary) -> str:
    sample = summary.sample
    if not sample.rows:
        return ""
    open_ = [summary.columns[name] == "quasi-identifier" for name in sample.columns]
    mark = [' class="open"' if flag else "" for flag in open_]
    head = "".join(
        f"<th{m}>{escape(name)}<small>{escape(summary.columns[name])}</small></th>"
        for name, m in zip(sample.columns, mark, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{m}>{escape(cell)}</td>" for cell, m in zip(row, mark, strict=True))
        + "</tr>"
        for row in sample.rows
    )
    return section(
        "A look at the release",
        '<p class="quiet">One row each of a few crowds; the quasi-identifiers are tinted.</p>'
        f'<div class="scroll"><table class="sample"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>",
    )


def _not_promised(summary: Summary) -> str:
    items = "".join(
        f"<div><dt>{escape(limit.title)}</dt><dd>{escape(limit.meaning)}</dd></div>"
        for limit in summary.not_promised
    )
    return section("What is not promised", f"<dl>{items}</dl>")


def _foot(summary: Summary, *, recounted: bool) -> str:
    lines = [escape(formed_by(summary))] if summary.method else []
    if recounted:
        lines.append(
            "The numbers under “Recounted” were counted from the written file by code that shares"
            " nothing with the code that made it. Recount them: <code>python verify.py</code>"
        )
    preset = f"Preset: {escape(summary.preset)}. " if summary.preset else ""
    lines.append(
        f"{preset}Columns that name people are not part of a release."
        f" Shoal {escape(summary.version)}."
    )
    return f"<footer>{''.join(f'<p>{line}</p>' for line in lines)}</footer>"
