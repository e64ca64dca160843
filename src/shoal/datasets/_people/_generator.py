"""`people`: the steps put together into one dataset."""

from __future__ import annotations

from operator import index

import polars as pl

from shoal._random import generator
from shoal.datasets._dataset import Dataset
from shoal.datasets._people._health import FIRST_DAY, Care, draw_care
from shoal.datasets._people._homes import Homes, draw_homes, places
from shoal.datasets._people._lives import SEXES, Lives, draw_lives
from shoal.datasets._people._names import MOST_PEOPLE, draw_names, person_numbers
from shoal.datasets._people._work import Occupations, draw_jobs
from shoal.datasets._people._world import labels, ladder
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy, Mask, Taxonomy
from shoal.table import Roles
from shoal.typing import IntArray, Kind

KINDS: dict[str, Kind] = {
    "name": "nominal",
    "person_id": "code",
    "age": "numeric",
    "sex": "nominal",
    "zip": "code",
    "birth_country": "nominal",
    "education": "nominal",
    "marital_status": "nominal",
    "occupation": "nominal",
    "workclass": "nominal",
    "admitted": "date",
    "visits": "numeric",
    "diagnosis": "nominal",
    "readmitted": "nominal",
}
ROLES = Roles(
    identifiers=("name", "person_id"),
    quasi_identifiers=(
        "age",
        "sex",
        "zip",
        "birth_country",
        "education",
        "marital_status",
        "occupation",
        "workclass",
    ),
    sensitive="diagnosis",
    target="readmitted",
    publish_as_is=("admitted", "visits"),
)


def people(n: int = 10_000, seed: int = 0) -> Dataset:
    """Make up the patients of a hospital network: a census-like table that is nobody's.

    People live in a few crowded ZIP codes or in many small ones. Where they live, how old they
    are and where they were born shapes their schooling, that their work, and all of it their
    health and whether they are readmitted (a good model reaches an AUC of about 0.83 from the
    quasi-identifiers). As in real tables most people are like many others and many are like no one:
    on the eight quasi-identifiers about 87 % of 10,000 rows are alone, 55 % of 1,000,000.

    Parameters
    ----------
    n : int
        Number of people, one row each. A smaller table is the beginning of a larger one.
    seed : int
        Which people: the same seed makes the same table.

    Returns
    -------
    Dataset
        Identifiers ``name`` and ``person_id``; quasi-identifiers ``age`` (a number), ``zip`` (a
        code, as text) and ``sex``, ``birth_country``, ``education``, ``marital_status``,
        ``occupation``, ``workclass`` (with taxonomies); sensitive ``diagnosis`` (with a taxonomy);
        target ``readmitted``; others ``admitted`` (a date) and ``visits``. Nothing is missing.

    Examples
    --------
    >>> patients = people(1000, seed=7)
    >>> patients.roles.sensitive, patients.roles.target
    (('diagnosis',), 'readmitted')
    >>> patients.frame.filter(pl.col("age") < 18)["marital_status"].unique().to_list()
    ['Never married']
    >>> patients.hierarchies["occupation"]
    Taxonomy(82 leaves, height 3)
    """
    n = _checked_size(n)
    rng = generator(seed)
    homes = draw_homes(n, rng)
    lives = draw_lives(homes, rng)
    jobs = draw_jobs(homes, lives, rng)
    care = draw_care(homes, lives, jobs, rng)
    identity = [draw_names(lives, rng), person_numbers(n, rng)]
    return Dataset(
        name="people",
        frame=pl.DataFrame([*identity, *_describe(homes, lives, jobs), *_report(care)]),
        roles=ROLES,
        kinds=KINDS,
        hierarchies=_hierarchies(),
        description="Made up by shoal.datasets.people; any likeness is chance.",
    )


def _checked_size(n: int) -> int:
    try:
        size = index(n)
    except TypeError:
        size = 0
    if not 1 <= size <= MOST_PEOPLE:
        raise InvalidParameterError(f"n must be a whole number from 1 to {MOST_PEOPLE:,}.")
    return size


def _describe(homes: Homes, lives: Lives, jobs: Occupations) -> list[pl.Series]:
    return [
        pl.Series("age", lives.age, dtype=pl.Int64),
        _text("sex", pl.Series(SEXES), lives.sex),
        _text("zip", places().labels, homes.zip),
        _text("birth_country", labels("countries"), lives.country),
        _text("education", labels("education"), lives.education),
        _text("marital_status", labels("marital_status"), lives.marital),
        _text("occupation", labels("occupations"), jobs.occupation),
        _text("workclass", labels("workclass"), jobs.workclass),
    ]


def _report(care: Care) -> list[pl.Series]:
    return [
        pl.Series("admitted", FIRST_DAY + care.admitted.astype("timedelta64[D]"), dtype=pl.Date),
        pl.Series("visits", care.visits, dtype=pl.Int64),
        _text("diagnosis", labels("diagnoses"), care.diagnosis),
        _text("readmitted", pl.Series(["no", "yes"]), care.readmitted),
    ]


def _text(name: str, values: pl.Series, codes: IntArray) -> pl.Series:
    return values.gather(codes).alias(name)


def _hierarchies() -> dict[str, Hierarchy]:
    return {
        "sex": Taxonomy.from_ladder([(sex, "*") for sex in SEXES]),
        "zip": Mask(),
        "birth_country": Taxonomy.from_ladder(ladder("countries", 3)),
        "education": Taxonomy.from_ladder(ladder("education", 3)),
        "marital_status": Taxonomy.from_ladder(ladder("marital_status", 2)),
        "occupation": Taxonomy.from_ladder(ladder("occupations", 3)),
        "workclass": Taxonomy.from_ladder(ladder("workclass", 2)),
        "diagnosis": Taxonomy.from_ladder(ladder("diagnoses", 3)),
    }
