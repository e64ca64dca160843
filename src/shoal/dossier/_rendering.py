"""Rendering: a dossier as Markdown to edit, or as a page to print."""

from __future__ import annotations

from html import escape

from shoal.dossier._base import BlankField, Dossier, MeasuredField
from shoal.report import page, page_header, section

LINE = "_" * 24
NOTE = (
    "Written from the release, its attacks and its journal. Every number stands under the key "
    "beside it; a field with a line is for a human. Nothing here is legal advice."
)
_STYLE = """
.blank { border: 1px dashed currentColor; min-height: 4em; padding: .5em; margin: .3em 0 1em; }
.key { font-size: .8em; opacity: .75; }
dt { font-weight: 600; margin-top: 1em; } dd { margin: 0; }
@media print { section { break-inside: avoid-page; } a { color: inherit; } }
"""


def to_markdown(dossier: Dossier) -> str:
    """Write it as Markdown."""
    lines = [f"# {dossier.title}", "", f"{dossier.rule}. {NOTE}"]
    for part in dossier.parts():
        lines += ["", f"## {part.title}", ""]
        for field in part.fields:
            lines += [f"**{field.question}**", "", *_markdown(field), ""]
    if dossier.unchecked:
        lines += ["", "## Not checked against the source", ""]
        lines += [f"- {text}" for text in dossier.unchecked]
    return "\n".join(lines).rstrip() + "\n"


def _markdown(field: MeasuredField | BlankField) -> list[str]:
    if isinstance(field, MeasuredField):
        return [f"{field.answer} [{', '.join(field.keys)}]"]
    return [*([f"*{field.help}*", ""] if field.help else []), LINE]


def to_html(dossier: Dossier) -> str:
    """Write it as a page without scripts that prints well."""
    body = page_header("dossier", dossier.title, lead=f"{dossier.rule}. {NOTE}")
    for part in dossier.parts():
        drawn = "".join(f"<dt>{escape(f.question)}</dt>{_html(f)}" for f in part.fields)
        body += section(part.title, f"<dl>{drawn}</dl>")
    if dossier.unchecked:
        texts = "".join(f"<li>{escape(text)}</li>" for text in dossier.unchecked)
        body += section("Not checked against the source", f"<ul>{texts}</ul>")
    return page(dossier.title, body, style=_STYLE)


def _html(field: MeasuredField | BlankField) -> str:
    if isinstance(field, MeasuredField):
        keys = escape(", ".join(field.keys))
        return f'<dd>{escape(field.answer)} <span class="key">[{keys}]</span></dd>'
    return f'<dd class="blank">{escape(field.help)}</dd>'
