"""What is published: recoders turn groups into cells.

=============  ===============================================================================
`Generalize`   intervals, tree labels, stars: everybody in a group reads the same
`Centroid`     microaggregation: every group publishes its centroid
`Quantize`     values of the original's kind, moved in steps inside clusters:
`PullIn`       extremes to the k-th, `PushBack` outliers into the crowd, `Flatten` columns to the
               centroid, `Stir` values inside clusters
`Explorer`     tries out m and radii for quantization: counts, and a map of outliers
=============  ===============================================================================
"""

from shoal.recoding._centroid import Centroid
from shoal.recoding._explorer import ClusterCounts, Explorer, OutlierMap
from shoal.recoding._flatten import Flatten
from shoal.recoding._generalize import Generalize, Recoded
from shoal.recoding._pull_in import PullIn
from shoal.recoding._push_back import WAYS, PushBack
from shoal.recoding._quantize import Moved, Quantize, default_steps
from shoal.recoding._step import Step
from shoal.recoding._stir import MODES, Stir

__all__ = [
    "MODES",
    "WAYS",
    "Centroid",
    "ClusterCounts",
    "Explorer",
    "Flatten",
    "Generalize",
    "Moved",
    "OutlierMap",
    "PullIn",
    "PushBack",
    "Quantize",
    "Recoded",
    "Step",
    "Stir",
    "default_steps",
]
