"""Models trained on a release."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import paragraph, read, table


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    found = read("models")
    records = found["results"]["records"]
    lines = []
    for model in dict.fromkeys(r["model"] for r in records):
        runs = [r for r in records if r["model"] == model]
        original = runs[0]["original"]["f1_macro"]
        scores = [original["mean"], *(r["release"]["f1_macro"]["mean"] for r in runs)]
        cells = (f"{score:.3f}" for score in (*scores, original["constant"]))
        lines.append((model.replace("_", " "), *cells))
    yield paragraph(
        "**Models.** Income from the eight quasi-identifiers: trained on a release of Adult and",
        f"tested on {records[0]['release']['rows_test']:,} untouched originals. Macro F1, mean of",
        f"{len(found['results']['seeds'])} seeds.",
    )
    yield from table(("", "original", "k = 10", "k = 50", "constant predictor"), *lines)
