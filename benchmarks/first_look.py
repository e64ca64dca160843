"""A first look at tables that no rule was mended on: added to the results on roles, never replaced.

``python benchmarks/first_look.py "rules as they were" L1 L2`` proposes roles for the tables of two
parts, which lie in the folder that SHOAL_PUBLIC_TABLES names, with the Shoal that is imported.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import roles
import shoal
from roles_stewards import TwiceLabeled, stewards_tables

KEPT = ("tables", "columns", "met", "met_first", "by_table", "leaked", "misjudged")


def main(rules: str, *parts: str) -> None:
    """Count what is met in each part, where the stewards agree and against each of them."""
    on_file = json.loads(roles.RESULT.read_text("utf-8"))
    for part in parts:
        tables = [table for table in stewards_tables() if table.part == part]
        found = {"part": part, "rules": rules, **_look(tables)}
        on_file["results"]["first_look"]["apart"].append(found)
        print(part, found["columns"], found["met"], found["leaked"])
    roles.RESULT.write_text(json.dumps(on_file, indent=2) + "\n", "utf-8")


def _look(tables: list[TwiceLabeled]) -> dict[str, Any]:
    drawn = [(Path(t.fetched).stem, roles._path(t), t) for t in tables]
    found = roles._counted((name, path, t.agreed) for name, path, t in drawn)
    first = roles._counted((name, path, t.first.role_of) for name, path, t in drawn)
    second = roles._counted((name, path, t.second.role_of) for name, path, t in drawn)
    return {
        **_kept(found),
        "against_first": _kept(first, KEPT[:-1]),
        "against_second": _kept(second, KEPT[:-1]),
        "ceiling": {
            "first_by_second": _ceiling(tables, "first", "second"),
            "second_by_first": _ceiling(tables, "second", "first"),
        },
    }


def _kept(found: dict[str, Any], names: tuple[str, ...] = KEPT) -> dict[str, Any]:
    return {name: found[name] for name in names}


def _ceiling(tables: list[TwiceLabeled], who: str, judge: str) -> dict[str, Any]:
    """What one steward meets of the roles of the other."""
    columns, met = dict.fromkeys("IQSTH", 0), dict.fromkeys("IQSTH", 0)
    published = 0
    for given, asked in _both(tables, who, judge):
        columns[asked[0]] += 1
        met[asked[0]] += given[0] in asked
        published += asked[0] == "I" and given[0] in "SH"
    return {"columns": columns, "met": met, "identifiers_published": published}


def _both(tables: list[TwiceLabeled], who: str, judge: str) -> Iterator[tuple[str, str]]:
    for table in tables:
        for name in shoal.read_table(roles._path(table)).column_names:
            yield getattr(table, who).role_of(name), getattr(table, judge).role_of(name)


if __name__ == "__main__":
    main(*sys.argv[1:])
