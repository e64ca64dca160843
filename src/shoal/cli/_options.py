"""Options that commands share, each with its one line of help; and one for each privacy model.

Models are imported only when a command is parsed, so that ``shoal --help`` stays as quick as it is.
"""

from __future__ import annotations

from functools import cache
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from shoal.privacy import ModelSetting


Columns: TypeAlias = list[str] | None
Words: TypeAlias = list[str] | None


def whole(text: str) -> int:
    """Read a whole number; what it may be is checked where it is used."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number.") from None


def number(text: str) -> float:
    """Read a number."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number.") from None


def k_option(help: str) -> Any:
    """Make the option ``-k``, which means something else in each command."""
    return typer.Option("-k", metavar="N", parser=whole, help=help)


DataArgument = Annotated[
    str | None,
    typer.Argument(metavar="FILE|URL", help="The table: a file, a folder of parts, a database."),
]
SourceTable = Annotated[
    str | None, typer.Option("--table", metavar="NAME", help="Of a database: the table or view.")
]
Query = Annotated[
    str | None, typer.Option("--query", metavar="FILE.sql", help="Of a database: what to read.")
]
Sheet = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Of a workbook: a sheet, sheet!A1:F9, a range's name."),
]
Quasi = Annotated[
    Columns,
    typer.Option(metavar="a,b", help="Columns that others may know about a person."),
]
Sensitive = Annotated[
    Columns, typer.Option(metavar="a,b", help="Columns that nobody may learn about a person.")
]
Identifier = Annotated[
    Columns, typer.Option(metavar="a,b", help="Columns that name a person; they are dropped.")
]
Target = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column a model will predict.")
]
Person = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Tells people apart; people are counted, not rows."),
]
PublishAsIs = Annotated[
    Columns,
    typer.Option(metavar="a,b", help="Columns accepted by name to be published unchanged."),
]
Pseudonyms = Annotated[
    Words,
    typer.Option(
        "--pseudonym",
        metavar="id=release|project",
        help="Publish a column of names under others, that join in this release or in a project.",
    ),
]
Project = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Whose key makes pseudonyms ('shoal keys'); default."),
]
ShiftDates = Annotated[
    Columns,
    typer.Option(metavar="a,b", help="Dates to shift, all of a person by one secret amount."),
]
ShiftDays = Annotated[
    int | None,
    typer.Option(metavar="N", parser=whole, help="Farthest shift to either side; 182 days."),
]
ShiftKeeps = Annotated[
    str | None,
    typer.Option(metavar="weekday|season", help="What shifted dates keep; fewer shifts are left."),
]
Drop = Annotated[
    Columns, typer.Option(metavar="a,b", help="Columns to leave out, without another word.")
]
Hierarchies = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder of <column>.csv ladders and <column>.json trees."),
]
HierarchyWords = Annotated[
    Words,
    typer.Option(
        "--hierarchy",
        metavar="zip=mask,ill=icd10",
        help="Of single columns: a word (mask, calendar, icd10, countries, ...) or a file.",
    ),
]
Kinds = Annotated[
    Words,
    typer.Option(
        metavar="age=numeric,zip=code", help="numeric, ordinal, nominal, date or code; else found."
    ),
]
Delimiter = Annotated[str | None, typer.Option(metavar="CHAR", help="Of the CSV; else found.")]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="Of the CSV; else found.")]
Missing = Annotated[
    Words,
    typer.Option(
        metavar="TEXT|age=TEXT",
        help="Text that means no value, in all columns or in one; may be repeated.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Preset = Annotated[
    str | None,
    typer.Option(
        metavar="internal|partner|public", help="Floors for an audience; less is refused."
    ),
]
Weights = Annotated[
    Words,
    typer.Option(metavar="age=2,zip=0.5", help="How much each column matters; 1 if not given."),
]
Limits = Annotated[
    Words,
    typer.Option(metavar="age=10", help="Never publish wider than this, or higher in the tree."),
]
Grid = Annotated[
    Words, typer.Option(metavar="age=5", help="Let interval ends lie on multiples of this.")
]
Method = Annotated[
    str | None,
    typer.Option(metavar="auto|sangreea|mondrian|quantize", help="How groups are formed."),
]
Recoding = Annotated[
    str | None,
    typer.Option(metavar="ranges|centroid", help="What is published of a group."),
]
M = Annotated[
    int | None,
    typer.Option(
        "--m", metavar="N", parser=whole, help="quantize: so few rows are outliers; k if not given."
    ),
]
Radius = Annotated[
    Words,
    typer.Option(metavar="age=5,bmi=2", help="quantize: widest cluster; else found from the data."),
]
PushBack = Annotated[
    str | None,
    typer.Option(metavar="noise|centroid|member", help="quantize: what outliers become; noise."),
]
StirColumns = Annotated[
    Columns,
    typer.Option("--stir", metavar="all|none|a,b", help="quantize: what changes places; all."),
]
StirMode = Annotated[
    str | None,
    typer.Option(metavar="permute|redraw", help="quantize: values of members, or of the column."),
]
FlattenColumns = Annotated[
    Columns,
    typer.Option("--flatten", metavar="a,b", help="quantize: one value for each cluster."),
]
MaxDivergence = Annotated[
    float | None,
    typer.Option(metavar="X", parser=number, help="quantize: how far distances may change; 0.25."),
]
Order = Annotated[
    str | None,
    typer.Option(
        metavar="best-first|common|content|degree",
        help="Where groups of sangreea start; degree is of networks.",
    ),
]
Edges = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Who knows whom: two columns of names, or GraphML."),
]
Node = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Names people as the edges do; the first column."),
]
GraphAlpha = Annotated[  # where edges are typed, --alpha is this one (WithModels)
    float | None,
    typer.Option(
        metavar="X",
        parser=number,
        help="Network: how much attributes matter; 1. Beside --edges also --alpha.",
    ),
]
GraphBeta = Annotated[
    float | None,
    typer.Option(
        "--graph-beta",
        "--beta",
        metavar="X",
        parser=number,
        help="Network: how much edges matter; 1.",
    ),
]
Scale = Annotated[
    str | None,
    typer.Option(metavar="balance|people|edges", help="Network: what both are shares of."),
]
Refine = Annotated[
    bool | None,
    typer.Option(
        "--refine/--no-refine", help="Lower the loss afterwards; up to 2,000,000 rows if not given."
    ),
]
Loss = Annotated[
    str | None,
    typer.Option(metavar="height|leaves|people", help="What a label of a tree loses by its place."),
]
MaxSuppression = Annotated[
    float | None,
    typer.Option(metavar="X", parser=number, help="Largest share of rows that may be left out; 0."),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", parser=whole, help="quantize: repeatable, and not for publication."),
]
PlanFile = Annotated[
    Path | None, typer.Option("--plan", metavar="FILE", help="A plan, as 'shoal init' writes it.")
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="DIR", help="A new folder for the release.")
]
OutputOrDatabase = Annotated[
    str | None,
    typer.Option(
        "-o", "--output", metavar="DIR|URL", help="A new folder, or a database (with --into)."
    ),
]
Into = Annotated[
    str | None, typer.Option(metavar="TABLE", help="In the database of -o: the new table.")
]
Papers = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="With --into: for manifest, report and verifier."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace what an earlier run wrote there.")]
Format = Annotated[
    str | None,
    typer.Option(metavar="csv|parquet|xlsx|sav|...", help="Of the data; as the table came."),
]
Language = Annotated[
    str | None, typer.Option(metavar="en|de", help="What the report speaks; English.")
]
SpreadsheetSafe = Annotated[
    bool,
    typer.Option(
        "--spreadsheet-safe", help="Quote cells that a spreadsheet would run as formulas."
    ),
]
Provenance = Annotated[
    bool,
    typer.Option("--provenance", help="Add provenance.json with all settings: keep it private."),
]
Engine = Annotated[str, typer.Option(metavar="local|spark", help="Where it runs.")]
Master = Annotated[
    str | None, typer.Option(metavar="URL", help="Of the Spark cluster; local[2] is this machine.")
]
Routing = Annotated[
    str | None,
    typer.Option(metavar="network|mondrian|random", help="How Spark brings alike rows together."),
]
RowsPerFragment = Annotated[
    int | None,
    typer.Option(metavar="N", parser=whole, help="Most rows that one Spark task groups; 250000."),
]
BoundaryPass = Annotated[
    bool | None,
    typer.Option(
        "--boundary-pass/--no-boundary-pass", help="Group costly rows again across Spark's cuts."
    ),
]
LedgerMode = Annotated[
    str | None,
    typer.Option(
        metavar="refuse|warn|off",
        help="If earlier releases together with this one give too much away.",
    ),
]
Draft = Annotated[
    bool, typer.Option("--draft", help="To be looked at only: stamped, and not in the ledger.")
]
Effort = Annotated[
    str | None,
    typer.Option(
        metavar="quick|default|thorough",
        help="How long to search for groups that lose less: one pass, refined, or minutes.",
    ),
]
Steps = Annotated[
    int | None,
    typer.Option(min=0, help="Search so many steps; the same number gives the same release."),
]
Prove = Annotated[
    bool | None,
    typer.Option(
        "--prove/--no-prove",
        help="Prove how little any grouping must lose as well as possible; takes as long again.",
    ),
]
NoBound = Annotated[
    bool, typer.Option("--no-bound", help="Do not compute the least possible loss.")
]
HideChanges = Annotated[
    bool,
    typer.Option(
        "--hide-changes", help="Keep the last release's crowds, but those that somebody left."
    ),
]
Refound = Annotated[
    bool,
    typer.Option(
        "--refound", help="Make a release anew, less crowds that earlier ones would give away."
    ),
]
After = Annotated[
    Path | None,
    typer.Option(
        "--after",
        metavar="DIR",
        help="An earlier release of this table: keep its crowds, add to it.",
    ),
]


