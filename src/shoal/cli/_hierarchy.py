"""``shoal hierarchy``: a first ladder for a column, and whether one holds its values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal._words import plural
from shoal.cli import _options as option
from shoal.cli._bar import working
from shoal.cli._output import HOLDS, REFUSED, print_json, print_lines
from shoal.cli._typed import missing_of, names
from shoal.exceptions import InvalidParameterError, UnknownColumnError

if TYPE_CHECKING:
    from shoal.hierarchies import HierarchyCheck, Scaffold
    from shoal.table import Table

hierarchy = typer.Typer(
    name="hierarchy",
    help="Propose a hierarchy for a column, or check one against its values.",
)
Data = Annotated[Path, typer.Argument(metavar="FILE", help="The table: CSV, Parquet or Arrow.")]
OfColumn = Annotated[str, typer.Argument(metavar="COLUMN", help="The column.")]
By = Annotated[
    str | None,
    typer.Option(
        metavar="spelling|similarity|icd10|...",
        help="How values are joined; else a ready ladder that fits, similarity, or spelling.",
    ),
]
Above = Annotated[
    list[str] | None,
    typer.Option(metavar="a,b", help="Columns that hold the steps above, finest first."),
]
LadderOutput = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Else hierarchies/COLUMN.csv beside it."),
]
Checked = Annotated[
    str | None,
    typer.Option("--hierarchy", metavar="H", help="A word such as mask or icd10, or a file."),
]
PrivateList = Annotated[
    Path | None,
    typer.Option("--uncovered", metavar="FILE", help="Where to list what is not covered."),
]


@hierarchy.command()
def scaffold(
    data: Data,
    column: OfColumn,
    by: By = None,
    above: Above = None,
    quasi: option.Quasi = None,
    output: LadderOutput = None,
    force: option.Force = False,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    as_json: option.Json = False,
) -> None:
    """Write a first ladder of a column's values, to be bettered by hand.

    Values are joined by a public system, by what their people have in common (in the columns of
    --quasi), by spelling, or by other columns (--above county,state). What fits nowhere stands
    under 'other' and is listed in a private file beside the ladder.
    """
    options = dict(locals())
    with working() as bar:
        bar.phase("reading")
        table = _read(options)
        from shoal.hierarchies import scaffold as propose

        bar.phase("joining values")
        made = propose(table, column, by=by, above=names(above, "--above"))
        target = output or data.parent / "hierarchies" / f"{_file_name(column)}.csv"
        listed = made.write(target, force=force)
    if as_json:
        print_json(_facts(made, target, listed))
    else:
        print_lines(_told(made, data, column, target, listed))


@hierarchy.command()
def check(
    data: Data,
    column: OfColumn,
    hierarchy: Checked = None,
    uncovered: PrivateList = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    as_json: option.Json = False,
) -> None:
    """Hold a hierarchy against the values of a column: levels, gaps, and labels with two parents.

    Values that it lacks are listed in a private file, never here. Exits 1 if there are any.
    """
    options = dict(locals())
    with working() as bar:
        if hierarchy is None:
            raise InvalidParameterError("Which hierarchy?", hint="--hierarchy icd10, or a file.")
        bar.phase("reading")
        table = _read(options)
        if column not in table.column_names:
            raise UnknownColumnError.among(column, table.column_names)
        from shoal.hierarchies import check_hierarchy
        from shoal.plan import named_hierarchy

        bar.phase("checking")
        found = check_hierarchy(named_hierarchy(hierarchy), table.column(column).labels)
        listed = _list_gaps(found, uncovered or Path(f"{_file_name(column)}.uncovered.txt"))
    if as_json:
        print_json({**_counts(found), "holds": found.holds, "uncovered_file": listed})
    else:
        print_lines(_verdict(found, column, listed))
    raise typer.Exit(HOLDS if found.holds else REFUSED)


def _read(options: dict[str, Any]) -> Table:
    """Read the table; columns that describe people are those named, or those that look so."""
    from shoal.table import Roles, infer_roles, read_table

    how = {"delimiter": options["delimiter"], "encoding": options["encoding"]}
    table = read_table(options["data"], missing=missing_of(options["missing"]), **how)
    quasi = names(options.get("quasi"), "--quasi")
    if "quasi" in options and not quasi:
        guessed = infer_roles(table).items()
        quasi = tuple(name for name, guess in guessed if guess.choice == "quasi_identifier")
    return table.with_roles(Roles(quasi_identifiers=quasi))


def _file_name(column: str) -> str:
    if Path(column).name != column or column in ("", ".", ".."):
        raise InvalidParameterError(
            "No file can be named after this column.", hint="Name one with -o, or --uncovered."
        )
    return column


def _facts(made: Scaffold, target: Path, listed: Path | None) -> dict[str, Any]:
    return {
        "hierarchy": str(target),
        "by": made.by,
        "values": len(made.rows),
        "steps": len(made.rows[0]) - 1 if made.rows else 0,
        "uncovered": len(made.uncovered),
        "uncovered_file": None if listed is None else str(listed),
    }


def _told(
    made: Scaffold, data: Path, column: str, target: Path, listed: Path | None
) -> Iterator[str]:
    facts = _facts(made, target, listed)
    values, steps = plural(facts["values"], "value"), plural(facts["steps"], "step")
    yield f"{values} of {column!r} joined by {made.by}, in {steps}: {target}"
    if listed is not None:
        why = (
            "have several parents"
            if made.by == "columns"
            else "fit nowhere and stand under 'other'"
        )
        yield f"{facts['uncovered']:,} of them {why}; {listed} lists them. Keep both files private."
    yield "Better it by hand, then"
    yield f"  shoal hierarchy check {data} {column} --hierarchy {target}"


def _list_gaps(found: HierarchyCheck, path: Path) -> str | None:
    from shoal.hierarchies import write_private

    if not found.uncovered or found.torn:
        return None
    write_private(path, "".join(f"{value}\n" for value in found.uncovered), force=True)
    return str(path)


def _counts(found: HierarchyCheck) -> dict[str, Any]:
    return {
        "values": found.values,
        "uncovered": len(found.uncovered),
        "levels": list(found.levels),
        "two_parents": [step._asdict() for step in found.torn],
    }


def _verdict(found: HierarchyCheck, column: str, listed: str | None) -> Iterator[str]:
    for step in found.torn:
        labels = plural(step.labels, "label" if step.level else "value")
        where = f" of level {step.level}" if step.level else ""
        yield f"{labels}{where} with two parents; {plural(step.values, 'value')} affected."
    if found.torn:
        from shoal.hierarchies import ONE_PARENT

        yield ONE_PARENT
        return
    covered = found.values - len(found.uncovered)
    yield f"{covered:,} of {plural(found.values, 'value')} of {column!r} are covered."
    for level, joining in enumerate(found.levels, start=1):
        verb = "joins" if joining == 1 else "join"
        yield f"  level {level}: {plural(joining, 'label')} that {verb} some of them"
    if listed is not None:
        yield f"The {len(found.uncovered):,} others are listed in {listed}: keep it private."
