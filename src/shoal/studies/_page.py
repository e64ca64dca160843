"""The page of a study: what was claimed, what was measured, what could not be known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from shoal.report import bullets, page, page_header, section
from shoal.studies._base import Size, Study
from shoal.studies._findings import Findings, PaperClaim, Picture, ResultTable

MOST_ROWS = 60  # of a table on the page; the files hold all
AT_A_GLANCE = 12  # rows; a longer table is folded until somebody asks for it
_GOOD = {"holds": "yes", "holds in part": "some", "does not hold": "no", "cannot be told": "some"}
_MORE_STYLE = """
.claim { border-top: 1px solid #e6eaee; padding: 14px 0; }
.claim q { font-style: italic; quotes: none; }
.claim .some { color: #8a6a12; font-weight: 600; }
figure { margin: 22px 0; } figure svg { width: auto; max-width: 100%; height: auto; }
figcaption, .note { color: #5b6875; font-size: .92em; }
h3 { margin-top: 28px; } summary { cursor: pointer; color: #0d7f8a; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
"""


@dataclass(frozen=True)
class RunCost:
    """What a run took: items done, items planned, CPU seconds of all of them.

    >>> print(RunCost(7, 9, 3.2))
    7 of 9 items of work so far, 3 CPU seconds
    """

    items: int
    planned: int
    cpu_seconds: float

    def __str__(self) -> str:
        done = f"{self.items:,} items of work"
        if self.items < self.planned:
            done = f"{self.items:,} of {self.planned:,} items of work so far"
        return f"{done}, {self.cpu_seconds:,.0f} CPU seconds"


def render_page(
    study: Study,
    size: Size,
    findings: Findings,
    drawings: Mapping[str, str],
    effort: RunCost,
) -> str:
    """Draw the page; it holds its figures and asks nobody for anything."""
    body = "\n".join(_body(study, size, findings, drawings, effort))
    return page(study.title, body, style=_MORE_STYLE, figures=True)


def _body(
    study: Study,
    size: Size,
    findings: Findings,
    drawings: Mapping[str, str],
    effort: RunCost,
) -> Iterator[str]:
    cited = f'<p class="quiet">{escape(study.citation)}</p>'
    yield page_header("study", study.title, lead=findings.summary, below=cited)
    if findings.claims:
        yield section("What was claimed, what was measured", "".join(map(_claim, findings.claims)))
    if findings.pictures:
        figures = "".join(_figure(p, drawings[p.name]) for p in findings.pictures)
        yield section("Figures", figures)
    if shown := [table for table in findings.tables if table.shown]:
        yield section("Tables", "".join(map(_table, shown)))
    if findings.unknown:
        yield section("What could not be known", bullets(findings.unknown))
    yield (
        f"<footer><p>{effort} ({size} run). "
        "Every table is in <code>tables/</code> as CSV and JSON, every figure in "
        "<code>figures/</code> as SVG and PNG.</p></footer>"
    )


def _claim(claim: PaperClaim) -> str:
    links = ", ".join(
        f'<a href="#{escape(name)}">{escape(name.replace("_", " "))}</a>' for name in claim.evidence
    )
    seen = f' <span class="note">See {links}.</span>' if links else ""
    return (
        f'<div class="claim"><p><q>{escape(claim.claimed)}</q></p><p>'
        f'<span class="{_GOOD[claim.answer]}">{escape(claim.answer)}</span>: '
        f"{escape(claim.measured)}{seen}</p></div>"
    )


def _figure(picture: Picture, drawing: str) -> str:
    note = f" {escape(picture.note)}" if picture.note else ""
    return (
        f'<figure id="{escape(picture.name)}">{drawing}'
        f"<figcaption><b>{escape(picture.title)}</b>{note}</figcaption></figure>"
    )


def _table(table: ResultTable) -> str:
    head = "".join(_heading(table, name) for name in table.columns)
    rows = "".join(
        f"<tr>{''.join(_cell(record.get(name)) for name in table.columns)}</tr>"
        for record in table.records[:MOST_ROWS]
    )
    left_out = len(table.records) - MOST_ROWS
    more = f" {left_out:,} more rows are in the file." if left_out > 0 else ""
    drawn = (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    if len(table.records) > AT_A_GLANCE:
        shown = min(len(table.records), MOST_ROWS)
        drawn = f"<details><summary>{shown} rows</summary>{drawn}</details>"
    return (
        f'<h3 id="{escape(table.name)}">{escape(table.title)}</h3>'
        f'<p class="note">{escape(table.note)}{more}</p>{drawn}'
    )


def _heading(table: ResultTable, name: str) -> str:
    """Stand over numbers where numbers are."""
    values = [record.get(name) for record in table.records]
    kind = ' class="number"' if any(map(_is_number, values)) else ""
    return f"<th{kind}>{escape(name.replace('_', ' '))}</th>"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    """Show a value: three digits after the point tell all that these numbers know.

    >>> _cell(0.81539), _cell("bias"), _cell(None)
    ('<td class="number">0.815</td>', '<td>bias</td>', '<td></td>')
    """
    if value is None:
        return "<td></td>"
    if isinstance(value, bool):
        return f"<td>{'yes' if value else 'no'}</td>"
    if not _is_number(value):
        return f"<td>{escape(str(value))}</td>"
    text = f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
    return f'<td class="number">{text}</td>'
