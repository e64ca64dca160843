"""Public tables whose columns one steward gave roles, once, before anything was proposed.

Letters are those of ``roles_public.py``; what a *direct identifier* is stands in
``roles_stewards.py``. Keys of a visit, a contract, a policy or a case of a person are direct
identifiers as well; keys of things that are no person's (a product, a shop) are not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from roles_public import PublicTable

LABELS = Path(__file__).with_suffix(".toml")


def once_labeled() -> Iterator[tuple[str, PublicTable]]:
    """Yield every table that one steward labeled, with its part."""
    for table in tomllib.loads(LABELS.read_text("utf-8"))["tables"]:
        yield table["part"], PublicTable(table["fetched"], table["source"], table["roles"])
