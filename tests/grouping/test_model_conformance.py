"""All privacy models pass the battery, and the battery catches those who lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from shoal import privacy
from shoal.exceptions import ImpossibleError
from shoal.hierarchies import Taxonomy
from shoal.privacy import (
    AlphaK,
    Constraint,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    KAnonymity,
    KMap,
    PrivacyModel,
    TCloseness,
    Verdict,
)
from shoal.testing import MODELS, check_privacy_model

ILLS = Taxonomy.from_json(
    {"*": {"airways": ["flu", "cold"], "other": ["gout", "none", 'a "quote", a comma']}}
)
MAKERS = {
    **{str(model): lambda table, model=model: model for model in MODELS},
    "k": lambda table: KAnonymity(3),
    "hierarchical": lambda table: TCloseness(0.4, "illness", "hierarchical", ILLS),
    "present values": lambda table: DeltaDisclosure(1.5, "illness", strict=False),
    "k-map": lambda table: KMap(2, table),
    "presence": lambda table: DeltaPresence(0, 1, table),
}


@pytest.mark.parametrize("make_model", MAKERS.values(), ids=MAKERS)
def test_every_model_passes_the_battery(make_model):
    check_privacy_model(make_model, tables=20)


def test_no_model_is_left_out():
    ours = {
        model
        for model in vars(privacy).values()
        if isinstance(model, type) and issubclass(model, PrivacyModel) and model is not PrivacyModel
    }
    tried = {AlphaK, KAnonymity, KMap, DeltaPresence, *map(type, MODELS)}
    assert tried == ours


@dataclass(frozen=True)
class Base(DistinctLDiversity):
    """A model of ours, to be spoiled in one place each time."""

    l: int = 2
    sensitive: str = "illness"


class ByPosition(Base):
    def measure(self, table, grouping):
        return grouping.starts[:-1]


class NotMonotone(Base):
    monotone: ClassVar[bool] = True

    def accepts(self, measured):
        return measured <= 2


class Blind(Base):
    def judge(self, table, grouping):
        return Verdict(
            tuple(replace(r, holds=True) for r in super().judge(table, grouping).results)
        )


class Leaking(Base):
    def __repr__(self):
        return 'flu, cold, gout, none, a "quote", a comma'


class Unfounded(Base):
    def check_possible(self, table):
        raise ImpossibleError("Nothing is possible.")


class WrongShares(Base):
    def constraint(self, table):
        honest = super().constraint(table)
        return Constraint("distinct", 2, 0, honest.codes, honest.n_codes, honest.reference * 2)


class TooMany(Base):
    def measure(self, table, grouping):
        return np.append(super().measure(table, grouping), 0)


@dataclass
class Changeable(PrivacyModel):
    l: int = 2
    sensitive: str = "illness"
    monotone: ClassVar[bool] = True
    statistic: ClassVar[str] = "values"
    citation: ClassVar[str] = "nobody"
    parameter: ClassVar[int] = 2

    def __str__(self):
        return "changeable"

    def measure(self, table, grouping):
        return Base().measure(table, grouping)

    def accepts(self, measured):
        return measured >= self.l


LIARS = [ByPosition, NotMonotone, Blind, Leaking, Unfounded, WrongShares, TooMany, Changeable]


@pytest.mark.parametrize("liar", LIARS)
def test_the_battery_catches_models_that_lie(liar):
    with pytest.raises(AssertionError, match=r"\.$"):
        check_privacy_model(lambda table: liar(), tables=30)
