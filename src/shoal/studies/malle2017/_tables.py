"""The tables of the study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from shoal.studies._base import Finished
from shoal.studies._census._experts import KINDS, find_expert
from shoal.studies._census._gains import gain_of, grouped_mean, matching
from shoal.studies._census._models import MODELS
from shoal.studies._census._people import KS, PUBLISHED_ROWS, TARGETS, classes, first_rows
from shoal.studies._findings import ResultTable
from shoal.studies.malle2017._beside import beside_published
from shoal.studies.malle2017._scores import Scores


def tables(done: Finished, scores: Scores) -> list[ResultTable]:
    """Make all tables there are results for."""
    made = [
        ResultTable(
            "reproduced",
            "The published equal-weight files, made again",
            reproduced(done),
            "identical: byte for byte. Outside: rows with a number outside the interval published "
            "for them.",
        ),
        ResultTable(
            "repairs",
            "Information lost (NGIL) by the original code, repaired step by step, and by Shoal",
            repairs(done),
            f"Income, the first {PUBLISHED_ROWS:,} rows, equal weights.",
        ),
        ResultTable(
            "beside_published",
            "Our scores of the reproduced files beside the published ones",
            beside_published(scores),
            "F1 as published (swapped arguments), equal weights.",
            shown=False,
        ),
        ResultTable(
            "constant", "What a constant predictor gets", list(_constants(scores)), _WAYS_TO_SCORE
        ),
        ResultTable("scores", "All mean scores", list(_scores(scores)), shown=False),
        ResultTable(
            "draws", "Equal weights, draw by draw", list(_draws(scores)), _BY_DRAW, shown=False
        ),
        ResultTable(
            "gains",
            "What weights gain over equal ones",
            list(gain_rows(scores)),
            "Macro F1 on untouched originals minus that of equal weights on the same rows, mean "
            "over k and models, with a 95 % interval that is not corrected for how many there are.",
        ),
        ResultTable(
            "changes",
            "What each expert's weights change",
            list(_changes(scores)),
            "Every gain is a mean of these: as published, and on untouched originals.",
            shown=False,
        ),
        ResultTable("interviews", "What interviews learned", list(_interviews(done)), _COSINES),
        ResultTable("fewer_rows", "Fewer original rows", fewer_rows(done), _FEWER),
        ResultTable(
            "fewer_rows_draws", "Fewer original rows, draw by draw", _fewer_draws(done), shown=False
        ),
        ResultTable("made_up", "Linear models on made-up tables", list(made_up(done)), shown=False),
        ResultTable(
            "cost",
            "What a dataset costs",
            done.costs("dataset", "code", "rows", "k"),
            "CPU seconds to anonymize one dataset and to score it both ways with four models.",
            shown=False,
        ),
        ResultTable("vectors", "The weight vectors", list(_vectors(done)), shown=False),
    ]
    return [table for table in made if table.records]


_WAYS_TO_SCORE = (
    "Whole file: one answer for all rows at once; the others are means of ten folds. "
    "As published: weighted F1 with predictions and truth swapped, inside one file. Properly: "
    "macro F1 on untouched originals. Best: the best of four models on the un-anonymized table."
)
_BY_DRAW = "Macro F1 on untouched originals; k = 1: as they were."
_COSINES = "Mean cosine to what the expert wants kept; 1 is understood perfectly."
_FEWER = "Macro F1 on untouched originals, un-anonymized, mean over draws."


def constant_score(target: str, rows: int) -> float:
    """Give what the published score pays for one answer to all of a file: 2a / (1 + a)."""
    share = classes(first_rows(rows), target).value_counts()["count"].max()
    right = float(share) / rows  # type: ignore[arg-type]
    return 2 * right / (1 + right)


def reproduced(done: Finished) -> list[dict[str, Any]]:
    """The 18 files, and what is wrong in them."""
    return [
        {
            "target": r["target"],
            "k": r["k"],
            "identical": r["identical"],
            "ngil": r["ngil"],
            "rows_outside": r["rows_outside_their_interval"] / r["rows"],
        }
        for r in done.records("code")
        if "identical" in r
    ]


def repairs(done: Finished) -> list[dict[str, Any]]:
    """NGIL by code, a column for each k."""
    rows: dict[str, dict[str, Any]] = {}
    for r in done.records("code"):
        if (r["target"], r["rows"]) == ("income", PUBLISHED_ROWS):
            rows.setdefault(r["code"], {"code": r["code"]})[f"k={r['k']}"] = r["ngil"]
    return list(rows.values())


def gain_rows(scores: Scores) -> Iterator[dict[str, Any]]:
    """Gains over equal weights, by code, rows, way, kind of expert and target."""
    for code, rows in scores.arms:
        for way in ("bias", "iml"):
            gains = scores.gains(code, rows, way)
            for kind in (None, *KINDS):
                for target in (None, *TARGETS):
                    gain = gain_of(gains, kind=kind, target=target)
                    if gain is not None:
                        who = {"experts": kind or "all", "target": target or "all"}
                        low, high = gain.interval()
                        found = {"gain": gain.value, "low": low, "high": high}
                        bounded = {n: v if np.isfinite(v) else None for n, v in found.items()}
                        head = {"code": code, "rows": rows, "way": way}
                        yield {**head, **who, **bounded, "n": gain.experts}


def _changes(scores: Scores) -> Iterator[dict[str, Any]]:
    for code, rows in scores.arms:
        for way in ("bias", "iml"):
            paid = {
                (c.expert, c.k): round(c.gain, 5)
                for c in scores.gains(code, rows, way, scoring="published")
            }
            for c in scores.gains(code, rows, way):
                head = {"code": code, "rows": rows, "way": way, "expert": c.expert}
                where = {"target": c.target, "k": c.k, "draw": c.draw}
                told = {"published": paid.get((c.expert, c.k)), "proper": round(c.gain, 5)}
                yield {**head, **where, **told}


def _draws(scores: Scores) -> Iterator[dict[str, Any]]:
    as_they_were = ({**r, "k": 1, "draw": 0} for r in scores.originals)
    equal = matching(scores.datasets, {"code": "today", "way": "equal"})
    for r in (*as_they_were, *equal):
        head = {name: r[name] for name in ("target", "rows", "k", "draw")}
        yield {**head, **{model: r["proper"]["f1"][model] for model in MODELS}}


def fewer_rows(done: Finished) -> list[dict[str, Any]]:
    """Mean macro F1 by target, rows and model."""
    return grouped_mean(_fewer_draws(done), ("target", "model", "rows"), "f1")


def _fewer_draws(done: Finished) -> list[dict[str, Any]]:
    return [
        {**{name: r[name] for name in ("target", "rows", "draw")}, "model": model, "f1": f1}
        for r in done.records("fewer rows")
        for model, f1 in r["proper"]["f1"].items()
    ]


def made_up(done: Finished) -> Iterator[dict[str, Any]]:
    """Scores of linear models on made-up tables, by share of the commoner class and k."""
    for r in done.records("made up"):
        for model, f1 in r["published"].items():
            head = {"share": r["share"], "k": r["k"], "draw": r["draw"], "model": model}
            said = r["says_most_common"].get(model, 1.0)
            yield {**head, "published": f1, "proper": r["proper"][model], "says_commonest": said}


def _constants(scores: Scores) -> Iterator[dict[str, Any]]:
    for r in scores.originals:
        best = {s: max(r[s]["f1"][m] for m in MODELS) for s in ("published", "proper")}
        yield {
            "target": r["target"],
            "rows": r["rows"],
            "constant_whole_file": constant_score(r["target"], r["rows"]),
            "constant_as_published": r["published"]["f1"]["constant"],
            "best_as_published": best["published"],
            "constant_properly": r["proper"]["f1"]["constant"],
            "best_properly": best["proper"],
        }


def _scores(scores: Scores) -> Iterator[dict[str, Any]]:
    for code, rows in scores.arms:
        for target in TARGETS:
            for way in ("equal", "bias", "iml"):
                for k in KS:
                    wanted = {"code": code, "rows": rows, "target": target, "way": way, "k": k}
                    for model in (*MODELS, "constant"):
                        proper = scores.mean(model, "proper", **wanted)
                        if proper is not None:
                            f1 = scores.mean(model, "published", **wanted)
                            cell = {"model": model, "published": f1, "proper": proper}
                            yield {**wanted, **cell}


def _interviews(done: Finished) -> Iterator[dict[str, Any]]:
    named = [{**r, "kind": find_expert(r["expert"]).kind} for r in done.records("interview")]
    keys = ("learner", "kind")
    columns = [grouped_mean(named, keys, c) for c in ("cosine_of_equal", "cosine_of_sliders")]
    learned = grouped_mean(named, keys, "cosine")
    for equal, sliders, found in zip(*columns, learned, strict=True):
        yield {
            **equal,
            "cosine_of_sliders": sliders["cosine_of_sliders"],
            "learned": found["cosine"],
        }


def _vectors(done: Finished) -> Iterator[dict[str, Any]]:
    for r in done.records("interview"):
        person = find_expert(r["expert"])
        head = {"expert": r["expert"], "target": person.target, "kind": person.kind}
        yield {**head, "way": "wishes", "learner": "", **person.wishes}
        yield {**head, "way": "bias", "learner": "", **person.sliders}
        yield {**head, "way": "iml", "learner": r["learner"], **r["weights"]}
