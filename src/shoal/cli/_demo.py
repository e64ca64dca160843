"""``shoal demo``: the whole story on a table that is nobody's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import Bar, Spans, helping, working
from shoal.cli._output import columns_of, print_json, print_lines
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    import polars as pl

    from shoal.cli._result import Result
    from shoal.privacy import PrivacyMeasures
    from shoal.release import Release
    from shoal.table import Table

FOLDER = Path("demo-release")
K, L = 10, 3
SHOWN = ("name", "age", "sex", "zip", "occupation", "diagnosis")
FEW = 4
LEFT_OUT = ("admitted", "visits")  # a day and a count: with the crowds they find nearly everybody
FEWEST = 100

Rows = Annotated[
    int, typer.Option(metavar="N", parser=option.whole, help="How many people to make up.")
]
DemoOutput = Annotated[
    Path, typer.Option("-o", "--output", metavar="DIR", help="A folder for the release.")
]


def demo(
    output: DemoOutput = FOLDER,
    rows: Rows = 5_000,
    force: option.Force = False,
    as_json: option.Json = False,
) -> None:
    """Tell the whole story on a made-up table.

    Makes up a hospital's patients, shows how many are alone, anonymizes them, checks the result
    and writes a release with its report, in under a minute.
    """
    if rows < FEWEST:
        raise InvalidParameterError(f"--rows must be {FEWEST} or more, or there is no crowd.")
    with working() as bar, helping() as compiled:
        table, before, release, result = _story(output, rows, bar, compiled, force=force)
    if as_json:
        alone = before.sample_unique_fraction
        print_json({**result.facts(), "sample_unique_fraction_before": alone})
    else:
        print_lines(_lines(table, before, release, result))


def _story(
    folder: Path, rows: int, bar: Bar, compiled: Spans, *, force: bool
) -> tuple[Table, PrivacyMeasures, Release, Result]:
    began = perf_counter()
    from shoal.anonymizer import Anonymizer
    from shoal.cli._result import make_release
    from shoal.datasets import people
    from shoal.privacy import DistinctLDiversity, KAnonymity, measure_privacy
    from shoal.recoding import Generalize
    from shoal.release import check_folder

    check_folder(folder, force=force or folder == FOLDER)
    started = perf_counter()
    bar.phase("making up people")
    patients = people(rows)
    roles = replace(patients.roles, publish_as_is=(), drop=LEFT_OUT)
    table = patients.table().with_roles(roles)
    before = measure_privacy(table)
    seconds = {"starting": started - began, "reading": perf_counter() - started}
    anonymizer = Anonymizer(
        recoding=Generalize(patients.hierarchies),
        privacy=[KAnonymity(K), DistinctLDiversity(L, "diagnosis")],
    )
    how: dict[str, Any] = {"force": True, "ledger": "off", "compiled": compiled}
    result = make_release(anonymizer, table, folder, bar, seconds=seconds, **how)
    return table, before, anonymizer.release_, result


def _lines(table: Table, before: PrivacyMeasures, made: Release, result: Result) -> Iterator[str]:
    release = made.frame
    yield f"A hospital has a table of {table.n_rows:,} patients (made up; any likeness is chance):"
    yield ""
    yield from _rows(table.frame.head(FEW), SHOWN)
    yield ""
    yield f"Without names, {before.sample_unique_fraction:.0%} of them are still alone: no other"
    yield f"patient shares their {', '.join(table.roles.quasi_identifiers)}."
    yield "Whoever knows these facts finds the row, and with it the diagnosis."
    yield ""
    yield f"So {' and '.join(LEFT_OUT)}, which find nearly everybody, are left out, and everybody"
    yield f"hides among at least {K} patients with at least {L} diagnoses:"
    yield ""
    yield from _rows(_spread(release), [name for name in SHOWN if name in release.columns])
    yield ""
    yield from result.lines()
    yield ""
    yield "Check it yourself:"
    yield f"  shoal check {result.output}"
    yield "Then your own table:"
    yield "  shoal init patients.csv"


def _spread(frame: pl.DataFrame) -> pl.DataFrame:
    """Take a few rows from all over a frame."""
    return frame.gather_every(max(1, frame.height // FEW)).head(FEW)


def _rows(frame: pl.DataFrame, names: list[str] | tuple[str, ...]) -> list[str]:
    cells = [
        tuple("" if cell is None else str(cell) for cell in row)
        for row in frame.select(names).rows()
    ]
    return [f"  {line}" for line in columns_of([tuple(names), *cells])]
