"""The way of a release through the gate of this house, for tests."""

from __future__ import annotations

from functools import partial

from shoal.ledger import Ledger, through_gate


def entered(table, grouping, *, k, mode):
    release = {"table": table, "grouping": grouping, "k": k, "refuse": mode == "refuse"}
    return through_gate(mode, partial(Ledger.releasing, **release))
