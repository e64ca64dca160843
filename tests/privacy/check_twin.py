"""``shoal check`` on random tables against the definitions, slowly: every number it prints."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import polars as pl
from privacy_twin import Twin, wildcard_matches
from small_tables import HIERARCHY, TREE

from shoal.cli import run
from shoal.hierarchies import write_ladder
from shoal.privacy import check
from shoal.table import Roles, read_table

TOLERANCE = 1e-12


@dataclass(frozen=True)
class Drawn:
    """A random table: quasi-identifiers, a nominal and a numeric secret, sometimes people."""

    quasi: tuple[tuple[str | None, ...], ...]  # one tuple a row
    words: tuple[str | None, ...]
    numbers: tuple[int | None, ...]
    people: tuple[str, ...] | None

    @property
    def labels(self) -> list[int]:
        """Rows that read the same are one group."""
        seen = {row: number for number, row in enumerate(dict.fromkeys(self.quasi))}
        return [seen[row] for row in self.quasi]

    @property
    def names(self) -> list[str]:
        return [f"q{i}" for i in range(len(self.quasi[0]))]

    @property
    def kinds(self) -> dict[str, str]:
        words = [*self.names, "s", "x", *([] if self.people is None else ["p"])]
        return dict.fromkeys(words, "nominal") | {"n": "numeric"}

    def write(self, path: Path) -> None:
        cells = map(list, zip(*self.quasi, strict=True))
        columns: dict[str, list] = dict(zip(self.names, cells, strict=True))
        columns |= {"s": list(self.words), "n": [_text(number) for number in self.numbers]}
        if self.people is not None:
            columns["p"] = list(self.people)
        columns["x"] = ["-"] * len(self.words)  # a row is never empty
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).write_csv(path)


def draw(seed: int) -> Drawn:
    """Draw a table of 1 to 24 rows."""
    rng = random.Random(seed)
    rows = rng.randint(1, 24)
    pools = [_pool(rng) for _ in range(rng.randint(1, 3))]
    words = [str(v) for v in rng.sample(range(8), rng.randint(1, 6))] + [None] * rng.choice([0, 1])
    numbers: list[int | None] = [*rng.sample(range(-9, 40), rng.randint(1, 6))]
    numbers += [None] * rng.choice([0, 0, 1])
    people = None
    if rng.random() < 0.3:
        people = tuple(f"p{rng.randint(0, rows)}" for _ in range(rows))
    return Drawn(
        tuple(tuple(rng.choice(pool) for pool in pools) for _ in range(rows)),
        tuple(rng.choice(words) for _ in range(rows)),
        tuple(rng.choice(numbers) for _ in range(rows)),
        people,
    )


def mismatches(seeds: Iterable[int], folder: Path, *, typed: bool = True) -> list[str]:
    """Check random tables, as typed or by the library, and list every number that differs."""
    ladders = folder / "hierarchies"
    ladders.mkdir(exist_ok=True)
    write_ladder(HIERARCHY, ladders / "s.csv")
    path = folder / "table.csv"
    found = []
    for seed in seeds:
        drawn = draw(seed)
        drawn.write(path)
        told = _check_typed(path, ladders, drawn) if typed else _check(path, drawn)
        found += [f"table {seed}: {name}" for name in _differing(drawn, told)]
    return found


def _check_typed(path: Path, ladders: Path, drawn: Drawn) -> dict:
    ask = ["check", str(path), "--quasi", ",".join(drawn.names), "--sensitive", "s,n", "--json"]
    kinds = ",".join(f"{name}={kind}" for name, kind in drawn.kinds.items())
    ask += ["--kind", kinds, "--hierarchies", str(ladders)]
    ask += [] if drawn.people is None else ["--person", "p"]
    printed = StringIO()
    with redirect_stdout(printed):
        assert run(ask) == 0
    return json.loads(printed.getvalue())


def _check(path: Path, drawn: Drawn) -> dict:
    """What the command does, without the command line around it."""
    person = None if drawn.people is None else "p"
    roles = Roles(quasi_identifiers=drawn.names, sensitive=["s", "n"], person=person)
    table = read_table(path, roles=roles, kinds=drawn.kinds)
    return json.loads(check(table, hierarchies={"s": HIERARCHY}).to_json())


def _differing(drawn: Drawn, told: dict) -> Iterator[str]:
    people = None if drawn.people is None else list(drawn.people)
    whole = Twin(drawn.labels, list(drawn.words), people)
    sizes = whole.k()
    expected = {
        "rows": len(drawn.words),
        "groups": len(sizes),
        "k": min(sizes),
        "prosecutor_max_risk": 1 / min(sizes),
        "avg_risk_per_record": len(sizes) / sum(sizes),
        "sample_unique_fraction": sizes.count(1) / sum(sizes),
    }
    if people is None:
        expected["k_wildcard"] = min(wildcard_matches(drawn.quasi))
    yield from _compare(expected, told, "")
    for column, values in {"s": drawn.words, "n": drawn.numbers}.items():
        twin = Twin(drawn.labels, list(values), people)
        yield from _compare(_expected(twin, column, told), told["sensitive"][column], column)


def _expected(twin: Twin, column: str, told: dict) -> dict:
    needed = told["sensitive"][column]["recursive_c"]
    return {
        "distinct_l": min(twin.distinct()),
        "entropy_l": min(twin.entropy()),
        "recursive_c": {l: max(twin.recursive(int(l))) for l in needed},
        "t_equal": max(twin.t_equal()),
        "t_ordered": max(twin.t_ordered()) if column == "n" else None,
        "t_hierarchical": max(twin.t_hierarchical(TREE)) if column == "s" else None,
        "basic_beta": max(twin.basic_beta()),
        "enhanced_beta": max(twin.enhanced_beta()),
        "delta_disclosure": max(twin.delta(strict=True)),
        "delta_disclosure_present": max(twin.delta(strict=False)),
        "alpha": max(twin.alpha()),
    }


def _compare(expected: dict, told: dict, where: str) -> Iterator[str]:
    for name, value in expected.items():
        if isinstance(value, dict):
            yield from _compare(value, told[name], f"{where}.{name}")
        elif value is None:
            if told.get(name) is not None:
                yield f"{where}.{name}"
        elif not _same(float(value), told[name]):
            yield f"{where}.{name}"


def _same(expected: float, told: object) -> bool:
    found = math.inf if told == "inf" else float(told)  # type: ignore[arg-type]
    return math.isclose(expected, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _pool(rng: random.Random) -> list[str | None]:
    values: list[str | None] = rng.sample(
        ["a", "b", "[17, 25]", "80**", "*", "A "], rng.randint(1, 4)
    )
    return values + [None] * rng.choice([0, 0, 1])


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)
