"""Summaries of every shape that a report can have, made of one: for tests of its words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.graphs import MaskedGraph
from shoal.report import (
    DRAFT,
    LINKED_ROWS,
    SHIFTED_DATES,
    Growth,
    ModelSummary,
    NetworkSummary,
    SinglingSummary,
)
from shoal.report._words import limits
from shoal.utility.networks import NetworkMeasure

OUTCOMES = (
    {"model": "10-anonymity", "recounted": 10},
    {"model": "0.25-closeness of 'disease' (ordered)", "recounted": 0.2125},
)
RELINKED = {
    "relink_rate": 0.034,
    "relink_bound": 0.1,
    "relink_baseline": 0.0005,
    "relink_everybody": 0.012,
    "relink_unprotected": 0.97,
}
EVERYTHING = {
    "quasi_identifiers": ("age", "sex"),
    "others": ("ward",),
    "tight": True,
    "people": False,
    "moved": True,
    "network": True,
}


def shapes(summary):
    """Give summaries by a name for their shape."""
    singling = SinglingSummary(
        unique=0.43,
        plain=0.21,
        columns={"ward": 0.21},
        accepted=("ward",),
        sets=((("ward", "readmitted"), 0.3),),
        twins=(("ward", "zip"),),
        helps_most=("ward", 0.1),
    )
    kinds = ("width", "height", "leaves", "people", "width")
    mixed = tuple(
        replace(a, measured_by=how) for a, how in zip(summary.attributes, kinds, strict=True)
    )
    notes = limits(sensitive=("disease", "pay"), protected=("pay",), **EVERYTHING)
    wide = tuple(replace(a, measured_by="width") for a in summary.attributes)
    failing = ModelSummary("distinct 3-diversity of 'disease'", 3, 1, holds=False)
    return {
        "plain": summary,
        "draft": replace(summary, stamps=(DRAFT, *summary.stamps)),
        "accepted": replace(summary, singling=singling),
        "open": replace(summary, singling=replace(singling, open=("ward", "readmitted"))),
        "nobody": replace(summary, singling=SinglingSummary(0.0, 0.0)),
        "failing": replace(summary, models=(*summary.models, failing)),
        "one": replace(summary, k=1),
        "none": replace(summary, k=None, models=()),
        "people": replace(summary, people=True, suppressed="fewer than 10 %", k=2),
        "moved": replace(summary, k=None, moved=True, risk=RELINKED, models=()),
        "moved ranges": replace(summary, moved=True, attributes=wide, not_promised=notes),
        "mixed": replace(
            summary,
            attributes=mixed,
            utility={**summary.utility, "formed_loss": 0.2, "formed_loss_bound": 0.1},
            not_promised=(*notes, LINKED_ROWS, SHIFTED_DATES),
            preset="public",
            protected=("disease",),
            columns={**summary.columns, "key": "pseudonym"},
        ),
        "grown": replace(
            summary,
            growth=Growth(1040, 1040, 25, 4, 3, 1, 1, 2, 0.2, 0.1234, "fewer than 5 %"),
        ),
        "network": replace(summary, network=network()),
        "empty": replace(summary, attributes=(), utility={}, risk={}),
        "undrawn": replace(
            summary, attributes=tuple(replace(a, distribution=None) for a in summary.attributes)
        ),
    }


def network():
    """A masked network of two groups, with its facts and measures."""
    masked = MaskedGraph(
        sizes=np.array([3, 4]),
        inner=np.array([2, 5]),
        pairs=np.array([[0, 1]]),
        between=np.array([6]),
    )
    facts = {
        "edges": 1301,
        "people": 1007,
        "inner_edges": 7,
        "joined_pairs": 1,
        "nsil": 0.12345,
        "edge_loss": 0.31,
    }
    return NetworkSummary(facts, masked, (NetworkMeasure("density", 0.12, 0.1312, 0.12, 0.14),))
