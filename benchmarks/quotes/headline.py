"""The few numbers a newcomer wants to know, for the README."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, read, short
from quotes.tuning import enough
from shoal.risk import ATTACKS
from shoal.studies._verdicts import MeanEstimate, told

KS = (5, 10, 50)
ASKED = ("asked what teaches most", "two attributes only", "says about the same")


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
    yield (
        f"**Less is lost.** On UCI Adult ({found['rows']:,} rows, 8 quasi-identifiers) the default "
        f"loses {less} less than ARX's best local recoding (quoted), "
        f"{1 - default[10] / ngil['anonypy', 10]:.0%} less than anonypy at k = 10, which knows no "
        f"hierarchies ({_without_hierarchies():.0%} less where neither has any), and at most "
        f"{times_the_bound()} times what is proven to be unavoidable at k = 5, 10 and 50 "
        f"(`--prove`); on twelve other tables {_times_elsewhere()}."
    )
    yield (
        "**Exact, and fast.** The paper's greedy choices, found in "
        f"1/{times_the_scan()} of the time of a compiled plain scan (k = 10, one run)."
    )


def _times_elsewhere() -> str:
    """How far from what is proven on other tables, at each k: the least and the most."""
    found = read("unseen")["results"]
    records = found["records"] + found["afterwards"] + found["latest"]
    told = []
    for k in KS:
        times = [r["default"]["ngil"] / r["bound"] for r in records if r["k"] == k]
        told.append(f"{min(times):.2f} to {max(times):.2f} times (k = {k})")
    return f"{', '.join(told[:-1])} and {told[-1]}"


def _without_hierarchies() -> float:
    """How much less than anonypy is lost at k = 10 where nobody has hierarchies."""
    loss = {record["tool"]: record["loss"] for record in read("peers")["results"]["records"]}
    return 1 - loss["Shoal, no hierarchies"] / loss["anonypy (Mondrian)"]


def _growth() -> str:
    runs = {run["effort"]: run for run in read("phases")["results"]["records"]}
    quick, default = runs["quick"], runs["default"]
    return (
        "**A million rows** (made up, one run) from CSV to a verified release in "
        f"{short(default['wall_seconds'])} s on two cores, with `--effort quick` in "
        f"{short(quick['wall_seconds'])} s and {quick['peak_memory_mb'] / 1000:.1f} GB."
    )


def _cluster() -> Iterator[str]:
    if not (RESULTS / "spark_growth.json").exists():
        return
    largest = read("spark_growth")["results"]["by_rows"][-1]
    yield (
        f"**{largest['rows'] // 1_000_000} million rows** on Spark, the same two cores: "
        f"{short(largest['seconds'])} s, written and recounted (one run)."
    )


def _tuning() -> str:
    """What is certain of the gains; nothing is, as long as they are not measured on releases."""
    judge = "**Fit for its use.** The models that will use the data judge it (`shoal tune`)"
    found = read("tuning")["results"] if (RESULTS / "tuning.json").exists() else {}
    if not enough(found):
        return f"{judge}; what that gains over the default release is not measured yet."
    sure = [_target(t) for t in found["targets"] if t["p_adjusted"] < 0.05 and t["mean"] > 0]
    open_ = [_target(t) for t in found["targets"] if t["p_adjusted"] >= 0.05]
    means = [t["mean"] for t in found["targets"]]
    first = found["targets"][0]
    models = " and ".join(name.replace("_", " ") for name in first["models"])
    told = f"{min(means):+.3f} to {max(means):+.3f} macro F1 on rows never seen, in the mean of"
    told += f" {models} that learn from {first['rows']:,} rows,"
    certain = f"more than chance (95 %, corrected) for {len(sure)} of {len(means)} targets"
    certain += f" ({', '.join(sure)})" if sure else ""
    certain += f"; for {' and '.join(open_)} it cannot be told" if open_ else ""
    *few, last = map(str, first["ks"])
    ks = f"{', '.join(few)} and {last}"
    return (
        f"{judge}: {told} against the default release (mean over k = {ks}); {certain}{_boosting()}."
    )


def _target(found: dict[str, Any]) -> str:
    """Name a table and its target, once where both have one name."""
    table, target = (found[name].replace("_", " ") for name in ("table", "target"))
    return table if table == target else f"{table} {target}"


def _boosting() -> str:
    """What boosting keeps of its F1 on the default release of many rows, with the interval."""
    found = read("models")["results"]
    wanted = {"model": "gradient_boosting", "k": 50, "draws": 2}  # as tuning lets it learn
    share = next(one for one in found["told"] if wanted.items() <= one.items())
    return (
        f"; on Adult's income at k = 50 ({found['learned']:,} rows) gradient boosting keeps "
        f"{share['kept']:.1%} of its F1 ({share['low']:.1%} to {share['high']:.1%}, "
        f"{share['splits']} splits) from the default release{_from_tuned(found['learned'])}"
    )


def _from_tuned(rows: int) -> str:
    """The same from what tuning hands over, where that is measured on as many rows."""
    kept = read("tuning")["results"]["kept"]
    for one in kept:
        if (one["model"], one["rows"]) == ("gradient_boosting", rows):
            tuned = one["tuned"]
            return (
                f", {tuned['mean']:.1%} ({tuned['low']:.1%} to {tuned['high']:.1%}, "
                f"{one['splits']} splits) from the tuned one"
            )
    return ""


def _teaching() -> str:
    found = read("latency")["results"]
    waited, hurried = (
        found[pace]["next_question_ms"]["median"] for pace in ("reading", "hurrying")
    )
    slips = cosine_of_twenty(wrong=True)
    return (
        f"**Twenty answers** teach it what matters: mean cosine {cosine_of_twenty()} or more to "
        f"the hidden weights of each kind of simulated expert who weighs losses, {slips} or more "
        "for the two kinds also tried with one wrong answer in ten (Adult and made-up people; the "
        "lowest of the lower ends of 95 % intervals). "
        f"In the web app the next question is there after {waited:.0f} ms in the median at a "
        f"reader's pace, {hurried:.0f} ms as fast as keys go, on all of Adult (one run)."
    )


def _attacks() -> str:
    found = read("attacks")["results"]
    seconds = max(record["cpu_seconds"] for record in found["records"])
    ran = max(len(record["attacks"]) for record in found["records"])
    return (
        f"**{len(ATTACKS)} attacks**, of which {ran} take {seconds:.0f} CPU s on a release of "
        f"{found['rows']:,} rows, beside guessing and, where it can be, people held out."
    )


def _start() -> str:
    found = read("start")["results"]
    return (
        f"**No waiting.** `shoal --help` in {seconds_to_help()} s; a thousand "
        f"rows released in {found['whole_run_seconds']['median']:.1f} s (the very first run on a "
        f"machine compiles: {seconds_to_compile()} s, once)."
    )


def times_the_bound() -> str:
    """How far at most from what is proven to be unavoidable; rounded to the safe side."""
    proofs = read("optimal")["results"]["records"]
    most = max(r["times_bound"] for r in proofs if r["table"] == "Adult")
    return f"{math.ceil(100 * most) / 100:.2f}"


def times_the_scan() -> str:
    """How many times as long a plain scan takes at k = 10."""
    return f"{read('adult')['results']['plain_scan_over_common']['10']:.0f}"


def cosine_of_twenty(*, wrong: bool = False) -> str:
    """What twenty answers reach in the mean for each kind of expert: the lowest interval's end."""
    lowest = min(
        MeanEstimate.of(record["each_20"]["cosine"]).interval()[0]
        for record in read("experts")["results"]["records"]
        if record["curve"].startswith(ASKED)
        and ("wrong" in record["curve"]) is wrong
        and "each_20" in record  # elsewhere only the mean is on file
    )
    return f"{math.floor(100 * lowest) / 100:.2f}"


