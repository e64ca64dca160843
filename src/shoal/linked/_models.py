"""Models of sensitive columns inside crowds: whoever finds a row's cell sees these values there.

A cell is what one row tells of a person, joined with the facts of the person. l, t and the other
models are asked of every cell of a table, people counted, as k is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shoal._progress import SILENT, Progress
from shoal.grouping import cut_within, group_boxes
from shoal.linked._plan import LinkedPlan
from shoal.privacy import PrivacyModel, build_sensitive
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, FloatArray, IntArray


def models_of(plan: LinkedPlan, name: str, table: Table) -> tuple[PrivacyModel, ...]:
    """The models that a table's plan asks for, raised to the floors of the preset."""
    asked: Mapping[str, Any] = plan.tables[name].asked
    if not table.roles.sensitive and not any(v is not None for v in asked.values()):
        return ()
    made = tuple(build_sensitive(table, k=plan.k, preset=plan.preset, **asked))
    for model in made:
        model.check_possible(table)
    return made


def cut_rows(
    spaces: WeightedSpaces,
    table: Table,
    crowds: IntArray,
    people: IntArray,
    k: int,
    models: Sequence[PrivacyModel],
    progress: Progress = SILENT,
) -> Grouping:
    """Cut the rows of every crowd into cells of k people that satisfy all models.

    Cells of more and more people are tried, up to one for the whole crowd. Each crowd keeps those
    that lose least, a cell in which some model fails being left out.
    """
    fine = cut_within(spaces, crowds, people, k, progress)
    if not models or not fine.n_groups:
        return fine
    labels, lost = np.full(crowds.size, -1, dtype=np.int64), np.full(crowds.max() + 1, np.inf)
    members = np.bincount(_homes(crowds, people)).max()
    least, start = k, 0
    while True:
        whole = least >= members
        how = (WeightedSpaces((), np.zeros(0)), k) if whole else (spaces, least)
        tried = cut_within(how[0], crowds, people, how[1], progress)
        cells = without_failing(table, tried, models)
        costs = np.bincount(crowds, weights=_row_losses(spaces, cells), minlength=lost.size)
        better = (costs < lost)[crowds]
        labels[better] = np.where(cells.labels >= 0, cells.labels + start, -1)[better]
        lost = np.minimum(lost, costs)
        if whole:
            return without_failing(table, packed(labels), models)
        least, start = 2 * least, start + tried.n_groups


def without_failing(table: Table, cells: Grouping, models: Sequence[PrivacyModel]) -> Grouping:
    """Leave cells out until all that are left satisfy every model."""
    while models and cells.n_groups:
        holds: BoolArray = np.ones(cells.n_groups, dtype=np.bool_)
        for model in models:
            holds &= model.accepts(model.measure(table, cells))
        if holds.all():
            return cells
        cells = packed(np.where((cells.labels >= 0) & holds[cells.labels], cells.labels, -1))
    return cells


def packed(labels: IntArray) -> Grouping:
    """Number groups without gaps; rows left out stay so."""
    used, places = np.unique(labels, return_inverse=True)
    return Grouping(places.reshape(-1) - int(used.size > 0 and used[0] < 0))


def _homes(crowds: IntArray, people: IntArray) -> IntArray:
    """The crowd of each person who has rows."""
    _, first = np.unique(people, return_index=True)
    homes: IntArray = crowds[first]
    return homes


def _row_losses(spaces: WeightedSpaces, cells: Grouping) -> FloatArray:
    """What each row loses in its cell; one that is left out loses everything."""
    lost = np.ones(cells.n_rows)
    kept = cells.labels >= 0
    if spaces.spaces and kept.any():
        lo, hi = group_boxes(spaces.codes, cells)
        lost[kept] = spaces.loss_by_attribute(lo, hi).mean(axis=1)[cells.labels[kept]]
    elif kept.any():
        lost[kept] = 0.0
    return lost
