"""What came out, beside what was claimed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shoal.studies._base import Finished, Size
from shoal.studies._census._gains import Gain, ScoreChange, matching
from shoal.studies._census._models import MODELS
from shoal.studies._census._people import TARGETS
from shoal.studies._findings import Findings, ResultTable
from shoal.studies._verdicts import (
    ClaimDraft,
    ClaimPart,
    Estimate,
    MeanEstimate,
    decided_table,
    judge,
    told,
)
from shoal.studies.selvi2021._pictures import FIGURES, pictures
from shoal.studies.selvi2021._work import FIGURE_ROWS, LOCAL

TRAINED = ("update as printed", "plain back-propagation", "momentum and mini-batches")
NEARLY = 1.05  # times what the whole table loses: what this study calls a minimum
UNKNOWN = (
    "The paper has no table, no seconds and no score in its text; its k list, its 129 weight "
    "vectors and the captions of figures 5 to 7 restate those of Malle et al. (2017).",
    "What the network learns: inputs, outputs and the use of its result for grouping are not said. "
    "Shoal's reading: it learns its own inputs and the target, and its narrow layer orders rows "
    "into fragments.",
    "Whose weights were used; here simulated experts, those of the study malle2017.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Put together tables, pictures and answers."""
    releases = done.records("release")
    routed = list(_routed(releases))
    gains = list(_gains(releases))
    times = done.records("time")
    selections = list(_selections(done))
    ablation = done.records("ablation")
    drafts = list(_claims(done, releases, times, selections))
    tables = [
        ResultTable(
            "routing",
            "What cutting a table costs: fragments by network, cuts and chance",
            routed,
            "Income, equal weights. Loss: NGIL, and relative to one machine.",
        ),
        ResultTable("selection", "Columns that FCBF selects, and macro F1 with them", selections),
        ResultTable("time", "CPU seconds of grouping with all and with selected columns", times),
        ResultTable(
            "ablation",
            "What training does for the network",
            ablation,
            "One mapper, no boundary pass: loss relative to the whole table, 3,000 rows, k = 10.",
        ),
        ResultTable("missing", "Rows with missing cells, kept", done.records("missing")),
        ResultTable("gains", "What weights gain over equal ones, routed by the network", gains),
        ResultTable("scores", "All scores", list(_scores(releases)), shown=False),
        decided_table(drafts),
    ]
    return Findings(
        summary=_summary(size, routed),
        tables=[table for table in tables if table.records],
        pictures=list(pictures(releases, routed, times)),
        claims=judge(drafts),
        numbers={
            "routing": {
                f"{name}, {rows} rows": relative.value
                for (name, rows), relative in _relative(routed).items()
            },
            "ablation": {name: found.value for name, found in _ablated(ablation).items()},
            "gains": {f"{r['target']}, {r['way']} over {r['against']}": r["gain"] for r in gains},
        },
        unknown=UNKNOWN,
    )


