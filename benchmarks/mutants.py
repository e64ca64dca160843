"""All small changes to a file that could be faults: one comparison, number or refusal at a time.

Left out by rule is what no test should pin down: what people read (messages, texts with values
in them, ``__str__`` and ``__repr__``), types, decorators, sizes (numbers from 1,000 on and
``1 << 30``: one more is as good), and ``strict=`` of `zip`, which guards against ourselves alone.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any, NamedTuple

OTHER_WAY = {
    ast.GtE: ">", ast.Gt: ">=", ast.LtE: "<", ast.Lt: "<=", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.And: "or", ast.Or: "and", ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*",
    ast.FloorDiv: "*",
}  # fmt: skip
SWAPPED = {"min": "max", "max": "min", "all": "any", "any": "all"}
SIZE = 1000
FOR_PEOPLE = ("__str__", "__repr__")


class Mutant(NamedTuple):
    """One small change, and what to run for it."""

    file: str  # below src/shoal
    change: str
    text: str  # of the whole file
    lines: range  # of its statement; none where it runs on import
    within: str  # the function or class it is in
    around: str = ""  # the function or class of the module it is in, with the change

    def __str__(self) -> str:
        return f"{self.file} {self.within or 'on import'}: {self.change}"


def small_changes(path: Path, file: str, only: Container[str] | None = None) -> Iterator[Mutant]:
    """Yield every mutant of one file, or those ``only`` that are named."""
    raw = path.read_bytes()
    starts = [0]
    for row in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    tree = ast.parse(raw)
    for node, lines, within in _places(tree, range(0), ()):
        for begin, end, new in _changes(node, raw, starts):
            old = " ".join(raw[begin:end].decode().split())
            line = raw[starts[node.lineno - 1] : starts[node.lineno]].decode().strip()
            change = f"{old[:50]!r} -> {new!r} in {line[:70]!r}"
            mutant = Mutant(file, change, "", lines, ".".join(within))
            if old == new or (only is not None and str(mutant) not in only):
                continue
            text = (raw[:begin] + new.encode() + raw[end:]).decode()
            if _parses(text):
                first, last = _around(tree, node.lineno)
                around = raw[starts[first] : begin] + new.encode() + raw[end : starts[last]]
                yield mutant._replace(text=text, around=around.decode())


def _around(tree: ast.Module, line: int) -> tuple[int, int]:
    """Lines that a change is part of: the rest of its file may become another all the same."""
    for part in tree.body:
        last = part.end_lineno or 0
        if isinstance(part, ast.FunctionDef | ast.ClassDef) and part.lineno <= line <= last:
            return part.lineno - 1, last
    return 0, -1


def _places(
    node: ast.AST, lines: range, within: tuple[str, ...]
) -> Iterator[tuple[Any, range, tuple[str, ...]]]:
    """Yield every node that counts, the lines of its statement, and where it is."""
    for name, value in ast.iter_fields(node):
        runs_later = isinstance(node, ast.FunctionDef) and name == "body"
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_left_out(node, name, child):
                continue
            own = _own_lines(child) if (runs_later or lines) and _is_statement(child) else lines
            inside = within
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inside = (*within, child.name)
            yield child, own, within
            yield from _places(child, own, inside)


def _is_statement(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt)


def _own_lines(statement: Any) -> range:
    """Lines of a statement without those that it holds."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno
    return range(statement.lineno, max(statement.lineno, last) + 1)


def _is_left_out(parent: Any, field: str, node: Any) -> bool:
    match node:
        case ast.JoinedStr():
            return True
        case ast.FunctionDef():
            return node.name in FOR_PEOPLE
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.keyword(arg="strict" | "repr"):
            return True
        case ast.Constant(value=int(value)) if value >= SIZE:
            return True
        case ast.BinOp(left=ast.Constant(), op=ast.LShift() | ast.Pow(), right=ast.Constant()):
            return True
    message = isinstance(parent, ast.Raise)
    return message or field in ("annotation", "returns", "decorator_list")


def _changes(node: Any, raw: bytes, starts: list[int]) -> Iterator[tuple[int, int, str]]:
    def span(part: Any) -> tuple[int, int]:
        return (
            starts[part.lineno - 1] + part.col_offset,
            starts[part.end_lineno - 1] + part.end_col_offset,
        )

    match node:
        case ast.Compare(ops=[op]):
            yield from _operator(raw, span(node.left)[1], span(node.comparators[0])[0], op)
        case ast.BoolOp():
            yield from _operator(raw, span(node.values[0])[1], span(node.values[1])[0], node.op)
        case ast.BinOp():
            yield from _operator(raw, span(node.left)[1], span(node.right)[0], node.op)
        case ast.UnaryOp(op=ast.Not()):
            yield span(node)[0], span(node)[0] + len("not "), ""
        case ast.Constant(value=bool(value)):
            yield (*span(node), repr(not value))
        case ast.Constant(value=int(value)):
            yield (*span(node), repr(value + 1))
        case ast.Raise():
            yield (*span(node), "pass")
        case ast.Name(id=name) if name in SWAPPED:
            yield (*span(node), SWAPPED[name])
        case ast.If(test=test):
            yield (*span(test), "False")
            yield (*span(test), "True")


def _operator(raw: bytes, begin: int, end: int, op: ast.AST) -> Iterator[tuple[int, int, str]]:
    """Turn an operator the other way; what stands around it (spaces, brackets) stays."""
    new = OTHER_WAY.get(type(op))
    between = raw[begin:end].decode()
    word = between.strip("() \n\t")
    if new and word and "#" not in between:
        at = begin + between.encode().index(word.encode())
        yield at, at + len(word.encode()), new


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
