"""Documents are executed: code runs, commands parse, links lead somewhere, numbers are on file.

Examples with answers (``>>>``) are run by pytest itself, which collects the documents too.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from shoal.cli._app import app
from shoal.linked import LinkedPlan, is_linked
from shoal.plan import Plan

ROOT = Path(__file__).parents[2]
WRITTEN = ROOT / "docs" / "reference"  # by the site's own script
DOCUMENTS = sorted(
    page for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if WRITTEN not in page.parents
)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SHOWN_COMMAND = re.compile(r"`(shoal [^`]*)`")


@pytest.fixture(autouse=True)
def same_models_as_before() -> Iterator[None]:
    """Forget the privacy models that an example registers."""
    from shoal.privacy import MODELS

    before = dict(MODELS.ours)
    yield
    MODELS.ours.clear()
    MODELS.ours.update(before)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(language: str) -> Iterator[Any]:
    for path in DOCUMENTS:
        for number, found in enumerate(FENCE.finditer(path.read_text(encoding="utf-8")), 1):
            if found[1] == language:
                yield pytest.param(found[2], id=f"{relative(path)}-{number}")


def commands() -> Iterator[Any]:
    """Every command line a document shows, in a block of shell or in a sentence."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        blocks = [found[2] for found in FENCE.finditer(text) if found[1] == "sh"]
        lines = [line for block in blocks for line in block.replace("\\\n", "").splitlines()]
        lines += SHOWN_COMMAND.findall(FENCE.sub("", text))
        for line in lines:
            words = shlex.split(re.split(r" [<>|] ", line)[0], comments=True)
            if words and words[0] == "shoal":
                yield pytest.param(words[1:], id=f"{relative(path)}: {' '.join(words)}")


@pytest.mark.parametrize("source", [*blocks("python")])
def test_python_runs_and_prints_what_its_comments_say(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "example", "exec", dont_inherit=True), {"__name__": "example"})
    comments = [line.removeprefix("# ") for line in source.splitlines() if line.startswith("# ")]
    assert printed.getvalue().splitlines() == comments


@pytest.mark.parametrize("words", [*commands()])
def test_commands_parse(words: list[str]) -> None:
    shoal: Any = typer.main.get_command(app)
    options = [word for word in words if word.startswith("-")]
    if not words or words[0].startswith("-"):
        assert {*options} <= {"--help", "--version", "--install-completion"}
    else:
        shoal.commands[words[0]].make_context(words[0], words[1:])


@pytest.mark.parametrize("source", [*blocks("toml")])
def test_plans_are_plans(source: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(source, encoding="utf-8")
    if is_linked(tmp_path / "plan.toml"):
        assert len(LinkedPlan.read(tmp_path / "plan.toml").tables) > 1
        return
    plan = Plan.read(tmp_path / "plan.toml")
    assert {*tomllib.loads(plan.to_toml(tmp_path))} <= {*tomllib.loads(source)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_links_lead_somewhere(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))
    inside = [link.partition("#")[0] for link in links if not link.startswith("https://")]
    assert [link for link in inside if not (path.parent / link).exists()] == []


def test_numbers_are_those_on_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    writer = importlib.import_module("write_numbers")
    quoting = writer.documents()
    assert {ROOT / "README.md", ROOT / "docs" / "near-linear.md"} <= {*quoting}
    stale = [relative(path) for path in quoting if writer.fill(path) != path.read_text("utf-8")]
    assert stale == [], "run benchmarks/write_numbers.py"


def test_every_privacy_model_is_described() -> None:
    import shoal.privacy as privacy

    text = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    models = [
        name
        for name in privacy.__all__
        if isinstance(found := getattr(privacy, name), type)
        and issubclass(found, privacy.PrivacyModel)
        and found is not privacy.PrivacyModel
    ]
    assert [name for name in models if f"`{name}(" not in text] == []


def test_every_key_of_a_plan_is_described() -> None:
    from shoal.plan._settings import ROLES, all_settings

    text = (ROOT / "docs" / "plan.md").read_text(encoding="utf-8")
    words = {*ROLES, *(s.key or f"[{s.section}]" for s in all_settings())}
    assert [word for word in sorted(words) if f"`{word}`" not in text] == []
