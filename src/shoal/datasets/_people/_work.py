"""What people do: occupation, given education, sex and place, and whom they do it for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal._random import spawn
from shoal.datasets._people._homes import Homes
from shoal.datasets._people._lives import Lives
from shoal.datasets._people._world import Floats, bands, code_of, draw, labels, numbers
from shoal.typing import IntArray

ACTIVITIES = (
    "Working",
    "Child",
    "Pupil or student",
    "Homemaker",
    "Unemployed",
    "Unable to work",
    "Retired",
)
# one line per age band, one number per activity; homemakers as if all were women
_ACTIVITY_AGES = [0, 6, 16, 18, 20, 23, 27, 35, 50, 58, 62, 66, 70, 76]
_ACTIVITY = [
    [0, 1, 0, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 0, 0],
    [15, 0, 82, 0.3, 2, 0.7, 0],
    [42, 0, 48, 2, 6, 2, 0],
    [55, 0, 34, 4, 5, 2, 0],
    [72, 0, 14, 7, 5, 2, 0],
    [79, 0, 4, 11, 4, 2, 0],
    [80, 0, 1, 12, 3.5, 3.5, 0],
    [77, 0, 0.3, 9, 3.5, 8, 2],
    [66, 0, 0.1, 9, 3, 11, 11],
    [50, 0, 0, 8, 2, 11, 29],
    [26, 0, 0, 5, 1, 4, 64],
    [12, 0, 0, 3, 0.3, 1, 84],
    [4, 0, 0, 1, 0, 0.2, 95],
]
_BY_SCHOOLING = [  # not finished school, finished school, university
    [0.75, 1, 1, 1.5, 1.7, 2.4, 1],
    [1, 1, 1, 1, 1, 1, 1],
    [1.15, 1, 1.1, 0.7, 0.6, 0.3, 1],
]
_MEN_AT_HOME = 0.12


@dataclass(frozen=True, eq=False)
class Occupations:
    """What each person does and for whom, as codes."""

    occupation: IntArray
    workclass: IntArray


def draw_jobs(homes: Homes, lives: Lives, rng: np.random.Generator) -> Occupations:
    """Draw the work of these people."""
    band, schooling = bands(_ACTIVITY_AGES, lives.age), bands([0, 8, 12], lives.education)
    activity = draw(spawn(rng, "activity"), _activity_chances(), band, lives.sex, schooling)
    who = (lives.education, lives.sex, homes.density)
    job = draw(spawn(rng, "occupation"), _occupation_chances(), *who)
    idle = np.array([code_of("occupations", name) for name in ACTIVITIES[1:]])
    occupation = np.where(activity == 0, job, idle[activity - 1])
    return Occupations(occupation, draw(spawn(rng, "workclass"), _workclass_chances(), occupation))


@cache
def _activity_chances() -> Floats:
    """By age, sex and schooling."""
    by_sex = np.ones((2, len(ACTIVITIES)))
    by_sex[1, ACTIVITIES.index("Homemaker")] = _MEN_AT_HOME
    by_age_and_sex = np.array(_ACTIVITY)[:, None, :] * by_sex
    chances: Floats = by_age_and_sex[:, :, None, :] * np.array(_BY_SCHOOLING)
    return chances


@cache
def _occupation_chances() -> Floats:
    """By education, sex and density. Each job wants its schooling, give or take."""
    level = np.arange(len(labels("education")))[:, None]
    wanted, spread = numbers("occupations", "schooling"), numbers("occupations", "spread")
    fit = np.exp(-0.5 * ((level - wanted) / spread) ** 2)
    women, rural = numbers("occupations", "women"), numbers("occupations", "rural")
    by_sex = np.stack([women, 1 - women])
    by_density = np.stack([rural, np.sqrt(rural), np.ones_like(rural)])
    share = numbers("occupations", "share")
    chances: Floats = fit[:, None, None, :] * by_sex[:, None, :] * by_density * share
    return chances


@cache
def _workclass_chances() -> Floats:
    """By occupation, in the order of the table of work classes."""
    nonprofit, government, own = (
        numbers("occupations", name) for name in ("nonprofit", "government", "own")
    )
    working = (numbers("occupations", "share") > 0).astype(float)
    private = np.clip(1 - nonprofit - government - own, 0, 1) * working
    parts = [private, nonprofit, 0.2 * government, 0.28 * government, 0.52 * government]
    parts += [0.36 * own, 0.62 * own, 0.02 * own, 1 - working]
    return np.stack(parts, axis=1)
