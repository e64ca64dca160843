"""Test-driven anonymization: let the models that will use the data judge it.

`tune` parts the rows, lets Optuna propose efforts (k, weights, method, limits), anonymizes the
train part with each, trains models on it and tests them on untouched rows: Q = Q_F + alpha * Q_NF
(Augusto, Morán, de la Riva and Tuya, 2019). `Tuned` holds the front, the alpha and the one effort
that is chosen; its release is the only one that leaves the study.
"""

from shoal.tuning._alpha import (
    AlphaChoice,
    Point,
    Reign,
    best_quality,
    choose_alpha,
    knee,
    pareto,
    reign_of,
    reigns,
)
from shoal.tuning._drawing import draw_curve, draw_front
from shoal.tuning._effort import METHODS, Effort
from shoal.tuning._effort_runner import EffortOutcome, EffortRunner, PublishedRows
from shoal.tuning._judge import Judge, Judgement
from shoal.tuning._page import TRIAL_SCORES
from shoal.tuning._parts import Parts, part
from shoal.tuning._privacy import MEASURES, PrivacyMeasure
from shoal.tuning._promises import promised_space
from shoal.tuning._result import Final, Tuned
from shoal.tuning._schemes import ROUNDING, Scheme
from shoal.tuning._search import Search
from shoal.tuning._starts import mutual_information, permutation_importance, starting_weights
from shoal.tuning._stepwise import Efforts, Stepwise
from shoal.tuning._study import Trial, TuningStudy
from shoal.tuning._target import Target
from shoal.tuning._tune import tune
from shoal.tuning._workers import Workers, attempt

__all__ = [
    "MEASURES",
    "METHODS",
    "ROUNDING",
    "TRIAL_SCORES",
    "AlphaChoice",
    "Effort",
    "EffortOutcome",
    "EffortRunner",
    "Efforts",
    "Final",
    "Judge",
    "Judgement",
    "Parts",
    "Point",
    "PrivacyMeasure",
    "PublishedRows",
    "Reign",
    "Scheme",
    "Search",
    "Stepwise",
    "Target",
    "Trial",
    "Tuned",
    "TuningStudy",
    "Workers",
    "attempt",
    "best_quality",
    "choose_alpha",
    "draw_curve",
    "draw_front",
    "knee",
    "mutual_information",
    "pareto",
    "part",
    "permutation_importance",
    "promised_space",
    "reign_of",
    "reigns",
    "starting_weights",
    "tune",
]
