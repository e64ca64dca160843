"""The paper's claims and open questions, each answered by numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from shoal.studies._base import Finished
from shoal.studies._census._gains import Gain, ScoreChange, gain_of, gap_between
from shoal.studies._census._models import MODELS
from shoal.studies._census._people import PUBLISHED_ROWS, TARGETS
from shoal.studies._findings import PaperClaim, judged
from shoal.studies.malle2017._codes import UNEVEN
from shoal.studies.malle2017._scores import Scores
from shoal.studies.malle2017._tables import constant_score, fewer_rows, made_up, repairs, reproduced

NEARLY = 0.02  # of macro F1: what this study calls stable


def claims(done: Finished, scores: Scores) -> Iterator[PaperClaim]:
    """Answer what there are results for, in the order of the paper."""
    yield _k_anonymity(done)
    yield _formula(done)
    if len({r["rows"] for r in done.records("fewer rows")}) > 1:
        yield _fewer_rows(done)
    if scores.originals:
        yield _high_k(scores)
        yield _falling(scores)
    yield from _who_wins(scores)
    if done.records("made up"):
        yield _linear_svc(done, scores)
    yield PaperClaim(
        "Images, audio and omics data promise great scientific revenue.",
        "Out of scope: Shoal anonymizes tables of people.",
        "cannot be known",
    )


def _k_anonymity(done: Finished) -> PaperClaim:
    files = reproduced(done)
    outside = [r["rows_outside"] for r in files if r["target"] == "income"]
    rows, k = UNEVEN
    small = next(
        r["smallest_group"]
        for r in done.records("code")
        if (r["code"], r["rows"]) == ("as shipped", rows)
    )
    return PaperClaim(
        "All data points are merged into clusters, satisfying the k-anonymity criterion.",
        f"{sum(r['identical'] for r in files)} of {len(files)} published equal-weight files were "
        f"made again byte for byte. Their groups have k rows only because every k used divides "
        f"{PUBLISHED_ROWS:,}: at the experiment's own {rows} rows and k = {k} the code leaves a "
        f"group of {small}. Lower ends of intervals are never updated, so {min(outside):.0%} to "
        f"{max(outside):.0%} of the rows lie outside the interval published for them (income).",
        judged(small >= k and not any(outside), in_part=_smallest_is_k(done)),
        ("reproduced",),
    )


def _smallest_is_k(done: Finished) -> bool:
    """Whether no group of the published files is smaller than k."""
    return all(r["smallest_group"] >= r["k"] for r in done.records("code") if "identical" in r)


def _formula(done: Finished) -> PaperClaim:
    lost = {r["code"]: r["k=5"] for r in repairs(done) if "k=5" in r}
    return PaperClaim(
        "Candidates are picked by minimizing GIL, with the weights of the attributes.",
        "The code adds the weights of numbers instead of multiplying, so that they steer nothing, "
        "and averages numbers and categories apart. With the formula as printed the loss (NGIL) at "
        f"{PUBLISHED_ROWS:,} rows and k = 5 falls from {lost['as shipped']:.3f} to "
        f"{lost['as printed']:.3f}"
        + (
            f"; Shoal's default loses {lost[default]:.3f}."
            if (default := "Shoal's default") in lost
            else "."
        ),
        judged(lost["as shipped"] <= lost["as printed"]),
        ("repairs", "loss"),
    )


def _fewer_rows(done: Finished) -> PaperClaim:
    rows = fewer_rows(done)
    most = max(r["rows"] for r in rows)
    f1 = {(r["target"], r["model"], r["rows"]): r["f1"] for r in rows}
    cells = [(t, m) for t in TARGETS for m in MODELS if (t, m, most) in f1]
    few = 1_500 if any(r["rows"] == 1_500 for r in rows) else min(r["rows"] for r in rows)
    lost = {cell: f1[(*cell, most)] - f1[(*cell, few)] for cell in cells}
    stable = sum(loss <= NEARLY for loss in lost.values())
    target, model = max(lost, key=lambda cell: lost[cell])
    return PaperClaim(
        "Classifier performance remains stable for as little as 1.5k rows.",
        f"{stable} of {len(cells)} pairs of target and model lose at most {NEARLY} of macro F1 at "
        f"{few:,} rows against {most:,}; the largest loss is {lost[target, model]:.3f} "
        f"({model.replace('_', ' ')}, {target}).",
        judged(stable == len(cells), in_part=stable > 0),
        ("fewer_rows", "few_rows"),
    )


def _high_k(scores: Scores) -> PaperClaim:
    code, rows = "today", PUBLISHED_ROWS
    constant = constant_score("income", rows)
    best = max(scores.original("income", rows, m, "published") or 0.0 for m in MODELS)
    before = _originals(scores, rows)
    ks = sorted({r["k"] for r in scores.datasets})
    now = {k: scores.over_models("proper", code=code, rows=rows, way="equal", k=k) for k in ks}
    told = " and ".join(f"{now[k]:.3f} at k = {k}" for k in sorted({ks[0], ks[-1]}))
    return PaperClaim(
        "A seemingly absurd k-factor of 200 would still yield comparably good results.",
        f"By the published scoring a constant predictor gets {constant:.4f} on income, "
        + ("above" if constant > best else "and")
        + f" the best un-anonymized model ({best:.3f}): the score rewards saying the same for "
        f"everybody. On untouched originals macro F1, over all models and targets at {rows:,} "
        f"rows, goes from {before:.3f} un-anonymized to {told}.",
        judged(before - now[ks[-1]] <= NEARLY),
        ("constant", "figure4"),
    )


def _falling(scores: Scores) -> PaperClaim:
    ks = sorted({r["k"] for r in scores.datasets if r["code"] == "today"})
    means = [
        scores.over_models("proper", code="today", rows=PUBLISHED_ROWS, way="equal", k=k)
        for k in ks
    ]
    falls = sum(a > b for a, b in pairwise(means))
    told = ", ".join(f"{f1:.3f} at k = {k}" for k, f1 in zip(ks, means, strict=True))
    answer = judged(falls == len(ks) - 1, in_part=falls > 0)
    return PaperClaim(
        "We generally expected 1/x shaped curves of classifier performance as k increases.",
        "The paper saw them to only a small degree, by its score; macro F1 on untouched originals "
        f"falls in {falls} of {len(ks) - 1} steps of k ({told}; all models and targets, "
        f"{PUBLISHED_ROWS:,} rows).",
        answer if len(ks) > 1 else "cannot be known",
        ("figure2", "figure3", "figure4") if len(_targets(scores)) == 3 else (),
    )


def _who_wins(scores: Scores) -> Iterator[PaperClaim]:
    """Judged on the largest release that is done; the smaller ones are told beside it."""
    rows = scores.most_rows
    bias, iml = (scores.gains("today", rows, way) for way in ("bias", "iml"))
    if len(_targets(scores)) < len(TARGETS):
        return
    if bias:
        yield _gain_claim(
            "On marital status human bias wins consistently over equal weights.",
            "Against equal weights, bias changes macro F1 on marital status by "
            f"{_at_each_size(scores, 'bias', target='marital-status')}.",
            gain_of(bias, target="marital-status"),
        )
    if iml:
        yield _iml_claim(scores, rows, iml)
        yield _experts_claim(scores, bias, iml)
        yield from _knowing_claim(bias, iml, rows)


def _at_each_size(scores: Scores, way: str, **who: str) -> str:
    """Tell a gain of today's code at every size, the largest last."""
    found = ((rows, scores.gain("today", rows, way, **who)) for rows in scores.sizes)
    return ", ".join(f"{gain} at {rows:,} rows" for rows, gain in found if gain is not None)


