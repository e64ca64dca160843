"""Conformance batteries: what every grouper, recoder, model and source must pass.

Ours pass them in our tests; run them in yours on what you add. They are plain functions that
raise `AssertionError` with a sentence, and never show a cell value.

=======================  ====================================================================
`check_grouper`          whole groups, every model, limits; no order, scale or thread matters
`check_recoder`          what is published covers every original value, and only says so much
`check_privacy_model`    a frozen value that judges by content and keeps what it promises
`check_metric`           distances that are distances, and spans that hold them
`check_steps`            moved values are values of the column; no order of rows matters
`check_attack`           succeeds on its positive control, gains less on a release that hides
`check_source`           reads the same cells each time, changes nothing, keeps secrets
`check_learner`          weights that are weights; the same answers, the same belief
`check_dossier`          numbers with keys that are on file, questions left to a human
=======================  ====================================================================

`check_grouping` and `check_recoded` check a single result. `random_table` makes the tables that
all of this runs on, `random_case` asks something of them. `assert_k_anonymous` is for your tables.
"""

from shoal.testing._attack import check_attack
from shoal.testing._cases import MODELS, Case, random_case
from shoal.testing._coverage import uncovered_rows
from shoal.testing._dossier import check_dossier
from shoal.testing._grouper import check_grouper, check_grouper_on, check_grouping
from shoal.testing._learner import check_learner
from shoal.testing._metric import check_metric
from shoal.testing._privacy import check_privacy_model
from shoal.testing._recoder import check_recoded, check_recoder, random_grouping
from shoal.testing._source import check_source
from shoal.testing._step import check_moved, check_steps
from shoal.testing._tables import random_hierarchies, random_table, shuffled
from shoal.testing._yardstick import assert_k_anonymous

__all__ = [
    "MODELS",
    "Case",
    "assert_k_anonymous",
    "check_attack",
    "check_dossier",
    "check_grouper",
    "check_grouper_on",
    "check_grouping",
    "check_learner",
    "check_metric",
    "check_moved",
    "check_privacy_model",
    "check_recoded",
    "check_recoder",
    "check_source",
    "check_steps",
    "random_case",
    "random_grouping",
    "random_hierarchies",
    "random_table",
    "shuffled",
    "uncovered_rows",
]
