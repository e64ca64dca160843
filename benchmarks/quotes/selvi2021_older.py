"""What to know of the run of selvi2021 on file, as long as it is older than today's update."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import RESULTS, paragraph
from quotes.headline import trained_again

ABLATION = RESULTS / "studies" / "selvi2021" / "tables" / "ablation.csv"


def write() -> Iterator[str]:
    """Give a paragraph; nothing once a run of today's code is on file."""
    if "plain back-propagation" in ABLATION.read_text(encoding="utf-8"):
        return
    yield paragraph(
        "What is on file was taught by sessions of before they knew that attributes may not matter",
        "at all ([decision 11](../decisions/0011-learning-from-answers.md)), and its *update as",
        "printed* is plain back-propagation, not the letter of the paper. Today's code cut the",
        "table again without a boundary pass, and loses this many times what the whole table",
        f"loses: {trained_again()} of the whole table's loss (four draws).",
    )
