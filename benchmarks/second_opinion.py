"""Teach the second opinion on roles, and say how far it is right about tables it has not seen.

    SHOAL_PUBLIC_TABLES=FOLDER python benchmarks/run.py second_opinion

learns from every labeled table in the folder (``roles_*`` say where each is found) and writes
``second_opinion.npz`` into the package: weights of pieces of names, of words and of rough shapes of
values, all of them hashed; no cell of a table goes in. Then it is taught without the tables that
were labeled by people who have read no rule, and asked about them.
SHOAL_KEPT_COLUMNS names a file that keeps what columns look like: teaching again takes seconds.
"""

from __future__ import annotations

import json
import os
import pickle
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from roles import RESULT as ROLES
from roles import labeled_tables
from shoal.exceptions import ShoalError
from shoal.plan._formats import read_better
from shoal.table import read_table
from shoal.table._infer import look_at
from shoal.table.recognizing import _second_opinion as opinion

STRANGERS = ("I1", "I2", "J1", "J2")  # labeled by somebody who has read no rule
HEARD = 3  # times as much as others
FOLDS = 5
STRENGTH = 3.0  # of what is learned, against weights of nothing
BESIDE_STRENGTH = 1.0
LARGEST = 127  # of the small integers that stand for weights


@dataclass(frozen=True)
class LabeledColumns:
    """The columns of a labeled table, as the second opinion sees them."""

    part: str
    table: str
    source: str
    names: tuple[str, ...]
    letters: tuple[str, ...]
    features: tuple[opinion.Features, ...]
    varies: tuple[bool, ...]


@dataclass(frozen=True)
class Taught:
    """Weights of features, and of what is thought of the columns around."""

    first: LogisticRegression
    beside: LogisticRegression

    def judge(self, table: LabeledColumns) -> Any:
        """Give the chances of every column of a table."""
        chances = self.first.predict_proba(matrix_of([table]))
        return self.beside.predict_proba(opinion.look_around(chances))


def gather(kept: Path | None = None) -> list[LabeledColumns]:
    """Describe every labeled table that is at hand and can be read."""
    known: dict[str, Any] = pickle.loads(kept.read_bytes()) if kept and kept.is_file() else {}
    found = []
    for part, fetched, source, role_of in labeled_tables():
        path = Path(os.environ["SHOAL_PUBLIC_TABLES"]) / fetched
        if fetched not in known and path.is_file():
            known[fetched] = _describe(path)
        if known.get(fetched):
            names, *told = known[fetched]
            letters = tuple(role_of(name).replace("T", "S") for name in names)
            found.append(LabeledColumns(part, path.stem, source, names, letters, *told))
    if kept:
        kept.write_bytes(pickle.dumps(known))
    return found


def _describe(path: Path) -> tuple[tuple[Any, ...], ...] | None:
    try:
        table = read_table(path)
        reading = {"source": str(path), "kinds": {}, "missing": ("",)}
        looks = look_at(read_better(table, reading)[0])
    except ShoalError:
        return None
    features = tuple(opinion.features_of([*looks.values()]))
    return tuple(looks), features, tuple(look.varies for look in looks.values())


def matrix_of(tables: Sequence[LabeledColumns]) -> Any:
    """Put the features of all columns into one sparse matrix."""
    rows = [features for table in tables for features in table.features]
    starts = np.cumsum([0, *map(len, rows)])
    places = np.concatenate([[*row] for row in rows])
    weights = np.concatenate([[*row.values()] for row in rows])
    return sp.csr_matrix((weights, places, starts), shape=(len(rows), opinion.BUCKETS))


def teach(tables: Sequence[LabeledColumns]) -> Taught:
    """Learn from some tables; what is thought of neighbours, from folds that were left out."""
    letters = [given[0] for table in tables for given in table.letters]
    told = np.array(["HIQS".index(letter) for letter in letters])
    wide = np.array([_counts(table) for table in tables for _ in table.names])
    fold = [crc32(_origin(table).encode()) % FOLDS for table in tables]
    around = np.zeros((len(told), opinion.look_around(np.ones((1, 4))).shape[1]))
    places = np.split(np.arange(len(told)), np.cumsum([len(t.names) for t in tables])[:-1])
    everything = matrix_of(tables)
    for left_out in range(FOLDS):
        rest = np.concatenate([p for p, f in zip(places, fold, strict=True) if f != left_out])
        learned = _fit(STRENGTH, everything[rest], told[rest], wide[rest])
        for place, which in zip(places, fold, strict=True):
            if which == left_out:
                around[place] = opinion.look_around(learned.predict_proba(everything[place]))
    first = _fit(STRENGTH, everything, told, wide)
    return Taught(first, _fit(BESIDE_STRENGTH, around, told, wide))


