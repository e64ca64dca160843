"""The tutorial as a notebook: its cells are run, its page is written from what they showed.

``python docs/reference/notebook.py`` runs ``tutorial.ipynb`` and keeps the outputs in it; the
site's builder only writes the page. A cell's last expression is shown as Jupyter would show it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "tutorial.ipynb"
SHOWN = {"_repr_svg_": "image/svg+xml", "_repr_html_": "text/html"}


def run_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """Run the cells in an empty folder, and return them with what they showed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    before, home = Path.cwd(), os.environ.get("SHOAL_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["SHOAL_HOME"] = str(Path(folder) / "home")
        try:
            return {**notebook, "cells": [_ran(cell, names) for cell in notebook["cells"]]}
        finally:
            os.chdir(before)
            os.environ.pop("SHOAL_HOME")
            os.environ.update({} if home is None else {"SHOAL_HOME": home})


def write_notebook() -> str:
    """Write the notebook as a page of the site, as it was kept."""
    return "\n".join(_page(json.loads(NOTEBOOK.read_text(encoding="utf-8"))))


def _ran(cell: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    if cell["cell_type"] != "code":
        return cell
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if value is not None:
        outputs.append({"output_type": "display_data", "metadata": {}, "data": _shown(value)})
    return {**cell, "outputs": outputs}


def _shown(value: object) -> dict[str, str]:
    found = {
        kind: getattr(value, method)() for method, kind in SHOWN.items() if hasattr(value, method)
    }
    return {**found, "text/plain": repr(value)}


def _page(notebook: dict[str, Any]) -> Iterator[str]:
    yield "<!-- Written from tutorial.ipynb by docs/reference/notebook.py. -->\n"
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source + "\n"
            continue
        yield f"```{{code-block}} python\n{source}\n```\n"
        for output in cell["outputs"]:
            yield _output(output)


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return f"```text\n{output['text'].rstrip()}\n```\n"
    data = output["data"]
    kind = next((kind for kind in SHOWN.values() if kind in data), None)
    if kind is None:
        return f"```text\n{data['text/plain']}\n```\n"
    drawn = re.sub(r"\n\s*\n", "\n", data[kind])  # an empty line would end the HTML
    shown = f'<div class="shown" tabindex="0" title="{escape(data["text/plain"])}">{drawn}</div>'
    return f"```{{raw}} html\n{shown}\n```\n"


if __name__ == "__main__":
    found = run_notebook(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    NOTEBOOK.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
