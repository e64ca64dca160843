"""What a release keeps and what it hides: numbers first, then a page to forward.

`summarize` turns a table and its release into a `Summary`, plain numbers that may be shown to
anybody: small cells are pooled, edges lie on round numbers, no value of the original is named
unless the release names it too. `render_text`, `render_json` and `render_html` only draw it.
"""

from __future__ import annotations

from shoal.report._attacks import (
    attack_bars,
    attack_sentence,
    attacks_section,
    render_attacks,
    verdict_sentence,
)
from shoal.report._charts import distribution_chart, loss_bars, size_columns
from shoal.report._distributions import Distribution, Slot
from shoal.report._html import render_html
from shoal.report._json import plain, render_json
from shoal.report._limits import LimitNote, limits
from shoal.report._sizes import GroupSizes
from shoal.report._summarize import TableLike, summarize
from shoal.report._summary import Attribute, ModelSummary, Sample, Summary, rename_columns
from shoal.report._text import render_text

__all__ = [
    "Attribute",
    "Distribution",
    "GroupSizes",
    "LimitNote",
    "ModelSummary",
    "Sample",
    "Slot",
    "Summary",
    "TableLike",
    "attack_bars",
    "attack_sentence",
    "attacks_section",
    "distribution_chart",
    "limits",
    "loss_bars",
    "plain",
    "rename_columns",
    "render_attacks",
    "render_html",
    "render_json",
    "render_text",
    "size_columns",
    "summarize",
    "verdict_sentence",
]
