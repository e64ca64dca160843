"""What to know of the run of malle2017 on file, as long as it is older than what it teaches."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import RESULTS
from quotes.headline import done_again

TABLES = RESULTS / "studies" / "malle2017" / "tables"


def write() -> Iterator[str]:
    """Give one point of a list; nothing once a run of today's code is on file."""
    if not older():
        return
    yield (
        "- **What is on file** is a full run by sessions of before they knew that attributes may"
        " not matter at all\n"
        "  ([decision 11](../decisions/0011-learning-from-answers.md)). Today's code did its own"
        " part at 3,000 rows again:\n"
        f"  {done_again()}. The larger\n"
        "  sizes, by which weights are judged, were not done again."
    )


def older() -> bool:
    """Whether the run on file is of before what draws of rows gave was kept."""
    return not (TABLES / "draws.csv").is_file()
