"""Keep the results of studies, and write them into their pages: no number is typed by hand.

``python benchmarks/write_studies.py FOLDER ...`` keeps what `shoal study` left in these folders
(results, small tables, figures) and fills in the pages of all studies that have results on file.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "studies"
PAGES = ROOT / "docs" / "studies"
BEGIN, END = "<!-- numbers -->", "<!-- /numbers -->"
LARGEST = 120_000  # bytes; larger tables can be made again


def main(folders: list[str]) -> None:
    """Keep the results of the folders named, then fill in all pages."""
    for folder in folders:
        keep(Path(folder))
    for page in pages():
        page.write_text(fill(page), encoding="utf-8")


def keep(folder: Path) -> None:
    """Copy the results of a study from where it ran."""
    name = json.loads((folder / "results.json").read_text(encoding="utf-8"))["study"]
    target = RESULTS / name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copy(folder / "results.json", target)
    tables = [p for p in (folder / "tables").glob("*.csv") if p.stat().st_size < LARGEST]
    for path in (*tables, *(folder / "figures").glob("*.svg")):
        (target / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, target / path.parent.name)


def pages() -> list[Path]:
    """List the pages of studies that have results on file."""
    return [page for page in sorted(PAGES.glob("*.md")) if (RESULTS / page.stem).is_dir()]


def fill(page: Path) -> str:
    """Return a page with the numbers on file between its markers."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"{page.name} has no place for numbers: {BEGIN} ... {END}")
    facts = json.loads((RESULTS / page.stem / "results.json").read_text(encoding="utf-8"))
    numbers = "\n\n".join(numbers_of(page.stem, facts)).rstrip()
    return f"{before}{BEGIN}\n{numbers}\n{END}{after}"


def numbers_of(name: str, facts: dict[str, Any]) -> Iterator[str]:
    """Give what a study found, as Markdown."""
    where = f"../../benchmarks/results/studies/{name}"
    run = f"{facts['items']:,} items of work, {facts['cpu_seconds']:,.0f} CPU seconds"
    yield f"{facts['summary']} (The {facts['size']} run: {run}.)"
    yield "## What was claimed, what was measured"
    lines = ["| claimed | answer | measured |", "| --- | --- | --- |"]
    for claim in facts["claims"]:
        cells = (claim["claimed"], f"**{claim['answer']}**", claim["measured"])
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    yield "\n".join(lines)
    yield "## Figures"
    for figure in facts["figures"]:
        yield f"![{figure}]({where}/figures/{figure}.svg)"
    yield "## What could not be known"
    yield "\n".join(f"- {point}" for point in facts["unknown"])
    kept = sorted(path.stem for path in (RESULTS / name / "tables").glob("*.csv"))
    links = ", ".join(f"[{table}]({where}/tables/{table}.csv)" for table in kept)
    yield f"Tables: {links}."


if __name__ == "__main__":
    main(sys.argv[1:])
