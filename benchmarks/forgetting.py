"""Forgetting: what the difference of two releases tells, and what models lose."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.anonymizer import Anonymizer
from shoal.datasets import adult
from shoal.grouping import Mondrian
from shoal.ledger import Ledger
from shoal.privacy import KAnonymity, PrivacyModel, TCloseness
from shoal.recoding import Generalize
from shoal.studies._verdicts import MeanEstimate
from shoal.table import Grouping, Roles, Table, read_table
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import train_and_test

QUASI = ("age", "education", "marital-status", "race", "sex", "native-country", "workclass")
SECRET, TARGET = "occupation", "income"
K, T = 10, 0.3
TRIALS = 200
DRAWS = 5
LEARNED, TESTED = 30_162, 15_060  # as many as in the two parts of the table
SHARES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
MODEL = "logistic_regression"
_KEY = b"forgetting benchmark, 32 bytes!!"


def measure(trials: int = TRIALS, rows: int = 5000) -> dict[str, Any]:
    """Delete one person at a time, two hundred times; then ever larger shares of everybody."""
    table, trees = _people(rows)
    return {
        "table": f"UCI Adult, {rows:,} rows; k = {K}; sensitive: {SECRET}",
        "deletion": deletion(table, trees, trials),
        "deletion_with_t": {"t": T, **deletion(table, trees, trials, TCloseness(T, SECRET))},
        "degradation": degradation(),
    }


def deletion(
    table: Table, trees: dict[str, Any], trials: int, *asked: PrivacyModel
) -> dict[str, Any]:
    """Compare what an attacker believes before any release, after the first and after both."""
    grouping = _fit(table, trees, *asked).grouping_
    secret, rng = table.frame[SECRET].to_numpy(), np.random.default_rng(8)
    shares = Counter(secret.tolist())
    found = []
    for _ in range(trials):
        person = int(rng.integers(table.n_rows))
        crowd = secret[grouping.members(int(grouping.labels[person]))]
        left = table.take(np.arange(table.n_rows) != person)
        safe = _next_release(table, grouping, person, left)
        plain, hidden = (_difference(table, after) for after in (left, safe))
        value = secret[person]
        found.append(
            {
                "in_the_table": shares[value] / table.n_rows,
                "prior": float((crowd == value).mean()),
                "unprotected": plain[value] / plain.total(),
                "posterior": hidden[value] / hidden.total(),
                "matched": 1 / hidden.total(),
            }
        )
    mean = {name: float(np.mean([each[name] for each in found])) for name in found[0]}
    print(f"  posterior {mean['posterior']:.4f}, prior {mean['prior']:.4f}", flush=True)
    return {
        "trials": trials,
        **{name: round(value, 5) for name, value in mean.items()},
        "belief": _over(each["posterior"] for each in found),
        "more_than_before": _over(each["posterior"] - each["prior"] for each in found),
        "beyond_the_table": _over(each["posterior"] - each["in_the_table"] for each in found),
        "matched_at_most": round(max(each["matched"] for each in found), 5),
        "one_over_k": 1 / K,
    }


def _over(values: Iterable[float], overlap: float = 0.0) -> list[float]:
    """Mean and both ends of its 95 % interval, over deletions or over divisions of the table."""
    found = MeanEstimate.of(values, overlap)
    return [round(each, 5) for each in (found.value, *found.interval())]


def degradation() -> dict[str, Any]:
    """F1 on untouched rows against the share of forgotten people: regroup, or drop crowds."""
    draws = [_degrade(draw) for draw in range(DRAWS)]
    return {
        "model": MODEL,
        "k": K,
        "measure": "f1_macro",
        "learned": LEARNED,
        "tested": TESTED,
        "draws": draws,
        "told": [_told(share, records) for share, *records in zip(SHARES, *draws, strict=True)],
    }


def _degrade(draw: int) -> list[dict[str, Any]]:
    """Divide all complete rows once, release one part, and forget ever more of it."""
    data, rng = adult(part="both"), np.random.default_rng(draw)
    order = rng.permutation(data.frame.height)
    train, test = data.frame[order[:LEARNED]], data.frame[order[LEARNED:][:TESTED]]
    roles = Roles(quasi_identifiers=(*QUASI, SECRET), target=TARGET)
    table = read_table(train, roles=roles, kinds=data.kinds)
    trees = {n: h for n, h in data.hierarchies.items() if n in roles.quasi_identifiers}
    made = _fit(table, trees)
    whole, crowds = made.recoded_.aligned_frame(table), made.grouping_.labels
    leaving = rng.permutation(table.n_rows)
    records = []
    for share in SHARES:
        gone = leaving[: int(share * table.n_rows)]
        left = table.take(~np.isin(np.arange(table.n_rows), gone))
        kept = ~np.isin(crowds, crowds[gone])
        ways = {
            "regroup": _fit(left, trees).release_.frame,
            "drop_crowds": whole.filter(pl.Series(kept)),
        }
        scores = {name: _f1(frame, test, roles, data, trees) for name, frame in ways.items()}
        lost = round(1 - float(kept.mean()), 4)
        print(f"  draw {draw}, forgotten {share:.2f}: {scores}, crowds lost {lost}", flush=True)
        records.append({"forgotten": share, "rows_dropped_with_crowds": lost, **scores})
    return records


def _told(share: float, records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Means over draws, where every draw had rows enough to learn from."""
    pairs = [(r["regroup"], r["drop_crowds"]) for r in records]
    whole = all(None not in pair for pair in pairs)
    dropped = [r["rows_dropped_with_crowds"] for r in records]
    return {
        "forgotten": share,
        "rows_dropped_with_crowds": round(float(np.mean(dropped)), 4),
        "regroup": _over((anew for anew, _ in pairs), TESTED / LEARNED),
        "drop_crowds": _over((old for _, old in pairs), TESTED / LEARNED) if whole else None,
        "anew_above": _over((a - b for a, b in pairs), TESTED / LEARNED) if whole else None,
    }


