"""The shape of the source: who may import whom, what is public, and how long things may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import shoal

SOURCE = Path(shoal.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
GROUND_FLOOR = {"exceptions", "typing", "presets", "kernels", "audit"} | {
    f"_{name}"
    for name in (
        "random",
        "progress",
        "estimator",
        "home",
        "drawing",
        "words",
        "checks",
        "plugins",
    )
}
#: From top to bottom: a package imports from those before it and from the ground floor.
ORDER = [
    "table",
    "projects",
    "hierarchies",
    "datasets",
    "spaces",
    "verifier",
    "privacy",
    "grouping",
    "recoding",
    "quantize",
    "graphs",
    "utility",
    "risk",
    "report",
    "ledger",
    "release",
    "dossier",
    "recipe",
    "growing",
    "anonymizer",
    "plan",
    "linked",
    "session",
    "tuning",
    "selection",
    "spark",
    "studies",
    "doctor",
    "web",
    "cli",
    "testing",
    "pytest_plugin",
]
PUBLIC = [
    "AlphaK",
    "Anonymizer",
    "Auto",
    "BasicBetaLikeness",
    "Calendar",
    "Centroid",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EnhancedBetaLikeness",
    "EntropyLDiversity",
    "EpsilonClusters",
    "Flat",
    "Flatten",
    "Generalize",
    "GeneralizedEncoder",
    "Graph",
    "Grouping",
    "Intervals",
    "KAnonymity",
    "KMap",
    "Mask",
    "Mondrian",
    "Plan",
    "PushBack",
    "Question",
    "RecursiveCLDiversity",
    "Release",
    "ReleaseRefusedError",
    "Roles",
    "SaNGreeA",
    "Session",
    "ShoalError",
    "Stir",
    "TCloseness",
    "Table",
    "Taxonomy",
    "Verdict",
    "anonymize",
    "check",
    "datasets",
    "exceptions",
    "propose",
    "read_hierarchies",
    "read_hierarchy",
    "read_release",
    "read_table",
    "run",
    "tune",
]
LONGEST = 60
LONGEST_KERNEL = 70  # a call in the innermost loop of a search costs it half as much time again
HEAVY = {"polars", "numba", "sklearn", "duckdb", "pandas", "pyarrow", "scipy"}


def part_of(path):
    """Name of the package (or top-level file) that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def place(path):
    return path.relative_to(SOURCE).as_posix()


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path):
    return [*ast.walk(parsed(path))]


def imports_of(path, *, at_run_time=False):
    """All modules a file imports, absolute; type-checking blocks left out at run time."""
    skipped = set()
    if at_run_time:
        for node in nodes_of(path):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                skipped.update(ast.walk(node))
    for node in nodes_of(path):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            yield node, node.module
            yield from ((node, f"{node.module}.{alias.name}") for alias in node.names)


def own_parts(path):
    """Parts of Shoal that a file imports from at run time, with the line."""
    for node, name in imports_of(path, at_run_time=True):
        first, _, rest = name.partition(".")
        part = rest.partition(".")[0]
        if first == "shoal" and (part in ORDER or part in GROUND_FLOOR):
            yield node.lineno, part


def test_a_package_imports_only_from_those_above_it():
    assert {part_of(path) for path in FILES} <= {"__init__", "__main__", *GROUND_FLOOR, *ORDER}
    assert [
        f"{place(path)}, line {line}: {name}"
        for path in FILES
        for line, name in own_parts(path)
        if name not in allowed_in(part_of(path))
    ] == []


def allowed_in(part):
    """Parts of Shoal that a part may import from."""
    if part in {"__init__", "__main__"}:
        return {*ORDER, *GROUND_FLOOR}
    return GROUND_FLOOR | {*ORDER[: ORDER.index(part) + 1 if part in ORDER else 0]}


