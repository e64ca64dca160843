"""Five releases of Adult with other weights: what they give away together, and with the ledger."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np

from plain_mondrian import plain_mondrian
from shoal.anonymizer import Anonymizer
from shoal.datasets import adult
from shoal.exceptions import ReleaseRefusedError
from shoal.grouping import Mondrian, SaNGreeA
from shoal.ledger import Ledger, compose, trace_release
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.table import Grouping, Roles, Table, read_table

QUASI = ("age", "education", "marital-status", "race", "sex", "native-country", "workclass")
SECRET = "occupation"
K = 5
DRAWS = 10  # of random weights for the plain Mondrian
WEIGHTS: list[dict[str, float]] = [
    {},
    {"age": 5.0},
    {"education": 5.0},
    {"marital-status": 5.0, "workclass": 5.0},
    {"native-country": 5.0, "race": 5.0, "sex": 5.0},
]
_KEY = b"benchmark" * 3


def measure() -> dict[str, Any]:
    """Release five times, keep everything; then again, asking the ledger first."""
    return {
        "all": _release(None),
        "first_5000_rows": _release(5000),
        "plain_mondrian": [_plain(5000, seed) for seed in range(DRAWS)],
    }


def _plain(rows: int, seed: int) -> dict[str, Any]:
    """The textbook's Mondrian, equal weights and then four random ones: the report's setting."""
    table, _ = _people(rows)
    rng = np.random.default_rng(seed)
    weights = [np.ones(len(QUASI)), *rng.uniform(0.5, 2.0, (4, len(QUASI)))]
    groupings = [plain_mondrian(table, K, given) for given in weights]
    labels = np.stack([grouping.labels for grouping in groupings])
    _, sizes = np.unique(labels, axis=1, return_counts=True)
    alone = float((sizes == 1).sum() / table.n_rows)
    return {"seed": seed, "alone_if_aligned": round(alone, 5), **_compare(table, groupings)}


def _people(rows: int | None) -> tuple[Table, dict[str, Any]]:
    data = adult()
    roles = Roles(quasi_identifiers=QUASI, sensitive=SECRET)
    frame = data.frame.select(*QUASI, SECRET)
    kinds = {name: data.kinds[name] for name in frame.columns}
    trees = {name: tree for name, tree in data.hierarchies.items() if name in QUASI}
    return read_table(frame if rows is None else frame[:rows], roles=roles, kinds=kinds), trees


def _release(rows: int | None) -> dict[str, Any]:
    table, trees = _people(rows)
    found = {
        name: _compare(table, [_group(table, trees, make(weights)) for weights in WEIGHTS])
        for name, make in {"mondrian": Mondrian, "sangreea": SaNGreeA}.items()
    }
    return {"rows": table.n_rows, "k": K, "sensitive": SECRET, "weights": WEIGHTS, **found}


def _group(table: Table, trees: dict[str, Any], grouper: Any) -> Grouping:
    made = Anonymizer(grouper, Generalize(trees), KAnonymity(K), bound=False)
    return made.fit(table).grouping_


def _compare(table: Table, groupings: list[Grouping]) -> dict[str, Any]:
    traces = [trace_release(table, grouping, _KEY, k=K) for grouping in groupings]
    alone = compose(traces[0], [traces[0]])
    together = [compose(traces[n], traces[:n]) for n in range(1, len(traces))]
    shares = [score.single / table.n_rows for score in (alone, *together)]
    with tempfile.TemporaryDirectory() as folder:
        written = _with_ledger(table, groupings, Ledger.open(folder, _KEY.ljust(32)[:32]))
    kept = [traces[n] for n in written]
    final = compose(kept[-1], kept[:-1] or kept)
    print(f"  one candidate: {', '.join(f'{share:.4f}' for share in shares)}", flush=True)
    return {
        "groups": [grouping.n_groups for grouping in groupings],
        "share_with_one_candidate": [round(share, 5) for share in shares],
        "share_with_crowds_below_k": [round(score.shrunk / table.n_rows, 5) for score in together],
        "with_ledger": {
            "written": len(written),
            "refused": len(groupings) - len(written),
            "share_with_one_candidate": round(final.single / table.n_rows, 5),
        },
    }


def _with_ledger(table: Table, groupings: list[Grouping], ledger: Ledger) -> list[int]:
    """Write whatever the ledger lets through; say which."""
    written = []
    for number, grouping in enumerate(groupings):
        try:
            with ledger.releasing(table, grouping, k=K):
                written.append(number)
        except ReleaseRefusedError:
            continue
    ledger.close()
    return written
