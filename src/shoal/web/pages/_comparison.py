"""Comparison on the page Result: the ways to say what matters as bars, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from shoal._words import later, number, say
from shoal.session import ReleaseComparison
from shoal.web.pages._page import Markup, bar, breakable, h

WAYS = {
    "equal": (later("Equal"), later("all details matter alike")),
    "bias": (later("Sliders"), later("as you set them")),
    "iml": (later("Questions"), later("as learned from your answers")),
}


def draw_comparison(found: ReleaseComparison) -> Markup:
    """Draw for each measure a bar for each way; the smallest loss and the best score are bold."""
    ways = found.ways
    lost = [(say(WAYS[way.name][0]), way.ngil) for way in ways]
    parts = [_bars(say("Detail lost"), lost, least=True, share=True)]
    for model, score in found.original.items():
        scores = [(say(WAYS[way.name][0]), way.scores[model]) for way in ways]
        beside = [(say("Originals"), score)]
        beside += [(say("Constant"), found.constant)] if found.constant is not None else []
        title = say("Macro F1, {model}", model=model.replace("_", " "))
        parts.append(_bars(title, scores, beside, least=False, share=False))
    for name in ways[0].loss_by_attribute:
        lost = [(say(WAYS[way.name][0]), way.loss_by_attribute[name]) for way in ways]
        parts.append(_bars(say("Lost: {name}", name=name), lost, least=True, share=True))
    return h(
        "div",
        _legend(found),
        h("div", *parts, cls="compared", role="group", aria_label=say("Comparison")),
        _note(found) if found.target else None,
    )


def _bars(
    title: str,
    rows: Sequence[tuple[str, float]],
    beside: Sequence[tuple[str, float]] = (),
    *,
    least: bool,
    share: bool,
) -> Markup:
    best = min(value for _, value in rows) if least else max(value for _, value in rows)
    lines = [
        h(
            "li",
            h("span", name, cls="name"),
            bar(value, "bar" if (name, value) in rows else "bar was"),
            h(
                "b" if value == best and (name, value) in rows else "span",
                number(value, ".1%" if share else ".3f"),
                cls="value",
            ),
        )
        for name, value in (*rows, *beside)
    ]
    return h("figure", h("figcaption", h("b", breakable(title))), h("ul", *lines, cls="bars"))


def _legend(found: ReleaseComparison) -> Markup:
    words = [
        h("li", h("b", say(WAYS[way.name][0])), " ", say(WAYS[way.name][1])) for way in found.ways
    ]
    return h("ul", *words, cls="legend")


def _note(found: ReleaseComparison) -> Markup:
    words = say(
        "Macro F1 on {tested:,} untouched rows; models learned from {learned:,} rows. "
        "One division of the rows: small differences may be chance. "
        "Constant: always the most frequent class.",
        tested=found.rows_tested,
        learned=found.rows_learned,
    )
    return h("p", words, cls="quiet")
