"""The settings of a plan: where each stands in the file, and what it may be."""

from __future__ import annotations

from dataclasses import dataclass

from shoal._checks import (
    Check,
    by_column,
    choice,
    for_sensitive,
    number,
    schema_of,
    taking,
    text,
    texts,
    truth,
    whole,
)
from shoal._words import LANGUAGES
from shoal.grouping import EFFORTS, ORDERS
from shoal.ledger import MODES as LEDGER_MODES
from shoal.plan._hierarchies import word_or_file
from shoal.presets import PRESETS, find_preset
from shoal.privacy import MODELS
from shoal.projects import KEEPS, check_pseudonym
from shoal.quantize import MODES, WAYS
from shoal.recipe import METHODS
from shoal.recoding import RECODERS
from shoal.release import FORMATS
from shoal.spaces import LOSSES
from shoal.table import check_clean, check_format
from shoal.typing import KINDS

HEAVIEST = 1e12  # weights are relative: a larger one is a slip of the hand
BY_DEGREE = "degree"  # of networks alone, like what follows
OF_NETWORKS = ("node", "graph_alpha", "graph_beta", "scale")
SCALES = ("balance", "people", "edges")
ROLES = (
    *("identifiers", "quasi_identifiers", "sensitive", "target", "person"),
    *("publish_as_is", "drop"),
)


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


taking(_preset, type="string", enum=PRESETS)
taking(_stirred, anyOf=[{"enum": ["all", "none"]}, schema_of(texts)])


SETTINGS = (
    Setting("source", "table", "source", text),
    Setting("source_table", "table", "table", text),
    Setting("query", "table", "query", text),
    Setting("sheet", "table", "sheet", text),
    Setting("delimiter", "table", "delimiter", text),
    Setting("encoding", "table", "encoding", text),
    Setting("missing", "table", "missing", texts),
    Setting("hierarchy_folder", "table", "hierarchies", text),
    Setting("missing_in", "missing", None, by_column(texts, "missing")),
    Setting("clean", "clean", None, check_clean),
    Setting("formats", "formats", None, by_column(check_format, "format")),
    Setting("kinds", "kinds", None, by_column(choice(KINDS), "kind")),
    Setting("orders", "orders", None, by_column(texts, "order")),
    Setting("pseudonyms", "pseudonyms", None, by_column(check_pseudonym, "pseudonym")),
    Setting("project", "project", "name", text),
    Setting("dates", "dates", None, by_column(choice(("shift",)), "dates")),
    Setting("shift_days", "project", "shift_days", whole(1)),
    Setting("shift_keeps", "project", "shift_keeps", choice(KEEPS)),
    Setting("hierarchies", "hierarchies", None, by_column(word_or_file, "hierarchy")),
    Setting("weights", "weights", None, by_column(number(0, HEAVIEST), "weight")),
    Setting("limits", "limits", None, by_column(number(0), "limit")),
    Setting("grid", "grid", None, by_column(number(0, above=True))),
    Setting("preset", "privacy", "preset", _preset),
    Setting("k", "privacy", "k", whole(2)),
    Setting("method", "method", "name", choice(METHODS)),
    Setting("recoding", "method", "recoding", choice(RECODERS)),
    Setting("order", "method", "order", choice((*ORDERS, BY_DEGREE))),
    Setting("refine", "method", "refine", truth),
    Setting("effort", "method", "effort", choice(EFFORTS)),
    Setting("steps", "method", "steps", whole(0)),
    Setting("prove", "method", "prove", truth),
    Setting("loss", "method", "loss", choice(LOSSES)),
    Setting("edges", "graph", "edges", text),
    Setting("node", "graph", "node", text),
    Setting("graph_alpha", "graph", "alpha", number(0)),
    Setting("graph_beta", "graph", "beta", number(0)),
    Setting("scale", "graph", "scale", choice(SCALES)),
    Setting("m", "quantize", "m", whole(1)),
    Setting("push_back", "quantize", "push_back", choice(WAYS)),
    Setting("stir", "quantize", "stir", _stirred),
    Setting("stir_mode", "quantize", "stir_mode", choice(MODES)),
    Setting("flatten", "quantize", "flatten", texts),
    Setting("max_divergence", "quantize", "max_divergence", number(0)),
    Setting("radii", "radii", None, by_column(number(0), "radius")),
    Setting("max_suppression", "release", "max_suppression", number(0, 1)),
    Setting("format", "release", "format", choice(FORMATS)),
    Setting("language", "release", "language", choice(tuple(LANGUAGES))),
    Setting("ledger", "ledger", "mode", choice(LEDGER_MODES)),
    Setting("after", "after", "release", text),
    Setting("waiting", "after", "waiting", number(0, 1)),
    Setting("deadline", "after", "deadline", whole(1)),
    Setting("overdue", "after", "overdue", choice(("generalize", "suppress"))),
    Setting("changed", "after", "changed", choice(("keep", "leave"))),
    Setting("corrected", "after", "corrected", text),
)

#: Fields that are paths, as seen from the folder of the plan.
PATHS = ("source", "query", "hierarchy_folder", "edges", "after", "corrected")

#: Sections in the order a reader meets them.
SECTIONS = ("table", "roles", *dict.fromkeys(s.section for s in SETTINGS if s.section != "table"))

#: Settings that only the method quantize has.
OF_QUANTIZE = tuple(s.field for s in SETTINGS if s.section in ("quantize", "radii"))


def all_settings() -> tuple[Setting, ...]:
    """Return the settings with those of the privacy models that are registered now."""
    return (
        *SETTINGS,
        *(
            Setting(key, "privacy", key, for_sensitive(model.setting.check))
            for key, model in MODELS.all.items()
            if model.setting is not None
        ),
    )


def keys_of(section: str) -> tuple[str, ...]:
    """Keys a section may have; none if every column is one.

    >>> keys_of("method")
    ('name', 'recoding', 'order', 'refine', 'effort', 'steps', 'prove', 'loss')
    """
    if section == "roles":
        return ROLES
    return tuple(s.key for s in all_settings() if s.section == section and s.key is not None)
