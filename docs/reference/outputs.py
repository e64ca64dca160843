"""What commands print with ``--json``, found by typing them on a small made-up table."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TYPED = """\
init data.csv --force
check data.csv --quasi age,sex --sensitive diagnosis -k 2
check counts.csv --counts --least 5
anonymize data.csv -k 5 --identifier person_id --quasi age,sex --sensitive diagnosis -o release
attack release --original data.csv --attacks exact_linkage
dossier release --as dpia -o dpia.html
select data.csv --target sex --columns age,diagnosis
hierarchy scaffold data.csv diagnosis -o diagnosis.csv
hierarchy check data.csv diagnosis --hierarchy diagnosis.csv
ledger show
ledger verify
ledger witness witness.json
keys new ward
keys list
keys rotate ward --yes
keys export ward ward.key
keys destroy ward --yes
audit verify ward.journal
audit show ward.journal
audit witness ward.journal paper.json
forget data.csv --person person_id
doctor"""
ABOUT = """# JSON outputs

Every command that answers takes `--json`: one object on standard output and nothing else; what goes
wrong is a sentence on standard error and an [exit code](exit-codes.md). `<column>` stands for the
name of a column, `[]` for the members of a list.
"""
#: Those that open a server, work for minutes, or end what others stand on: as their pages say.
ELSEWHERE = {
    "serve": "`link`, `token`, and in a study `participants`",
    "demo": "as `anonymize`",
    "tune": "as `anonymize`, with the front and the chosen trial ([tuning](../tuning.md))",
    "study": "what was claimed and measured ([studies](../studies.md))",
    "ledger withdraw": "the entry that was made",
    "ledger reset": "the entry that was made",
}


def write_outputs() -> Iterator[str]:
    """Write the page: each command as typed, and every key of its answer with its type."""
    yield ABOUT
    for line, told in answers():
        yield f"\n## shoal {' '.join(command_of(line))}\n\n```text\nshoal {line} --json\n```\n"
        yield "| key | type |\n| --- | --- |"
        for key, kind in sorted(dict(shape(told)).items()):
            yield f"| `{key}` | {kind} |"
    yield "\n## Others\n\n| command | answers |\n| --- | --- |"
    for command, text in ELSEWHERE.items():
        yield f"| `shoal {command}` | {text} |"


def answers() -> Iterator[tuple[str, dict[str, Any]]]:
    """Type every line in a folder and a house of its own."""
    from shoal.cli import run

    with tempfile.TemporaryDirectory() as folder, _at_home(Path(folder)):
        _prepare()
        for line in TYPED.splitlines():
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                run([*shlex.split(line), "--json"])
            yield line, json.loads(printed.getvalue())


def command_of(line: str) -> list[str]:
    """Name the command of a line.

    >>> command_of("ledger show"), command_of("check data.csv -k 5")
    (['ledger', 'show'], ['check'])
    """
    first, *rest = line.split()
    return [first, rest[0]] if first in ("ledger", "keys", "audit", "hierarchy") else [first]


def shape(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Name every key of an answer and what it holds.

    >>> dict(shape({"k": 5, "loss": {"age": 0.5}, "sets": [{"share": 0.1}]}))
    {'k': 'whole number', 'loss.<column>': 'number', 'sets[].share': 'number'}
    """
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            shown = "<column>" if name in COLUMNS else name
            yield from shape(inner, f"{key}.{shown}" if key else shown)
    elif isinstance(value, list) and value:
        yield from shape(value[0], f"{key}[]")
    else:
        yield key, KINDS.get(type(value), "text")


COLUMNS = ("person_id", "age", "sex", "diagnosis")
KINDS = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
    list: "list",
    dict: "object",
    type(None): "nothing, or a value",
}


@contextlib.contextmanager
def _at_home(folder: Path) -> Iterator[None]:
    before, home, told = Path.cwd(), os.environ.get("SHOAL_HOME"), sys.stdin
    os.chdir(folder)
    os.environ["SHOAL_HOME"] = str(folder / "home")
    try:
        yield
    finally:
        os.chdir(before)
        sys.stdin = told
        os.environ.pop("SHOAL_HOME")
        os.environ.update({} if home is None else {"SHOAL_HOME": home})


def _prepare() -> None:
    """Write a table of people, one of counts, a journal, and the key of somebody to forget."""
    import shoal
    from shoal.datasets import people

    frame = people(60).frame.select(COLUMNS)
    frame.write_csv("data.csv")
    Path("counts.csv").write_text("sex,town,n\nf,A,12\nm,A,3\nf,B,9\nm,B,14\n", encoding="utf-8")
    roles = shoal.Roles(quasi_identifiers=["age", "sex"], identifiers="person_id")
    table = shoal.read_table(frame.drop("diagnosis"), roles=roles)
    session = shoal.Session(table, shoal.Plan(roles=roles, k=5), journal="ward.journal")
    session.tell(session.ask(), "A")
    session.close()
    sys.stdin = io.StringIO(f"{frame['person_id'][0]}\n")