def high_earners_gone() -> str:
    """What is lost where high earners leave first and those who stay are grouped anew."""
    from quotes.study_draws import high_earners_gone

    return high_earners_gone()


def everybody_found() -> str:
    """How often the default recipe leaves anybody to be found, by table."""
    from quotes.study_draws import everybody_found

    return everybody_found()


def weights_held() -> str:
    """How much of what matters intervals hold, over the kinds of experts."""
    from quotes.experts import weights_held

    return weights_held()


def right_ones() -> str:
    """How many right answers twenty with slips are worth."""
    from quotes.experts import right_ones

    return right_ones()


def seconds_to_compile() -> str:
    """Seconds of the very first run."""
    return f"{read('start')['results']['whole_run_cold_seconds']:.0f}"


def seconds_to_help() -> str:
    """Seconds until ``shoal --help`` has answered."""
    return f"{read('start')['results']['help_seconds']['median']:.2f}"


def drawn_over_ranges() -> str:
    """What models change that learn from drawn rows instead of midpoints, on the same releases."""
    found = read("models")["results"]
    overlap = found["tested"] / found["learned"]
    return " and ".join(
        f"{MeanEstimate.of(_drawn_gains(found['records'], model, 50), overlap)} "
        f"({model.replace('_', ' ')})"
        for model in ("gradient_boosting", "random_forest")
    )


