"""Pages that are walked from top to bottom: every block and every command really runs.

One folder a page, as a reader has it. A command ends with exit code 0 unless its line says
``# exit 1``; what a page shows as ``text`` (servers, other tools) is not typed.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from shoal.cli import run

DOCS = Path(__file__).parents[2] / "docs"
WALKED = ("tutorial", "quasi-identifiers", "choosing-k", "participants", "deletion", "checklist")
FENCE = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", WALKED)
def test_a_page_is_walked(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for language, source in FENCE.findall((DOCS / f"{page}.md").read_text(encoding="utf-8")):
        if language == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(source, page, "exec", dont_inherit=True), {"__name__": "page"})
        else:
            for line in source.splitlines():
                wanted = int((re.findall(r"# exit (\d)$", line) or ["0"])[0])
                assert typed(line, monkeypatch) == wanted, f"{line}\n{capsys.readouterr().err}"


def typed(line, monkeypatch):
    """Run one line as a shell would: comments left out, a file to read from given as input."""
    words = shlex.split(line, comments=True)
    assert words[0] == "shoal"
    if "<" in words:
        place = words.index("<")
        told = io.StringIO(Path(words[place + 1]).read_text(encoding="utf-8"))
        monkeypatch.setattr(sys, "stdin", told)
        del words[place:]
    return run(words[1:])
