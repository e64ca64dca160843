"""Who people are: age, sex, birth country, education and marital status, each given the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal._random import spawn
from shoal.datasets._people._homes import Homes, area_density
from shoal.datasets._people._world import Floats, bands, code_of, draw, labels, numbers, world
from shoal.typing import IntArray

AGES = np.arange(101)
SEXES = ("female", "male")

_COMMON_AGES = [  # age, how common; straight lines between
    (0, 2.4),
    (1, 1.1),
    (5, 0.6),
    (14, 0.55),
    (18, 0.9),
    (25, 1.15),
    (35, 1.2),
    (45, 1.1),
    (55, 1.4),
    (65, 1.65),
    (75, 1.6),
    (85, 1.0),
    (92, 0.35),
    (100, 0.02),
]
_GENERATIONS = [0, 18, 65]
_FOREIGN_BY_DENSITY = np.array([0.03, 0.07, 0.21])
_FOREIGN_BY_GENERATION = np.array([0.25, 1.2, 0.95])

_SCHOOL_AGES = [0, 3, 6, 10, 14, 15, 16, 17]  # the age at which each of the first 8 levels begins
_COHORTS = [18, 20, 22, 24, 27, 40, 55, 70]
_HIGHEST_LEVEL = [9, 11, 12, 13, 15, 15, 15, 15]  # nobody is a doctor at 20
_COHORT_TILT = [0.0, 0.02, 0.06, 0.08, 0.12, 0.08, 0.0, -0.12]
_DENSITY_TILT = [-0.05, 0.0, 0.05]
_HARDSHIP_TILT = [0.14, 0.04, -0.07, -0.16]
_ORIGIN_TILT = [-0.3, -0.15, 0.0, 0.15, 0.3]

_MARITAL_AGES = [0, 18, 25, 30, 35, 45, 55, 65, 75, 85]
# never, married, partner, apart, separated, divorced, widowed
_MARITAL_WOMEN = [
    [100, 0, 0, 0, 0, 0, 0],
    [84, 7, 7.6, 0.5, 0.6, 0.3, 0.0],
    [53, 31, 11, 1.2, 1.8, 1.9, 0.1],
    [33, 49, 9, 1.5, 2.6, 4.7, 0.2],
    [21, 57, 6, 1.6, 3.4, 10, 1.0],
    [14, 58, 4.5, 1.6, 3.4, 16, 2.5],
    [10, 58, 3, 1.3, 2.6, 18, 7.1],
    [7, 55, 2, 1.1, 1.6, 16.3, 17],
    [5, 41, 1, 1.0, 0.8, 10.2, 41],
    [4.5, 17, 0.4, 0.8, 0.3, 6, 71],
]
_MARITAL_MEN = [
    [100, 0, 0, 0, 0, 0, 0],
    [91, 3.6, 4.6, 0.4, 0.2, 0.2, 0.0],
    [64, 23, 10, 1.0, 1.0, 1.0, 0.0],
    [41, 43, 10, 1.5, 1.6, 2.8, 0.1],
    [26, 57, 6, 1.7, 2.0, 7, 0.3],
    [17, 61, 4.6, 1.8, 2.4, 12.4, 0.8],
    [11.5, 65, 3, 1.5, 2.0, 15, 2.0],
    [7, 71, 2.2, 1.2, 1.2, 12.4, 5],
    [4.5, 71, 1.4, 1.1, 0.7, 7.3, 14],
    [3.5, 56, 0.8, 1.2, 0.4, 4.1, 34],
]


@dataclass(frozen=True, eq=False)
class Lives:
    """Who each person is, as codes; age in years."""

    age: IntArray
    sex: IntArray
    country: IntArray
    education: IntArray
    marital: IntArray


def draw_lives(homes: Homes, rng: np.random.Generator) -> Lives:
    """Draw the lives of the people of these homes."""
    age = draw(spawn(rng, "age"), _age_chances(), homes.density)
    sex = draw(spawn(rng, "sex"), _sex_chances(), age)
    generation = bands(_GENERATIONS, age)
    country = draw(spawn(rng, "birth_country"), _country_chances(), homes.area, generation)
    school_age, origin = bands(_SCHOOL_AGES + _COHORTS, age), _origins()[country]
    education = draw(
        spawn(rng, "education"),
        _education_chances(),
        *(school_age, homes.density, homes.hardship, origin),
    )
    marital_age = bands(_MARITAL_AGES, age)
    marital = draw(
        spawn(rng, "marital_status"), np.array([_MARITAL_WOMEN, _MARITAL_MEN]), sex, marital_age
    )
    return Lives(age, sex, country, education, marital)


def _age_chances() -> Floats:
    """By density. Hospital patients: infants, then more with every decade; cities are younger."""
    years, common = zip(*_COMMON_AGES, strict=True)
    tilts = np.array([0.006, 0.002, -0.006])
    chances: Floats = np.interp(AGES, years, common) * np.exp(tilts[:, None] * (AGES - 45))
    return chances


def _sex_chances() -> Floats:
    """By age. Mothers come to give birth, and women grow older."""
    women = np.interp(AGES, [0, 15, 30, 45, 70, 85, 100], [0.487, 0.5, 0.58, 0.51, 0.51, 0.6, 0.76])
    return np.stack([women, 1 - women], axis=1)


@cache
def _country_chances() -> Floats:
    """By area and generation. People from one country settle around the same hub."""
    hub = world("areas")["prefix"].to_numpy()[:, None] == world("countries")["hub"].to_numpy()
    settled = numbers("countries", "share") * np.where(hub, 8.0, 1.0)
    settled /= settled.sum(axis=1, keepdims=True)
    foreign = _FOREIGN_BY_DENSITY[area_density()][:, None] * _FOREIGN_BY_GENERATION
    chances: Floats = foreign[:, :, None] * settled[:, None, :]
    chances[:, :, code_of("countries", "United States")] = 1 - foreign
    return chances


def _origins() -> IntArray:
    """Sort the birth countries by what they add to schooling: the nearest tilt."""
    schooling = numbers("countries", "schooling")
    nearest: IntArray = np.abs(schooling[:, None] - _ORIGIN_TILT).argmin(axis=1)
    return nearest


@cache
def _education_chances() -> Floats:
    """By age, density, hardship and origin. Each tilts the schooling of adults up or down."""
    level = np.arange(len(labels("education")))
    cohort, density, hardship, origin = np.ix_(
        _COHORT_TILT, _DENSITY_TILT, _HARDSHIP_TILT, _ORIGIN_TILT
    )
    tilt = (cohort + density + hardship + origin)[..., None]
    allowed = (level <= np.array(_HIGHEST_LEVEL)[:, None])[:, None, None, None, :]
    adults = numbers("education", "share") * np.exp(tilt * (level - 9)) * allowed
    pupils = np.eye(len(_SCHOOL_AGES), level.size)
    pupils += 0.07 * np.eye(*pupils.shape, k=-1)  # some are a step behind
    shape = (len(_SCHOOL_AGES), *adults.shape[1:])
    return np.concatenate([np.broadcast_to(pupils[:, None, None, None, :], shape), adults])
