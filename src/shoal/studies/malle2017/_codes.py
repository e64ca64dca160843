"""What the original code does, defect by defect, beside Shoal's groupers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from shoal.datasets import malle2017_file
from shoal.grouping import Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.spaces import WeightedSpaces, build_spaces
from shoal.studies._base import Item, Size
from shoal.studies._census._people import (
    KS,
    PUBLISHED_ROWS,
    TARGETS,
    as_table,
    equal_weights,
    first_rows,
    people,
)
from shoal.studies.malle2017._legacy import (
    AS_PRINTED,
    AS_SHIPPED,
    Defects,
    LegacyGroups,
    legacy_csv,
    legacy_groups,
)
from shoal.table import Grouping
from shoal.utility import measure_loss

#: From the shipped code to the printed formula, one repair at a time.
REPAIRS = {
    "as shipped": AS_SHIPPED,
    "minimum repaired": Defects(minimum_kept=False),
    "weights multiplied": Defects(minimum_kept=False, weights_added=False),
    "one sum over all": Defects(minimum_kept=False, weights_added=False, blocks_averaged=False),
    "as printed": AS_PRINTED,
}
ORDERS = {  # today's groupers
    "Shoal, content order": SaNGreeA(order="content", refine=False),
    "Shoal, common order": SaNGreeA(order="common", refine=False),
    "Shoal's default": SaNGreeA(),
}
UNEVEN = (500, 7)  # rows and k of the experiment's last screen, where k does not divide the rows


def code_items(size: Size) -> Iterator[Item]:
    """List the groupings to compare: all outputs there are to reproduce, then the repairs."""
    targets, ks = (TARGETS[:1], KS[:1]) if size == "miniature" else (TARGETS, KS)
    for target in targets:
        for k in ks:
            yield _item("as shipped", target, k, PUBLISHED_ROWS)
    codes = ["as shipped", "as printed"] if size == "miniature" else [*REPAIRS, *ORDERS]
    for k in ks:
        yield from (_item(code, "income", k, PUBLISHED_ROWS) for code in codes[1:])
    yield _item("as shipped", "income", UNEVEN[1], UNEVEN[0])
    yield _item("as printed", "income", UNEVEN[1], UNEVEN[0])


def run_code(code: str, target: str, k: int, rows: int) -> Mapping[str, Any]:
    """Group the first rows with one of the codes, and say what came out."""
    frame = first_rows(rows)
    spaces = build_spaces(as_table(frame, target), hierarchies=people().hierarchies)
    if code in ORDERS:
        return _loss(spaces, _shoal_groups(code, frame, target, k))
    groups = legacy_groups(frame, target, equal_weights(target), k, REPAIRS[code])
    found = _loss(spaces, Grouping(groups.labels))
    found["rows_outside_their_interval"] = int(groups.rows_outside(frame).size)
    if code == "as shipped" and rows == PUBLISHED_ROWS:
        found["identical"] = _is_published(groups, frame, target, k)
    return found


def _item(code: str, target: str, k: int, rows: int) -> Item:
    return Item("code", {"code": code, "target": target, "k": k, "rows": rows})


def _shoal_groups(code: str, frame: pl.DataFrame, target: str, k: int) -> Grouping:
    table = as_table(frame, target)
    spaces = build_spaces(table, hierarchies=people().hierarchies)
    return ORDERS[code].fit(Problem(table, spaces, (KAnonymity(k),))).grouping_


def _loss(spaces: WeightedSpaces, grouping: Grouping) -> dict[str, Any]:
    loss = measure_loss(spaces, grouping)
    return {
        "ngil": loss.ngil,
        "groups": loss.groups,
        "smallest_group": int(np.min(grouping.sizes)),
    }


def _is_published(groups: LegacyGroups, frame: pl.DataFrame, target: str, k: int) -> bool:
    published = malle2017_file(f"anonymized_equal/adults_{target}_equal_{k}.csv")
    return legacy_csv(groups.published(frame, target)) == published
