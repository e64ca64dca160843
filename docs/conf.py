"""How the documentation becomes a site: ``make docs``, offline, warnings as errors."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import shoal

sys.path.insert(0, str(Path(__file__).parent))
from reference.write import write_reference

project = "Shoal"
author = "the Shoal authors"
release = shoal.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "tasklist"]
myst_heading_anchors = 4
exclude_patterns = ["_build"]
suppress_warnings = ["misc.highlighting_failure", "ref.python"]  # `name` is many things
default_role = "code"
autodoc_typehints = "description"
autodoc_use_type_comments = False  # there are none, and each function was parsed to look for them
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
html_theme = "furo"
html_title = "Shoal: safety in numbers for tables of people"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {"top_of_page_buttons": []}


#: What the theme leaves unsaid to those who read by ear or by keyboard (found by axe-core).
UNSAID = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    "<pre>": '<pre tabindex="0">',
    '"disabled" type="checkbox">': '"disabled" type="checkbox" aria-label="done">',
}


def setup(app: Any) -> None:
    """Write the reference before pages are looked for, and say what the theme does not after."""
    gc.set_threshold(100_000, 20, 20)  # pages live to the end: to look for garbage finds little
    write_reference(Path(__file__).parent / "reference")
    app.connect("build-finished", lambda app, _: say_unsaid(Path(app.outdir)))


def say_unsaid(site: Path) -> None:
    """Complete the pages of a site."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for theirs, ours in UNSAID.items():
            text = text.replace(theirs, ours)
        page.write_text(text, encoding="utf-8")
