"""Pages that are walked from top to bottom: every command really runs, in one folder a page.

A command ends with exit code 0 unless its line says ``# exit 1``. Blocks of Python run as well
where commands go on from what they wrote; all others are run one by one in `test_documents`.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from prepared import prepare
from typing_hands import NOT_TYPED, Shell, lines_of, why_not_typed

from shoal.tuning import _resampling
from shoal.utility.models import _named

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Pages whose blocks of Python write what their commands read.
BOTH = {"tutorial", "quasi-identifiers", "choosing-k", "participants", "deletion", "checklist"}
ELSEWHERE = {"sources": "tests/databases", "spark": "tests/spark"}


def blocks_of(path):
    return FENCE.findall(path.read_text(encoding="utf-8"))


PAGES = {
    path.stem: path
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    if any(language == "sh" for language, _ in blocks_of(path)) or path.stem in BOTH
}


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))  # completion is installed there
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("getpass.getpass", lambda *_: "correct horse battery staple")
    monkeypatch.setattr(_resampling, "RESAMPLES", 20)  # how good models are is looked at elsewhere
    monkeypatch.setitem(_named.MODELS, "random_forest", small_forest)
    hands = Shell(tmp_path, monkeypatch)
    yield hands
    hands.close()


def small_forest():
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=5, min_samples_leaf=5)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ELSEWHERE])
def test_a_page_is_walked(page, shell, capsys):
    prepare(page)
    for language, source in blocks_of(PAGES[page]):
        if language == "python" and page in BOTH:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(source, page, "exec", dont_inherit=True), {"__name__": "page"})
        elif language == "sh":
            for line in lines_of(source):
                if why_not_typed(line) is None:
                    wanted = int((re.findall(r"# exit (\d)\b", line) or ["0"])[0])
                    assert shell.type(line) == wanted, f"{line}\n{capsys.readouterr().err}"


def test_what_is_not_typed_stands_on_a_page():
    """A reason outlives its line otherwise."""
    lines = [
        line
        for path in PAGES.values()
        for language, source in blocks_of(path)
        for line in lines_of(source)
        if language == "sh"
    ]
    assert [why for why in NOT_TYPED if not any(line.startswith(why) for line in lines)] == []


def test_targets_of_make_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {word for line in re.findall(r"^([\w -]+):", makefile, re.M) for word in line.split()}
    told = {
        line.split()[1]
        for path in PAGES.values()
        for _, source in blocks_of(path)
        for line in source.splitlines()
        if line.startswith("make ")
    }
    assert told <= targets
