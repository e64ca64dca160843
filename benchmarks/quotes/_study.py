"""What a study found, from the results that ``keep_study.py`` kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quotes._markdown import table

RESULTS = Path(__file__).parents[1] / "results" / "studies"
COUNTED = ("campan2009",)  # all of its claims are counted: no interval decides any


def write_study(name: str) -> Iterator[str]:
    """Give a study's summary, claims, figures and tables, for its page in docs/studies."""
    path = RESULTS / name / "results.json"
    if not path.is_file():
        yield f"*No run is on file yet: `shoal study {name}` makes one.*\n"
        return
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    done = f"{facts['items']:,} items of work"
    if facts["items"] < facts["planned"]:
        done = f"{facts['items']:,} of {facts['planned']:,} items of work so far"
    run = f"{done}, {facts['cpu_seconds']:,.0f} CPU seconds"
    yield f"{facts['summary']} (The {facts['size']} run: {run}.)\n"
    yield "### What was claimed, what was measured\n"
    ruled = name in COUNTED or (RESULTS / name / "tables" / "decisions.csv").is_file()
    answer = "**{}**" if ruled else "*by the older rule: {}*"
    cells = [(c["claimed"], answer.format(c["answer"]), c["measured"]) for c in facts["claims"]]
    escaped = [tuple(text.replace("|", "/") for text in row) for row in cells]
    yield from table(("claimed", "answer", "measured"), *escaped)
    yield "### Figures\n"
    where = f"../../benchmarks/results/studies/{name}"
    for figure in facts["figures"]:
        yield f"![{figure}]({where}/figures/{figure}.svg)\n"
    yield "### What could not be known\n"
    yield "\n".join(f"- {point}" for point in facts["unknown"]) + "\n"
    kept = sorted(path.stem for path in (RESULTS / name / "tables").glob("*.csv"))
    yield "Tables: " + ", ".join(f"[{t}]({where}/tables/{t}.csv)" for t in kept) + ".\n"
