"""What lies in the folder of a study: tables, figures, results.json and the page."""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shoal._words import plain
from shoal.exceptions import OutputError
from shoal.studies._base import Size, Study
from shoal.studies._drawing import drawn_files
from shoal.studies._findings import Findings, ResultTable
from shoal.studies._page import RunCost, render_page
from shoal.studies._store import STORE


def prepare_folder(folder: Path) -> Path:
    """Make the folder; refuse one that holds something else than a study."""
    target = Path(os.path.abspath(folder))
    if target.is_dir() and any(target.iterdir()) and not (target / STORE).is_file():
        raise OutputError(
            f"The folder {target.name!r} holds something else than a study.",
            hint="Name a new folder, or one in which the study was begun.",
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"The folder {target.name!r} could not be made.") from error
    return target


def write_findings(
    folder: Path, study: Study, size: Size, findings: Findings, effort: RunCost
) -> None:
    """Write everything anew, each file whole or not at all; the page last."""
    pictures: dict[str, str] = {}
    try:
        for table in findings.tables:
            _write(folder / "tables" / f"{table.name}.csv", table_csv(table).encode())
            _write(folder / "tables" / f"{table.name}.json", _json(list(table.records)))
        for picture in findings.pictures:
            svg, png = drawn_files(picture)
            pictures[picture.name] = svg
            _write(folder / "figures" / f"{picture.name}.svg", svg.encode())
            _write(folder / "figures" / f"{picture.name}.png", png)
        facts = results_of(study, size, findings, effort)
        _write(folder / "results.json", _json(facts))
        page = render_page(study, size, findings, pictures, effort)
        _write(folder / "index.html", page.encode())
    except OSError as error:
        raise OutputError(f"The results of {study.name!r} could not be written.") from error


def results_of(study: Study, size: Size, findings: Findings, effort: RunCost) -> dict[str, Any]:
    """All that documents may quote, as plain JSON values."""
    return {
        "study": study.name,
        "citation": study.citation,
        "size": size,
        "items": effort.items,
        "planned": effort.planned,
        "cpu_seconds": round(effort.cpu_seconds, 1),
        "summary": findings.summary,
        "numbers": findings.numbers,
        "claims": [asdict(claim) for claim in findings.claims],
        "unknown": list(findings.unknown),
        "tables": [table.name for table in findings.tables],
        "figures": [picture.name for picture in findings.pictures],
    }


def table_csv(table: ResultTable) -> str:
    """Write a table as CSV.

    >>> table_csv(ResultTable("t", "T", [{"k": 5, "f1": 0.8}, {"k": 10}]))
    'k,f1\\n5,0.8\\n10,\\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, table.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows([_short(record) for record in table.records])
    return text.getvalue()


def _short(record: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: f"{value:.6g}" if isinstance(value, float) else value
        for name, value in record.items()
    }


def _json(value: Any) -> bytes:
    return (json.dumps(plain(value), indent=1, ensure_ascii=False) + "\n").encode()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(partial).chmod(0o644)
        Path(partial).replace(path)
    finally:
        Path(partial).unlink(missing_ok=True)
