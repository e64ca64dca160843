"""The promise of a plan in one line, the same on every page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shoal._words import later, listed, say
from shoal.plan import Plan
from shoal.presets import PRESETS, choose_k
from shoal.report import percent

SOME = later("{told} ({n} of {columns} columns)")
NO_CROWDS = later("values are moved \u00b7 no k is promised")


@dataclass(frozen=True)
class PlanPromise:
    """What a plan promises, and whether it is crowds."""

    words: str
    crowds: bool


def promise_of(plan: Plan) -> PlanPromise:
    """Say what a plan promises.

    >>> from shoal.table import Roles
    >>> promise_of(Plan(k=10, l={"disease": 3}, roles=Roles(sensitive="disease"))).words
    'k 10 \u00b7 l 3 \u00b7 ranges'
    >>> promise_of(Plan(l={"disease": 3}, roles=Roles(sensitive=["disease", "smoker"]))).words
    'k 10 \u00b7 l 3 (1 of 2 columns) \u00b7 ranges'
    """
    if plan.method == "quantize":
        return PlanPromise(say(NO_CROWDS), crowds=False)
    parts = [f"k {choose_k(plan.k, plan.preset)}", *_models(plan), say("ranges")]
    if plan.max_suppression:
        parts.append(say("up to {share} left out", share=percent(plan.max_suppression)))
    if plan.preset:
        parts.append(say(plan.preset))
    return PlanPromise(" \u00b7 ".join(parts), crowds=True)


def nothing_asked(plan: Plan) -> str:
    """Name the sensitive columns of which a crowd may tell everything, as no model speaks of them.

    >>> from shoal.table import Roles
    >>> nothing_asked(Plan(l={"disease": 3}, roles=Roles(sensitive=["disease", "smoker"])))
    'Nothing is asked of smoker: a crowd may be alike in it.'
    >>> nothing_asked(Plan(l=3, roles=Roles(sensitive=["disease", "smoker"])))
    ''
    >>> some = {"disease": 3}
    >>> nothing_asked(Plan(l=some, preset="public", roles=Roles(sensitive=["disease", "smoker"])))
    ''
    """
    left = unasked_columns(plan)
    if not left:
        return ""
    one = say("Nothing is asked of {names}: a crowd may be alike in it.", names=listed(left))
    more = say("Nothing is asked of {names}: a crowd may be alike in them.", names=listed(left))
    return one if len(left) == 1 else more


def unasked_columns(plan: Plan) -> list[str]:
    """Find the sensitive columns that no model speaks of."""
    asked = plan.asked.values()
    every = _of_every_column(plan) or not all(isinstance(value, dict) for value in asked)
    if plan.method == "quantize" or every:
        return []
    spoken_of = {name for value in asked for name in value}
    return [name for name in plan.roles.sensitive if name not in spoken_of]


def _models(plan: Plan) -> Iterator[str]:
    columns = len(plan.roles.sensitive)
    for key, value in plan.asked.items():
        values: list[Any] = list(value.values()) if isinstance(value, dict) else [value]
        told = f"{key.replace('_', ' ')} {' / '.join(dict.fromkeys(map(_plain, values)))}"
        if isinstance(value, dict) and len(value) < columns and not _of_every_column(plan):
            told = say(
                "{told} ({n} of {columns} columns)", told=told, n=len(value), columns=columns
            )
        yield told


def _of_every_column(plan: Plan) -> bool:
    """Say whether those whom a release is for ask for an l of every sensitive column."""
    return plan.preset is not None and PRESETS[plan.preset].l is not None


def _plain(value: Any) -> str:
    several = isinstance(value, list | tuple)
    return ", ".join(map(str, value)) if several else str(value)
