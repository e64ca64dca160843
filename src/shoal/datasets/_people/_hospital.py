"""`hospital`: three tables about the same people, as a hospital has them."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal._random import generator, spawn
from shoal.datasets._people._generator import people
from shoal.datasets._people._health import FIRST_DAY, _diagnosis_chances
from shoal.datasets._people._lives import SEXES
from shoal.datasets._people._world import draw, labels, world
from shoal.exceptions import InvalidParameterError
from shoal.typing import IntArray

SAME_ILLNESS = 0.6  # of the further stays are about what the first one was about
N_DAYS = 731
TESTS = ("blood count", "creatinine", "glucose", "liver", "troponin")
RESULTS = ("normal", "low", "high")


def hospital(n: int = 2000, stays: float = 3.0, seed: int = 0) -> dict[str, pl.DataFrame]:
    """Make up the patients of a hospital with their stays and laboratory results.

    Parameters
    ----------
    n : int
        Number of patients; who they are is as in `people`.
    stays : float
        How many stays a patient has on average, 1 or more; a few come again and again.
    seed : int
        Which people: the same seed makes the same tables.

    Returns
    -------
    dict of str to polars.DataFrame
        ``patients`` (number, age, sex, ZIP code), ``stays`` (number, dates, ward, diagnosis) and
        ``labs`` (number, date, test, result), joined by ``patient_no``.

    Examples
    --------
    >>> tables = hospital(100)
    >>> tables["stays"].columns
    ['patient_no', 'admitted', 'discharged', 'ward', 'diagnosis']
    >>> tables["stays"]["patient_no"].is_in(tables["patients"]["patient_no"].implode()).all()
    True
    """
    if not stays >= 1:
        raise InvalidParameterError("Everybody has a stay: the mean is 1 or more.")
    frame = people(n, seed).frame
    rng = generator(seed)
    who = np.repeat(np.arange(n), spawn(rng, "stays").geometric(1 / stays, n))
    illness = _illnesses(frame, who, rng)
    admitted = spawn(rng, "days").integers(0, N_DAYS, who.size)
    length = spawn(rng, "length").geometric(0.25, who.size) - 1
    numbers = frame["person_id"].alias("patient_no")
    return {
        "patients": frame.select(numbers, "age", "sex", "zip"),
        "stays": pl.DataFrame(
            [
                numbers.gather(who),
                _days("admitted", admitted),
                _days("discharged", admitted + length),
                world("diagnoses")["chapter"].gather(illness).alias("ward"),
                labels("diagnoses").gather(illness).alias("diagnosis"),
            ]
        ),
        "labs": _labs(numbers, who, admitted, length, rng),
    }


def _illnesses(frame: pl.DataFrame, who: IntArray, rng: np.random.Generator) -> IntArray:
    """What each stay is about: the patient's own illness, or another that befalls such people."""
    names = labels("diagnoses").to_list()
    place = {name: number for number, name in enumerate(names)}
    own = np.array([place[name] for name in frame["diagnosis"]])[who]
    sex = np.array([SEXES.index(name) for name in frame["sex"]])[who]
    other = draw(spawn(rng, "other"), _diagnosis_chances(), frame["age"].to_numpy()[who], sex)
    again = np.append(False, who[1:] == who[:-1])  # the first is the patient's own
    return np.where(again & (spawn(rng, "again").random(who.size) >= SAME_ILLNESS), other, own)


def _labs(
    numbers: pl.Series,
    who: IntArray,
    admitted: IntArray,
    length: IntArray,
    rng: np.random.Generator,
) -> pl.DataFrame:
    stay = np.repeat(np.arange(who.size), spawn(rng, "labs").poisson(1.0, who.size))
    day = admitted[stay] + spawn(rng, "day").integers(0, length[stay] + 1)
    kind = spawn(rng, "test").choice(len(TESTS), stay.size, p=[0.4, 0.2, 0.2, 0.12, 0.08])
    found = spawn(rng, "result").choice(len(RESULTS), stay.size, p=[0.7, 0.12, 0.18])
    return pl.DataFrame(
        [
            numbers.gather(who[stay]),
            _days("taken", day),
            pl.Series("test", TESTS).gather(kind),
            pl.Series("result", RESULTS).gather(found),
        ]
    )


def _days(name: str, days: IntArray) -> pl.Series:
    return pl.Series(name, FIRST_DAY + days.astype("timedelta64[D]"), dtype=pl.Date)
