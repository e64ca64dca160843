"""The documentation as a site: it builds offline without a warning, and no link is broken."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built with warnings as errors; what the builder writes beside it is copied away.

    Quotes stay straight: to bend them is a twelfth of the work, and no test looks at them.
    """
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    command += ["-D", "smartquotes=0"]
    made = subprocess.run(
        [*command, "-d", folder / "trees", ROOT / "docs", folder / "html"],
        capture_output=True,
        text=True,
        env={"PATH": "", "PYTHONPATH": ":".join(sys.path), "HOME": str(folder)},
    )
    assert made.returncode == 0, made.stderr[-3000:]
    return folder / "html"


def test_every_link_inside_the_site_leads_somewhere(site):
    links = re.compile(r'(?:href|src)="([^"#?:]+)(?:[#?][^"]*)?"')
    named = {
        (page, link)
        for page in site.rglob("*.html")
        for link in links.findall(page.read_text(encoding="utf-8"))
    }
    assert {(page.name, link) for page, link in named if not (page.parent / link).exists()} == set()


def test_nothing_is_loaded_from_elsewhere(site):
    for page in (site / "index.html", site / "tutorial.html", site / "reference" / "python.html"):
        text = page.read_text(encoding="utf-8")
        assert (
            re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//[^"]+"', text) == []
        )


def test_pages_say_what_their_theme_leaves_unsaid(site):
    """Each of these broke a rule of axe-core; ``make look`` opens every page."""
    for page in (site / "checklist.html", site / "comparison.html"):
        text = page.read_text(encoding="utf-8")
        assert 'role="heading">' not in text
        assert '<aside class="sidebar-drawer">' not in text
        assert "<pre>" not in text
        assert '<th class="head"><p></p></th>' not in text
    assert (site / "checklist.html").read_text(encoding="utf-8").count('aria-label="done"') == 10


def test_every_page_is_found_from_the_index(site):
    """Tutorial, how-to, explanation and reference: each page stands in the side bar of all."""
    index = (site / "index.html").read_text(encoding="utf-8")
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert [page for page in sorted(pages) if f'href="{page}.html"' not in index] == []
    for caption in ("Tutorial", "How to", "Understand", "Look up"):
        assert f'<span class="caption-text">{caption}</span>' in index


@pytest.mark.parametrize(
    "page",
    ["not-promised", "near-linear", "best-first", "questions", "model-on-ranges", "composition"],
)
def test_every_explanation_has_a_picture(site, page):
    assert '<img alt="' in (site / f"{page}.html").read_text(encoding="utf-8")


def test_the_notebook_is_shown_with_its_drawings(site):
    text = (site / "notebook.html").read_text(encoding="utf-8")
    assert text.count('class="shoal-drawing"') >= 3
    assert "<iframe srcdoc=" in text


def test_the_reference_knows_python_commands_plans_and_rest(site):
    wanted = {
        "python": "shoal.anonymize",
        "command-line": "shoal hierarchy scaffold",
        "plan-settings": "max_suppression",
        "rest": "/api/tables",
        "json-outputs": "singling_out.share_unique",
        "exit-codes": "ReleaseRefusedError",
        "manifest": "since_earlier",
        "licences": "OpenJDK",
    }
    for page, word in wanted.items():
        assert word in (site / "reference" / f"{page}.html").read_text(encoding="utf-8")
    assert (site / "search.html").exists()
