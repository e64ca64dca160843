"""The few numbers a newcomer wants to know, for the README."""

from __future__ import annotations

import math
from collections.abc import Iterator

from quotes._markdown import RESULTS, read, short
from shoal.risk import ATTACKS

KS = (5, 10, 50)


def write() -> Iterator[str]:
    """Give one bullet for each thing measured."""
    lines = (*_loss(), _growth(), *_cluster(), _teaching(), _tuning(), _attacks(), _start())
    yield "\n".join(f"- {line}" for line in lines)


def _loss() -> Iterator[str]:
    found = read("adult")["results"]
    ngil = {(r["method"], r["k"]): r["ngil"] for r in found["records"]}
    arx = {r["k"]: r["ngil"] for r in found["quoted"]["arx"]["records"]}
    default = {k: ngil["default", k] for k in KS}
    less = ", ".join(f"{1 - default[k] / arx[k]:.0%} (k = {k})" for k in arx)
    proofs = read("optimal")["results"]["records"]
    most = max(r["times_bound"] for r in proofs if r["table"] == "Adult")
    times = math.ceil(100 * most) / 100  # a claim is rounded to the safe side
    yield (
        f"**Less is lost.** On UCI Adult ({found['rows']:,} rows, 8 quasi-identifiers) the default "
        f"loses {less} less than ARX's best local recoding (quoted), "
        f"{1 - default[10] / ngil['anonypy', 10]:.0%} less than anonypy at k = 10, and never more "
        f"than {times:.2f} times what is proven to be unavoidable (`--prove`)."
    )
    yield (
        "**Exact, and fast.** The paper's greedy choices, found in "
        f"1/{found['plain_scan_over_common']['10']:.0f} of the time of a compiled plain scan."
    )


def _growth() -> str:
    runs = {(r["rows"], r["task"]): r for r in read("growth")["results"]["records"]}
    whole, best = (runs[1_000_000, task] for task in ("end to end", "best-first"))
    return (
        f"**A million rows** from CSV to a verified release in {short(whole['seconds'])} s and "
        f"{whole['peak_memory_mb'] / 1000:.1f} GB on two cores; the most careful grouping takes "
        f"{short(best['seconds'])} s."
    )


def _cluster() -> Iterator[str]:
    if not (RESULTS / "spark_growth.json").exists():
        return
    largest = read("spark_growth")["results"]["by_rows"][-1]
    yield (
        f"**{largest['rows'] // 1_000_000} million rows** on Spark, the same two cores: "
        f"{short(largest['seconds'])} s, written and recounted."
    )


def _tuning() -> str:
    found = read("tuning")["results"]
    gains = [target["all"]["mean"] for target in found["difference"].values()]
    kept = found["boosting_income_k50"]["kept"]
    return (
        f"**Fit for its use.** Weights tuned for a target gain {min(gains):.3f} to "
        f"{max(gains):.3f} macro F1 over equal ones on rows never seen; gradient boosting keeps "
        f"{kept:.1%} of its F1 at k = 50."
    )


def _teaching() -> str:
    records = read("experts")["results"]["records"]
    told = [r["cosine"][20] for r in records if r["curve"] == "asked what teaches most"]
    waited = read("latency")["results"]["reading"]["next_question_ms"]["median"]
    return (
        f"**Twenty answers** teach it what matters: cosine {min(told):.2f} or more to the hidden "
        f"weights of simulated experts. The next question is there after {waited:.0f} ms, on all "
        "of Adult."
    )


def _attacks() -> str:
    found = read("attacks")["results"]
    seconds = max(record["seconds"] for record in found["records"])
    return (
        f"**{len(ATTACKS)} attacks** on a release of {found['rows']:,} rows, each beside "
        f"guessing and people held out, in {seconds:.0f} s."
    )


def _start() -> str:
    found = read("start")["results"]
    return (
        f"**No waiting.** `shoal --help` in {found['help_seconds']['median']:.2f} s; a thousand "
        f"rows released in {found['whole_run_seconds']['median']:.1f} s (the very first run on a "
        f"machine compiles: {found['whole_run_cold_seconds']:.0f} s, once)."
    )
