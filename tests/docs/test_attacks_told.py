"""The attacks that the documents speak of are those that there are."""

from __future__ import annotations

import json
import re
from pathlib import Path

from shoal.risk import ATTACKS

ROOT = Path(__file__).parents[2]


def test_the_readme_counts_the_attacks() -> None:
    told = re.findall(r"\*\*(\d+) attacks\*\*", (ROOT / "README.md").read_text("utf-8"))
    assert told == [str(len(ATTACKS))]


def test_every_attack_is_explained_and_measured() -> None:
    page = (ROOT / "docs" / "attacks.md").read_text("utf-8")
    assert [name for name in ATTACKS if f"| `{name}` |" not in page] == []
    results = json.loads((ROOT / "benchmarks" / "results" / "attacks.json").read_text("utf-8"))
    joined = json.loads((ROOT / "benchmarks" / "results" / "joined.json").read_text("utf-8"))
    records = [*results["results"]["records"], *results["results"]["further"]]
    records += joined["results"]["records"]
    measured = {name for record in records for name in record["attacks"]}
    assert {*ATTACKS} - measured == {"file_metadata"}  # which looks at files, and has no rate
