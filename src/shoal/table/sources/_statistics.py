"""SPSS, Stata and SAS files through pyreadstat: codes become their labels, and are remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.exceptions import InputError
from shoal.table._cells import as_text
from shoal.table._frames import read_frame
from shoal.table._read import existing
from shoal.table._reading import Origin, Reading
from shoal.table.sources._codebook import Codebook, Variable
from shoal.table.sources._sql import needing

EXACT = 2**53  # whole numbers up to here are doubles too


def read_statistics(path: Path, reader: str, what: str, **how: Any) -> Reading:
    """Read a file; its reader's messages are not shown, since they may quote what it found."""
    file = existing(path)
    with needing("files"):
        read: Callable[..., Any] = getattr(import_module("pyreadstat"), reader)
    try:
        frame, facts = read(str(file), output_format="polars", **how)
    except Exception:
        raise InputError(f"{file.name!r} is not {what}, or it is damaged.") from None
    variables = {name: _variable(name, frame.get_column(name), facts) for name in frame.columns}
    columns = [_shown(series, variables[series.name]) for series in frame]
    plain = read_frame(pl.DataFrame(columns)).frame
    return Reading(
        plain,
        orders=_orders(variables),
        missing=_missing(frame, variables),
        origin=Origin(codebook=Codebook(facts.file_label or "", variables)),
    )


def _variable(name: str, cells: pl.Series, facts: Any) -> Variable:
    values = _labels(facts.variable_value_labels.get(name) or {})
    return Variable(
        label=facts.column_names_to_labels.get(name) or "",
        values=values,
        labelled=_all_labelled(cells, values),
        missing=tuple(_ranges(facts.missing_ranges.get(name) or ())),
        form=facts.original_variable_types.get(name) or "",
        measure=_known(facts.variable_measure.get(name)),
    )


def _labels(given: Mapping[Any, str]) -> dict[float, str]:
    """Keep labels of numbers; a text explains itself."""
    return {float(c): t for c, t in given.items() if isinstance(c, (int, float))}


def _all_labelled(cells: pl.Series, values: Mapping[float, str]) -> bool:
    """Tell whether every code has a label of its own: only then nothing is lost by showing it."""
    if not values or not cells.dtype.is_numeric() or len({*values.values()}) < len(values):
        return False
    held = cells.drop_nulls().unique().cast(pl.Float64)
    return len(held) > 0 and bool(held.is_in([*values]).all())


def _ranges(given: Sequence[Any]) -> list[dict[str, float]]:
    return [
        {"lo": float(one["lo"]), "hi": float(one["hi"])}
        for one in given
        if isinstance(one.get("lo"), (int, float)) and isinstance(one.get("hi"), (int, float))
    ]


def _known(measure: str | None) -> str:
    return measure if measure in ("nominal", "ordinal", "scale") else ""


def _shown(cells: pl.Series, variable: Variable) -> pl.Series:
    """Show labels in place of codes; whole numbers are whole, and a text without a letter none."""
    if variable.labelled:
        texts = {code: variable.values[code] for code in variable.values}
        return cells.cast(pl.Float64).replace_strict(texts, default=None, return_dtype=pl.String)
    if cells.dtype.is_float():
        whole = ((cells == cells.floor()) & (cells.abs() <= EXACT)).all()
        return cells.cast(pl.Int64) if whole and cells.null_count() < len(cells) else cells
    if cells.dtype == pl.String:
        return cells.set((cells == "").fill_null(False), None)
    return cells


def _orders(variables: Mapping[str, Variable]) -> dict[str, tuple[str, ...]]:
    """Labels of ordinal columns are in the order of their codes; codes for missing have none."""
    orders = {}
    for name, variable in variables.items():
        codes = [code for code in sorted(variable.values) if not is_missing(code, variable)]
        if variable.labelled and variable.measure == "ordinal" and len(codes) > 1:
            orders[name] = tuple(variable.values[code] for code in codes)
    return orders


def _missing(frame: pl.DataFrame, variables: Mapping[str, Variable]) -> dict[str, tuple[str, ...]]:
    """Find the texts that mean missing: the codes of the file that do, as they are shown."""
    found = {}
    for name, variable in variables.items():
        if not variable.missing:
            continue
        held = frame.get_column(name).drop_nulls().unique()
        codes = held.filter([is_missing(code, variable) for code in held.to_list()])
        if len(codes):
            shown = as_text(_shown(codes, variable)).drop_nulls().to_list()
            found[name] = tuple(sorted(shown))
    return found


def is_missing(code: Any, variable: Variable) -> bool:
    """Tell whether a code means missing."""
    if not isinstance(code, (int, float)):
        return False
    return any(one["lo"] <= code <= one["hi"] for one in variable.missing)
