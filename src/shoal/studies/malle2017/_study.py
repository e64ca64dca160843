"""The study: what there is to do, and where each part of it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._census._interviews import run_interview
from shoal.studies._findings import Findings
from shoal.studies.malle2017._codes import code_items, run_code
from shoal.studies.malle2017._conclusions import conclude
from shoal.studies.malle2017._datasets import (
    dataset_items,
    interview_items,
    original_items,
    run_dataset,
    run_original,
)
from shoal.studies.malle2017._questions import question_items, run_fewer_rows, run_made_up


class Malle2017(Study):
    """Do people who say what matters make anonymized data more useful?"""

    name = "malle2017"
    title = "Interactive anonymization, re-run"
    citation = (
        "B. Malle, P. Kieseberg, A. Holzinger: Interactive Anonymization for Privacy aware Machine "
        "Learning. IAL@PKDD/ECML 2017, pages 15-26."
    )
    version = 2

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List what the paper ran, the cheapest and most telling first."""
        yield from code_items(size)
        interviews = list(interview_items(size))
        yield from interviews
        yield from original_items(size)
        yield from question_items(size)
        if all(interview in done for interview in interviews):
            yield from dataset_items(size, done)

    def work(self, item: Item) -> Mapping[str, Any]:
        """Do one item."""
        return _WORK[item.part](**item.settings)

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Answer the paper's claims and questions."""
        return conclude(size, done)


_WORK: dict[str, Callable[..., Mapping[str, Any]]] = {
    "code": run_code,
    "interview": run_interview,
    "original": run_original,
    "fewer rows": run_fewer_rows,
    "made up": run_made_up,
    "dataset": run_dataset,
}
