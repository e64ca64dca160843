"""Privacy models: what must hold in every group of a release.

Each model is a frozen value that knows its citation, its parameter and whether it is monotone. It
measures the groups of a table, accepts or refuses each, and hands groupers a plain `Constraint`.

=========================  ===================================================================
`KAnonymity`               k people in every group
`KMap`                     k people of the population behind every group
`DeltaPresence`            nobody can tell who of the population is in
`DistinctLDiversity`       l distinct sensitive values in every group
`EntropyLDiversity`        as diverse as l equally common values
`RecursiveCLDiversity`     the commonest value does not drown the rare ones
`TCloseness`               sensitive values distributed in every group as in the table
`BasicBetaLikeness`        no value gains more than beta, relatively
`EnhancedBetaLikeness`     nor more than -ln of its share in the table
`DeltaDisclosure`          no value becomes much more or much less likely
`AlphaK`                   groups of k in which no value has a share above alpha
=========================  ===================================================================

The last eight are registered: `build_models` makes them from plain values, for plans and the
command line too. `register` adds others (docs/extending.md). A model says itself how it is asked
for (`ModelSetting`) and what the verifier recounts of it (`claims_of`).

`measure_privacy` measures them all on any table; `check` also judges what was asked.
"""

from shoal.privacy._alpha_k import AlphaK
from shoal.privacy._base import (
    Constraint,
    ModelResult,
    ModelSetting,
    PrivacyModel,
    Verdict,
    claims_of,
)
from shoal.privacy._beta_likeness import BasicBetaLikeness, EnhancedBetaLikeness
from shoal.privacy._build import build_models, build_sensitive, check_asked
from shoal.privacy._check import check
from shoal.privacy._classes import Matched, group_by_text, match_population
from shoal.privacy._delta_disclosure import DeltaDisclosure
from shoal.privacy._delta_presence import DeltaPresence
from shoal.privacy._distinct import DistinctLDiversity
from shoal.privacy._entropy import EntropyLDiversity
from shoal.privacy._histograms import count_members
from shoal.privacy._k_anonymity import KAnonymity
from shoal.privacy._k_map import KMap
from shoal.privacy._linkage import (
    average_risk,
    journalist_max_risk,
    marketer_risk,
    prosecutor_max_risk,
    sample_unique_fraction,
)
from shoal.privacy._measure import measure_privacy
from shoal.privacy._measures import PrivacyMeasures, SensitiveMeasures
from shoal.privacy._recursive import RecursiveCLDiversity
from shoal.privacy._registry import MODELS, register
from shoal.privacy._t_closeness import TCloseness

for _model in (  # in the order in which plans, reports and options name them
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveCLDiversity,
    TCloseness,
    BasicBetaLikeness,
    EnhancedBetaLikeness,
    DeltaDisclosure,
    AlphaK,
):
    register(_model)

__all__ = [
    "MODELS",
    "AlphaK",
    "BasicBetaLikeness",
    "Constraint",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EnhancedBetaLikeness",
    "EntropyLDiversity",
    "KAnonymity",
    "KMap",
    "Matched",
    "ModelResult",
    "ModelSetting",
    "PrivacyMeasures",
    "PrivacyModel",
    "RecursiveCLDiversity",
    "SensitiveMeasures",
    "TCloseness",
    "Verdict",
    "average_risk",
    "build_models",
    "build_sensitive",
    "check",
    "check_asked",
    "claims_of",
    "count_members",
    "group_by_text",
    "journalist_max_risk",
    "marketer_risk",
    "match_population",
    "measure_privacy",
    "prosecutor_max_risk",
    "register",
    "sample_unique_fraction",
]
