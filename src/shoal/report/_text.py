"""A summary as plain text for a terminal, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from textwrap import fill

from shoal._words import plain, plural
from shoal.report._growth import growth_sentence
from shoal.report._summary import Summary
from shoal.report._words import (
    accounted,
    amount,
    fidelity,
    formed_by,
    headline,
    meaning,
    percent,
)

_BAR = 24
_WIDTH = 100


def render_text(summary: Summary) -> str:
    """Write a summary as text that fits a terminal of 100 columns."""
    lines = (_wrapped(line) for line in _lines(summary))
    return "\n".join(lines) + "\n"


def render_json(summary: Summary) -> str:
    """Write a summary as one JSON object; numbers without bound are the string ``"inf"``."""
    data = asdict(summary)
    for known in ("draft", "quasi_identifiers", "sensitive"):  # as stamps and columns say
        del data[known]
    return json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False)


def _lines(summary: Summary) -> Iterator[str]:
    yield from (stamp.upper() for stamp in summary.stamps)
    alarming = summary.warnings[:1] if summary.singling and summary.singling.open else ()
    yield from (f"Warning: {warning}" for warning in alarming)
    yield headline(summary) + "."
    yield meaning(summary)
    yield from filter(None, [accounted(summary)])
    yield ""
    sizes = summary.group_sizes
    yield (
        f"{plural(summary.rows, 'row')} in {plural(sizes.groups, 'group')}"
        f" of {sizes.smallest:,} to {sizes.largest:,}, {amount(sizes.average)} on average;"
        f" {_suppressed(summary)}."
    )
    for model in summary.models:
        verb = "holds" if model.holds else "DOES NOT HOLD"
        yield f"  {model.name} {verb} (worst group: {amount(float(model.measured))})"
    yield from _losses(summary)
    if summary.method:
        yield formed_by(summary)
    if summary.growth is not None:
        yield growth_sentence(summary.growth)
    yield from (f"Warning: {warning}" for warning in summary.warnings[len(alarming) :])
    yield ""
    yield "Not promised:"
    yield from (f"  - {limit.title}" for limit in summary.not_promised)


def _losses(summary: Summary) -> Iterator[str]:
    if not summary.attributes:
        return
    yield ""
    yield "Lost of each quasi-identifier:"
    width = min(30, max(len(attribute.name) for attribute in summary.attributes))
    for attribute in sorted(summary.attributes, key=lambda a: -a.loss):
        bar = "█" * round(_BAR * min(1.0, attribute.loss))
        name = attribute.name[:width].ljust(width)
        yield f"  {name}  {bar.ljust(_BAR)}  {percent(attribute.loss)}"
    if fidelity(summary):
        yield fidelity(summary)


def _wrapped(line: str) -> str:
    return line if len(line) <= _WIDTH else fill(line, _WIDTH, subsequent_indent="  ")


def _suppressed(summary: Summary) -> str:
    if summary.suppressed == 0:
        return "none left out"
    return f"{summary.suppressed} left out"
