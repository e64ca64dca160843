"""Measure what the README claims, draw it, and write it into the README.

``make bench`` runs all but those on demand; ``python benchmarks/run.py adult start`` runs some.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

from measuring import heading

RESULTS = Path(__file__).parent / "results"
BENCHMARKS = (
    "adult",
    "growth",
    "start",
    "optimal",
    "effort",
    "models",
    "experts",
    "latency",
    "quantize",
    "tuning",
    "tuning_speed",
    "attacks",
    "joined",
    "composition",
    "forgetting",
    "growing",
)
ON_DEMAND = (  # make soak, make bench-spark; minutes each
    "cliffs",
    "checking",
    "costs",
    "linked",
    "losses",
    "parts",
    "peers",
    "phases",
    "roles",
    "rules",
    "second_opinion",
    "soak_attacker",
    "soak_doors",
    "soak_kills",
    "sources",
    "spark_quality",
    "spark_growth",
    "small_studies",
    "ten_million",
    "unseen",
    "graphs",
    "web_pages",
)


def main(names: list[str]) -> None:
    """Run the benchmarks named, all if none is, and write one JSON file for each."""
    known = (*BENCHMARKS, *ON_DEMAND)
    if unknown := sorted({*names} - {*known}):
        sys.exit(f"There is no benchmark {unknown[0]!r}; there are {', '.join(known)}.")
    for name in names or BENCHMARKS:
        print(f"{name}:", flush=True)
        found = {**heading(name), "results": import_module(name).measure()}
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_text(json.dumps(found, indent=2) + "\n")
    import_module("figures").draw_all()
    import_module("write_numbers").main()


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "--so-far"])  # that is for what is measured
