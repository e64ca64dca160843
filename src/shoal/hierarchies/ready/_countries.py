"""Countries: by sub-region and region of the United Nations (M49)."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from shoal.hierarchies.ready._base import ReadyLadder, simple

_REGIONS = {
    "Africa": "Northern Africa|Eastern Africa|Middle Africa|Southern Africa|Western Africa",
    "Americas": "Caribbean|Central America|South America|Northern America",
    "Antarctica": "Antarctica",
    "Asia": "Central Asia|Eastern Asia|South-eastern Asia|Southern Asia|Western Asia",
    "Europe": "Eastern Europe|Northern Europe|Southern Europe|Western Europe",
    "Oceania": "Australia and New Zealand|Melanesia|Micronesia|Polynesia",
}


def country_steps(value: str) -> tuple[str, ...] | None:
    """Sub-region and region of a country: a code of ISO 3166 or a name.

    Names are known in English, for many countries in German, French, Spanish or Italian too.

    >>> country_steps("AT"), country_steps("Brasilien"), country_steps("Atlantis")
    (('Western Europe', 'Europe'), ('South America', 'Americas'), None)
    """
    return _places().get(simple(value))


def mostly_short(values: Sequence[str]) -> bool:
    """Tell codes from names: CA and IN are countries, and states of another list."""
    return 2 * sum(len(value.strip()) <= 3 for value in values) >= len(values)


COUNTRIES = ReadyLadder(
    "countries",
    "countries",
    ("sub-region", "region"),
    country_steps,
    named=r"countr|nation|\bland|pays\b|pais\b|paese|citizen|birth|born|origin|herk",
    ambiguous=mostly_short,
)


@cache
def _places() -> dict[str, tuple[str, str]]:
    region = {part: name for name, parts in _REGIONS.items() for part in parts.split("|")}
    text = (files(__package__) / "countries.csv").read_text(encoding="utf-8")
    found: dict[str, tuple[str, str]] = {}
    for row in csv.DictReader(text.splitlines()):
        above = (row["subregion"], region[row["subregion"]])
        spellings = (row["alpha2"], row["alpha3"], *row["names"].split("|"))
        found |= {simple(spelling): above for spelling in spellings}
    return found
