"""Running a plan."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from os import PathLike
from typing import Any

from shoal._progress import SILENT, Progress
from shoal.exceptions import InvalidParameterError
from shoal.plan._plan import Plan

ENGINES = ("local", "spark")


def run(
    plan: Plan | str | PathLike[str], engine: str = "local", progress: Progress = SILENT
) -> Any:
    """Read the table of a plan and anonymize it.

    Parameters
    ----------
    plan : Plan or path
        The plan, or its file.
    engine : {"local", "spark"}
        Where it runs; a `shoal.spark.SparkRelease` comes from the second.
    progress : Progress
        Whom to tell.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from shoal.table import Roles
    >>> folder = tempfile.TemporaryDirectory()
    >>> source = pathlib.Path(folder.name, "town.csv")
    >>> _ = source.write_text("age,sex\\n30,f\\n31,f\\n50,m\\n52,m\\n")
    >>> plan = Plan(source=str(source), roles=Roles(quasi_identifiers=["age", "sex"]), k=2)
    >>> print(run(plan).verdict)
    2-anonymity holds (smallest group: 2)
    >>> folder.cleanup()
    """
    check_engine(engine)
    plan = plan if isinstance(plan, Plan) else Plan.read(plan)
    if engine == "spark":
        return import_module("shoal.spark").run_plan(plan, progress=progress)
    progress.phase("reading")
    table = plan.table()
    anonymizer = plan.anonymizer(table)
    if plan.after is not None:
        release = plan.later(anonymizer).fit(table, progress).release_
        return replace(release, ledger=plan.ledger or release.ledger, language=plan.language)
    release = anonymizer.fit(table, progress).release_
    return replace(release, ledger=plan.ledger, language=plan.language)


def check_engine(engine: str) -> None:
    """Refuse an engine that this version cannot run."""
    if engine not in ENGINES:
        raise InvalidParameterError(
            f"There is no engine named {engine!r}.", hint=f"Choose from {', '.join(ENGINES)}."
        )
    if engine == "spark":
        import_module("shoal.spark").check_spark()  # far below in the tree: only by name
