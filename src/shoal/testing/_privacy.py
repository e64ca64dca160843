"""What every privacy model must do, whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass

import numpy as np
from numpy.random import Generator

from shoal.exceptions import EmptyTableError, ImpossibleError, InputError
from shoal.privacy import Constraint, PrivacyModel
from shoal.recoding import Generalize
from shoal.table import Grouping, Roles, Table, read_table
from shoal.testing._expect import expect
from shoal.testing._recoder import random_grouping
from shoal.testing._tables import SENSITIVE, random_table, with_frame
from shoal.typing import FloatArray, IntArray

MakeModel = Callable[[Table], PrivacyModel]


def check_privacy_model(make_model: MakeModel, *, tables: int = 30, seed: int = 0) -> None:
    """Let a model judge random released tables, and check every promise that models make.

    Parameters
    ----------
    make_model : callable
        Makes the model for a table. Its sensitive columns are ``illness`` (text) and ``salary``
        (numbers); a model of a population may take the table itself for one.
    tables : int
        How many random tables to try.
    seed : int
        Which tables.

    Raises
    ------
    AssertionError
        With a sentence that says which promise is broken.

    Examples
    --------
    >>> from shoal.privacy import DistinctLDiversity
    >>> check_privacy_model(lambda table: DistinctLDiversity(2, "illness"), tables=3)
    """
    for number in range(tables):
        rng = np.random.default_rng((seed, number))
        table, grouping = _released(rng)
        model = make_model(table)
        _check_value(model, make_model(table))
        measured = model.measure(table, grouping)
        _check_verdict(model, table, grouping, measured)
        _check_order(make_model, rng, table, grouping, measured)
        _check_constraint(model, table)
        _check_possible(model, table)
        if model.monotone:
            _check_merging(model, rng, table, grouping)


def _released(rng: Generator) -> tuple[Table, Grouping]:
    """A random table as it would be released, and the groups that read the same in it."""
    original = random_table(rng, n_rows=int(rng.integers(2, 40)), n_quasi=2, missing=0.1)
    groups = random_grouping(rng, original.n_rows, suppressed=0.0)
    recoded = Generalize().recode(original, groups)
    frame = recoded.release_frame(original)
    kinds = {name: original.kinds[name] for name in frame.columns}
    quasi = original.roles.quasi_identifiers
    kinds.update(dict.fromkeys(quasi, "nominal"))
    roles = Roles(quasi_identifiers=quasi, sensitive=original.roles.sensitive)
    return read_table(frame, roles=roles, kinds=kinds), recoded.grouping


def _check_value(model: PrivacyModel, twin: PrivacyModel) -> None:
    """A model is a frozen value that can tell what it is."""
    expect(is_dataclass(model), "A privacy model is a dataclass.")
    name = fields(model)[0].name  # type: ignore[arg-type]
    try:
        setattr(model, name, getattr(model, name))
    except (FrozenInstanceError, AttributeError, TypeError):
        pass
    else:
        raise AssertionError("A privacy model can be changed after its birth.")
    expect(str(model) and "\n" not in str(model), "A model prints itself in one line.")
    expect(str(model) == str(twin), "Two models of the same parameters print differently.")
    expect(model.citation and model.statistic, "A model knows its citation and what it measures.")


def _check_verdict(
    model: PrivacyModel, table: Table, grouping: Grouping, measured: IntArray | FloatArray
) -> None:
    accepted = model.accepts(measured)
    expect(measured.shape == (grouping.n_groups,), "A model measures one number for each group.")
    expect(not np.isnan(measured.astype(float)).any(), "A group measures not-a-number.")
    expect(accepted.dtype == np.bool_, "A model accepts or refuses each group.")
    verdict = model.judge(table, grouping)
    expect(accepted.all() or not verdict.holds, "A verdict holds though a group is refused.")
    told = str(verdict) + repr(model)
    leaks = [label for label in table.column(SENSITIVE).labels if len(label) > 4 and label in told]
    expect(not leaks, "A verdict or a model shows a sensitive value.")
    result = json.loads(verdict.to_json())
    expect(result["holds"] == verdict.holds, "The JSON of a verdict says something else.")
    nobody = Grouping(np.full(table.n_rows, -1))
    try:
        model.judge(table, nobody)
    except EmptyTableError:
        return
    raise AssertionError("A model judges a release of nobody.")


def _check_order(
    make_model: MakeModel,
    rng: Generator,
    table: Table,
    grouping: Grouping,
    measured: IntArray | FloatArray,
) -> None:
    """Neither the order of rows nor the numbers of groups mean anything."""
    order, number = rng.permutation(table.n_rows), rng.permutation(grouping.n_groups)
    moved = with_frame(table, table.frame[order])
    again = make_model(moved).measure(moved, Grouping(number[grouping.labels[order]]))
    same = np.array_equal(again[number], measured)
    expect(same, "The measure of a group depends on the order of rows or groups.")


def _check_merging(model: PrivacyModel, rng: Generator, table: Table, grouping: Grouping) -> None:
    """Groups that pass still pass once merged, if the model says so."""
    if grouping.n_groups < 2:
        return
    one, other = sorted(rng.choice(grouping.n_groups, size=2, replace=False).tolist())
    labels = grouping.labels.copy()
    labels[labels == other] = one
    labels[labels > other] -= 1
    try:
        merged = model.accepts(model.measure(table, Grouping(labels)))[one]
    except InputError:  # a population can only be compared with groups that read alike
        return
    passed = model.accepts(model.measure(table, grouping))[[one, other]]
    expect(merged or not passed.all(), "Two groups that pass fail once they are merged.")


def _check_constraint(model: PrivacyModel, table: Table) -> None:
    constraint = model.constraint(table)
    if constraint is None:
        return
    expect(isinstance(constraint, Constraint), "A constraint is plain data for kernels.")
    codes = np.asarray(constraint.codes)
    expect(codes.shape == (table.n_rows,), "A constraint has one code for each row.")
    inside = codes.min() >= 0 and codes.max() < constraint.n_codes
    expect(inside, "A code of the constraint is out of range.")
    expect(len(constraint.reference) == constraint.n_codes, "A constraint has a share per code.")
    expect(abs(float(np.sum(constraint.reference)) - 1) < 1e-9, "The shares do not sum to one.")


def _check_possible(model: PrivacyModel, table: Table) -> None:
    """What a model calls impossible does not hold for all rows together."""
    try:
        model.check_possible(table)
    except ImpossibleError:
        everybody = Grouping(np.zeros(table.n_rows, dtype=np.int64))
        holds = model.judge(table, everybody).holds
        expect(not holds, "A model calls impossible what one group of all rows satisfies.")
