"""The papers behind Shoal, re-run: what was claimed, what holds.

`run_study` runs a `Study` into a folder: tables (CSV, JSON), figures (SVG, PNG), ``results.json``
and a page to read. A run that was stopped, even by a kill, goes on where it was.

To add a study, make a folder here whose ``__init__`` says ``STUDY = MyStudy()``, a subclass of
`Study` with three methods:

- ``plan(size, done)`` lists `Item` objects, a name of a part and plain settings each;
- ``work(item)`` does one of them (seconds, in any process) and returns plain JSON values;
- ``conclude(size, done)`` returns `Findings`: each `ResultTable`, `Picture` and `PaperClaim`.

`new_figure` gives axes in the house style. The command line, the store, the processes, the files
and the page then come by themselves; ``tests/studies/test_all_studies.py`` runs the miniature of
every study there is.
"""

from __future__ import annotations

from shoal.studies._base import SIZES, Finished, Item, Size, Study
from shoal.studies._drawing import COLOURS, new_figure
from shoal.studies._findings import Findings, PaperClaim, Picture, ResultTable
from shoal.studies._runner import (
    StudyRun,
    find_study,
    finished_work,
    run_study,
    stopped,
    study_names,
)
from shoal.studies._verdicts import (
    ClaimDraft,
    ClaimPart,
    MeanEstimate,
    ShareEstimate,
    judge,
)

__all__ = [
    "COLOURS",
    "SIZES",
    "ClaimDraft",
    "ClaimPart",
    "Findings",
    "Finished",
    "Item",
    "MeanEstimate",
    "PaperClaim",
    "Picture",
    "ResultTable",
    "ShareEstimate",
    "Size",
    "Study",
    "StudyRun",
    "find_study",
    "finished_work",
    "judge",
    "new_figure",
    "run_study",
    "stopped",
    "study_names",
]
