"""Tuned weights against equal ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, paragraph, read, table

IMAGES = RESULTS.parents[1] / "docs" / "images"


def write() -> Iterator[str]:
    """Give the paragraph, both tables and the sentence on gradient boosting."""
    if not (RESULTS / "tuning.json").is_file():
        yield "*Not measured yet: `python benchmarks/run.py tuning` does it.*\n"
        return
    found = read("tuning")["results"]
    ks, names = found["ks"], found["classifiers"]
    yield paragraph(
        f"**Tuned weights.** UCI Adult, {len(found['seeds'])} splits, k from {ks[0]} to {ks[-1]},",
        f"{len(names)} classifiers: macro F1 on test rows that had no part in the search. A study",
        f"of {found['trials']} trials for each target, split and k; mean over k and classifiers,",
        "with the 95 % interval of the difference over splits.",
    )
    rows = [(target, *_cells(told["all"])) for target, told in found["difference"].items()]
    yield from table(("target", "equal weights", "tuned", "difference", "95 % interval"), *rows)
    columns = [*(f"k={k}" for k in ks), *names]
    head = ("difference", *(name.replace("_", " ").replace("=", " = ") for name in columns))
    body = [
        (target, *(f"{told[name]['mean']:+.4f}" for name in columns))
        for target, told in found["difference"].items()
    ]
    yield from table(head, *body)
    if (IMAGES / "tuning.svg").is_file():
        yield "![What tuned weights gain, by target and k](images/tuning.svg)\n"
    boosting = found["boosting_income_k50"]
    yield paragraph(
        "Gradient boosting on income at k = 50, F1 of the positive class, mean of",
        f"{len(found['seeds'])} splits: {boosting['original']:.3f} from the originals,",
        f"{boosting['equal']:.3f} with equal weights, {boosting['tuned']:.3f} with tuned ones as",
        f"tried ({boosting['kept_tuned']:.1%} of the originals) and {boosting['released']:.3f}",
        f"with the release as written ({boosting['kept']:.1%}).",
    )


def _cells(told: dict[str, Any]) -> tuple[str, ...]:
    interval = f"{told['low']:+.4f} to {told['high']:+.4f}" if "low" in told else "one split"
    return (
        f"{told['equal']:.4f}",
        f"{told['equal'] + told['mean']:.4f}",
        f"{told['mean']:+.4f}",
        interval,
    )