def _iml_claim(scores: Scores, rows: int, iml: list[ScoreChange]) -> PaperClaim:
    over_bias = gain_of(scores.gains("today", rows, "iml", against="bias"))
    paper = scores.gain("legacy", PUBLISHED_ROWS, "iml")
    told = f"; with the original code and its pages {paper}" if paper else ""
    return _gain_claim(
        "A faster algorithm that shows thousands of rows would let interaction improve results by "
        "quite some margin.",
        "With the whole table in the session and weights that act, iml changes macro F1 against "
        f"equal weights by {_at_each_size(scores, 'iml')}{told}; against the same people's "
        f"sliders by {over_bias} at {rows:,}. Sliders here say exactly what a person wants, which "
        "real ones will not.",
        gain_of(iml),
    )


def _experts_claim(scores: Scores, bias: list[ScoreChange], iml: list[ScoreChange]) -> PaperClaim:
    return _gain_claim(
        "With domain experts we would expect both bias and iML to significantly outperform a "
        "pre-defined vector.",
        "Against equal weights, simulated experts who know the target change macro F1 with "
        f"sliders by {_at_each_size(scores, 'bias', kind='knowing')}; with questions by "
        f"{_at_each_size(scores, 'iml', kind='knowing')}.",
        *(gain_of(changes, kind="knowing") for changes in (bias, iml)),
    )


