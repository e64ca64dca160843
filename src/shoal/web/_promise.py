"""The promise of a plan in one line, the same on every page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shoal._words import later, say
from shoal.plan import Plan
from shoal.presets import choose_k

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
    """
    if plan.method == "quantize":
        return PlanPromise(say(NO_CROWDS), crowds=False)
    parts = [f"k {choose_k(plan.k, plan.preset)}", *_models(plan), say("ranges")]
    if plan.max_suppression:
        parts.append(say("up to {share:.3g} left out", share=plan.max_suppression))
    if plan.preset:
        parts.append(say(plan.preset))
    return PlanPromise(" \u00b7 ".join(parts), crowds=True)


def _models(plan: Plan) -> Iterator[str]:
    for key, value in plan.asked.items():
        values: list[Any] = list(value.values()) if isinstance(value, dict) else [value]
        yield f"{key.replace('_', ' ')} {' / '.join(dict.fromkeys(map(_plain, values)))}"


def _plain(value: Any) -> str:
    several = isinstance(value, list | tuple)
    return ", ".join(map(str, value)) if several else str(value)
