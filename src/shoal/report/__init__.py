"""Reports: what a release keeps and what it hides, in numbers first, then as a page to forward.

`summarize` turns a table and its release into a `Summary`, numbers that may be shown to anybody:
they follow from the released file, or are rough and speak of many. `render_text`, `render_json`
and `render_html` only draw it.

Every page of Shoal that is a file stands in the frame made here (`page`, `page_header`,
`section`, `table`, `cards`), every drawing in it is made of the same pieces (`Plot`).
"""

from __future__ import annotations

from shoal._drawing import Drawing
from shoal.report._attacks import (
    attack_bars,
    attack_sentence,
    attacks_section,
    render_attacks,
    verdict_sentence,
)
from shoal.report._distributions import Distribution, Slot
from shoal.report._drawing import (
    Plot,
    bullets,
    cards,
    distribution_chart,
    loss_bars,
    page,
    page_header,
    section,
    size_columns,
    table,
)
from shoal.report._growth import Growth, growth_sentence
from shoal.report._html import render_html
from shoal.report._network import (
    NetworkSummary,
    lay_out,
    network_picture,
    network_section,
    people_picture,
    summarize_network,
)
from shoal.report._published import GroupSizes, suppressed_step
from shoal.report._summarize import (
    FEWEST_PEOPLE,
    build_summary,
    describe_exposure,
    mean_loss,
    summarize,
    tell_suppressed,
)
from shoal.report._summary import (
    DRAFT,
    LINKED_ROWS,
    SHIFTED_DATES,
    Attribute,
    ModelSummary,
    Sample,
    SinglingSummary,
    Summary,
    as_draft,
    as_pseudonymous,
    rename_columns,
)
from shoal.report._text import render_json, render_text
from shoal.report._words import LimitNote, percent

__all__ = [
    "DRAFT",
    "FEWEST_PEOPLE",
    "LINKED_ROWS",
    "SHIFTED_DATES",
    "Attribute",
    "Distribution",
    "Drawing",
    "GroupSizes",
    "Growth",
    "LimitNote",
    "ModelSummary",
    "NetworkSummary",
    "Plot",
    "Sample",
    "SinglingSummary",
    "Slot",
    "Summary",
    "as_draft",
    "as_pseudonymous",
    "attack_bars",
    "attack_sentence",
    "attacks_section",
    "build_summary",
    "bullets",
    "cards",
    "describe_exposure",
    "distribution_chart",
    "growth_sentence",
    "lay_out",
    "loss_bars",
    "mean_loss",
    "network_picture",
    "network_section",
    "page",
    "page_header",
    "people_picture",
    "percent",
    "rename_columns",
    "render_attacks",
    "render_html",
    "render_json",
    "render_text",
    "section",
    "size_columns",
    "summarize",
    "summarize_network",
    "suppressed_step",
    "table",
    "tell_suppressed",
    "verdict_sentence",
]
