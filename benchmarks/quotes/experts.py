"""How many answers it takes to find what matters to somebody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, table
from shoal.studies._verdicts import MeanEstimate, ShareEstimate

SHOWN, TOLD = (5, 10, 20, 30), 20
SURE = "asked what teaches most"


def write() -> Iterator[str]:
    """Give the paragraphs and their tables."""
    found = read("experts")["results"]
    names = list(dict.fromkeys(record["table"] for record in found["records"]))
    yield paragraph(
        f"{found['experts']} simulated experts for each line have hidden weights, drawn from",
        f"{found['hidden_weights']}, and answer by them (the same draws where a table has as many",
        "attributes). Mean cosine of the learned to the hidden weights after so many answers,",
        "mirrored questions included, after twenty with a 95 % interval over experts where each",
        "is on file; equal weights are where all begin.",
    )
    for name in names:
        yield from _cosines(name, [r for r in found["records"] if r["table"] == name])
    yield from _coverage(found["records"], names)
    yield from _thoughtless(found["records"], names)
    yield paragraph(
        "Experts outside the model: for those who look at one attribute after the other and let",
        "the first difference decide, no weights are right. The share of",
        f"{found['fresh_questions']} fresh questions that weights decide as the expert does, with",
        f"equal weights and after 20 answers (means of {found['experts']} experts, no interval is",
        "on file):",
    )
    yield from _agreements(found["records"], names)
    yield from _latency(found["latency"])


def _cosines(name: str, records: list[dict[str, Any]]) -> Iterator[str]:
    rows = [
        (
            record["curve"],
            f"{record['cosine'][0]:.2f}",
            *(_reached(record, n) for n in SHOWN),
        )
        for record in records
        if "cosine" in record
    ]
    yield from table((name, "equal", *map(str, SHOWN)), *rows)


def _reached(record: dict[str, Any], n: int) -> str:
    mean = f"{record['cosine'][n]:.3f}"
    if n != TOLD or "each_20" not in record:
        return mean
    low, high = MeanEstimate.of(record["each_20"]["cosine"]).interval()
    return f"{mean} ({low:.3f} to {min(high, 1):.3f})"


def weights_held() -> str:
    """Say how much of what matters intervals hold: the least and the most of all lines."""
    held = [100 * own.value for own in _all_above(read("experts")["results"]["records"]).values()]
    return f"{min(held):.0f} to {max(held):.0f} %"


def right_ones() -> str:
    """Say how many right answers bring as near as twenty of which one in ten is wrong."""
    by = {(r["table"], r["curve"]): r for r in read("experts")["results"]["records"]}
    found = [
        next(n for n, mean in enumerate(by[name, SURE]["cosine"]) if mean >= slips["cosine"][TOLD])
        for (name, curve), slips in by.items()
        if curve == f"{SURE}, 10 % wrong"
    ]
    return f"{min(found)} to {max(found)}"


def _coverage(records: list[dict[str, Any]], names: list[str]) -> Iterator[str]:
    """Tell the coverage of every line whose learner knows doubt, of all weights and above 0."""
    yield paragraph(
        "The intervals say nine in ten. Share of the hidden weights that they hold after twenty",
        "answers. *Above 0* is what to judge them by: it counts only weights that matter, all",
        "tables together, with a 95 % interval over experts, each with all of their answers (a",
        "weight of 0 is held by every interval that begins there):",
    )
    above, rows = _all_above(records), []
    for curve in above:
        own = {r["table"]: r for r in records if r["curve"] == curve}
        each = [own[name]["coverage_20"] for name in names]
        shares = (f"{100 * share:.0f} %" for share in (*each, sum(each) / len(each)))
        rows.append((curve, *shares, _held(above[curve])))
    yield from table(("coverage", *names, "all tables", "above 0"), *rows)
    yield _short_of_it(above)


def _all_above(records: list[dict[str, Any]]) -> dict[str, MeanEstimate]:
    """Of every line whose learner knows doubt: what is held of the weights that matter."""
    told = [r for r in records if "each_20" in r and not r["curve"].startswith("cafe")]
    return {
        curve: _above([r["each_20"] for r in told if r["curve"] == curve])
        for curve in dict.fromkeys(r["curve"] for r in told)
    }


def _above(tables: list[dict[str, list[int]]]) -> MeanEstimate:
    """Share of the weights that matter held; an expert's are one witness, not as many."""
    held, matter = (
        [sum(own) for own in zip(*(found[which] for found in tables), strict=True)]
        for which in ("matter_held", "matter")
    )
    return MeanEstimate.of(one / of for one, of in zip(held, matter, strict=True))


def _held(share: MeanEstimate) -> str:
    low, high = share.interval()
    return f"{100 * share.value:.0f} % ({100 * low:.0f} to {100 * min(high, 1):.0f})"


def _short_of_it(above: dict[str, MeanEstimate]) -> str:
    """Name the lines that hold fewer than nine in ten, by all of their interval."""
    short = [f"{curve} ({_held(own)})" for curve, own in above.items() if own.interval()[1] < 0.9]
    told = f"Fewer than nine in ten are held of: {'; '.join(short)}." if short else ""
    least = min(above, key=lambda curve: above[curve].value)
    return paragraph(told or f"The least is held of: {least} ({_held(above[least])}).")


def _thoughtless(records: list[dict[str, Any]], names: list[str]) -> Iterator[str]:
    by = {record["table"]: record for record in records if record["curve"] == "by chance"}
    if not by:
        return
    sure = ", ".join(f"{100 * by[name]['sure_20']:.0f} %" for name in names)
    asked = read("experts")["results"]["experts"]
    stopped = [round(by[name]["stops"] * asked) for name in names]
    most = ShareEstimate(max(stopped), asked).interval()[1]
    yield paragraph(
        f"Of somebody who clicks without looking the session is {sure} sure after twenty answers",
        f"(mean, tables as above; {100 * max(by[n]['surest'] for n in names):.0f} % at most at any",
        f"moment), and says that it knows enough in {sum(stopped)} of {asked * len(names)}",
        f"dialogues (the same {asked} rows of clicks about each table; at most {100 * most:.0f} %",
        "of people: the end of a 95 % interval, while the proof above says one in a thousand at",
        "most).",
    )


def _agreements(records: list[dict[str, Any]], names: list[str]) -> Iterator[str]:
    kinds = (SURE, "two attributes only", "lexicographic")
    by = {(record["table"], record["curve"]): record for record in records}
    rows = [
        (
            "weighing all" if kind == kinds[0] else kind,
            *(
                ", then ".join(f"{by[name, kind][f'agreement_{n}']:.2f}" for n in ("equal", 20))
                for name in names
            ),
        )
        for kind in kinds
    ]
    yield from table(("equal, then learned weights", *names), *rows)


def _latency(found: dict[str, Any]) -> Iterator[str]:
    load = read("experts")["machine"]["load_average_at_start"]
    turn, cpu = found["answer_to_question_ms"], found["answer_to_question_cpu_ms"]
    plain, scored = found["preview_seconds"], found["preview_with_f1_seconds"]
    yield paragraph(
        f"On all {found['rows']:,} complete rows of Adult the next question is there",
        f"{turn['median']:.0f} ms after an answer (median; 95th percentile {turn['p95']:.0f} ms;",
        f"{cpu['median']:.0f} ms of computing), the table grouped anew {plain['median']:.2f} s",
        f"later, {scored['median']:.2f} s with the F1 of a quick model (one session;",
        f"load average {load} at the start).",
    )
