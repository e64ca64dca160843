"""``shoal study``: a paper re-run, with what holds of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import Bar, working
from shoal.cli._output import explain, print_json, print_lines

if TYPE_CHECKING:
    from shoal.studies import Size, StudyRun

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="malle2017, miche2016, ...; without it they are listed."),
]
Full = Annotated[
    bool, typer.Option("--full", help="All of the paper: up to an hour. Else minutes.")
]
StudyOutput = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="A folder; study-NAME if not given."),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", parser=option.whole, help="Processes; all cores if not given."),
]

SoFar = Annotated[
    bool, typer.Option("--so-far", help="Do no more, and conclude from what is done.")
]


def study(
    name: Name = None,
    full: Full = False,
    output: StudyOutput = None,
    workers: Workers = None,
    so_far: SoFar = False,
    as_json: option.Json = False,
) -> None:
    """Re-run the experiment of a paper.

    Writes tables, figures, results.json and a page, index.html, that says which claims hold. A run
    that was stopped goes on where it was when it is started again with the same folder.
    """
    from shoal.studies import find_study, run_study, study_names

    if name is None:
        found = [find_study(each) for each in study_names()]
        if as_json:
            print_json({"studies": {each.name: each.title for each in found}})
        else:
            print_lines(f"{each.name:<12} {each.title}" for each in found)
        return
    chosen = find_study(name)
    folder = output or Path(f"study-{name}")
    with working(StudyBar()) as bar:
        size: Size = "full" if full else "small"
        run = run_study(chosen, folder, size=size, workers=workers, so_far=so_far, progress=bar)
    if as_json:
        print_json(_facts(run, folder))
    else:
        print_lines(_lines(run, folder))


class StudyBar(Bar):
    """A progress bar that tells who stops a study that nothing is lost."""

    def farewell(self) -> None:
        """Take the bar away and say that the work is kept."""
        from shoal.studies import stopped

        self.close()
        explain(stopped())


def _facts(run: StudyRun, folder: Path) -> dict[str, Any]:
    return {
        "study": run.study.name,
        "size": run.size,
        "items": run.items,
        "planned": run.planned,
        "done_now": run.done_now,
        "seconds": round(run.seconds_now, 1),
        "claims": [{"claimed": c.claimed, "answer": c.answer} for c in run.findings.claims],
        "numbers": run.findings.numbers,
        "output": str(folder),
    }


def _lines(run: StudyRun, folder: Path) -> Iterator[str]:
    yield run.study.title
    yield run.findings.summary
    yield ""
    for claim in run.findings.claims:
        yield f"[{claim.answer}] {claim.claimed}"
        yield f"    {claim.measured}"
    yield ""
    earlier = run.items - run.done_now
    resumed = f", {earlier:,} of them before" if earlier else ""
    planned = f" of {run.planned:,} planned" if run.items < run.planned else ""
    yield f"{run.items:,} items of work{planned}{resumed}, {run.seconds_now:,.0f} s."
    yield f"Read {folder / 'index.html'}"
