"""From a plan to TOML that a data steward reads: short, in order, with the reasons beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

#: Comments by place: ``("roles", "age")`` beside an entry, ``("roles",)`` at the head of a
#: section, ``()`` at the top of the file.
Comments: TypeAlias = Mapping[tuple[str, ...], str]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_WIDEST = 60  # columns of code beside which comments are aligned


def to_toml(sections: Mapping[str, Mapping[str, Any]], comments: Comments | None = None) -> str:
    r"""Write sections as TOML.

    >>> print(to_toml({"privacy": {"k": 10, "l": {"disease": 3}}}, {("privacy", "k"): "asked for"}))
    [privacy]
    k = 10                # asked for
    l = { disease = 3 }
    <BLANKLINE>
    """
    comments = comments or {}
    blocks = [_remarks(comments, ())] if () in comments else []
    for section, content in sections.items():
        if content or (section,) in comments:
            lines = [f"[{section}]", *_remarks(comments, (section,))]
            blocks.append([*lines, *_aligned(list(_entries(section, content, comments)))])
    return "\n".join("\n".join(block) + "\n" for block in blocks)


def _remarks(comments: Comments, place: tuple[str, ...]) -> list[str]:
    return [f"# {_plain(line)}".rstrip() for line in comments.get(place, "").splitlines()]


def _entries(
    section: str, content: Mapping[str, Any], comments: Comments
) -> Iterator[tuple[str, str]]:
    """Lines of code with the comment that goes beside each."""
    for key, value in content.items():
        beside = (section, value) if isinstance(value, str) else (section, key)
        remark = comments.get((section, key), comments.get(beside, ""))
        told = isinstance(value, tuple) and any((section, item) in comments for item in value)
        if not told:
            yield f"{_key(key)} = {_value(value)}", remark
            continue
        yield f"{_key(key)} = [", remark
        for item in value:
            yield f"    {_value(item)},", comments.get((section, item), "")
        yield "]", ""


def _aligned(entries: Sequence[tuple[str, str]]) -> list[str]:
    """Put the comments of a section below each other."""
    widths = [len(code) for code, remark in entries if len(code) <= _WIDEST]
    width = max(widths, default=0)
    return [
        f"{code.ljust(width)}  # {_plain(' '.join(remark.split()))}" if remark else code
        for code, remark in entries
    ]


def _plain(remark: str) -> str:
    """Leave out what TOML allows in no comment."""
    return _CONTROL.sub(" ", remark)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: Any) -> str:
    """Write a value.

    >>> _value(("a", "b")), _value(True), _value({"zip code": 0.5}), _value(1e300)
    ('["a", "b"]', 'true', '{ "zip code" = 0.5 }', '1e+300')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())} }}"
    return f"[{', '.join(map(_value, value))}]"


def _text(value: str) -> str:
    """Quote as TOML does, which is as JSON does but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
