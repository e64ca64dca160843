"""Teach the second opinion on roles, and say how far it is right about tables it has not seen.

    SHOAL_PUBLIC_TABLES=FOLDER python benchmarks/run.py second_opinion

learns from every labeled table in the folder (``roles_*`` say where each is found) and from tables
that might be (``role_schemas.py``), and writes ``second_opinion.npz`` into the package: weights of
pieces of names, of words and of rough shapes of values, all of them hashed; no cell of a table goes
in. Then it is taught without the tables that people labeled who have read no rule, one round of
them at a time, and asked about these. SHOAL_KEPT_COLUMNS names a file that keeps what columns look
like, for the next time.

Answers that the labels of our own hold for harmless are not learned from: strangers hold them for
what people keep to themselves (decision 40).
"""

from __future__ import annotations

import json
import os
import pickle
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from role_schemas import all_schemas, pool_of, said_of, shape_of
from roles import RESULT as ROLES
from roles import labeled_tables
from shoal.exceptions import ShoalError
from shoal.plan._formats import read_better
from shoal.table import read_table
from shoal.table._infer import look_at
from shoal.table.recognizing import Look
from shoal.table.recognizing import _second_opinion as opinion

STRANGERS = ("I1", "I2", "J1", "J2")  # labeled by somebody who has read no rule
HEARD = 3  # times as much as others; tables that might be as well
FOLDS = 3
SCALE = 11  # answers at most
NEAR_ENOUGH = 1e-3  # of the gradient, where learning ends
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
    said: tuple[opinion.Said, ...]
    shapes: tuple[str, ...]
    varies: tuple[bool, ...]
    answers: tuple[bool, ...]

    @property
    def features(self) -> list[opinion.Features]:
        """What is said of the columns, hashed."""
        return opinion.described(self.said)

    @property
    def heard(self) -> list[bool]:
        """Tell which columns are learned from: strangers keep answers that we held for harmless."""
        ours = self.part not in STRANGERS
        pairs = zip(self.letters, self.answers, strict=True)
        return [not (ours and answer and given[0] == "H") for given, answer in pairs]


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
    columns = [*looks.values()]
    parts = (opinion.say_of, shape_of, lambda look: look.varies, _is_answer)
    return tuple(looks), *(tuple(map(part, columns)) for part in parts)


def _is_answer(look: Look) -> bool:
    """Whether it is what somebody answered, by its name: a question, or a number of one."""
    numbered = bool(re.match(opinion.QUESTION, look.name)) and look.size <= SCALE
    return look.is_question or numbered


def matrix_of(tables: Sequence[LabeledColumns]) -> Any:
    """Put the features of all columns into one sparse matrix."""
    return _matrix(features for table in tables for features in table.features)


def _matrix(described: Iterable[opinion.Features]) -> Any:
    rows = [*described]
    starts = np.cumsum([0, *map(len, rows)])
    places = np.concatenate([[*row] for row in rows]).astype(np.int64)
    weights = np.concatenate([[*row.values()] for row in rows])
    return sp.csr_matrix((weights, places, starts), shape=(len(rows), opinion.BUCKETS))


def teach(tables: Sequence[LabeledColumns]) -> Taught:
    """Learn from some tables; what is thought of neighbours, from folds that were left out."""
    everything, told, counts = _labeled(tables)
    might = _that_might_be(tables)
    first = _fit(STRENGTH, *map(_joined, (everything, told, counts), might))
    around = [np.zeros(0)] * len(tables)
    for left_out in range(FOLDS):
        rest = [t for t in tables if _fold(t) != left_out]
        learned = _fit(STRENGTH, *map(_joined, _labeled(rest), might))
        for place, table in enumerate(tables):
            if _fold(table) == left_out:
                chances = learned.predict_proba(matrix_of([table]))
                around[place] = opinion.look_around(chances)
    return Taught(first, _fit(BESIDE_STRENGTH, np.vstack(around), told, counts))


def _labeled(tables: Sequence[LabeledColumns]) -> tuple[Any, Any, Any]:
    """Give the features of all columns, the places of their letters, and how much they count."""
    told = ["HIQS".index(given[0]) for table in tables for given in table.letters]
    counts = [_counts(table) * heard for table in tables for heard in table.heard]
    return matrix_of(tables), np.array(told), np.array(counts)


