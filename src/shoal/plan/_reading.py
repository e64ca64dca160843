"""From a TOML file to the fields of a plan."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal._checks import did_you_mean
from shoal.exceptions import EncodingError, InputError, InvalidParameterError
from shoal.plan._hierarchies import is_file
from shoal.plan._settings import PATHS, SECTIONS, all_settings, keys_of
from shoal.table import Roles, is_address, move_file, no_file


def read_fields(path: Path) -> dict[str, Any]:
    """Read the fields of a plan; paths in it are relative to its file."""
    return fields_of(parse_plan(path), path.parent)


def read_sql(path: str) -> str:
    """Read the query of a plan, which is a file of SQL."""
    file = Path(path)
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise EncodingError(f"The query {file.name!r} is not UTF-8.") from None
    except FileNotFoundError:
        raise no_file(file) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise InputError(f"The query {file.name!r} cannot be read: {reason}.") from None


def fields_of(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Turn sections and keys into fields; each unknown one is named with its nearest.

    >>> fields_of({"privacy": {"k": 5}, "weights": {"zip": 2}}, Path())
    {'weights': {'zip': 2}, 'k': 5}
    """
    for section, content in data.items():
        _check_keys(section, content)
    fields: dict[str, Any] = {}
    for setting in all_settings():
        content = data.get(setting.section, {})
        if setting.key is None and content:
            fields[setting.field] = content
        elif setting.key in content:
            fields[setting.field] = content[setting.key]
    if "roles" in data:
        fields["roles"] = Roles(**data["roles"])
    return _seen_from_here(fields, folder)


def parse_plan(path: Path) -> dict[str, Any]:
    """Read the sections of a plan file, as TOML has them."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"The plan {path.name!r} is not UTF-8 (byte {error.start}).", hint="Save it as UTF-8."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            f"The plan {path.name!r} is not TOML{_where(error)}.",
            hint="A line is a [section], or key = value with text in quotes.",
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise InputError(f"The plan {path.name!r} cannot be read: {reason}.") from None


def _where(error: tomllib.TOMLDecodeError) -> str:
    """Say where reading stopped, and nothing of what stands there."""
    _, found, place = str(error).rpartition(" (at ")
    return f" (at {place}" if found else ""


def _check_keys(section: str, content: object) -> None:
    if section not in SECTIONS:
        raise InvalidParameterError(
            f"There is no section [{section}].", hint=_home_of(section) or _nearest_section(section)
        )
    if not isinstance(content, Mapping):
        raise InvalidParameterError(f"{section} must be a section, written as [{section}].")
    known = keys_of(section)
    for key in content if known else ():
        if key not in known:
            hint = _home_of(key) or did_you_mean(key, known)
            raise InvalidParameterError(f"There is no {key!r} in [{section}].", hint=hint)


def _home_of(key: str) -> str:
    """Say where a key belongs that stands in the wrong place."""
    homes = [section for section in SECTIONS if key in keys_of(section)]
    return f"It belongs in [{homes[0]}]." if homes else ""


def _nearest_section(name: str) -> str:
    return did_you_mean(name, SECTIONS)


def _seen_from_here(fields: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Join every path in a plan with the folder of the plan."""
    seen = dict(fields)
    for field in PATHS:
        if isinstance(seen.get(field), str):
            seen[field] = _join(folder, seen[field])
    written = seen.get("hierarchies")
    if isinstance(written, Mapping):
        seen["hierarchies"] = {
            column: _join(folder, word) if isinstance(word, str) and is_file(word) else word
            for column, word in written.items()
        }
    return seen


def _join(folder: Path, path: str) -> str:
    if is_address(path):
        return move_file(path, folder)
    return os.path.normpath(folder / path) if path else path
