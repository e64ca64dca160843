"""How answers become weights.

`Posterior` is what sessions use. `Cafebabe` and `Cafedood` are the rules of the two experiment
pages of Malle et al. (2017), kept for comparison. A learner of your own is a `Belief`; run
`shoal.testing.check_learner` on it.
"""

from shoal.session.learners._belief import Belief, Observation, products
from shoal.session.learners._cafebabe import Cafebabe
from shoal.session.learners._cafedood import Cafedood
from shoal.session.learners._posterior import Posterior

LEARNERS: dict[str, type[Belief]] = {
    "posterior": Posterior,
    "cafebabe": Cafebabe,
    "cafedood": Cafedood,
}

__all__ = ["LEARNERS", "Belief", "Cafebabe", "Cafedood", "Observation", "Posterior", "products"]
