"""Proposals for made-up frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from shoal.table import infer_roles, read_table


def proposed(frame: Any) -> dict[str, str]:
    """Propose a role for every column."""
    return {name: guess.choice for name, guess in infer_roles(read_table(frame)).items()}


def repeated(columns: Mapping[str, Iterable[Any]], rows: int = 120) -> pl.DataFrame:
    """Repeat a few values of each column."""
    return pl.DataFrame({name: (list(v) * rows)[:rows] for name, v in columns.items()})


def pupils(**more: Any) -> pl.DataFrame:
    """Draw pupils with numbers and first names, beside more columns."""
    first = ["Anna", "Paul", "Lena", "Max", "Mia", "Ben", "Emma", "Jonas", "Marie", "Felix"]
    numbers = {"Matrikelnummer": [str(410_000 + 7 * (i * 37 % 120)) for i in range(120)]}
    names = {"Vorname": [first[i * 7 % 10] for i in range(120)]}
    return pl.DataFrame({**numbers, **names, **more})
