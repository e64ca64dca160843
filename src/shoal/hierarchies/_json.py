"""JSON trees: entries that name their parent (Malle et al.), or plain nesting."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.exceptions import HierarchyShapeError
from shoal.hierarchies._nodes import Nodes, parent_nodes

_FORMS = 'Write {"*": {"A": ["a", "b"]}}, or {"entries": {value: {"name": ..., "gen": parent}}}.'


def parse_json(text: str, where: str) -> Any:
    """Read JSON text; a key that repeats inside an object is a value with two parents."""

    def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        repeated = len(pairs) - len(found)
        if repeated:
            raise HierarchyShapeError(f"{where} has {repeated} keys that appear twice.")
        return found

    try:
        return json.loads(text, object_pairs_hook=without_repeats)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise HierarchyShapeError(f"{where} is not JSON ({place}).", hint=_FORMS) from None
    except RecursionError:
        raise HierarchyShapeError(f"{where} is nested too deeply.") from None


def json_nodes(tree: Any, where: str) -> Nodes:
    """Turn either form of JSON tree into nodes."""
    if not isinstance(tree, Mapping):
        raise HierarchyShapeError(f"{where} is not a tree: no object at the top.", hint=_FORMS)
    entries = tree.get("entries")
    if isinstance(entries, Mapping):
        return _entry_nodes(entries, where)
    return _nested_nodes(tree, where)


def _entry_nodes(entries: Mapping[str, Any], where: str) -> Nodes:
    """Nodes of ``{value: {"name": ..., "gen": parent key, "level": depth}}``."""
    odd = sum(
        not isinstance(entry, Mapping) or not isinstance(entry.get("name", ""), str)
        for entry in entries.values()
    )
    if odd:
        raise HierarchyShapeError(f"{where} has {odd} malformed entries.", hint=_FORMS)
    above = {key: entry.get("gen") for key, entry in entries.items()}
    _check_entries(entries, above, where)
    nodes = parent_nodes(above)
    return nodes._replace(labels=_entry_labels(entries))


def _check_entries(entries: Mapping[str, Any], above: Mapping[str, Any], where: str) -> None:
    lost = sum(
        parent is not None and (not isinstance(parent, str) or parent not in entries)
        for parent in above.values()
    )
    if lost:
        raise HierarchyShapeError(f"{where}: {lost} entries name a parent that has no entry.")
    steps = [
        (entries[parent].get("level"), entries[key].get("level"))
        for key, parent in above.items()
        if parent not in (None, key)
    ]
    finer = sum(isinstance(up, int) and isinstance(down, int) and down <= up for up, down in steps)
    if finer:
        raise HierarchyShapeError(
            f"{where} gets finer again: {finer} entries are on no deeper level than their parent."
        )


def _entry_labels(entries: Mapping[str, Any]) -> list[str]:
    """Publish an entry under its name, unless that is what another entry is called.

    In Malle's tree of countries the name of Hungary is France: published, it would be false.
    """
    names: dict[str, str] = {key: entry.get("name", key) for key, entry in entries.items()}
    bearers = Counter(names.values())
    bearers.update(key for key, name in names.items() if key != name)
    return [name if bearers[name] == 1 else key for key, name in names.items()]


def _nested_nodes(tree: Mapping[str, Any], where: str) -> Nodes:
    """Nodes of ``{"*": {"A": ["a", "b"]}}``: objects and lists hold what lies below a label."""
    labels: list[str] = []
    parents: list[int] = []
    inner: list[int] = []
    odd = 0
    waiting: deque[tuple[Any, int]] = deque([(tree, -1)])
    while waiting:
        below, parent = waiting.popleft()
        for label, content in _branches(below):
            if not isinstance(label, str) or not isinstance(content, Mapping | list | None):
                odd += 1
                continue
            if content:
                inner.append(len(labels))
                waiting.append((content, len(labels)))
            labels.append(label)
            parents.append(parent)
    if odd:
        raise HierarchyShapeError(f"{where} has {odd} labels that are not text.", hint=_FORMS)
    _check_inner(labels, parents, inner, where)
    return Nodes(labels, np.array(parents, dtype=np.int64), labels)


def _branches(below: Any) -> list[tuple[Any, Any]]:
    """Labels directly below a node, each with what lies below it in turn."""
    if isinstance(below, Mapping):
        return list(below.items())
    found: list[tuple[Any, Any]] = []
    for item in below:
        found.extend(item.items() if isinstance(item, Mapping) else [(item, None)])
    return found


def _check_inner(labels: list[str], parents: list[int], inner: list[int], where: str) -> None:
    """Refuse a label for two branches; inside its own branch it may repeat."""
    tops = Counter(
        labels[node] for node in inner if parents[node] < 0 or labels[parents[node]] != labels[node]
    )
    double = sum(count > 1 for count in tops.values())
    if double:
        raise HierarchyShapeError(f"{where} has {double} labels with two parents.")
