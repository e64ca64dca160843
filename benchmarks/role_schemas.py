"""Tables of people as they might be: names of columns, what a careful steward holds them for.

``schemas/*.toml`` have them by domain, written from what is known of such tables, in some thirty
languages and many ways to name things, without looking at what any proposal missed. A key such as
``QSn`` says that the first letter counts, the second is accepted, and values are like ``n`` (see
`SHAPES`). No values are made up for them: to teach, each takes what the values of a labeled column
of the same letter and shape look like.
"""

from __future__ import annotations

import random
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from shoal.table._infer import Look
from shoal.table.recognizing import languages_of, split_name, understand
from shoal.table.recognizing._second_opinion import Said

FOLDER = Path(__file__).parent / "schemas"
#: How values look, in a letter.
SHAPES = {
    "k": "codes or numbers that hardly repeat",
    "w": "words that hardly repeat, as names do",
    "t": "texts that somebody wrote",
    "d": "days or moments",
    "n": "numbers",
    "i": "a few whole numbers",
    "b": "yes or no",
    "c": "a few words",
    "m": "many words",
}
FEW, SOME, WRITTEN = 15, 20, 3  # distinct numbers; distinct words; words of a text
ORDER = {"I": 0.0, "Q": 1.0, "S": 2.0, "H": 2.0}
SPREAD = 1.5  # of the places that columns of one letter take
Pool: TypeAlias = dict[tuple[str, str], list[Sequence[str]]]


@dataclass(frozen=True)
class SchemaColumn:
    """A column that might be."""

    name: str
    letters: str
    shape: str


def all_schemas() -> Iterator[tuple[str, list[SchemaColumn]]]:
    """Yield the tables by name, with columns about in the order that tables have them."""
    for file in sorted(FOLDER.glob("*.toml")):
        for title, groups in tomllib.loads(file.read_text("utf-8")).items():
            drawn = random.Random(title)
            columns = [column for key, names in groups.items() for column in _columns(key, names)]
            places = [ORDER[column.letters[0]] + SPREAD * drawn.random() for column in columns]
            in_order = sorted(zip(places, columns, strict=True), key=lambda pair: pair[0])
            yield f"{file.stem} {title}", [column for _, column in in_order]


def _columns(key: str, names: str) -> Iterator[SchemaColumn]:
    letters = "".join(sign for sign in key if sign.isupper()).replace("T", "S")
    shape = next(sign for sign in key if sign in SHAPES)
    for name in names.split("; "):
        yield SchemaColumn(name.strip(), letters, shape)


def shape_of(look: Look) -> str:
    """Say in a letter what values look like."""
    if look.kind == "date":
        return "d"
    if look.is_binary:
        return "b"
    if look.kind == "numeric":
        if look.are_whole and look.nearly_unique:
            return "k"
        return "i" if look.size <= FEW else "n"
    if look.nearly_unique and look.has_many:
        if look.like(r"\d") >= 0.5:
            return "k"
        return "t" if look.words_each > WRITTEN else "w"
    return "c" if look.size <= SOME else "m"


def pool_of(columns: Iterable[tuple[str, str, Sequence[str]]]) -> Pool:
    """Gather what is said of the values of labeled columns, by letter and shape."""
    pool: Pool = defaultdict(list)
    for letters, shape, values in columns:
        pool[letters[0], shape].append(values)
        pool["", shape].append(values)
    return pool


def said_of(columns: Sequence[SchemaColumn], pool: Pool, title: str) -> list[Said]:
    """Say of a table that might be what is said of others; values are those of labeled columns."""
    drawn = random.Random(title)
    spoken = languages_of(split_name(column.name) for column in columns)
    said = []
    for column in columns:
        written = split_name(column.name)
        alike = pool.get((column.letters[0], column.shape)) or pool.get(("", column.shape), [()])
        said.append((written, understand(written, spoken), drawn.choice(alike)))
    return said
