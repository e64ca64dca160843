"""Why people came to the hospital, how often, when, and whether they had to come back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal._random import spawn
from shoal.datasets._people._homes import Homes
from shoal.datasets._people._lives import AGES, Lives
from shoal.datasets._people._work import Occupations
from shoal.datasets._people._world import Floats, draw, numbers, world
from shoal.typing import IntArray

FIRST_DAY = np.datetime64("2023-01-01")
N_DAYS = 731
_MEAN_VISITS = np.array([0.6, 1.2, 2.2, 3.8])
_MOST_VISITS = 60


@dataclass(frozen=True, eq=False)
class Care:
    """The stay of each person, as codes; ``admitted`` in days since the first day."""

    diagnosis: IntArray
    admitted: IntArray
    visits: IntArray
    readmitted: IntArray


def draw_care(homes: Homes, lives: Lives, jobs: Occupations, rng: np.random.Generator) -> Care:
    """Draw the hospital stay of these people."""
    diagnosis = draw(spawn(rng, "diagnosis"), _diagnosis_chances(), lives.age, lives.sex)
    admitted = draw(spawn(rng, "admitted"), _day_chances(), diagnosis)
    burden = numbers("diagnoses", "severity")[diagnosis] + 0.01 * lives.age
    visits = draw(spawn(rng, "visits"), _visit_chances(), np.digitize(burden, [0.2, 0.8, 1.4]))
    chance = _readmission_chance(homes, lives, jobs, diagnosis, visits)
    readmitted = (spawn(rng, "readmitted").random(chance.size) < chance).astype(np.int32)
    return Care(diagnosis, admitted, visits, readmitted)


def _readmission_chance(
    homes: Homes, lives: Lives, jobs: Occupations, diagnosis: IntArray, visits: IntArray
) -> Floats:
    """Age, living alone, hardship and a straining job bring people back; the illness does too."""
    by_age = np.interp(AGES, [0, 4, 20, 40, 60, 75, 90], [0.4, -0.9, -1.0, -0.4, 0.5, 1.3, 1.8])
    by_marital = np.array([0.25, -0.4, -0.2, 0.3, 0.5, 0.4, 0.7])
    alone_and_old = (lives.age >= 70) & (by_marital[lives.marital] > 0)
    log_odds = (
        -1.75
        + by_age[lives.age]
        + by_marital[lives.marital]
        + 0.5 * alone_and_old
        + numbers("occupations", "strain")[jobs.occupation]
        - 0.11 * np.clip(lives.education - 9, -4, 6) * (lives.age >= 18)
        + 0.3 * (homes.hardship - 1)
        + 0.5 * numbers("diagnoses", "severity")[diagnosis]
        + 0.12 * np.log1p(visits)
    )
    chance: Floats = 1 / (1 + np.exp(-log_odds))
    return chance


@cache
def _diagnosis_chances() -> Floats:
    """By age and sex."""
    knots = world("diagnoses").select("age_5", "age_25", "age_50", "age_70", "age_86").to_numpy()
    by_age = np.stack([np.interp(AGES, [5, 25, 50, 70, 86], line) for line in knots], axis=1)
    youngest, oldest = numbers("diagnoses", "youngest"), numbers("diagnoses", "oldest")
    by_age *= (AGES[:, None] >= youngest) & (AGES[:, None] <= oldest)
    fertility = np.interp(AGES, [14, 18, 22, 32, 38, 44, 51], [0.01, 0.25, 0.9, 1, 0.5, 0.06, 0])
    by_age[:, world("diagnoses")["chapter"].to_numpy() == "Pregnancy"] *= fertility[:, None]
    by_sex = np.stack([numbers("diagnoses", "women"), numbers("diagnoses", "men")])
    return by_age[:, None, :] * by_sex


@cache
def _day_chances() -> Floats:
    """By diagnosis. Winters are worse for some, weekends are quieter for all."""
    days = np.arange(N_DAYS)
    winter = 0.5 + 0.5 * np.cos(2 * np.pi * (days - 15) / 365.25)
    quiet = np.where(np.is_busday(FIRST_DAY + days), 1.0, 0.7)
    extra = numbers("diagnoses", "winter")[:, None] - 1
    chances: Floats = quiet * (1 + extra * winter)
    return chances


@cache
def _visit_chances() -> Floats:
    """By burden. Geometric, so that a few people come again and again."""
    again = _MEAN_VISITS / (1 + _MEAN_VISITS)
    chances: Floats = again[:, None] ** np.arange(_MOST_VISITS)
    return chances