ASKED = "shoal.models"  # where a context keeps what was asked of sensitive columns


class WithModels(TyperCommand):
    """A command that has ``-k``, and after it an option for every registered privacy model."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters of the function and those of the models."""
        from shoal.privacy import MODELS

        own = super().get_params(ctx)
        at = 1 + [param.name for param in own].index("k")
        return [*own[:at], *_options(tuple(MODELS.all)), *own[at:]]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; what models take goes into the context, not into the function."""
        from shoal.privacy import MODELS

        rest = super().parse_args(ctx, args)
        known = MODELS.all.items()
        settings = {key: model.setting for key, model in known if model.setting is not None}
        typed = {key: ctx.params.pop(key, None) for key in settings}
        if ctx.params.get("edges") is not None and typed.get("alpha") is not None:
            ctx.params["graph_alpha"] = number(typed.pop("alpha"))  # of the network, as published
        ctx.meta[ASKED] = {
            key: settings[key].typed(text) for key, text in typed.items() if text is not None
        }
        return rest


@cache
def _options(keys: tuple[str, ...]) -> list[Any]:
    """Make the options as typer makes those of a function with such parameters.

    A parser asks for them several times; they change only when another model is registered.
    """
    from shoal.privacy import MODELS

    settings = {key: MODELS.all[key].setting for key in keys}
    kinds = {key: _annotation(setting) for key, setting in settings.items() if setting}

    def asked(**values: str | None) -> None:
        """Take a value for each model."""

    asked.__annotations__ = kinds
    asked.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(key, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for key, kind in kinds.items()
        ]
    )
    made = typer.Typer(add_completion=False)
    made.command()(asked)
    return [param for param in typer.main.get_command(made).params if param.name in kinds]


def _annotation(setting: ModelSetting) -> Any:
    names = [setting.option, *([setting.short] if setting.short else [])]
    return Annotated[str | None, typer.Option(*names, metavar=setting.metavar, help=setting.help)]
