"""The settings of a plan: where each stands in the file, and what it may be."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.grouping import ORDERS
from shoal.ledger import MODES as LEDGER_MODES
from shoal.plan._checks import (
    Check,
    by_column,
    choice,
    for_sensitive,
    number,
    pair,
    text,
    texts,
    truth,
    whole,
)
from shoal.plan._hierarchies import word_or_file
from shoal.presets import find_preset
from shoal.quantize import MODES, WAYS
from shoal.typing import KINDS

HEAVIEST = 1e12  # weights are relative: a larger one is a slip of the hand
METHODS = ("auto", "sangreea", "mondrian", "quantize")
FORMATS = ("csv", "parquet")
ROLES = ("identifiers", "quasi_identifiers", "sensitive", "target", "person")


@dataclass(frozen=True)
class Setting:
    """A field of `Plan`, its place in the file, and its check.

    A setting without a key is a whole section: one entry per column.
    """

    field: str
    section: str
    key: str | None
    check: Check


def _stirred(name: str, value: object) -> tuple[str, ...]:
    """Take ``all``, ``none`` or a list of columns; a single column may be called all in a list."""
    return (str(value),) if value in ("all", "none") else texts(name, value)


def _preset(name: str, value: object) -> str:
    checked = text(name, value)
    find_preset(checked)
    return checked


_positive = number(0, above=True)

SETTINGS = (
    Setting("source", "table", "source", text),
    Setting("delimiter", "table", "delimiter", text),
    Setting("encoding", "table", "encoding", text),
    Setting("missing", "table", "missing", texts),
    Setting("hierarchy_folder", "table", "hierarchies", text),
    Setting("kinds", "kinds", None, by_column(choice(KINDS), "kind")),
    Setting("orders", "orders", None, by_column(texts, "order")),
    Setting("hierarchies", "hierarchies", None, by_column(word_or_file, "hierarchy")),
    Setting("weights", "weights", None, by_column(number(0, HEAVIEST), "weight")),
    Setting("limits", "limits", None, by_column(number(0), "limit")),
    Setting("grid", "grid", None, by_column(_positive)),
    Setting("preset", "privacy", "preset", _preset),
    Setting("k", "privacy", "k", whole(2)),
    Setting("l", "privacy", "l", for_sensitive(whole(1))),
    Setting("t", "privacy", "t", for_sensitive(number(0, 1))),
    Setting("entropy_l", "privacy", "entropy_l", for_sensitive(number(1, above=True))),
    Setting("recursive", "privacy", "recursive", for_sensitive(pair)),
    Setting("basic_beta", "privacy", "basic_beta", for_sensitive(_positive)),
    Setting("enhanced_beta", "privacy", "enhanced_beta", for_sensitive(_positive)),
    Setting("delta_disclosure", "privacy", "delta_disclosure", for_sensitive(_positive)),
    Setting("alpha", "privacy", "alpha", for_sensitive(number(0, 1, above=True))),
    Setting("method", "method", "name", choice(METHODS)),
    Setting("order", "method", "order", choice(ORDERS)),
    Setting("refine", "method", "refine", truth),
    Setting("m", "quantize", "m", whole(1)),
    Setting("push_back", "quantize", "push_back", choice(WAYS)),
    Setting("stir", "quantize", "stir", _stirred),
    Setting("stir_mode", "quantize", "stir_mode", choice(MODES)),
    Setting("flatten", "quantize", "flatten", texts),
    Setting("max_divergence", "quantize", "max_divergence", number(0)),
    Setting("radii", "radii", None, by_column(number(0), "radius")),
    Setting("max_suppression", "release", "max_suppression", number(0, 1)),
    Setting("format", "release", "format", choice(FORMATS)),
    Setting("ledger", "ledger", "mode", choice(LEDGER_MODES)),
)

#: Sections in the order a reader meets them.
SECTIONS = ("table", "roles", *dict.fromkeys(s.section for s in SETTINGS if s.section != "table"))

#: Settings that only the method quantize has.
OF_QUANTIZE = tuple(s.field for s in SETTINGS if s.section in ("quantize", "radii"))

#: Settings that speak of sensitive columns.
OF_SENSITIVE = tuple(
    s.field for s in SETTINGS if s.section == "privacy" and s.field not in ("preset", "k")
)


def keys_of(section: str) -> tuple[str, ...]:
    """Keys a section may have; none if every column is one.

    >>> keys_of("method")
    ('name', 'order', 'refine')
    """
    if section == "roles":
        return ROLES
    return tuple(s.key for s in SETTINGS if s.section == section and s.key is not None)
