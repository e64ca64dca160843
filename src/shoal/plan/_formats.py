"""Formats of a proposal: how dirty columns could be read, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.table import Guess, Suggestion, Table, read_again, suggest_formats


def missing_fields(missing: Sequence[str] | Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Turn what `read_table` takes into the two fields of a plan.

    >>> missing_fields({"age": ["unknown"]})
    {'missing': ('',), 'missing_in': {'age': ('unknown',)}}
    """
    lists = missing if isinstance(missing, Mapping) else {"*": missing}
    columns = {name: tuple(texts) for name, texts in lists.items() if name != "*"}
    return {"missing": tuple(lists.get("*", ("",))), "missing_in": columns}


def amounts_of_money(
    roles: Mapping[str, Guess], formats: Mapping[str, Suggestion]
) -> dict[str, Guess]:
    """Protect what was written with a sign of money, which is gone once it is read as a number."""
    why = Guess("sensitive", "Its values are amounts of money.")
    plain = ("other", "quasi_identifier")
    return {n: why for n, better in formats.items() if better.money and roles[n].choice in plain}


def without_dropped(
    reading: Mapping[str, Any], formats: Mapping[str, Suggestion], dropped: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Suggestion]]:
    """Leave out how to read what is not published: nobody need care how it is spelled."""
    idle = {name for name in dropped if name in formats}
    settings = {
        key: {name: how for name, how in part.items() if name not in idle}
        if key in ("missing_in", "clean", "formats", "kinds")
        else part
        for key, part in reading.items()
    }
    return settings, {name: found for name, found in formats.items() if name not in idle}


def read_better(
    table: Table, reading: Mapping[str, Any]
) -> tuple[Table, dict[str, Any], dict[str, Suggestion]]:
    """Read a table as its cells suggest; what was said already stays as it was said.

    Returns the table, the settings of a plan that reads it alike, and a suggestion per column.
    """
    said = {*reading["kinds"], *reading.get("missing_in", {}), *reading.get("formats", {})}
    found = {
        name: better
        for name, better in suggest_formats(table.cells, table.kinds).items()
        if name not in said
    }
    if not found:
        return table, dict(reading), {}
    added: dict[str, dict[str, Any]] = {
        "missing_in": {name: better.missing for name, better in found.items() if better.missing},
        "clean": {name: better.clean for name, better in found.items() if better.clean},
        "formats": {name: dict(better.format) for name, better in found.items() if better.format},
        "kinds": {name: better.kind for name, better in found.items() if better.kind},
    }
    settings = {key: {**part, **reading.get(key, {})} for key, part in added.items()}
    again = read_again(
        table,
        missing={"*": reading["missing"], **settings["missing_in"]},
        clean=settings["clean"],
        formats=settings["formats"],
        kinds=settings["kinds"],
    )
    return again, {**reading, **settings}, found
