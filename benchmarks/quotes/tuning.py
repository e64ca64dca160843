"""What `shoal tune` hands over against the default release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, paragraph, read, table

FEWEST = 3  # splits, before anything is said
IMAGES = RESULTS.parents[1] / "docs" / "images"


def write() -> Iterator[str]:
    """Give the paragraph and the tables."""
    found = read("tuning")["results"] if (RESULTS / "tuning.json").is_file() else {}
    if not enough(found):
        done = f" ({found['splits']} of {found['planned_splits']} splits is done)" if found else ""
        yield paragraph(
            "What `shoal tune` gains over the default release is **not measured",
            f"yet**{done}: `python benchmarks/run.py tuning` does it, on releases as written, and",
            "goes on where it was stopped. Gains told here before were of unrefined groupings that",
            "nobody receives, and are withdrawn.",
        )
        return
    names = [name.replace("_", " ") for name in found["classifiers"]]
    yield paragraph(
        "**What tuning hands over.** `shoal tune` with",
        f"{found['trials']} trials, told that {' and '.join(names)} will use the data, against",
        "the default release of the same rows, which has equal weights. Both are releases as",
        f"written: of {found['rows']:,} rows of UCI Adult, or of 70 % of the two small tables.",
        f"Macro F1 on rows that neither has seen ({found['tested_rows']:,} of Adult), mean over",
        f"both models; {found['splits']} of {found['planned_splits']} splits, which take turns",
        "with k. No two splits of Adult share a row, neither learned from nor tested on, and a",
        "fifth of the table was set aside for development; splits of the small tables overlap,",
        "and their intervals are corrected for that (Nadeau and Bengio, 2003). 95 % intervals, p",
        "corrected for all targets (Holm). The search was developed on Adult's income alone.",
    )
    rows = [_row(target) for target in found["targets"]]
    yield from table(
        ("table, target", "k", "originals", "default", "gain", "95 % interval", "p"), *rows
    )
    yield from table(
        ("gain", *names),
        *(
            (f"{t['table']}, {t['target']}", *(_told(t["by_model"][n]) for n in t["by_model"]))
            for t in found["targets"]
        ),
    )
    ks = sorted({k for t in found["targets"] for k in t["by_k"]}, key=int)
    yield from table(
        ("gain, a few splits each", *(f"k = {k}" for k in ks)),
        *(
            (f"{t['table']}, {t['target']}", *(_told(t["by_k"][k]) if k in t["by_k"] else ""
                                               for k in ks))
            for t in found["targets"]
        ),
    )  # fmt: skip
    if (IMAGES / "tuning.svg").is_file():
        yield "![What tuned releases gain, by target and k](images/tuning.svg)\n"
    yield verdict(found)


def enough(found: dict[str, Any]) -> bool:
    """Tell whether there are splits enough for an interval: without one no gain is told."""
    return int(found.get("splits", 0)) >= FEWEST


def verdict(found: dict[str, Any]) -> str:
    """Say what the intervals carry, and no more."""
    gains = [t for t in found["targets"] if t["p_adjusted"] < 0.05 and t["mean"] > 0]
    losses = [t for t in found["targets"] if t["p_adjusted"] < 0.05 and t["mean"] < 0]
    told = [
        f"A gain is certain for {_names(gains)}."
        if gains
        else f"For none of these {len(found['targets'])} targets is a gain certain.",
        f"A loss is certain for {_names(losses)}." if losses else "No loss is certain either.",
    ]
    kept = found["kept"]["tuned"]
    return paragraph(
        *told,
        "Weights leave the default in",
        f"{1 - sum(t['kept_default'] for t in found['targets']) / len(found['targets']):.0%} of",
        "the studies; in the others equal weights were as good on four divisions of the rows. On",
        f"income at k = 50 gradient boosting keeps {_share(kept)} of its macro F1 (default:",
        f"{_share(found['kept']['default'])}).",
    )


def _row(target: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{target['table']}, {target['target']}",
        ", ".join(map(str, target["ks"])),
        f"{target['original']:.3f}",
        f"{target['default']:.3f}",
        f"{target['mean']:+.4f}",
        _interval(target),
        f"{target['p_adjusted']:.3f}",
    )


def _told(gain: dict[str, Any]) -> str:
    return f"{gain['mean']:+.3f} ({_interval(gain, '+.3f')})"


def _interval(gain: dict[str, Any], form: str = "+.4f") -> str:
    if gain["low"] is None:
        return "one split"
    return f"{gain['low']:{form}} to {gain['high']:{form}}"


def _share(kept: dict[str, Any]) -> str:
    if kept["low"] is None:
        return f"{kept['mean']:.1%}"
    return f"{kept['mean']:.1%} ({kept['low']:.1%} to {kept['high']:.1%})"


def _names(targets: list[dict[str, Any]]) -> str:
    return ", ".join(f"{t['target']} ({t['table']})" for t in targets)