def _knowing_claim(
    bias: list[ScoreChange], iml: list[ScoreChange], rows: int
) -> Iterator[PaperClaim]:
    """The luck of the one release with equal weights cancels between kinds of people."""
    knowing, others = (
        [gap_between(changes, kind, "careless") for changes in (bias, iml)]
        for kind in ("knowing", "stereotyped")
    )
    if None not in (*knowing, *others):  # a small run has one person of a kind
        yield _gain_claim(
            "Asked here: does it matter whether those who are asked know the target?",
            f"Those who know it are ahead of careless ones by {knowing[0]} of macro F1 with "
            f"sliders and {knowing[1]} with questions, stereotyped people by {others[0]} and "
            f"{others[1]} ({rows:,} rows).",
            *knowing,
        )


def _gain_claim(claimed: str, measured: str, *gains: Gain | None) -> PaperClaim:
    """A gain holds if all of its interval lies above zero; of several gains, some may."""
    known = [gain.low > 0 for gain in gains if gain is not None and np.isfinite(gain.low)]
    answer = judged(all(known), in_part=any(known)) if known else "cannot be known"
    return PaperClaim(claimed, measured, answer, ("gains", "who_gains"))


def _linear_svc(done: Finished, scores: Scores) -> PaperClaim:
    said = {
        r["k"]: r["published"]["says_most_common"]["linear_svc"]
        for r in scores.datasets
        if (r["code"], r["target"], r["way"]) == ("legacy", "income", "equal")
    }
    rows = [r for r in made_up(done) if r["k"] == max(x["k"] for x in made_up(done))]
    shares = sorted({r["share"] for r in rows})
    told = "; ".join(
        f"{_mean(rows, share, 'linear_svc', 'says_commonest'):.0%} and F1 "
        f"{_mean(rows, share, 'linear_svc', 'published'):.3f} at a share of {share:.0%} "
        f"(constant {_mean(rows, share, 'constant', 'published'):.3f})"
        for share in shares
    )
    first, last = min(said, default=0), max(said, default=0)
    return PaperClaim(
        "Explain the unexpected behavior of linear SVC on the income target at high levels of k; "
        "probably by comparison studies on synthetically generated datasets.",
        "With little left to tell people apart an unbalanced SVC answers with the commonest class, "
        "and the published score pays for that; balanced logistic regression does not and falls. "
        + (
            f"On Adult its share of commonest answers goes from {said[first]:.0%} (k = {first}) "
            f"to {said[last]:.0%} (k = {last}). "
            if said
            else ""
        )
        + f"On made-up tables at k = {rows[0]['k']}: {told}.",
        judged(said[last] > said[first]) if first < last else "cannot be known",
        ("svc",),
    )


def _mean(rows: list[dict[str, Any]], share: float, model: str, value: str) -> float:
    return float(np.mean([r[value] for r in rows if (r["share"], r["model"]) == (share, model)]))


def _originals(scores: Scores, rows: int) -> float:
    found = [r["proper"]["f1"][m] for r in scores.originals if r["rows"] == rows for m in MODELS]
    return float(np.mean(found))


def _targets(scores: Scores) -> set[str]:
    return {r["target"] for r in scores.datasets}
