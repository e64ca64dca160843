"""A release that goes back into a database: what is typed for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.cli._typed import let_ask
from shoal.exceptions import InvalidParameterError

NOT_THERE = ("spreadsheet_safe", "format")


def papers_folder(options: Mapping[str, Any]) -> Path:
    """Find the folder for the papers: the one that was named, or one named after the table."""
    from shoal.release.targets import open_target

    output, into = options["output"], options["into"]
    if into is None or "://" not in str(output):
        raise InvalidParameterError(
            "--into and --papers go with the address of a database, and that with --into.",
            hint="-o postgresql://host/db --into release.patients_k10 --papers papers/",
        )
    for name in NOT_THERE:
        if options[name]:
            raise InvalidParameterError(f"--{name.replace('_', '-')} is for files, not for tables.")
    if options["engine"] != "local":
        raise InvalidParameterError(
            "Spark writes files, not tables of a database.", hint="Leave out --engine spark."
        )
    target = open_target(output, into)
    return Path(target.table if options["papers"] is None else options["papers"])


def check_database(options: Mapping[str, Any], folder: Path) -> None:
    """Refuse a table that cannot be written before anything is read."""
    from shoal.release.targets import check_target, open_target

    let_ask(options["output"])
    target = open_target(options["output"], options["into"])
    check_target(target, folder, force=options["force"])