def test_the_newcomers_page_names_every_room_in_this_order():
    page = (SOURCE.parents[1] / "docs/architecture.md").read_text(encoding="utf-8")
    ground, rooms = page.partition("Ground floor")[2].split("| room |")
    bold = re.findall(r"^\| \*\*(.+?)\*\* \|", rooms, re.MULTILINE)
    assert [room.strip("/") for cell in bold for room in cell.split(", ")] == ORDER
    assert {*re.findall(r"[`*]([\w_]+)[/`]", ground)} >= GROUND_FLOOR


def test_private_files_stay_inside_their_package():
    assert [
        f"{place(path)}, line {node.lineno}: {name}"
        for path in FILES
        for node, name in imports_of(path)
        if re.match(r"shoal\.\w+\._", name) and name.split(".")[1] != part_of(path)
    ] == []


def test_only_kernels_know_numba():
    users = {part_of(path) for path in FILES for _, name in imports_of(path) if name == "numba"}
    assert users == {"kernels"}


def test_the_verifier_shares_nothing_with_the_anonymizer():
    used = {
        name
        for path in (SOURCE / "verifier").rglob("*.py")
        for _, name in own_parts(path)
        if name != "verifier"
    }
    assert used <= {"exceptions"}


def test_the_script_in_every_release_needs_nothing_but_python():
    """Only to read Parquet does it look for more, when it has to."""
    path = SOURCE / "verifier" / "_script.py"
    used = {name.partition(".")[0]: node for node, name in imports_of(path)}
    assert set(used) <= {*sys.stdlib_module_names, "pyarrow"}
    assert used["pyarrow"].col_offset > 0


@pytest.mark.parametrize("statement", ["import shoal", "import shoal.cli"])
def test_importing_costs_next_to_nothing(statement):
    code = f"{statement}\nimport sys\nprint(*sorted(set({sorted(HEAVY)!r}) & set(sys.modules)))"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout.split() == []


def test_public_names_are_pinned_and_resolve():
    assert sorted(shoal.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(shoal, name) is not None
    assert set(PUBLIC) <= set(dir(shoal))
    with pytest.raises(AttributeError):
        shoal.no_such_name  # noqa: B018


def test_tables_of_contents_are_complete():
    """What a package exports exists, once, in order."""
    for package in (path.parent for path in FILES if path.name == "__init__.py"):
        name = ".".join(("shoal", *package.relative_to(SOURCE).parts))
        module = __import__(name, fromlist=["_"])
        exported = getattr(module, "__all__", [])
        assert len(exported) == len(set(exported)), name
        assert [each for each in exported if not hasattr(module, each)] == [], name


def test_files_and_functions_are_short():
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    assert [place(path) for path, text in texts.items() if len(text.splitlines()) >= 500] == []
    assert [
        f"{place(path)}: {node.name}"
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and code_lines(node) >= (LONGEST_KERNEL if part_of(path) == "kernels" else LONGEST)
    ] == []


def code_lines(function):
    """Lines of a function below its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_no_file_knows_the_machine_it_was_written_on():
    machine = re.compile(
        r"/(home|Users|root|work|tmp|mnt)/\w"
        r"|[A-Z]:\\\\\w"
        r"|https?://(localhost|127\.|10\.|192\.168\.)"
    )
    assert [place(p) for p in FILES if machine.search(p.read_text(encoding="utf-8"))] == []


def test_every_file_says_what_it_is_for():
    for path in FILES:
        docstring = ast.get_docstring(parsed(path))
        assert docstring, f"{path.relative_to(SOURCE)} has no docstring"


def test_nothing_is_printed_but_by_the_command_line():
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
                assert path.name == "_script.py", f"{path.name} prints"


def test_a_class_name_is_used_once():
    """One name for two things sends a reader to the wrong file."""
    places = {}
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_every_room_is_on_the_newcomers_page():
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {name for row in re.findall(r"\| \*\*(.+?)\*\* \|", page) for name in row.split(", ")}
    assert {name.removesuffix("/") for name in rooms} == {*ORDER} - {"presets"}