def _counts(table: LabeledColumns) -> float:
    """Weigh a column: the less the wider its table, the more if nobody of the house labeled it."""
    return float(len(table.names) ** -0.5) * (HEARD if table.part in STRANGERS else 1)


def _origin(table: LabeledColumns) -> str:
    """Name what tables share that are alike: where they are from, unless that has everything."""
    repository = table.source.split(":")[0]
    return table.table if "Rdatasets" in repository else repository


def _fit(strength: float, features: Any, told: Any, weight: Any) -> LogisticRegression:
    model = LogisticRegression(C=strength, max_iter=1_000)
    return model.fit(features, told, sample_weight=weight / weight.mean())


def write(taught: Taught) -> None:
    """Write what was learned as small integers."""
    weights = taught.first.coef_.T
    scale = np.abs(weights).max() / LARGEST
    np.savez_compressed(
        opinion.FILE,
        weights=np.round(weights / scale).astype(np.int8),
        scale=np.float64(scale),
        bias=taught.first.intercept_,
        beside=taught.beside.coef_.T,
        beside_bias=taught.beside.intercept_,
    )


def measure() -> dict[str, Any]:
    """Teach with all tables, write that, and ask about strangers' tables what all others taught."""
    kept = os.environ.get("SHOAL_KEPT_COLUMNS")
    tables = gather(Path(kept) if kept else None)
    write(teach(tables))
    asked = [table for table in tables if table.part in STRANGERS]
    taught = teach([table for table in tables if table.part not in STRANGERS])
    by_part = {part: [table for table in asked if table.part == part] for part in STRANGERS}
    return {
        "tables": len(tables),
        "columns": sum(len(table.names) for table in tables),
        "strangers": _alone(asked, taught),
        "by_part": {part: _alone(some, taught) for part, some in by_part.items()},
        "beside_rules": {part: _beside_rules(part, asked, taught) for part in STRANGERS},
    }


def _alone(tables: Sequence[LabeledColumns], taught: Taught) -> dict[str, Any]:
    """Count how many columns of each letter it would meet by itself."""
    columns: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for table in tables:
        for given, chances in zip(table.letters, taught.judge(table), strict=True):
            columns[given[0]] += 1
            met[given[0]] += "HIQS"[chances.argmax()] in given
    return {
        "tables": len(tables),
        "columns": dict(columns),
        "met": {letter: round(met[letter] / n, 3) for letter, n in columns.items()},
    }


def _beside_rules(
    part: str, tables: Sequence[LabeledColumns], taught: Taught
) -> dict[str, Any] | None:
    """Ask about what rules left to be published at their first look at a part."""
    looks = [look for look in _first_looks() if look["part"] == part and "misjudged" in look]
    if not looks:
        return None
    misjudged = dict(_split(said) for said in looks[0]["misjudged"])
    counts: Counter[str] = Counter()
    for table in (t for t in tables if t.part == part):
        for name, given, varies, chances in zip(
            table.names, table.letters, table.varies, taught.judge(table), strict=True
        ):
            role = misjudged.get(f"{table.table}.{name}", "other" if given[0] == "H" else "")
            if role != "other":
                continue
            sure = varies and chances[1:].max() > opinion.LIKELY
            best = "IQS"[chances[1:].argmax()]
            what = "harmless" if f"{table.table}.{name}" not in misjudged else given[0]
            counts[what] += 1
            counts[f"{what} given a role"] += bool(sure)
            counts[f"{what} given a right one"] += bool(sure and best in given)
    return dict(sorted(counts.items()))


def _first_looks() -> list[dict[str, Any]]:
    on_file = json.loads(ROLES.read_text("utf-8"))["results"]["first_look"]
    return [*on_file["once"], *on_file["apart"]]


def _split(said: str) -> tuple[str, str]:
    """Split ``table.column: role, not letters``."""
    column, _, told = said.rpartition(": ")
    return column, told.partition(", not ")[0]