def _drawn_gains(records: list[dict[str, Any]], model: str, k: int) -> Iterator[float]:
    """Drawn twice above midpoints, split by split."""
    for record in records:
        f1 = {s["way"]: s["f1"] for s in record["scores"] if s["model"] == model}
        if record["k"] == k and {0, 2} <= f1.keys():
            yield f1[2] - f1[0]


def alone_after_one() -> str:
    """Share of people with one candidate left after the first of five releases of Adult."""
    return f"{_alone()[0]:.0%}"


def alone_after_five() -> str:
    """The same after all five."""
    return f"{_alone()[-1]:.0%}"


def _alone() -> list[float]:
    found = read("composition")["results"]["all"]["sangreea"]
    return list(found["share_with_one_candidate"])


def done_again() -> str:
    """What of malle2017 at its smallest size is the same today, and what sessions change."""
    found = read("study_again")["results"]
    return (
        f"{found['equal_same']} of {found['equal']} mean scores with equal weights and "
        f"{found['sliders_same']} of {found['sliders']} changes by sliders are the same to the "
        f"last digit on file; the gain with questions is {_three(found['now'])} where "
        f"{_three(found['filed'])} is on file, {_three(found['moved'])} apart; the R2 of 1/k less "
        f"that of log k is {_three(found['curves'][0])} over draws of rows (below: over curves)"
    )


def missing_draws() -> str:
    """What is not on file of malle2017, as long as its run is older than today's tables."""
    from quotes.malle2017_older import older

    missing = (
        "; of malle2017 what draws of rows gave is missing behind three of them, because its run"
    )
    return f"{missing} on file is older than the tables that keep it" if older() else ""


def _three(ends: list[float]) -> str:
    mean, low, high = ends
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"


def trained_again() -> str:
    """What each way to train the network of selvi2021 loses; what the printed one saves."""
    lost: dict[str, dict[int, float]] = {}
    for record in read("study_again")["results"]["ablation"]:
        lost.setdefault(record["rule"], {})[record["draw"]] = record["relative"]
    means = (f"{rule} {told(MeanEstimate.of(own.values()), '.2f')}" for rule, own in lost.items())
    untrained, printed = lost["untrained network"], lost["update as printed"]
    saved = MeanEstimate.of(untrained[draw] - printed[draw] for draw in untrained)
    return f"{', '.join(means)}; to the letter of the paper training saves {saved}"
