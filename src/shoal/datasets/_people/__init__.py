"""Hospital patients we make up: who they are, where they live, what they do, why they came.

Each step draws given the steps before it: ``_homes``, ``_lives``, ``_work``, ``_health`` and, at
last, ``_names``. The tables in ``world`` say what exists and how common it is.
"""

from shoal.datasets._people._generator import people
from shoal.datasets._people._hospital import hospital

__all__ = ["hospital", "people"]
