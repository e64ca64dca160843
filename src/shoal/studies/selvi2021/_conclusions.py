"""What came out, beside what was claimed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from shoal.studies._base import Finished, Size
from shoal.studies._census._gains import Gain, ScoreChange, matching
from shoal.studies._census._models import MODELS
from shoal.studies._census._people import TARGETS
from shoal.studies._findings import Answer, Findings, PaperClaim, ResultTable, judged
from shoal.studies.selvi2021._pictures import FIGURES, pictures
from shoal.studies.selvi2021._work import FIGURE_ROWS, LOCAL

NEARLY = 1.05  # times what the whole table loses: what this study calls a minimum
FEW = 3  # experts; what fewer show is their own taste
UNKNOWN = (
    "The paper has no table, no seconds and no score in its text; its k list, its 129 weight "
    "vectors and the captions of figures 5 to 7 restate those of Malle et al. (2017).",
    "What the network learns: inputs, outputs and the use of its result for grouping are not said. "
    "Shoal's reading: it learns the target, and its narrow layer orders rows into fragments.",
    "Whose weights were used; here simulated experts, those of the study malle2017.",
)


def conclude(size: Size, done: Finished) -> Findings:
    """Put together tables, pictures and answers."""
    releases = done.records("release")
    routed = list(_routed(releases))
    gains = list(_gains(releases))
    times = done.records("time")
    selections = list(_selections(done))
    tables = [
        ResultTable(
            "routing",
            "What cutting a table costs: fragments by network, cuts and chance",
            routed,
            "Income, equal weights. Loss: NGIL, and relative to one machine.",
        ),
        ResultTable("selection", "Columns that FCBF selects, and macro F1 with them", selections),
        ResultTable("time", "CPU seconds of grouping with all and with selected columns", times),
        ResultTable("gains", "What weights gain over equal ones, routed by the network", gains),
        ResultTable("scores", "All scores", list(_scores(releases)), shown=False),
    ]
    return Findings(
        summary=_summary(size, routed),
        tables=[table for table in tables if table.records],
        pictures=list(pictures(releases, routed, times)),
        claims=list(_claims(releases, routed, gains, times, selections)),
        numbers={
            "routing": {f"{r['routing']}, k={r['k']}": r["relative"] for r in routed},
            "gains": {f"{r['target']}, {r['way']}": r["gain"] for r in gains},
        },
        unknown=UNKNOWN,
    )


def _routed(releases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    here = [r for r in releases if (r["target"], r["way"]) == ("income", "equal")]
    whole = {(r["rows"], r["k"]): r["ngil"] for r in here if r["routing"] == LOCAL}
    for r in here:
        if (one := whole.get((r["rows"], r["k"]))) is not None:
            fragments = 1 if r["routing"] == LOCAL else r["fragments"]
            head = {"routing": r["routing"], "rows": r["rows"], "k": r["k"], "fragments": fragments}
            f1 = float(np.mean([r["proper"]["f1"][m] for m in MODELS]))
            found = {"ngil": r["ngil"], "relative": r["ngil"] / one, "macro_f1": f1}
            yield {**head, **found, "smallest_group": r["smallest_group"]}


def _gains(releases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for target in TARGETS:
        wanted = {"target": target, "routing": "network", "rows": FIGURE_ROWS}
        here = matching(releases, wanted)
        equal = {r["k"]: r["proper"]["f1"] for r in here if r["way"] == "equal"}
        for way in ("bias", "iml"):
            changes = [
                ScoreChange(r["expert"], target, r["k"], _above(r["proper"]["f1"], equal[r["k"]]))
                for r in here
                if r["way"] == way and r["k"] in equal
            ]
            if changes:
                gain = Gain.of(changes)
                finite = bool(np.isfinite(gain.low))
                yield {
                    "target": target,
                    "way": way,
                    "gain": gain.mean,
                    "low": gain.low if finite else None,
                    "high": gain.high if finite else None,
                    "experts": gain.experts,
                }


def _above(ours: dict[str, float], equal: dict[str, float]) -> float:
    return float(np.mean([ours[model] - equal[model] for model in MODELS]))


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
        head = {n: r[n] for n in ("target", "rows", "k", "routing", "way", "expert", "ngil")}
        yield {**head, **r["proper"]["f1"]}


def _claims(
    releases: list[dict[str, Any]],
    routed: list[dict[str, Any]],
    gains: list[dict[str, Any]],
    times: list[dict[str, Any]],
    selections: list[dict[str, Any]],
) -> Iterator[PaperClaim]:
    met = sum(r["smallest_group"] >= r["k"] for r in releases)
    yield PaperClaim(
        "The k-anonymity criterion is satisfied by combining all data points to form clusters.",
        f"{met} of {len(releases)} releases have no crowd below k, recounted from what is "
        "published.",
        judged(met == len(releases)),
        ("routing",),
    )
    network = [r["relative"] for r in routed if r["routing"] == "network"]
    chance = [r["relative"] for r in routed if r["routing"] == "random"]
    cuts = [r["relative"] for r in routed if r["routing"] == "mondrian"]
    beside = f"; cut by Mondrian {_times(cuts)}, at random {_times(chance)}" if cuts else ""
    yield PaperClaim(
        "Error propagation in the network helps in maintaining a minimum information loss.",
        f"Routed by the network, fragments lose {_times(network)} what one machine loses on the "
        f"whole table{beside}.",
        judged(max(network) <= NEARLY, in_part=max(network) < min(chance, default=np.inf)),
        ("routing", "lost"),
    )
    yield _time_claim(times, selections)
    for target, captions in CAPTIONS.items():
        here = {r["way"]: r for r in gains if r["target"] == target}
        if {"bias", "iml"} <= {*here}:
            yield PaperClaim(
                captions,
                f"Against equal weights, bias changes macro F1 on untouched originals by "
                f"{_gain(here['bias'])} and iml by {_gain(here['iml'])} (mean over k and "
                f"models, {_experts(here['iml']['experts'])}, {FIGURE_ROWS:,} rows).",
                _caption_answer(target, here),
                ("gains", f"figure{FIGURES[target]}"),
            )


CAPTIONS = {
    "marital-status": "Human bias overtakes both equal weights and iML on marital status (Fig. 5).",
    "education-num": "Human bias performs marginally better than equal weights and iML on "
    "education (Fig. 6).",
    "income": "iML generally outperforms bias on income, and neither overtakes equal weights "
    "(Fig. 7).",
}


def _caption_answer(target: str, here: dict[str, dict[str, Any]]) -> Answer:
    """Whether the order of the means is the one claimed; an order of means proves no more."""
    if here["iml"]["experts"] < FEW:
        return "cannot be known"
    bias, iml = here["bias"]["gain"], here["iml"]["gain"]
    as_claimed = iml > bias and max(iml, bias) <= 0 if target == "income" else bias > max(0.0, iml)
    return judged(False, in_part=as_claimed)


def _time_claim(times: list[dict[str, Any]], selections: list[dict[str, Any]]) -> PaperClaim:
    seconds = {(r["rows"], r["columns"]): r["cpu_seconds"] for r in times}
    most, least = max(r["rows"] for r in times), min(r["rows"] for r in times)
    saved = 1 - seconds[most, "selected"] / seconds[most, "all"]
    lost = [r["best_with_all"] - r["best_with_selected"] for r in selections]
    return PaperClaim(
        "Execution time decreases as data volume increases by the use of feature selection "
        "(Fig. 4).",
        f"With selected columns alone, grouping {most:,} rows takes {saved:.0%} less time; it "
        f"still grows with the rows ({seconds[least, 'selected']:.2f} s at {least:,}, "
        f"{seconds[most, 'selected']:.2f} s at {most:,}). The best model loses "
        f"{min(lost):.3f} to {max(lost):.3f} of macro F1 without the other columns, and columns "
        "that are left out are not protected: they must not be published either.",
        judged(False, in_part=saved > 0),
        ("time", "selection", "seconds"),
    )


def _times(values: list[float]) -> str:
    low, high = f"{min(values):.2f}", f"{max(values):.2f}"
    return f"{low} times" if low == high else f"{low} to {high} times"


def _experts(n: int) -> str:
    return "one expert, whose taste alone this may be" if n == 1 else f"{n} experts"


def _gain(row: dict[str, Any]) -> str:
    if row["low"] is None:
        return f"{row['gain']:+.3f}"
    return f"{row['gain']:+.3f} ({row['low']:+.3f} to {row['high']:+.3f})"


def _summary(size: Size, routed: list[dict[str, Any]]) -> str:
    part = "" if size == "full" else f" This is the {size} run; --full runs more of it."
    network = [r["relative"] for r in routed if r["routing"] == "network"]
    return (
        "The paper carries interactive k-anonymity to a cluster: fragments found by a "
        "back-propagation network, groups inside fragments. Run on Spark, fragments found by the "
        f"network lose {_times(network)} what one machine loses on the whole table. Its "
        f"classification figures restate those of Malle et al. (2017), without numbers.{part}"
    )
