"""Public tables whose columns one steward gave roles, once, before anything was proposed.

Parts E to H are by whoever wrote the rules, parts I1 and I2 by somebody who has not read them.

Letters are those of ``roles_public.py``; what a *direct identifier* is stands in
``roles_stewards.py``. Keys of a visit, a contract, a policy or a case of a person are direct
identifiers as well; keys of things that are no person's (a product, a shop) are not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from roles_public import PublicTable

HERE = Path(__file__).parent
LABELS = (HERE / "roles_once.toml", HERE / "roles_independent.toml")


def once_labeled() -> Iterator[tuple[str, PublicTable]]:
    """Yield every table that one steward labeled, with its part."""
    for labels in LABELS:
        for table in tomllib.loads(labels.read_text("utf-8"))["tables"]:
            yield table["part"], PublicTable(table["fetched"], table["source"], table["roles"])
