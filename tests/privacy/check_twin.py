"""``shoal check`` on random tables against the definitions, slowly: every number it prints."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from fractions import Fraction
from io import StringIO
from pathlib import Path

import polars as pl
from privacy_twin import Twin, wildcard_matches
from small_tables import HIERARCHY, TREE

from shoal.cli import run
from shoal.hierarchies import write_ladder

TOLERANCE = 1e-12


@dataclass(frozen=True)
class Drawn:
    """A random table: quasi-identifiers, a nominal and a numeric secret, sometimes people."""

    quasi: tuple[tuple[str | None, ...], ...]  # one tuple a row
    words: tuple[str | None, ...]
    numbers: tuple[int | None, ...]
    people: tuple[str, ...] | None
    population: tuple[tuple[str | None, ...], ...] | None = None  # the table's rows among them

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
        _write(path, columns, len(self.words))

    def write_population(self, path: Path) -> None:
        assert self.population is not None
        cells = map(list, zip(*self.population, strict=True))
        _write(path, dict(zip(self.names, cells, strict=True)), len(self.population))


def draw(seed: int) -> Drawn:
    """Draw a table of 1 to 24 rows, and now and then the population that it is from."""
    rng = random.Random(seed)
    rows = rng.randint(1, 24)
    pools = [_pool(rng) for _ in range(rng.randint(1, 3))]
    words = [str(v) for v in rng.sample(range(8), rng.randint(1, 6))] + [None] * rng.choice([0, 1])
    numbers: list[int | None] = [*rng.sample(range(-9, 40), rng.randint(1, 6))]
    numbers += [None] * rng.choice([0, 0, 1])
    people = None
    if rng.random() < 0.3:
        people = tuple(f"p{rng.randint(0, rows)}" for _ in range(rows))
    drawn = Drawn(
        tuple(tuple(rng.choice(pool) for pool in pools) for _ in range(rows)),
        tuple(rng.choice(words) for _ in range(rows)),
        tuple(rng.choice(numbers) for _ in range(rows)),
        people,
    )
    if people is not None or rng.random() < 0.6:
        return drawn
    others = [tuple(rng.choice(pool) for pool in pools) for _ in range(rng.randint(0, 30))]
    return replace(drawn, population=tuple(rng.sample([*drawn.quasi, *others], rows + len(others))))


def mismatches(seeds: Iterable[int], folder: Path) -> list[str]:
    """Type ``shoal check`` for random tables, and list every number it prints that differs."""
    ladders = folder / "hierarchies"
    ladders.mkdir(exist_ok=True)
    write_ladder(HIERARCHY, ladders / "s.csv")
    found = []
    for seed in seeds:
        drawn = draw(seed)
        told = _check_typed(folder / "table.csv", ladders, drawn)
        found += [f"table {seed}: {name}" for name in _differing(drawn, told)]
    return found


def _check_typed(path: Path, ladders: Path, drawn: Drawn) -> dict:
    drawn.write(path)
    ask = ["check", str(path), "--quasi", ",".join(drawn.names), "--sensitive", "s,n", "--json"]
    kinds = ",".join(f"{name}={kind}" for name, kind in drawn.kinds.items())
    ask += ["--kind", kinds, "--hierarchies", str(ladders)]
    ask += [] if drawn.people is None else ["--person", "p"]
    if drawn.population is not None:
        drawn.write_population(path.with_name("population.csv"))
        ask += ["--population", str(path.with_name("population.csv"))]
    printed = StringIO()
    with redirect_stdout(printed):
        assert run(ask) == 0
    return json.loads(printed.getvalue())


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
    if drawn.population is not None:
        expected |= _in_population(drawn.quasi, drawn.population)
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


def _in_population(rows: tuple, population: tuple) -> dict:
    """k-map, delta-presence, journalist and marketer risk, cell by cell."""
    here, there = Counter(rows), Counter(population)
    present = [Fraction(here[cell], people) for cell, people in there.items()]
    return {
        "k_map": min(there[cell] for cell in here),
        "delta_presence_min": min(present),
        "delta_presence_max": max(present),
        "journalist_max_risk": Fraction(1, min(there[cell] for cell in here)),
        "marketer_risk": sum(Fraction(here[cell], there[cell]) for cell in here) / len(rows),
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


def _write(path: Path, columns: dict[str, list], rows: int) -> None:
    columns["x"] = ["-"] * rows  # a row is never empty
    pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).write_csv(path)


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)
