"""How the documentation becomes a site: ``make docs``, offline, warnings as errors."""

from __future__ import annotations

import sys
from pathlib import Path

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


def setup(app: object) -> None:
    """Write the reference before pages are looked for."""
    write_reference(Path(__file__).parent / "reference")
