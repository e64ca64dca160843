"""Re-identification risk from the sizes of groups: the chance of a right guess.

The prosecutor knows that the target is in the release, the journalist only that the target is in
the population, and the marketer wants as many people as possible, whoever they are (K. El Emam,
F. Dankar. Protecting privacy using k-anonymity. J. of the American Medical Informatics
Association 15(5), 2008). Prosecutor >= journalist >= marketer.
"""

from __future__ import annotations

import math

from shoal.typing import IntArray


def prosecutor_max_risk(sizes: IntArray) -> float:
    """Risk of the person easiest to find: 1 / smallest group.

    >>> import numpy as np
    >>> prosecutor_max_risk(np.array([2, 3]))
    0.5
    """
    return 1 / int(sizes.min())


def average_risk(sizes: IntArray) -> float:
    """Mean over records of 1 / group size, which is groups / records.

    >>> import numpy as np
    >>> average_risk(np.array([2, 3]))
    0.4
    """
    return int(sizes.size) / int(sizes.sum())


def sample_unique_fraction(sizes: IntArray) -> float:
    """Share of records that are alone in their group.

    >>> import numpy as np
    >>> sample_unique_fraction(np.array([1, 3]))
    0.25
    """
    return int((sizes == 1).sum()) / int(sizes.sum())


def journalist_max_risk(population: IntArray) -> float:
    """1 / smallest number of people in the population who read like some group: 1 / k-map.

    >>> import numpy as np
    >>> journalist_max_risk(np.array([6, 3]))
    0.3333333333333333
    """
    return 1 / int(population.min())


def marketer_risk(sizes: IntArray, population: IntArray) -> float:
    """Share of records expected to be linked rightly: mean over records of 1 / population size.

    >>> import numpy as np
    >>> marketer_risk(np.array([3, 2]), np.array([6, 3]))
    0.2333333333333333
    """
    return math.fsum((sizes / population).tolist()) / int(sizes.sum())
