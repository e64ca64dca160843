"""The study: two case studies, every binning scheme tried, and the regression illustration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from shoal.studies._base import Finished, Item, Size, Study
from shoal.studies._findings import Findings
from shoal.studies.augusto2019._conclusions import conclude
from shoal.studies.augusto2019._efforts import effort_items, run_effort, run_original
from shoal.studies.augusto2019._regression import regression_items, run_curve


class Augusto2019(Study):
    """Does testing on originals find the anonymization that trades privacy and use best?"""

    name = "augusto2019"
    title = "Test-driven anonymization, re-run"
    citation = (
        "C. Augusto, J. Morán, C. de la Riva, J. Tuya: Test-driven Anonymization for Artificial "
        "Intelligence. IEEE AITest 2019, pages 103-110."
    )
    version = 3

    def plan(self, size: Size, done: Finished) -> Iterable[Item]:
        """List the illustration first, then every effort of every scheme."""
        yield from regression_items(size)
        yield from effort_items(size)

    def work(self, item: Item) -> Mapping[str, Any]:
        """Do one item."""
        return _WORK[item.part](**item.settings)

    def conclude(self, size: Size, done: Finished) -> Findings:
        """Answer the paper's three questions, and look for its two optima."""
        return conclude(size, done)


_WORK: dict[str, Callable[..., Mapping[str, Any]]] = {
    "curve": run_curve,
    "original": run_original,
    "effort": run_effort,
}
