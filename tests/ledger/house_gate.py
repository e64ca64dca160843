"""The way of a release through the gate of this house, for tests."""

from __future__ import annotations

from functools import partial

from shoal.ledger import Ledger, enter_ledger


def entered(table, grouping, *, k, mode):
    release = {"table": table, "grouping": grouping, "k": k, "refuse": mode == "refuse"}
    return enter_ledger(mode, partial(Ledger.releasing, **release))
