"""The original code, reproduced: what it published, and what is wrong with it."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

import numpy as np
import pytest

from shoal.datasets import malle2017_file
from shoal.exceptions import InvalidParameterError
from shoal.spaces import build_spaces
from shoal.studies._census._people import (
    as_table,
    equal_weights,
    first_rows,
    people,
    quasi_identifiers,
)
from shoal.studies.malle2017._codes import REPAIRS
from shoal.studies.malle2017._legacy import AS_PRINTED, AS_SHIPPED, legacy_csv, legacy_groups
from shoal.table import Grouping
from shoal.utility import measure_loss

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.mark.parametrize(("target", "k"), [("income", 5), ("marital-status", 50),
                                           ("education-num", 200)])  # fmt: skip
def test_the_published_files_come_out_byte_for_byte(target, k):
    rows = first_rows(3_000)
    groups = legacy_groups(rows, target, equal_weights(target), k)
    published = malle2017_file(f"anonymized_equal/adults_{target}_equal_{k}.csv")
    assert legacy_csv(groups.published(rows, target)) == published


@pytest.mark.parametrize(
    ("code", "ngil"),  # as measured with the JavaScript, repaired step by step
    [("as shipped", 0.3199), ("minimum repaired", 0.3045), ("weights multiplied", 0.1495),
     ("one sum over all", 0.1391), ("as printed", 0.1391)],
)  # fmt: skip
def test_each_repair_lowers_the_loss(code, ngil):
    rows = first_rows(3_000)
    groups = legacy_groups(rows, "income", equal_weights("income"), 5, REPAIRS[code])
    spaces = build_spaces(as_table(rows, "income"), hierarchies=people().hierarchies)
    assert measure_loss(spaces, Grouping(groups.labels)).ngil == pytest.approx(ngil, abs=5e-5)


def test_weights_of_numbers_never_acted():
    rows, equal = first_rows(500), equal_weights("income")
    other = equal | {"age": 0.9, "hours-per-week": 0.0, "education-num": 0.05}
    shipped = [legacy_groups(rows, "income", w, 5, AS_SHIPPED).labels for w in (equal, other)]
    printed = [legacy_groups(rows, "income", w, 5, AS_PRINTED).labels for w in (equal, other)]
    assert np.array_equal(*shipped)
    assert not np.array_equal(*printed)


def test_intervals_leave_rows_outside_and_a_group_too_small():
    rows = first_rows(500)
    shipped, printed = (
        legacy_groups(rows, "income", equal_weights("income"), 7, defects)
        for defects in (AS_SHIPPED, AS_PRINTED)
    )
    assert np.bincount(shipped.labels).min() == 3
    assert np.bincount(printed.labels).min() == 7
    assert shipped.rows_outside(rows).size > 100
    assert printed.rows_outside(rows).size == 0


def test_the_input_is_the_published_one():
    lines = malle2017_file("original_data_5000_rows.csv").decode().splitlines()
    columns = lines[0].split(", ")
    ours = first_rows(5_000).select(columns)
    assert lines[1:] == [", ".join(map(str, row)) for row in ours.iter_rows()]
    assert len(quasi_identifiers("income")) == 10


def test_a_file_of_another_name_is_refused_with_its_neighbours():
    with pytest.raises(InvalidParameterError, match="no file of the experiment") as caught:
        malle2017_file("anonymized_equal/adults_income_equal_7.csv")
    assert "adults_income_equal_5.csv" in caught.value.hint


def test_files_that_are_packed_here_are_those_the_authors_wrote():
    """The checksum of what is unpacked is the one of the authors' file."""
    name = "anonymized_equal/adults_income_equal_200.csv"
    listed = files("shoal.datasets").joinpath("malle2017.sha256").read_text(encoding="utf-8")
    assert f"{sha256(malle2017_file(name)).hexdigest()}  {name}\n" in listed