def _routed(releases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    here = [r for r in releases if (r["target"], r["way"]) == ("income", "equal")]
    whole = {(r["rows"], r["k"], r["draw"]): r["ngil"] for r in here if r["routing"] == LOCAL}
    for r in here:
        if (one := whole.get((r["rows"], r["k"], r["draw"]))) is not None:
            fragments = 1 if r["routing"] == LOCAL else r["fragments"]
            head = {"routing": r["routing"], "rows": r["rows"], "k": r["k"], "fragments": fragments,
                    "draw": r["draw"]}  # fmt: skip
            f1 = float(np.mean([r["proper"]["f1"][m] for m in MODELS]))
            found = {"ngil": r["ngil"], "relative": r["ngil"] / one, "macro_f1": f1}
            yield {**head, **found, "smallest_group": r["smallest_group"]}


def _gains(releases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for target in TARGETS:
        for way, against in (("bias", "equal"), ("iml", "equal"), ("iml", "bias")):
            gain = _gain(releases, target, way, against)
            if gain is not None:
                low, high = gain.interval()
                finite = bool(np.isfinite(low))
                ends = {"low": low if finite else None, "high": high if finite else None}
                head = {"target": target, "way": way, "against": against, "gain": gain.value}
                yield {**head, **ends, "experts": gain.experts}


def _gain(
    releases: list[dict[str, Any]],
    target: str,
    way: str,
    against: str = "equal",
    models: Sequence[str] = MODELS,
) -> Gain | None:
    """What weights change, held against a release of the same rows and k."""
    here = matching(releases, {"target": target, "routing": "network", "rows": FIGURE_ROWS})
    own = against != "equal"
    base = {
        (r["k"], r["draw"], r["expert"] if own else 0): r["proper"]["f1"]
        for r in here
        if r["way"] == against
    }
    changes = [
        ScoreChange(
            r["expert"], target, r["k"], _above(r["proper"]["f1"], base[there], models), r["draw"]
        )
        for r in here
        if r["way"] == way and (there := (r["k"], r["draw"], r["expert"] if own else 0)) in base
    ]
    return Gain.of_changes(changes) if changes else None


def _above(ours: dict[str, float], equal: dict[str, float], models: Sequence[str]) -> float:
    return float(np.mean([ours[model] - equal[model] for model in models]))


def _selections(done: Finished) -> Iterator[dict[str, Any]]:
    for r in done.records("selection"):
        yield {
            "target": r["target"],
            "rows": r["rows"],
            "selected": ", ".join(r["selected"]),
            "redundant": ", ".join(f"{a} (as {b})" for a, b in r["redundant"].items()),
            "best_with_all": max(r["all_columns"][m] for m in MODELS),
            "best_with_selected": max(r["selected_columns"][m] for m in MODELS),
        }


def _scores(releases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for r in releases:
        names = ("target", "rows", "k", "routing", "way", "expert", "draw", "ngil")
        head = {n: r[n] for n in names}
        yield {**head, **r["proper"]["f1"]}


def _claims(
    done: Finished,
    releases: list[dict[str, Any]],
    times: list[dict[str, Any]],
    selections: list[dict[str, Any]],
) -> Iterator[ClaimDraft]:
    met = sum(r["smallest_group"] >= r["k"] for r in releases)
    missing = done.records("missing")
    kept = [r["smallest_group"] >= r["k"] for r in missing]
    yield ClaimDraft(
        "The k-anonymity criterion is satisfied by combining all data points to form clusters.",
        f"{met} of {len(releases)} releases have no crowd below k, recounted from what is "
        "published; "
        + ", ".join(
            f"so does one of {r['rows']:,} rows of which {r['rows_with_missing']:,} have missing "
            f"cells, which the paper keeps (NGIL {r['ngil']:.3f}; {r['ngil_complete']:.3f} of as "
            "many complete rows)"
            for r in missing
        )
        + ".",
        counted=[met == len(releases), *kept],
        evidence=("routing", "missing"),
    )
    yield _loss_claim(done.records("ablation"), list(_routed(releases)))
    yield _time_claim(times, selections)
    for target, (captions, parts) in CAPTIONS.items():
        gains = {
            "bias": _gain(releases, target, "bias"),
            "iml": _gain(releases, target, "iml"),
            "over": _gain(releases, target, "iml", "bias"),
            "other": _gain(releases, target, "iml", "bias", OTHERS),
        }
        if None not in gains.values():
            yield ClaimDraft(
                captions,
                f"Against equal weights, bias changes macro F1 on untouched originals by "
                f"{gains['bias']} and iml by {gains['iml']}; iml lies {gains['over']} above bias, "
                f"{gains['other']} without linear SVC "
                f"(mean over k and models, {_experts(gains['iml'])}, {FIGURE_ROWS:,} rows).",
                [
                    ClaimPart(f"{name} {'above' if above else 'below'} 0", found, 0.0, above)
                    for name, above in parts
                    if (found := gains[name]) is not None
                ],
                evidence=("gains", f"figure{FIGURES[target]}"),
            )


OTHERS = tuple(model for model in MODELS if model != "linear_svc")

#: The captions of figures 5 to 7, and what they say of bias, iml, and iml over bias; *other* is the
#: last of them without linear SVC.
CAPTIONS: dict[str, tuple[str, Sequence[tuple[str, bool]]]] = {
    "marital-status": (
        "Human bias overtakes both equal weights and iML on marital status (Fig. 5).",
        (("bias", True), ("over", False)),
    ),
    "education-num": (
        "Human bias performs marginally better than equal weights and iML on education (Fig. 6).",
        (("bias", True), ("over", False)),
    ),
    "income": (
        "iML generally outperforms bias on income, linear SVC excluded, and does not overtake "
        "equal weights (Fig. 7).",
        (("other", True), ("iml", False)),
    ),
}


def _loss_claim(ablation: list[dict[str, Any]], routed: list[dict[str, Any]]) -> ClaimDraft:
    relative, rules = _relative(routed), _ablated(ablation)
    spread = ", ".join(
        f"{name} at {rows:,} rows {told(found, '.2f')}"
        for (name, rows), found in relative.items()
        if name != LOCAL
    )
    trained = {
        rule: MeanEstimate.of(_paired(ablation, "untrained network", rule)) for rule in TRAINED
    }
    rows = min(rows for _, rows in relative)
    near = relative["network", rows]
    return ClaimDraft(
        "Error propagation in the network helps in maintaining a minimum information loss.",
        f"Run on Spark with a boundary pass, fragments lose this many times what one machine loses "
        f"on the whole table: {spread} (an interval where it was drawn more than once). Without "
        "the boundary pass: "
        + ", ".join(f"{name} {told(found, '.2f')}" for name, found in rules.items())
        + ". Training saves "
        + ", ".join(f"{saved} ({rule})" for rule, saved in trained.items())
        + f" of the whole table's loss; a minimum is called what loses less than {NEARLY} times "
        "it. As printed the update leaves out what flows into a weight, by which back-propagation "
        "multiplies the error.",
        [
            *(ClaimPart(f"{rule}, against untrained", saved) for rule, saved in trained.items()),
            ClaimPart("network on Spark", near, NEARLY, above=False),
        ],
        evidence=("routing", "ablation", "lost"),
    )


def _relative(routed: list[dict[str, Any]]) -> dict[tuple[str, int], MeanEstimate]:
    keys = dict.fromkeys((r["routing"], r["rows"]) for r in routed)
    return {
        key: MeanEstimate.of(r["relative"] for r in routed if (r["routing"], r["rows"]) == key)
        for key in keys
    }


def _ablated(ablation: list[dict[str, Any]]) -> dict[str, MeanEstimate]:
    return {
        rule: MeanEstimate.of(r["relative"] for r in ablation if r["rule"] == rule)
        for rule in dict.fromkeys(r["rule"] for r in ablation)
    }


def _paired(ablation: list[dict[str, Any]], one: str, other: str) -> list[float]:
    at = {(r["rule"], r["draw"]): r["relative"] for r in ablation}
    return [at[rule, draw] - at[other, draw] for rule, draw in at if rule == one]


def _time_claim(times: list[dict[str, Any]], selections: list[dict[str, Any]]) -> ClaimDraft:
    each = {(r["rows"], r["columns"]): np.array(r["each"]) for r in times}
    most, least = max(r["rows"] for r in times), min(r["rows"] for r in times)
    ratio = MeanEstimate.of(each[most, "selected"] / each[most, "all"])
    growth = MeanEstimate.of(each[most, "selected"] / each[least, "selected"])
    lost = [r["best_with_all"] - r["best_with_selected"] for r in selections]
    parts = [ClaimPart("time with selected over time with all columns", ratio, 1.0, above=False)]
    if most > least:
        parts.append(ClaimPart("time at the most rows over the fewest", growth, 1.0, above=False))
    return ClaimDraft(
        "Execution time decreases as data volume increases by the use of feature selection "
        "(Fig. 4).",
        f"With selected columns alone, grouping {most:,} rows takes {told(ratio, '.2f')} of the "
        f"time; it still grows with the rows ({each[least, 'selected'].mean():.2f} s at {least:,}, "
        f"{each[most, 'selected'].mean():.2f} s at {most:,}). The best model loses "
        f"{min(lost):.3f} to {max(lost):.3f} of macro F1 without the other columns (one number for "
        "each target, of one division of the rows, without an interval), and columns "
        "that are left out are not protected: they must not be published either.",
        parts,
        evidence=("time", "selection", "seconds"),
    )


def _experts(gain: Estimate | None) -> str:
    n = gain.experts if isinstance(gain, Gain) else 0
    return "one expert, whose taste alone this may be" if n == 1 else f"{n} experts"


def _summary(size: Size, routed: list[dict[str, Any]]) -> str:
    part = "" if size == "full" else f" This is the {size} run; --full runs more of it."
    lost = ", ".join(
        f"{told(found, '.2f')} times at {rows:,} rows"
        for (name, rows), found in _relative(routed).items()
        if name == "network"
    )
    return (
        "The paper carries interactive k-anonymity to a cluster: fragments found by a "
        "back-propagation network, groups inside fragments. Run on Spark, fragments found by the "
        f"network lose what one machine loses on the whole table {lost} (an interval where it was "
        "drawn more than once). Its classification figures restate those of Malle et al. (2017), "
        f"without numbers.{part}"
    )
