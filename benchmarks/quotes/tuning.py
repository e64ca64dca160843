"""What `shoal tune` hands over against the default release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, paragraph, read, table

IMAGES = RESULTS.parents[1] / "docs" / "images"
SMALL = ("medical_cost", "wisconsin")
WHOLE = 30_000  # rows of a division of all of Adult
SHARED = (
    " (splits of the two small tables do, and their intervals are corrected for that: Nadeau and"
    " Bengio, 2003)."
)


def write() -> Iterator[str]:
    """Give the paragraphs and the tables."""
    found = read("tuning")["results"] if (RESULTS / "tuning.json").is_file() else {}
    if not enough(found):
        yield paragraph(
            "What `shoal tune` gains over the default release is **not measured yet**:",
            "`python benchmarks/run.py tuning` does it, on releases as written, and goes on where",
            "it was stopped.",
        )
        return
    yield _introduction(found)
    yield from table(
        ("table, target", "rows", "k", "originals", "default", "gain", "95 % interval", "p"),
        *(_row(target) for target in found["targets"]),
    )
    yield from _parts(found["targets"])
    if (IMAGES / "tuning.svg").is_file():
        yield "![What tuned releases gain, by target and k](images/tuning.svg)\n"
    yield verdict(found)
    yield _before(read("tuning_midpoints")["results"])


def _before(found: dict[str, Any]) -> str:
    """What was measured with models that learned from midpoints: there, more is luck."""
    told = [f"{_name(t)} {t['mean']:+.3f} ({_interval(t, '+.3f')})" for t in found["targets"]]
    kept = found["kept"]
    return paragraph(
        "**Before**, with models that learned from midpoints (1,000 rows of Adult,",
        f"{found['trials']} trials, logistic regression and gradient boosting,",
        f"{found['splits']} splits), on other splits and with the search of then, gains were:",
        f"{'; '.join(told)}. Gradient boosting kept {_share(kept['tuned'])} of its macro F1 on",
        f"income at k = 50 (default: {_share(kept['default'])}).",
    )


def _introduction(found: dict[str, Any]) -> str:
    targets = found["targets"]
    names = [name.replace("_", " ") for name in targets[0]["models"]]
    small = any(t["table"] in SMALL for t in targets)
    return paragraph(
        f"**What tuning hands over.** `shoal tune` with {found['trials']} trials, told that",
        f"{' and '.join(names)} will use the data, against the default release of the same rows,",
        "which has equal weights. Both are releases as written, and models learn from both in the",
        "same way: linear ones from ranges measured by the domain of their column, all others",
        f"from rows drawn {found['draws']} times out of the ranges. Macro F1 on rows that neither",
        f"has seen, mean over {' and '.join(names)} and over every k told here, which makes one",
        f"gain a split; {targets[0]['splits']} splits, each measured at every k.",
        *_missing(found),
        "No two splits of a table",
        "share a row, neither learned from nor tested on" + (SHARED if small else "."),
        "95 % intervals over splits, p corrected for all targets (Holm); no interval is corrected",
        "for how many there are. The search was developed on a fifth of Adult that is in no split;",
        "the KDD census and the table of hearts (cardio, a public copy of 69,301 rows) were never",
        "developed on.",
    )


def _missing(found: dict[str, Any]) -> Iterator[str]:
    """Say which k are planned and not done on all splits."""
    told = {k for target in found["targets"] for k in target["ks"]}
    if left := [str(k) for k in sorted(found["planned_ks"]) if k not in told]:
        yield f"Not done for all yet, and not told: k = {' and '.join(left)}."


def _parts(targets: list[dict[str, Any]]) -> Iterator[str]:
    """The same gains by model and by k."""
    models = list(dict.fromkeys(n for t in targets for n in t["by_model"]))
    yield from table(
        ("gain", *(name.replace("_", " ") for name in models)),
        *((_name(t), *(_told(t["by_model"][n]) for n in models)) for t in targets),
    )
    ks = sorted({k for t in targets for k in t["by_k"]}, key=int)
    yield from table(
        ("gain", *(f"k = {k}" for k in ks)),
        *(
            (_name(t), *(_told(t["by_k"][k]) if k in t["by_k"] else "" for k in ks))
            for t in targets
        ),
    )


def enough(found: dict[str, Any]) -> bool:
    """Tell whether any target has all its splits: without them no gain is told."""
    return bool(found.get("targets"))


def verdict(found: dict[str, Any]) -> str:
    """Say what the intervals carry, and no more."""
    targets = found["targets"]
    gains = [t for t in targets if t["p_adjusted"] < 0.05 and t["mean"] > 0]
    losses = [t for t in targets if t["p_adjusted"] < 0.05 and t["mean"] < 0]
    told = [
        f"At 95 %, corrected for all targets, there is a gain for {_names(gains)}."
        if gains
        else f"At 95 %, corrected for all {len(targets)} targets, there is a gain for none.",
        f"There is a loss for {_names(losses)}." if losses else "No loss can be told.",
    ]
    return paragraph(
        *told,
        *_losing(targets),
        "Weights leave the default in",
        f"{1 - sum(t['kept_default'] for t in targets) / len(targets):.0%} of",
        "the studies; in the others no weights were ahead of equal ones by more than a standard",
        "error over four divisions of the rows.",
        *_kept(found["kept"]),
    )


def _losing(targets: list[dict[str, Any]]) -> Iterator[str]:
    """Name each model that loses by its own interval, which nothing corrects."""
    for target in targets:
        for name, gain in target["by_model"].items():
            if gain["high"] is not None and gain["high"] < 0:
                yield (
                    "By its own interval, not corrected for the number of models,"
                    f" {name.replace('_', ' ')} loses on {_name(target)}."
                )


def _kept(kept: list[dict[str, Any]]) -> Iterator[str]:
    """What models keep on income at k = 50, of their macro F1 on originals."""
    if not any(one["model"] == "gradient_boosting" for one in kept):
        yield "What gradient boosting keeps is not measured in this way yet."
    for one in kept:
        yield (
            f"On Adult's income at k = 50 ({one['rows']:,} rows, {one['splits']} splits)"
            f" {one['model'].replace('_', ' ')} keeps {_share(one['tuned'])} of its macro F1 on"
            f" originals from the tuned release, {_share(one['default'])} from the default one"
            f" (tuned above default by {_told(one['gain'])})."
        )
    if any(one["rows"] > WHOLE for one in kept):
        yield (
            "Divisions of all rows overlap (intervals are corrected for that), and the rows that"
            " the search was developed on are among them."
        )


def _name(target: dict[str, Any]) -> str:
    return f"{target['table']}, {target['target']}"


def _row(target: dict[str, Any]) -> tuple[str, ...]:
    return (
        _name(target),
        f"{target['rows']:,}",
        ", ".join(map(str, target["ks"])),
        f"{target['original']:.3f}",
        f"{target['default']:.3f}",
        f"{target['mean']:+.4f}",
        _interval(target),
        f"{target['p_adjusted']:.3f}" if target["p_adjusted"] >= 0.001 else "< 0.001",
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
