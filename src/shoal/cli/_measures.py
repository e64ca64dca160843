"""All that `shoal check` measures, as a table that can be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from shoal._words import plural
from shoal.cli._output import columns_of

if TYPE_CHECKING:
    from shoal.privacy import PrivacyMeasures, SensitiveMeasures, Verdict
    from shoal.risk import SinglingOut
    from shoal.table import Table

_SETS = 5
RECURSIVE_SHOWN = (2, 3)
WHOLE = {  # measure -> its name for people, and what it says
    "k": ("k", "rows in the smallest group"),
    "k_wildcard": ("k, wildcards", "the same if a missing cell matched anything"),
    "prosecutor_max_risk": ("highest risk", "to find a person known to be in the table"),
    "avg_risk_per_record": ("average risk", "the same, over all rows"),
    "sample_unique_fraction": ("alone", "share of rows that look like no other"),
    "k_map": ("k in population", "people of the population behind the smallest group"),
    "delta_presence_min": ("presence, least", "chance that somebody of the population is in"),
    "delta_presence_max": ("presence, most", "the same, at most"),
    "journalist_max_risk": ("journalist's risk", "to find a person of the population"),
    "marketer_risk": ("marketer's risk", "share of rows linked rightly, on average"),
}
TOGETHER = ("distinct l, others known", "the same knowing other sensitive columns")

AUDIENCES = {
    "internal": "use in the house (1/3)",
    "partner": "partners (1/5)",
    "public": "the public (1/11)",
}


def lines(verdict: Verdict, table: Table) -> Iterator[str]:
    """Tell what was measured, then what was asked."""
    found = verdict.measures
    assert found is not None  # `shoal.check` always measures
    yield f"{_counted(found)} in {plural(found.groups, 'group')} on {_listed(table)}."
    yield ""
    yield from _table(_whole(found))
    for name, measures in found.sensitive.items():
        yield ""
        yield f"{name}:"
        yield from _table(_column(measures))
    exposed = found.records_in_homogeneous_classes
    if exposed:
        yield ""
        yield f"{exposed:,} rows are in groups that show one sensitive value only."
    if verdict.results:
        yield ""
        yield from map(str, verdict.results)
    for warning in (*found.warnings, *table.warnings):
        yield f"Note: {warning}"


def singling_lines(found: SinglingOut, table: Table) -> Iterator[str]:
    """Tell who is unique on everything in the table, and by which columns."""
    from shoal.report import percent

    if not table.roles.quasi_identifiers:
        yield "No quasi-identifier is named, so nothing can be said to hold (--quasi age,sex,zip)."
    who = "rows" if table.roles.person is None else "people"
    yield f"{percent(found.share_unique)} of {who} are unique on all columns together."
    if found.share_unique_plain != found.share_unique:
        yield f"Without sensitive columns and the target: {percent(found.share_unique_plain)}."
    told = [c for c in found.columns if c.name in found.singling]
    if told and table.roles.quasi_identifiers:
        yield "Columns that single out more than 5 %, and with the quasi-identifiers:"
        yield from _table((c.name, percent(c.alone), percent(c.with_crowds)) for c in told)
    elif told:
        yield "Columns that single out more than 5 %:"
        yield from _table((c.name, percent(c.alone)) for c in told)
    several = [one for one in found.sets if len(one.columns) > 1][:_SETS]
    if several:
        yield "Together they single out:"
        yield from (f"  {', '.join(one.columns)}: {percent(one.share)}" for one in several)
    if found.helps_most is not None and found.singling:
        yield f"As a quasi-identifier {found.helps_most} would help most: {percent(found.freed)}."
    yield ""


def risk_lines(risk: Mapping[str, Any]) -> Iterator[str]:
    """Tell the risk in the terms of regulators, and which columns it comes from."""
    above = risk["share_above"]
    yield ""
    yield "Rows at more risk than is accepted:"
    yield from _table((name, f"{above[name]:.4g}", _audience(name)) for name in AUDIENCES)
    if "population" in risk:
        found = risk["population"]
        share = found["share"]
        told = found["reason"] if share is None else "alone in the whole population (estimated)"
        yield from _table(
            iter([("unique people", "none" if share is None else number(share), told)])
        )
    if "columns" in risk:
        yield ""
        yield "Unique by this column alone, and without it:"
        rows = (
            (c["name"], number(c["unique_alone"]), number(c["unique_without"]))
            for c in risk["columns"]
        )
        yield from _table(rows)
        for each in risk["smallest"][:3]:
            yield f"  {', '.join(each['columns'])}: together they single out {each['rows']:,} rows."


def _audience(name: str) -> str:
    return f"share of rows above what is accepted for {AUDIENCES[name]}"


def _counted(found: PrivacyMeasures) -> str:
    people = "" if found.people is None else f" of {plural(found.people, 'person')}"
    return f"{plural(found.rows, 'row')}{people}"


def _listed(table: Table) -> str:
    return ", ".join(table.roles.quasi_identifiers) or "no quasi-identifier"


def _table(rows: Iterator[tuple[str, ...]]) -> list[str]:
    return [f"  {line}" for line in columns_of(rows, right=frozenset({1}))]


def _whole(found: PrivacyMeasures) -> Iterator[tuple[str, str, str]]:
    for field, (name, meaning) in WHOLE.items():
        value = getattr(found, field)
        if value is not None and not (field == "k_wildcard" and value == found.k):
            yield name, number(value), meaning if found.people is None else _of_people(meaning)


def _of_people(meaning: str) -> str:
    return meaning.replace("rows in", "people in")


def _column(found: SensitiveMeasures) -> Iterator[tuple[str, str, str]]:
    from shoal.privacy import MODELS

    for model in MODELS.values():
        for field, (name, meaning) in model.column_measures.items():
            value = found.values[field]
            if isinstance(value, Mapping):
                shown = (l for l in RECURSIVE_SHOWN if l in value)
                yield from ((f"{name}, l={l}", number(value[l]), meaning) for l in shown)
            elif value is not None:
                yield name, number(value), meaning
            if field == "distinct_l" and found.distinct_l_together is not None:
                yield TOGETHER[0], number(found.distinct_l_together), TOGETHER[1]


def number(value: float) -> str:
    """Print a measure: whole numbers in full, others with four digits.

    >>> number(1200), number(0.123456), number(float("inf"))
    ('1,200', '0.1235', 'inf')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