def _people(rows: int) -> tuple[Table, dict[str, Any]]:
    data = adult()
    frame = data.frame.select(*QUASI, SECRET)[:rows].with_row_index("id")
    frame = frame.with_columns(pl.col("id").cast(pl.String))
    roles = Roles(quasi_identifiers=QUASI, sensitive=SECRET, person="id")
    kinds = {name: data.kinds[name] for name in (*QUASI, SECRET)} | {"id": "nominal"}
    trees = {name: tree for name, tree in data.hierarchies.items() if name in QUASI}
    return read_table(frame, roles=roles, kinds=kinds), trees


def _fit(table: Table, trees: dict[str, Any], *asked: PrivacyModel) -> Anonymizer:
    models = (KAnonymity(K), *asked)
    return Anonymizer(Mondrian(), Generalize(trees), models, bound=False).fit(table)


def _next_release(table: Table, grouping: Grouping, person: int, left: Table) -> Table:
    """What the ledger lets through after a person was forgotten."""
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder), _KEY) as ledger:
        with ledger.releasing(table, grouping, k=K):
            pass
        ledger.forget(table, "id", [str(table.frame["id"][person])])
        crowds = ledger.kept_crowds(left)
        safe = left.take(crowds >= 0)
        kept = Grouping(np.unique(crowds[crowds >= 0], return_inverse=True)[1])
        assert not ledger.score(left, grouping_of(left, grouping, person), k=K).holds
        assert ledger.score(safe, kept, k=K).holds
        assert ledger.verify().holds
    return safe


def grouping_of(left: Table, grouping: Grouping, person: int) -> Grouping:
    """The same crowds without one person: what a release without any care would be."""
    return Grouping(np.unique(np.delete(grouping.labels, person), return_inverse=True)[1])


def _difference(one: Table, other: Table) -> Counter[str]:
    return Counter(one.frame[SECRET].to_list()) - Counter(other.frame[SECRET].to_list())


def _f1(
    release: pl.DataFrame, test: pl.DataFrame, roles: Roles, data: Any, trees: Any
) -> float | None:
    if release.height < 50 or release[TARGET].n_unique() < 2:
        return None
    names = roles.quasi_identifiers
    kinds = {name: data.kinds[name] for name in names if name not in trees}
    scores = train_and_test(
        release,
        test,
        target=TARGET,
        quasi_identifiers=names,
        encoder=GeneralizedEncoder(trees, kinds=kinds, scaled=True),
        model=MODEL,
    )
    return round(scores.scores["f1_macro"].mean, 4)
