"""What is published: recoders turn groups into cells.

=============  ===============================================================================
`Generalize`   intervals, tree labels, stars: everybody in a group reads the same
`Centroid`     microaggregation: every group publishes its centroid
=============  ===============================================================================

Recoders that move values instead live in `shoal.quantize`.
"""

from shoal._plugins import Members
from shoal.recoding._base import SUPPRESSED, Recoded, Recoder
from shoal.recoding._centroid import Centroid
from shoal.recoding._generalize import Generalize
from shoal.recoding._publish import publish_values

#: Recoders by the name they have in plans and options.
RECODERS: Members[type[Recoder]] = Members(
    "shoal.recoders", Recoder, {r.name: r for r in (Generalize, Centroid)}
)

__all__ = [
    "RECODERS",
    "SUPPRESSED",
    "Centroid",
    "Generalize",
    "Recoded",
    "Recoder",
    "publish_values",
]
