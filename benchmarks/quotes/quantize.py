"""What quantization keeps, what attackers find, and what it costs at a million rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, short, table
from shoal.studies._verdicts import ShareEstimate

NAMES = {"adult": "Adult", "wdbc": "Wisconsin tumors", "insurance": "medical costs"}


def write() -> Iterator[str]:
    """Give the paragraphs and their tables."""
    run = read("quantize")
    found = run["results"]
    yield f"Measured on {run['date']}, in one run.\n"
    yield from _linkage(found)
    yield from _models(found)
    yield from _structure(found)
    yield from _growth(found["growth"], run.get("growth_measured"))


def _linkage(found: dict[str, Any]) -> Iterator[str]:
    yield paragraph(
        f"**Re-linkage** of former outliers, m = {found['m']}: the best of three attacks that know",
        "all quasi-identifiers; the bound is one in m plus three standard deviations. 95 %",
        "intervals, over the outliers attacked, reach to either side by at most",
        f"{_reaches(found['tables'])} points. *Everybody* is all people, by the default: whether",
        "that is more than of those who stood out is told, over several splits, in the study",
        "[miche2016](studies/miche2016.md).",
    )
    recipes = list(found["tables"][0]["recipes"])
    yield from table(
        ("", "outliers", "as it was", *recipes, "bound", "everybody"),
        *(
            (
                f"{NAMES[t['table']]} ({t['rows']:,} rows, {t['columns']} columns)",
                f"{t['moved']['outliers']:,}",
                _percent(t["relinkage"]["relink_unprotected"]),
                *(_percent(t["recipes"][name]["rate"]) for name in recipes),
                _percent(t["relinkage"]["relink_bound"]),
                _percent(t["relinkage"]["relink_everybody"]),
            )
            for t in found["tables"]
        ),
    )


def _reaches(tables: list[dict[str, Any]]) -> str:
    """How far intervals of re-linkage reach at most, table by table."""
    told = []
    for each in tables:
        people = each["relinkage"]["relink_people"]
        shares = [
            ShareEstimate(round(r["rate"] * people), people) for r in each["recipes"].values()
        ]
        reach = max(abs(end - share.value) for share in shares for end in share.interval())
        told.append(f"{100 * reach:.0f} ({NAMES[each['table']]})")
    return ", ".join(told)


def _models(found: dict[str, Any]) -> Iterator[str]:
    kinds = ("original", "quantize", "generalize", "centroid")
    yield paragraph(
        "**Models** trained on a release and tested on untouched originals: macro F1, mean over",
        f"{plural(len(found['seeds']))}, the target predicted from the quasi-identifiers.",
        "Generalized and centroid releases have the k whose measured re-linkage is nearest to that",
        "of the quantized one, in brackets.",
    )
    rows = []
    for each in found["tables"]:
        scores = each["scores"]
        for model, score in scores["original"].items():
            name = f"{NAMES[each['table']]} (k = {each['generalize_k']}), {model.replace('_', ' ')}"
            cells = (f"{scores[kind][model]['f1_macro']:.3f}" for kind in kinds)
            rows.append((name, *cells, f"{score['constant']:.3f}"))
    yield from table(("", *kinds, "constant predictor"), *rows)
    yield paragraph(*_verdict(found["tables"]))


def _verdict(tables: list[dict[str, Any]]) -> Iterator[str]:
    """Say plainly where it is ahead and where it is not, and that no interval says how surely."""
    won, lost = [], []
    for each in tables:
        mean = {
            kind: sum(s["f1_macro"] for s in each["scores"][kind].values()) / 4
            for kind in ("quantize", "generalize")
        }
        side = won if mean["quantize"] >= mean["generalize"] else lost
        gap = f"{mean['quantize']:.3f} against {mean['generalize']:.3f}"
        side.append(f"{NAMES[each['table']]} ({gap})")
    if won:
        yield f"On average over the four models quantization is ahead on {', '.join(won)}."
    if lost:
        yield f"It is behind on {', '.join(lost)}."
    yield "They are means of one split of each table without an interval: hundredths may be chance."
    yield "What several splits carry stands in the study [miche2016](studies/miche2016.md)."


def _structure(found: dict[str, Any]) -> Iterator[str]:
    yield paragraph(
        "**Structure** of the numeric columns, in standard deviations: how far the mean of a",
        "cluster moves, how much of the covariance of the whole table is lost, and the Wasserstein",
        "distance between pairwise distances before and after, beside their mean.",
    )
    rows = (
        (
            NAMES[t["table"]],
            f"{t['structure']['cluster_mean_shift']:.3f}",
            _percent(t["structure"]["covariance_gap"]),
            f"{t['structure']['cluster_covariance_gap']:.2f}",
            _beside(t["structure"]["pairwise_wasserstein"], t["structure"]["pairwise_mean"]),
        )
        for t in found["tables"]
    )
    head = ("", "cluster means", "covariance", "covariance in clusters", "pairwise distances")
    yield from table(head, *rows)


def _growth(runs: list[dict[str, Any]], apart: str | None) -> Iterator[str]:
    another = f" ({apart}, another run)" if apart else ""
    yield paragraph(
        "**Growth**: clusters, push back and stir of people with",
        f"{runs[0]['columns']} quasi-identifiers, already in memory{another}.",
    )
    yield from table(
        ("rows", *(f"{run['rows']:,}" for run in runs)),
        ("seconds", *(short(run["seconds"]) for run in runs)),
        ("peak memory, GB", *(short(run["peak_memory_mb"] / 1024) for run in runs)),
    )


def plural(seeds: int) -> str:
    """Count seeds."""
    return "one seed" if seeds == 1 else f"{seeds} seeds"


def _beside(gap: float, mean: float) -> str:
    return f"{gap:.2f} of {mean:.2f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
