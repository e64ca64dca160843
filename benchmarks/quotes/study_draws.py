"""What the draws of two studies say beside what their claims are judged by."""

from __future__ import annotations

import csv
from collections import defaultdict
from statistics import fmean

from quotes._markdown import RESULTS
from shoal.studies._census._models import MODELS
from shoal.studies._verdicts import MeanEstimate, told
from shoal.studies.miche2016._trials import TEST_SHARE


def high_earners_gone() -> str:
    """What models lose where most of the people have left, high earners first."""
    left: dict[float, dict[str, float]] = defaultdict(dict)
    for r in _draws("malle2016"):
        if (r["who"], r["way"]) == ("high earners first", "made anew"):
            left[float(r["share"])][r["draw"]] = fmean(float(r[model]) for model in MODELS)
    before, after = left[min(left)], left[max(left)]
    return f"{MeanEstimate.of(before[draw] - after[draw] for draw in after)}"


def everybody_found() -> str:
    """Share of all people whom a stirred table leaves to be found, and above that of outliers."""
    found, above = defaultdict(list), defaultdict(list)
    for r in _draws("miche2016"):
        if r["recipe"] == "Shoal's default":
            found[r["table"]].append(float(r["everybody"]))
            above[r["table"]].append(float(r["everybody"]) - float(r["relink_rate"]))
    overlap = TEST_SHARE / (1 - TEST_SHARE)
    return ", ".join(
        f"{fmean(rates):.1%} on {name} "
        f"({told(MeanEstimate.of(above[name], overlap), '+.1%')} above that of outliers)"
        for name, rates in found.items()
    )


def _draws(study: str) -> list[dict[str, str]]:
    path = RESULTS / "studies" / study / "tables" / "draws.csv"
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