def _joined(one: Any, other: Any) -> Any:
    return sp.vstack([one, other]) if sp.issparse(one) else np.append(one, other)


def _fold(table: LabeledColumns) -> int:
    return crc32(_origin(table).encode()) % FOLDS


def _that_might_be(tables: Sequence[LabeledColumns]) -> tuple[Any, Any, Any]:
    """Describe tables that might be, with values like those of columns of the same letter."""
    pool = pool_of(
        (given, shape, said[2])
        for table in tables
        for given, shape, said in zip(table.letters, table.shapes, table.said, strict=True)
    )
    made = [(columns, said_of(columns, pool, title)) for title, columns in all_schemas()]
    roles = ["HIQS".index(column.letters[0]) for columns, _ in made for column in columns]
    counts = [HEARD * len(columns) ** -0.5 for columns, _ in made for _ in columns]
    features = _matrix(f for _, said in made for f in opinion.described(said))
    return features, np.array(roles), np.array(counts)


def _counts(table: LabeledColumns) -> float:
    """Weigh a column: the less the wider its table, the more if nobody of the house labeled it."""
    return float(len(table.names) ** -0.5) * (HEARD if table.part in STRANGERS else 1)


def _origin(table: LabeledColumns) -> str:
    """Name what tables share that are alike: where they are from, unless that has everything."""
    repository = table.source.split(":")[0]
    return table.table if "Rdatasets" in repository else repository


def _fit(strength: float, features: Any, told: Any, weight: Any) -> LogisticRegression:
    heard = weight > 0
    model = LogisticRegression(C=strength, max_iter=1_000, tol=NEAR_ENOUGH)
    counts = weight[heard] / weight[heard].mean()
    return model.fit(sp.csr_matrix(features)[np.flatnonzero(heard)], told[heard], counts)


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
    made = [*all_schemas()]
    by_part, beside, met = {}, {}, []
    for letter in ("I", "J"):  # two rounds, each by other people
        asked = [t for t in tables if t.part in STRANGERS and t.part[0] == letter]
        taught = teach([table for table in tables if table not in asked])
        met += [(given, chances) for t in asked for given, chances in _judged(t, taught)]
        for part in (part for part in STRANGERS if part[0] == letter):
            some = [table for table in asked if table.part == part]
            by_part[part] = _alone(pair for t in some for pair in _judged(t, taught))
            beside[part] = _beside_rules(part, asked, taught)
    return {
        "tables": len(tables),
        "columns": sum(len(table.names) for table in tables),
        "schemas": len(made),
        "schema_columns": sum(len(columns) for _, columns in made),
        "absent": len(
            {Path(fetched).stem for _, fetched, *_ in labeled_tables()}
            - {table.table for table in tables}
        ),
        "strangers": {
            "tables": sum(table.part in STRANGERS for table in tables),
            **_alone(met),
        },
        "by_part": by_part,
        "beside_rules": beside,
    }


def _judged(table: LabeledColumns, taught: Taught) -> Iterator[tuple[str, Any]]:
    yield from zip(table.letters, taught.judge(table), strict=True)


def _alone(judged: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Count how many columns of each letter it would meet by itself."""
    columns: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for given, chances in judged:
        columns[given[0]] += 1
        met[given[0]] += "HIQS"[chances.argmax()] in given
    return {
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
            best = opinion.OPINIONS[1 + int(chances[1:].argmax())]
            sure = varies and chances[0] < opinion.HARDLY
            sure &= chances[1:].max() > opinion.RATHER[best]
            what = "harmless" if f"{table.table}.{name}" not in misjudged else given[0]
            counts[what] += 1
            counts[f"{what} given a role"] += bool(sure)
            counts[f"{what} given a right one"] += bool(
                sure and "HIQS"[opinion.OPINIONS.index(best)] in given
            )
    return dict(sorted(counts.items()))


def _first_looks() -> list[dict[str, Any]]:
    on_file = json.loads(ROLES.read_text("utf-8"))["results"]["first_look"]
    return [*on_file["once"], *on_file["apart"]]


def _split(said: str) -> tuple[str, str]:
    """Split ``table.column: role, not letters``."""
    column, _, told = said.rpartition(": ")
    return column, told.partition(", not ")[0]
