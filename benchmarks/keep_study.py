"""Keep the results of studies beside those of the benchmarks, for the documents to quote.

``python benchmarks/keep_study.py FOLDER ...`` takes what ``shoal study`` left in these folders: the
results, small tables, figures. Then ``python benchmarks/write_numbers.py`` fills in the pages.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "studies"
LARGEST = 400_000  # bytes; larger tables can be made again


def main(folders: list[str]) -> None:
    """Keep the results of the folders named."""
    for folder in folders:
        keep(Path(folder))


def keep(folder: Path) -> None:
    """Copy the results of a study from where it ran; what was kept of it before is gone."""
    name = json.loads((folder / "results.json").read_text(encoding="utf-8"))["study"]
    target = RESULTS / name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copy(folder / "results.json", target)
    tables = [p for p in (folder / "tables").glob("*.csv") if p.stat().st_size < LARGEST]
    for path in (*tables, *(folder / "figures").glob("*.svg")):
        (target / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, target / path.parent.name)


if __name__ == "__main__":
    main(sys.argv[1:])
