"""``shoal init``: looks at a table and proposes a plan for a human to better."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal._words import listing, plural
from shoal.cli import _options as option
from shoal.cli._bar import working
from shoal.cli._output import columns_of, print_json, print_lines
from shoal.cli._typed import asked_of, missing_of, pairs, source_fields
from shoal.exceptions import InvalidParameterError, OutputError

if TYPE_CHECKING:
    from shoal.plan import Proposal
    from shoal.table import Table

WIDEST = 40  # letters of a name in a table
FEW = 3  # columns of which a thing is said one by one
PlanOutput = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write the plan.")
]


def init(
    data: option.DataArgument = None,
    output: PlanOutput = Path("plan.toml"),
    force: option.Force = False,
    kind: option.Kinds = None,
    table: option.SourceTable = None,
    query: option.Query = None,
    sheet: option.Sheet = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    as_json: option.Json = False,
) -> None:
    """Look at a table and propose a plan for it.

    Writes kinds, roles and hierarchies to plan.toml, with the reason for each guess as a comment:
    read it, change it, run it with 'shoal anonymize --plan plan.toml -o release/'.
    """
    options = dict(locals())  # before anything else is named here
    with working() as bar:
        if data is None:
            raise InvalidParameterError("Which table?", hint="shoal init patients.csv")
        _refuse_existing(output, force=force)
        bar.phase("reading")
        read, reading = _read(data, options)
        from shoal.plan import propose_plan

        bar.phase("looking")
        proposal = propose_plan(read, reading)
        bar.phase("writing")
        proposal.plan.write(output, comments=proposal.comments(output))
    if as_json:
        print_json(proposal.facts(output))
    else:
        print_lines(_lines(proposal, output))


def _refuse_existing(output: Path, *, force: bool) -> None:
    if output.is_dir():
        raise OutputError(f"{output.name!r} is a folder, not a file.", hint="Name a file.")
    if output.exists() and not force:
        raise OutputError(
            f"There is a plan {output.name!r} already.",
            hint="Name another file with -o, or replace it with --force.",
        )
    if not output.absolute().parent.is_dir():
        raise OutputError(f"The folder that should hold {output.name!r} does not exist.")


def _read(data: str, options: dict[str, Any]) -> tuple[Table, dict[str, Any]]:
    """Read the table; return it with the settings of a plan that reads it alike."""
    from shoal.table import read_table

    kinds = pairs(options["kind"], "--kind")
    missing = missing_of(options["missing"])
    how = {"delimiter": options["delimiter"], "encoding": options["encoding"]}
    table = read_table(data, kinds=kinds, missing=missing, **how, **asked_of(options))  # type: ignore[arg-type]
    fields = {"missing": missing.pop("*"), "missing_in": missing}
    return table, {**source_fields(options), "kinds": kinds, **how, **fields}


def _lines(proposal: Proposal, output: Path) -> list[str]:
    table = proposal.table
    rows = [(cut(p.name), p.role, p.kind, p.hierarchy or "") for p in proposal.columns]
    plain = [part.name for part in proposal.columns if part.role == "other"]
    return [
        f"{plural(table.n_rows, 'row')}, {plural(len(rows), 'column')}.",
        "",
        *columns_of([("COLUMN", "ROLE", "KIND", "HIERARCHY"), *rows]),
        "",
        *(f"Note: {note}" for note in proposal.notes),
        *_proposed(proposal.formats),
        *(f"Note: {warning}" for warning in table.warnings),
        *(
            [f"Note: Published as they are, unless given a role: {listing(plain)}."]
            if plain
            else []
        ),
        f"These are guesses. The reason for each stands in {output}: read it, change it, then",
        f"  shoal anonymize --plan {output} -o release/",
        "With --draft it is only tried: drafts are stamped, and count in no ledger.",
    ]


def cut(name: str) -> str:
    """Cut a name that is a whole question, so that what stands beside it stays in sight.

    >>> cut("age"), len(cut("Have you ever been told by a doctor that you are ill?"))
    ('age', 40)
    """
    return name if len(name) <= WIDEST else f"{name[: WIDEST - 1]}…"


def _proposed(formats: Mapping[str, str]) -> Iterator[str]:
    """Say how columns could be read; what differs in a number only is said once for all."""
    alike: dict[str, dict[str, str]] = {}
    for name, reason in formats.items():
        shape = re.sub(r"\bcell\b", "cells", re.sub(r"\d[\d,]*", "#", reason))
        alike.setdefault(shape, {})[name] = reason
    for shape, reasons in alike.items():
        if len(reasons) < FEW:
            yield from (f"Proposed for {name!r}: {reason}" for name, reason in reasons.items())
            continue
        names = listing([repr(name) for name in reasons])
        yield f"Proposed for {len(reasons):,} columns, {names}: {_merged(shape, reasons.values())}"


def _merged(shape: str, reasons: Iterable[str]) -> str:
    """Write from where to where each number of some sentences goes, in the place of its #.

    >>> _merged("It has # odd cells.", ["It has 2 odd cells.", "It has 1,200 odd cells."])
    'It has 2 to 1,200 odd cells.'
    """
    found = [[int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", said)] for said in reasons]
    for numbers in zip(*found, strict=True):
        shape = shape.replace("#", _range(min(numbers), max(numbers)), 1)
    shape = re.sub(r"(?<!to )\b1 cells\b", "1 cell", shape)
    return re.sub(r"^Its (cells|values)\b", r"Their \1", shape)


def _range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
